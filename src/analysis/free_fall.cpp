#include "shosa/analysis/free_fall.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"
#include "shosa/body/body_segments.h"

namespace shosa::analysis {
namespace {

/// Edges of a flight are where contact detection is least sure.
constexpr double kTrim_s = 0.015;
/// Fits with more residual than this are no free fall.
constexpr double kMaxRms_m = 0.01;

/// Fits y = a + b t + c t^2 over frames first..last.
Flight fit_parabola(const std::vector<Vec3d>& path, int first, int last, double dt, double gravity) {
  const int n = last - first + 1;
  Eigen::MatrixXd basis(n, 3);
  Eigen::VectorXd y(n);
  for (int i = 0; i < n; ++i) {
    const double t = (i - 0.5 * (n - 1)) * dt;
    basis.row(i) << 1.0, t, t * t;
    y[i] = path[first + i].y();
  }
  const Eigen::VectorXd fit = basis.colPivHouseholderQr().solve(y);
  return {.time = {first * dt, last * dt},
          .gravity_ratio = -2.0 * fit[2] / gravity,
          .rms_m = std::sqrt((basis * fit - y).squaredNorm() / n)};
}

/// Steps a second between the first and the last landing, when the clip walks: at least four landings of alternating
/// feet and both feet down for a while at each change.
std::optional<double> walk_cadence(const FootContacts& contacts) {
  std::vector<std::pair<double, std::size_t>> landings;
  for (std::size_t i = 0; i < contacts.feet.size(); ++i) {
    if (contacts.feet[i].points.kind != body::FootKind::foot) continue;
    for (const TimeInterval& stance : contacts.feet[i].joined) {
      if (stance.begin_s > 0.0) landings.push_back({stance.begin_s, i});
    }
  }
  std::sort(landings.begin(), landings.end());
  if (landings.size() < 4) return std::nullopt;
  for (std::size_t k = 1; k < landings.size(); ++k) {
    if (landings[k].second == landings[k - 1].second) return std::nullopt;
  }
  const TimeInterval walk{landings.front().first, landings.back().first};
  const std::vector<TimeInterval> both =
      interval_intersection(double_support(contacts), std::vector<TimeInterval>{walk});
  if (!flight_intervals(contacts, walk).empty() || total_length_s(both) < 0.05 * walk.length_s()) return std::nullopt;
  return static_cast<double>(landings.size() - 1) / walk.length_s();
}

double weighted_median(std::vector<Flight> flights) {
  std::sort(flights.begin(), flights.end(),
            [](const auto& a, const auto& b) { return a.gravity_ratio < b.gravity_ratio; });
  double total = 0.0, sum = 0.0;
  for (const Flight& f : flights) total += f.time.length_s();
  for (const Flight& f : flights) {
    sum += f.time.length_s();
    if (sum >= 0.5 * total) return f.gravity_ratio;
  }
  return flights.back().gravity_ratio;
}

}  // namespace

std::vector<Vec3d> center_of_mass(const StudiedClip& studied) {
  const ClipPositions& positions = studied.positions();
  const body::BodyMap& map = studied.map();
  std::vector<Vec3d> path(static_cast<std::size_t>(positions.frame_count()));
  const JointIndex hips = root_joint(map);
  for (int f = 0; f < positions.frame_count(); ++f) {
    Vec3d sum = Vec3d::Zero();
    double mass = 0.0;
    for (const body::BodySegment& s : body::kHumanSegments) {
      if (!map.has(s.from) || !map.has(s.to)) continue;
      sum += s.mass *
             ((1.0 - s.place) * positions.joint(f, map.joint(s.from)) + s.place * positions.joint(f, map.joint(s.to)));
      mass += s.mass;
    }
    path[f] = mass > 0.5 ? Vec3d(sum / mass) : positions.joint(f, hips);
  }
  return path;
}

FreeFall check_free_fall(const StudiedClip& studied, const FreeFallParams& params) {
  FreeFall result;
  const Clip& clip = studied.clip();
  const FootContacts& contacts = studied.contacts();
  const double dt = clip.frame_time_s();
  const std::vector<Vec3d> path = center_of_mass(studied);
  for (const TimeInterval& flight : flight_intervals(contacts, {0.0, clip.last_time_s()})) {
    const int first = whole_frames(std::ceil((flight.begin_s + kTrim_s) / dt));
    const int last = std::min(clip.frame_count() - 1, whole_frames(std::floor((flight.end_s - kTrim_s) / dt)));
    if (flight.length_s() < params.min_flight_s || last - first < 4) continue;
    Flight fitted = fit_parabola(path, first, last, dt, params.gravity_mps2);
    fitted.time = flight;
    if (fitted.rms_m < kMaxRms_m) result.flights.push_back(fitted);
  }
  if (!result.flights.empty()) result.gravity_ratio = weighted_median(result.flights);
  result.walk_cadence_hz = walk_cadence(contacts);

  const auto doubled = [&](double ratio) { return ratio >= params.suspect_low && ratio <= params.suspect_high; };
  double evidence_s = 0.0;
  for (const Flight& flight : result.flights)
    evidence_s += doubled(flight.gravity_ratio) ? flight.time.length_s() : 0.0;
  const double half_fps = 0.5 * clip.fps();
  if (result.gravity_ratio && doubled(*result.gravity_ratio) && evidence_s >= params.min_evidence_s) {
    result.rate_is_suspect = true;
    result.warning = fmt::format(
        "the body falls with {:.1f} g: the frame rate of {:.4g} is probably twice the real one (--fps-is {:.4g})",
        *result.gravity_ratio, clip.fps(), half_fps);
  } else if (!result.gravity_ratio && result.walk_cadence_hz && *result.walk_cadence_hz > params.max_walk_cadence_hz) {
    result.rate_is_suspect = true;
    result.warning = fmt::format(
        "walks with {:.1f} steps a second: the frame rate of {:.4g} is probably twice the real one (--fps-is {:.4g})",
        *result.walk_cadence_hz, clip.fps(), half_fps);
  }
  if (result.rate_is_suspect) result.suggested_fps = half_fps;
  return result;
}

}  // namespace shosa::analysis
