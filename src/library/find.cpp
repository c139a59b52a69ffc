#include "shosa/library/find.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "library/frame_scan.h"

namespace shosa::library {

namespace {

constexpr int kApart = 15;             // frames between two matches of one clip: half a second
constexpr int kTwinFrames = 15;        // least overlap of twins
constexpr int kWindow = 30;            // frames on each side that twins are compared by
constexpr int kFinePlaces = 8;         // places between two frames that a twin is looked for at
constexpr double kMaybeTwin_m = 0.06;  // a moment of a twin; the frames around it decide

/// The least sums of a clip, at least `kApart` frames apart, best first.
std::vector<int> best_frames(std::span<const std::int32_t> sums, int most) {
  std::vector<int> best;
  std::vector<char> taken(sums.size(), 0);
  while (static_cast<int>(best.size()) < most) {
    int found = -1;
    for (int i = 0; i < static_cast<int>(sums.size()); ++i)
      if (!taken[i] && (found < 0 || sums[i] < sums[found])) found = i;
    if (found < 0) break;
    best.push_back(found);
    const int end = std::min<int>(found + kApart + 1, static_cast<int>(sums.size()));
    for (int i = std::max(found - kApart, 0); i < end; ++i) taken[i] = 1;
  }
  return best;
}

/// Nearest first; then by name and time, so that the order is always the same.
void sort_and_cut(std::vector<Match>& matches, int limit) {
  std::ranges::sort(matches, [](const Match& a, const Match& b) {
    return std::tie(a.distance_m, a.file, a.take, a.time_s) < std::tie(b.distance_m, b.file, b.take, b.time_s);
  });
  if (static_cast<int>(matches.size()) > limit) matches.resize(limit);
}

/// The place between frames next to `frame` that is nearest to `to`.
std::pair<double, double> fine_place(std::span<const Feature> frames, int frame, const Feature& to) {
  std::pair<double, double> best = {frame, feature_distance_m(frames[frame], to)};
  for (int step = 1 - kFinePlaces; step < kFinePlaces; ++step) {
    const double place = frame + static_cast<double>(step) / kFinePlaces;
    if (place < 0.0 || place > static_cast<double>(frames.size()) - 1.0) continue;
    const double distance = feature_distance_m(feature_between(frames, place), to);
    if (distance < best.second) best = {place, distance};
  }
  return best;
}

/// Whether the frames around two moments agree; `mirrored`: with the mirror image of `a`.
bool agree(std::span<const Feature> a, double at_a, std::span<const Feature> b, double at_b, bool mirror) {
  std::vector<double> distances;
  const double last_a = static_cast<double>(a.size()) - 1.0, last_b = static_cast<double>(b.size()) - 1.0;
  for (int i = -kWindow; i <= kWindow; ++i) {
    if (at_a + i < 0.0 || at_a + i > last_a || at_b + i < 0.0 || at_b + i > last_b) continue;
    const Feature feature = feature_between(a, at_a + i);
    distances.push_back(feature_distance_m(mirror ? mirrored(feature) : feature, feature_between(b, at_b + i)));
  }
  const auto count = static_cast<int>(distances.size());
  // Clips shorter than that must agree as a whole.
  if (count < std::min<int>(kTwinFrames, static_cast<int>(std::min(a.size(), b.size())))) return false;
  std::ranges::nth_element(distances, distances.begin() + count / 2);
  return distances[count / 2] < kTwin_m;
}

}  // namespace

Result<void> name_twins(const Library& library, std::vector<Match>& matches) {
  std::vector<std::vector<Feature>> features;
  for (Match& match : matches) {
    auto own = library.features(match.id);
    if (!own) return std::unexpected(own.error());
    for (std::size_t i = 0; i < features.size() && match.twin_of.empty(); ++i) {
      const Match& other = matches[i];
      if (other.id == match.id || !other.twin_of.empty()) continue;
      const double at = match.time_s * kFeatureRate_hz, other_at = other.time_s * kFeatureRate_hz;
      if (agree(features[i], other_at, *own, at, other.mirrored != match.mirrored)) match.twin_of = other.file;
    }
    features.push_back(std::move(*own));
  }
  return {};
}

namespace {

/// Where the six points are, metres.
Vec3d point_of(const Feature& feature, int point, double scale) {
  if (point == 0) return Vec3d(0.0, feature[0], 0.0) * scale / 1000.0;
  const int at = 3 * point - 2;
  return Vec3d(feature[at], feature[at + 1], feature[at + 2]) * scale / 1000.0;
}

/// Mean square distance of the points; the best place and heading on the ground where they are free: with the means of
/// both taken out, the sum of squares is |a|^2 + |b|^2 - 2 |sum conj(a) b| over the plane, in complex numbers.
double pose_distance_m(const PoseQuery& query, const Feature& feature, double scale) {
  const double count = static_cast<double>(query.points.size());
  double sum = 0.0;
  if (!query.anywhere) {
    for (const auto& [point, position] : query.points)
      sum += (point_of(feature, point, scale) - position).squaredNorm();
    return std::sqrt(sum / count);
  }
  Vec3d mean_a = Vec3d::Zero(), mean_b = Vec3d::Zero();
  for (const auto& [point, position] : query.points) {
    mean_a += position / count;
    mean_b += point_of(feature, point, scale) / count;
  }
  double dot = 0.0, cross = 0.0;
  for (const auto& [point, position] : query.points) {
    const Vec3d here = point_of(feature, point, scale), a = position - mean_a, b = here - mean_b;
    const double height = position.y() - here.y();
    sum += height * height + a.x() * a.x() + a.z() * a.z() + b.x() * b.x() + b.z() * b.z();
    dot += a.x() * b.x() + a.z() * b.z();
    cross += a.z() * b.x() - a.x() * b.z();
  }
  return std::sqrt(std::max(sum - 2.0 * std::hypot(dot, cross), 0.0) / count);
}

}  // namespace

Result<std::vector<Match>> find_like(const Library& library, const Example& example, const FindParams& params) {
  const double at = example.time_s * kFeatureRate_hz;
  const Feature wanted = feature_between(example.features, at), reflected = mirrored(wanted);
  std::vector<Match> matches;
  std::vector<std::int32_t> sums, mirrored_sums;
  const auto visit = [&](const ScannedClip& clip, std::span<const Feature> frames) {
    if (clip.kind != example.kind || (example.id && clip.id == *example.id)) return;
    sums.resize(frames.size());
    squared_distances(frames, wanted, sums);
    mirrored_sums.resize(frames.size());
    squared_distances(frames, reflected, mirrored_sums);
    std::vector<Match> own;
    const auto add = [&](int frame, bool mirror) {
      const Feature& feature = mirror ? reflected : wanted;
      Match match{clip.id, clip.file, clip.take, frame / kFeatureRate_hz, feature_distance_m(frames[frame], feature),
                  mirror};
      // A copy that was cut elsewhere has its frames between ours.
      const auto [place, distance] = fine_place(frames, frame, feature);
      if (distance < kMaybeTwin_m && agree(example.features, at, frames, place, mirror)) {
        match.twin = mirror ? Twin::mirrored : Twin::copy;
        match.time_s = place / kFeatureRate_hz;
        match.distance_m = distance;
      }
      // Mirrored frames count where they were asked for, and twins always.
      if (!mirror || params.mirrored || match.twin != Twin::none) own.push_back(std::move(match));
    };
    for (const int frame : best_frames(sums, params.per_clip)) add(frame, false);
    for (const int frame : best_frames(mirrored_sums, params.per_clip)) add(frame, true);
    sort_and_cut(own, params.per_clip);
    matches.insert(matches.end(), own.begin(), own.end());
  };
  if (const auto ok = scan_frames(library, params.filter, visit); !ok) return std::unexpected(ok.error());
  sort_and_cut(matches, params.limit);
  if (const auto ok = name_twins(library, matches); !ok) return std::unexpected(ok.error());
  return matches;
}

Result<std::vector<Match>> find_pose(const Library& library, const PoseQuery& query, const FindParams& params) {
  std::vector<Match> matches;
  std::vector<std::int32_t> sums;
  const auto visit = [&](const ScannedClip& clip, std::span<const Feature> frames) {
    if (clip.kind == body::BodyKind::unknown) return;
    sums.resize(frames.size());
    // Hundredths of a millimetre: as whole numbers they are sorted as features are.
    const auto whole = [](double distance_m) {
      return static_cast<std::int32_t>(std::lround(std::min(1e5 * distance_m, 1e9)));
    };
    for (std::size_t i = 0; i < frames.size(); ++i) sums[i] = whole(pose_distance_m(query, frames[i], clip.scale));
    for (const int frame : best_frames(sums, params.per_clip))
      matches.push_back(
          {clip.id, clip.file, clip.take, frame / kFeatureRate_hz, pose_distance_m(query, frames[frame], clip.scale)});
  };
  if (const auto ok = scan_frames(library, params.filter, visit); !ok) return std::unexpected(ok.error());
  sort_and_cut(matches, params.limit);
  if (const auto ok = name_twins(library, matches); !ok) return std::unexpected(ok.error());
  return matches;
}

}  // namespace shosa::library
