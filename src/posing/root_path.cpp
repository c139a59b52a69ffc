#include "posing/root_path.h"

#include <algorithm>
#include <cmath>

#include "posing/smooth_path.h"

namespace shosa::posing {

namespace {

// What a foot in the air and the captured path itself count against a standing foot.
constexpr double kSwingWeight = 0.03;
constexpr double kPathWeight = 2.0;
// A leg straighter than this has no clear way to bend.
constexpr double kStraight = 0.9985;
// Of the way from the captured stretch to the reach: nearly straight knees move far for little.
constexpr double kStretchShare = 0.8;
// The last part of the reach over which a foot in the air is held back.
constexpr double kSoftShare = 0.02;
constexpr double kLeastRoom = 0.002;
constexpr int kPullRounds = 4;
constexpr double kPullWeight = 2.0;

// How far the hip has to sink so that the ankle is within `reach_m`; less where sinking cannot bring it there.
double sink_m(const Vec3d& hip_m, const Vec3d& ankle_m, double reach_m) {
  const Vec3d leg = ankle_m - hip_m;
  if (leg.norm() <= reach_m || leg.y() >= 0.0) return 0.0;
  const double across = std::hypot(leg.x(), leg.z());
  const double down = std::sqrt(std::max(0.0, reach_m * reach_m - across * across));
  return std::max(0.0, -leg.y() - down);
}

double leg_reach_m(const SourceFoot& source, const LegReach& leg, std::size_t frame, double reach) {
  const double captured = (source.path.ankle_m[frame] - leg.hip_m[frame]).norm();
  const double most = captured + kStretchShare * std::max(0.0, reach * leg.length_m - captured);
  return std::min(most, kStraight * leg.length_m);
}

}  // namespace

void stay_in_reach(FootPath& plan, const SourceFoot& source, const LegReach& leg, std::span<const Vec3d> root_m,
                   double reach) {
  for (std::size_t f = 0; f < plan.ankle_m.size(); ++f) {
    const Vec3d hip = leg.hip_m[f] + root_m[f];
    const Vec3d way = plan.ankle_m[f] - hip;
    // Captured stretches stay as they are; beyond them the foot is held back more and more.
    const double captured = (source.path.ankle_m[f] - leg.hip_m[f]).norm();
    const double free = std::min(std::max(captured, (reach - kSoftShare) * leg.length_m), kStraight * leg.length_m);
    const double room = std::max(reach * leg.length_m - free, kLeastRoom * leg.length_m);
    const double distance = way.norm();
    if (distance <= free) continue;
    const double wanted = free + room * (1.0 - std::exp((free - distance) / room));
    plan.ankle_m[f] -= (1.0 - plan.firm[f]) * (distance - wanted) / distance * way;
  }
}

std::vector<Vec3d> plan_root(std::span<const SourceFoot> sources, std::span<const FootPath> plans,
                             std::span<const LegReach> legs, double frame_time_s, const KeepFeetParams& params) {
  const std::size_t frames = plans[0].ankle_m.size();
  std::vector<SmoothPathFrame> asked(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    Vec3d sum = Vec3d::Zero();
    double weight = kPathWeight;
    for (std::size_t foot = 0; foot < plans.size(); ++foot) {
      const double share = plans[foot].standing[f] ? 1.0 : kSwingWeight;
      sum += share * (plans[foot].ankle_m[f] - sources[foot].path.ankle_m[f]);
      weight += share;
    }
    asked[f].wanted = sum / weight;
    asked[f].weight = weight;
    asked[f].span_frames = std::clamp(params.root_span_s / frame_time_s, 1.0, 60.0);
  }
  std::vector<Vec3d> root = smooth_path(asked);

  // Legs that would be stretched too far draw the root toward their foot.
  const auto reach_m = [&](std::size_t foot, std::size_t f) {
    return leg_reach_m(sources[foot], legs[foot], f, params.reach);
  };
  for (int round = 0; round < kPullRounds; ++round) {
    for (std::size_t f = 0; f < frames; ++f) {
      for (std::size_t foot = 0; foot < plans.size(); ++foot) {
        const Vec3d leg = plans[foot].ankle_m[f] - (legs[foot].hip_m[f] + root[f]);
        const double excess = plans[foot].firm[f] * (leg.norm() - reach_m(foot, f));
        if (excess <= 0.0) continue;
        asked[f].wanted = (asked[f].weight * asked[f].wanted + kPullWeight * (root[f] + excess * leg.normalized())) /
                          (asked[f].weight + kPullWeight);
        asked[f].weight += kPullWeight;
      }
    }
    root = smooth_path(asked);
  }

  // What is left over is met by sinking, for sure.
  std::vector<double> sink(frames, 0.0);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t foot = 0; foot < plans.size(); ++foot) {
      const double needed = sink_m(legs[foot].hip_m[f] + root[f], plans[foot].ankle_m[f], reach_m(foot, f));
      sink[f] = std::max(sink[f], plans[foot].firm[f] * needed);
    }
    sink[f] = std::min(sink[f], params.max_sink_m);
  }
  sink = smooth_upper_envelope(sink, std::max(1, static_cast<int>(params.envelope_s / frame_time_s)));
  for (std::size_t f = 0; f < frames; ++f) root[f].y() -= sink[f];
  return root;
}

}  // namespace shosa::posing
