#include "analysis/foot_rests.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/tree_paths.h"

namespace shosa::analysis {
namespace {

/// The leg of a standing foot is at least this share of its length under the hip.
constexpr double kStandingLegShare = 0.65;
/// How long a high rest must carry the body.
constexpr double kCarry_s = 0.10;

/// True when the rest is where the body stands: slow, under a stretched leg, with no other foot standing lower
/// meanwhile.
bool carries(const FootWork& foot, const Rest& rest, const std::vector<FootWork>& feet, double frame_time_s,
             double scale, const FootContactParams& params) {
  if (foot.points.kind == body::FootKind::hand || rest.median_speed_mps > params.carry_speed_mps * std::sqrt(scale))
    return false;
  // Frames of this rest in which another foot stands lower.
  std::vector<char> lower(static_cast<std::size_t>(rest.frames.count()), 0);
  for (const FootWork& other : feet) {
    if (&other == &foot) continue;
    for (const Rest& r : other.rests) {
      if (!r.counts || r.level_m >= rest.level_m - params.level_tolerance_m * scale) continue;
      const int first = std::max(r.frames.first, rest.frames.first), last = std::min(r.frames.last, rest.frames.last);
      for (int f = first; f <= last; ++f) lower[f - rest.frames.first] = 1;
    }
  }
  int carried = 0;
  for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
    if (!foot.leg_share.empty() && foot.leg_share[f] < kStandingLegShare) continue;
    carried += lower[f - rest.frames.first] ? 0 : 1;
  }
  return carried * frame_time_s >= kCarry_s;
}

}  // namespace

std::vector<double> leg_share(const Skeleton& skeleton, const ClipPositions& positions,
                              const body::FootPoints& points) {
  if (points.limb == kNoJoint) return {};
  const double length = chain_length_m(skeleton, skeleton.rest_positions(), points.limb, points.joint);
  if (length < 1e-6) return {};
  std::vector<double> share(static_cast<std::size_t>(positions.frame_count()));
  for (int f = 0; f < positions.frame_count(); ++f) {
    share[f] = (positions.joint(f, points.limb).y() - positions.joint(f, points.joint).y()) / length;
  }
  return share;
}

double ground_level(const std::vector<FootWork>& feet, double frame_time_s, double scale,
                    const FootContactParams& params) {
  std::vector<double> levels, carried;
  bool legs_known = false;
  for (const FootWork& foot : feet) {
    if (foot.points.kind == body::FootKind::hand) continue;
    legs_known |= !foot.leg_share.empty();
    for (const Rest& rest : foot.rests) {
      levels.insert(levels.end(), static_cast<std::size_t>(rest.frames.count()), rest.level_m);
      for (int f = rest.frames.first; f <= rest.frames.last; ++f)
        if (foot.leg_share.empty() || foot.leg_share[f] >= kStandingLegShare) carried.push_back(rest.level_m);
    }
  }
  // Feet that never carry the body tell of no ground: they may dangle. Then it is the file's own, unless they are
  // lower.
  if (static_cast<double>(carried.size()) * frame_time_s >= kCarry_s) {
    levels = std::move(carried);
  } else if (legs_known && !levels.empty()) {
    const double level = percentile(levels, 0.1);
    return level > params.still_tolerance_m * scale ? 0.0 : level;
  }
  if (levels.empty()) {
    for (const FootWork& foot : feet)
      levels.insert(levels.end(), foot.track.lowest_m.begin(), foot.track.lowest_m.end());
  }
  return percentile(std::move(levels), 0.1);
}

int judge_rests(std::vector<FootWork>& feet, double ground, double frame_time_s, double scale,
                const FootContactParams& params) {
  struct Entry {
    std::size_t foot, rest;
  };
  std::vector<Entry> order;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    for (std::size_t k = 0; k < feet[i].rests.size(); ++k) order.push_back({i, k});
  }
  std::stable_sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    return feet[a.foot].rests[a.rest].level_m < feet[b.foot].rests[b.rest].level_m;
  });
  int unsupported = 0;
  for (const Entry& e : order) {
    Rest& rest = feet[e.foot].rests[e.rest];
    const bool still = rest.median_speed_mps < params.support_speed_mps * std::sqrt(scale);
    const double tolerance = scale * (still ? params.still_tolerance_m : params.level_tolerance_m);
    rest.counts = rest.level_m <= ground + tolerance || carries(feet[e.foot], rest, feet, frame_time_s, scale, params);
    unsupported += rest.counts ? 0 : 1;
  }
  return unsupported;
}

}  // namespace shosa::analysis
