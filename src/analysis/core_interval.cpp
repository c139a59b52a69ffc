#include "shosa/analysis/core_interval.h"

#include <algorithm>
#include <cmath>

#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/pose_distance.h"

namespace shosa::analysis {
namespace {

constexpr double kActivitySmoothing_s = 0.08;
constexpr double kRootSmoothing_s = 0.20;
/// Below this peak (m/s, mean over the joints) or this ratio of peak to rest nothing happens.
constexpr double kLeastPeak_mps = 0.25, kLeastContrast = 1.6;

std::vector<double> activity_mps(const ClipPositions& positions, const std::vector<JointIndex>& joints, double dt) {
  std::vector<double> speed(static_cast<std::size_t>(positions.frame_count()), 0.0);
  const int frames = positions.frame_count();
  for (int f = 0; f < frames; ++f) {
    const int a = std::max(0, f - 1), b = std::min(frames - 1, f + 1);
    if (a == b) continue;
    double sum = 0.0;
    for (const JointIndex j : joints) sum += (positions.joint(b, j) - positions.joint(a, j)).norm();
    speed[f] = sum / (static_cast<double>(joints.size()) * (b - a) * dt);
  }
  return low_pass(speed, kActivitySmoothing_s / dt);
}

std::vector<double> smooth_root_speed(const RootMotion& root) {
  const double dt = root.frame_time_s;
  std::vector<Vec3d> path;
  for (const GroundPlace& place : root.places) path.push_back({place.x_m, 0.0, place.z_m});
  path = low_pass(path, kRootSmoothing_s / dt);
  return sharp_speed(path, 1, dt);
}

TimeInterval steady_steps(const StudiedClip& studied, const Cycle& cycle, const CoreParams& params) {
  const Clip& clip = studied.clip();
  const std::vector<double> speed = smooth_root_speed(studied.root());
  const double bound = params.steady_share * percentile(speed, 0.5);
  std::vector<char> steady(speed.size());
  for (std::size_t i = 0; i < speed.size(); ++i) steady[i] = speed[i] >= bound;
  TimeInterval core{cycle.begin_s, cycle.end_s};
  const int middle = clip.nearest_frame(0.5 * (cycle.begin_s + cycle.end_s));
  for (const FrameRange& run : true_runs(steady)) {
    if (middle < run.first || middle > run.last) continue;
    core.begin_s = std::min(core.begin_s, run.first * clip.frame_time_s());
    core.end_s = std::max(core.end_s, run.last * clip.frame_time_s());
  }
  // Leave half a cycle to step in and out with, but keep a whole one.
  const double length = cycle.end_s - cycle.begin_s;
  const double spare = std::clamp(0.5 * (core.length_s() - length), 0.0, 0.5 * length);
  return {core.begin_s + spare, core.end_s - spare};
}

}  // namespace

Result<CoreInterval> suggest_core(const StudiedClip& studied, const Cycle& cycle, const CoreParams& params) {
  for (const double share : {params.steady_share, params.action_share, params.margin_share}) {
    if (!(share > 0.0 && share < 1.0))
      return fail(ErrorCode::invalid_argument, "suggest_core: a share is {}, expected 0 to 1", share);
  }
  if (!(params.join_gap_s >= 0.0)) {
    return fail(ErrorCode::invalid_argument, "suggest_core: join_gap_s is {}, expected >= 0", params.join_gap_s);
  }
  const Clip& clip = studied.clip();
  const double dt = clip.frame_time_s();
  const double margin = std::min(params.margin_share, 0.4) * clip.last_time_s();
  CoreInterval core{.time = {margin, clip.last_time_s() - margin}, .kind = CoreKind::idle};
  if (cycle.found) return CoreInterval{steady_steps(studied, cycle, params), CoreKind::steps};

  const std::vector<double> activity =
      activity_mps(studied.positions(), part_joints(studied.skeleton(), studied.map(), BodyPart::whole), dt);
  const auto peak = std::max_element(activity.begin(), activity.end());
  const double rest = percentile(activity, 0.1);
  if (*peak < kLeastPeak_mps || *peak < kLeastContrast * rest) return core;

  // The stretch around the peak, with short pauses bridged.
  const double bound = rest + params.action_share * (*peak - rest);
  std::vector<TimeInterval> active;
  std::vector<char> flags(activity.size());
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = activity[i] >= bound;
  for (const FrameRange& run : true_runs(flags)) active.push_back({run.first * dt, run.last * dt});
  active = interval_union(active, {}, params.join_gap_s);
  const int k = find_interval(active, static_cast<double>(peak - activity.begin()) * dt);
  core.time = active[std::max(k, 0)];
  core.kind = CoreKind::action;
  if (core.time.length_s() < 2.0 * dt && clip.frame_count() > 2) {
    core.time = {std::max(0.0, core.time.begin_s - dt), std::min(clip.last_time_s(), core.time.end_s + dt)};
  }
  return core;
}

}  // namespace shosa::analysis
