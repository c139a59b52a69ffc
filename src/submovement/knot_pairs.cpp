#include "knot_pairs.h"

#include <algorithm>
#include <cmath>

#include "noise.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kPairedError = 0.1;  // Of a duration that a knot tells, where another knot confirms it.
constexpr double kJumpsApart = 0.03;  // Of two that belong together.
constexpr double kLongest = 1.1;      // Times the longest duration allowed.
constexpr double kShortest = 0.8;     // Times the shortest.
constexpr double kNearFrame = 0.03;   // Frames.
constexpr int kManyKnots = 4;

// How badly two knots fit as start and end of one submovement: each tells where the other is, and their jumps cancel.
// Above 1: not at all. Near others' knots the durations that they tell are off by more than their deviation.
double misfit(const Knot& start, const Knot& end, double step_s, bool turns) {
  const double duration = end.time_s - start.time_s;
  if (!(duration > 0.0)) return 1e300;
  const double allowed = std::max(step_s / duration, kPairedError);
  const double jumps = turns ? std::abs(start.jerk.norm() - end.jerk.norm()) : (start.jerk + end.jerk).norm();
  return std::max({std::abs(duration / start.duration_s - 1.0) / allowed,
                   std::abs(duration / end.duration_s + 1.0) / allowed, jumps / (kJumpsApart * start.jerk.norm())});
}

}  // namespace

std::vector<KnownPiece> pair_knots(std::vector<Knot> knots, double step_s, const SearchParams& params, double sure,
                                   bool turns) {
  std::erase_if(knots, [&](const Knot& knot) {
    const double duration = std::abs(knot.duration_s);
    return !(knot.duration_error < kPairedError) || (!turns && knot.sideways > 0.003 + 5.0 * knot.duration_error) ||
           duration < kShortest * params.min_duration_s || duration > kLongest * params.max_duration_s;
  });
  std::vector<KnownPiece> list;
  const auto piece = [](double t0, double duration, const Eigen::RowVectorXd& jerk) {
    return Piece{{t0, t0 + duration}, jerk * (duration * duration * duration / 60.0)};
  };
  std::vector<bool> used(knots.size(), false);
  for (std::size_t a = 0; a < knots.size(); ++a) {
    if (knots[a].duration_s < 0.0) continue;
    double best = 1.0;
    std::size_t end = knots.size();
    for (std::size_t b = a + 1;
         b < knots.size() && knots[b].time_s < knots[a].time_s + kLongest * params.max_duration_s; ++b) {
      if (used[b] || knots[b].duration_s > 0.0) continue;
      const double miss = misfit(knots[a], knots[b], step_s, turns);
      if (miss < best) best = miss, end = b;
    }
    if (end == knots.size()) continue;
    used[a] = used[end] = true;
    const Eigen::RowVectorXd jerk = turns ? knots[a].jerk : (0.5 * (knots[a].jerk - knots[end].jerk)).eval();
    list.push_back({piece(knots[a].time_s, knots[end].time_s - knots[a].time_s, jerk), 0.0, true, true});
  }
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const Knot& knot = knots[k];
    if (used[k] || knot.duration_error > sure) continue;
    if (knot.duration_s > 0.0)
      list.push_back({piece(knot.time_s, knot.duration_s, knot.jerk), knot.duration_error, true, false});
    else
      list.push_back(
          {piece(knot.time_s + knot.duration_s, -knot.duration_s, -knot.jerk), knot.duration_error, false, true});
  }
  return list;
}

double share_on_frames(const std::vector<Piece>& pieces, double step_s) {
  const auto near = std::count_if(pieces.begin(), pieces.end(), [&](const Piece& p) {
    const double frame = p.time.t0_s / step_s;
    return std::abs(frame - std::round(frame)) < kNearFrame;
  });
  return pieces.empty() ? 0.0 : static_cast<double>(near) / static_cast<double>(pieces.size());
}

bool are_crowded(const std::vector<Piece>& told, const Eigen::MatrixXd& data, double noise) {
  const int knots = knot_count(data, noise);
  return knots >= kManyKnots && static_cast<int>(told.size()) < knots / kManyKnots;
}

}  // namespace shosa::submovement::detail
