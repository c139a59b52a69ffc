#include <algorithm>
#include <cmath>
#include <limits>

#include "segment/foot_cleaner.h"
#include "shosa/solve/smooth_below.h"

namespace shosa::segment {
namespace {

// Over about which a foot is raised that would go below the ground.
constexpr double kRaise_s = 0.04;

}  // namespace

// What the stances changed, shared out over the swings between them.
void FootCleaner::swing() {
  for (std::size_t s = 0; s <= out_.stances.size(); ++s) {
    const int from = s == 0 ? -1 : out_.stances[s - 1].last;
    const int to = s == out_.stances.size() ? frames_ : out_.stances[s].first;
    if (out_.stances.empty() || to - from < 2) continue;
    spread_over_swing(captured_, from, to, out_);
    const auto ground = [&](std::size_t stance) { return out_.stances[stance].ground_m; };
    clear_ground(from, to, std::min(ground(s == 0 ? s : s - 1), ground(s == out_.stances.size() ? s - 1 : s)));
  }
}

/// World y of the lowest of ankle, ball and tips.
double FootCleaner::lowest_at(const Vec3d& place, const Quatd& turn, const Quatd& world_from_toes) const {
  const Vec3d ball = place + turn * out_.ball_in_foot;
  double y = std::min(place.y(), ball.y());
  for (const Vec3d& tip : out_.tips_in_toes) {
    y = std::min(y, limb_.toe == kNoJoint ? (place + turn * tip).y() : (ball + world_from_toes * tip).y());
  }
  return y;
}

// A foot that was laid on the ground comes from lower down than the captured one, and its toes, still turned, would go
// into the ground: they go no deeper than the ground of the stances, or than the captured ones went.
void FootCleaner::clear_ground(int from, int to, double ground_m) {
  const auto count = static_cast<std::size_t>(to - from - 1);
  // Two entries of 0 before and after stand for the stances, which stay.
  std::vector<double> weight(count + 4, 1.0), target(count + 4, 0.0), lift(count + 4, 0.0);
  std::vector<double> most(count + 4, std::numeric_limits<double>::infinity());
  bool deep = false;
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(from + 1) + k;
    const Quatd toes =
        limb_.toe == kNoJoint ? out_.turn[i] : Quatd(out_.turn[i] * captured_.toe_parent[i] * out_.toe_local[i]);
    const double now = lowest_at(out_.place_m[i], out_.turn[i], toes);
    const double before = lowest_at(captured_.place_m[i], captured_.turn[i],
                                    limb_.toe == kNoJoint ? captured_.turn[i] : captured_.toe_world[i]);
    most[k + 2] = now - std::min(ground_m, before);
    deep |= most[k + 2] < 0.0;
  }
  if (!deep) return;
  for (const std::size_t k : {count + 2, count + 3}) weight[k] = 1e6;
  solve::smooth_below({weight, target, most, std::pow(kRaise_s / clip_.frame_time_s(), 4), 2}, lift);
  for (std::size_t k = 0; k < count; ++k) out_.place_m[static_cast<std::size_t>(from + 1) + k].y() -= lift[k + 2];
}

}  // namespace shosa::segment
