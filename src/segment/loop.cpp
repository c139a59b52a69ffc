#include "shosa/segment/loop.h"

#include <algorithm>
#include <cmath>

#include "segment/match_postures.h"
#include "segment/meeting_segment.h"
#include "shosa/analysis/cycle.h"
#include "shosa/core/clip_edit.h"

namespace shosa::segment {
namespace {

// A loop is played by repeating one cycle; longer files than this are a slip of the hand.
constexpr std::size_t kMaxLoopBytes = std::size_t{1} << 30;

struct Range {
  int first = 0, last = 0;
};

Result<Range> find_range(const analysis::StudiedClip& studied, const LoopParams& params) {
  const Clip& clip = studied.clip();
  if (params.from_s.has_value() != params.to_s.has_value()) {
    return fail(ErrorCode::invalid_argument, "a cycle needs both its begin and its end, or neither");
  }
  if (params.from_s) {
    const double half = 0.5 * clip.frame_time_s();
    if (!(*params.from_s >= -half) || !(*params.to_s <= clip.last_time_s() + half) ||
        !(*params.from_s < *params.to_s)) {
      return fail(ErrorCode::invalid_argument, "a cycle from {} s to {} s; the clip lasts from 0 s to {:.6g} s",
                  *params.from_s, *params.to_s, clip.last_time_s());
    }
    return Range{clip.nearest_frame(*params.from_s), clip.nearest_frame(*params.to_s)};
  }
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  const auto cycle = analysis::find_cycle(studied);
  if (!cycle) return std::unexpected(cycle.error());
  if (!cycle->found) {
    return fail(ErrorCode::not_possible, "no cycle of steps found in {:.3g} s; give its begin and end",
                clip.duration_s());
  }
  return Range{clip.nearest_frame(cycle->begin_s), clip.nearest_frame(cycle->end_s)};
}

double largest_distance(const WorldPose& a, const WorldPose& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < a.positions.size(); ++j)
    worst = std::max(worst, (a.positions[j] - b.positions[j]).norm());
  return worst;
}

}  // namespace

Result<Loop> make_loop(const analysis::StudiedClip& studied, const LoopParams& params) {
  const Clip& clip = studied.clip();
  if (params.cycles < 1) return fail(ErrorCode::invalid_argument, "{} cycles, expected at least 1", params.cycles);
  const auto range = find_range(studied, params);
  if (!range) return std::unexpected(range.error());
  const int n = range->last - range->first;
  const std::size_t frame_bytes = 16 * static_cast<std::size_t>(clip.joint_count()) + 64;
  if (static_cast<std::size_t>(params.cycles) >
      kMaxLoopBytes / frame_bytes / static_cast<std::size_t>(std::max(n, 1))) {
    return fail(ErrorCode::invalid_argument, "{} cycles of {} frames of {} bytes are more than {} GB", params.cycles, n,
                frame_bytes, kMaxLoopBytes >> 30);
  }
  auto segment = MeetingSegment::create(studied, range->first, range->last,
                                        params.still_feet && params.method != EditMethod::linear);
  if (!segment) return std::unexpected(segment.error());
  const Clip& part = (*segment)->clip();
  const Skeleton& skeleton = clip.skeleton();
  const JointIndex carrier = (*segment)->body()->carrier;

  // Where the cycle begins anew.
  const WorldPose begin = forward_kinematics(skeleton, part.frame(0)),
                  end = forward_kinematics(skeleton, part.frame(n));
  GroundMove move = match_postures(end, begin, params.level_m);
  if (params.straight) {
    // The same way, without the turn: about the hips.
    const auto hips = static_cast<std::size_t>((*segment)->body()->hips);
    const Vec3d way = move * begin.positions[hips] - begin.positions[hips];
    move = {0.0, way};
  }
  Loop loop{.clip = Clip(clip.skeleton_ptr(), params.cycles * n, clip.frame_time_s(), clip.translated()),
            .first = range->first,
            .frames_per_cycle = n,
            .per_cycle = move,
            .warnings = {}};
  loop.clip.set_name(clip.name());

  // The end meets the edited beginning: its second frame has moved by the first share already.
  Meeting meeting(*segment, params.method);
  for (int pass = 0; pass < 2; ++pass) {
    MotionStart start = meeting.start();
    start.move(*(*segment)->body(), move);
    meeting.set_end(start);
  }
  for (std::size_t j = 0; j < begin.positions.size(); ++j) {
    loop.distance_m +=
        (move * begin.positions[j] - end.positions[j]).norm() / static_cast<double>(begin.positions.size());
  }

  const GroundMove way = move;
  GroundMove placed;
  std::vector<Pose> frames;
  for (int i = 0; i < n; ++i) {
    frames.emplace_back();
    meeting.evaluate(i, frames.back());
    if (params.in_place) {
      const double share = static_cast<double>(i) / n;
      move_posture(skeleton, carrier, {0.0, -share * move.shift_m}, frames.back());
    }
  }
  if (params.in_place && std::abs(move.yaw_rad) > 1e-9) {
    loop.warnings.push_back(
        fmt::format("the cycle turns by {:.1f} degrees, which in_place leaves in", move.yaw_rad * 57.29577951308232));
  }
  if (params.in_place) loop.per_cycle = move = {move.yaw_rad, Vec3d::Zero()};
  for (int c = 0; c < params.cycles; ++c) {
    for (int i = 0; i < n; ++i) {
      Pose pose = frames[i];
      move_posture(skeleton, carrier, placed, pose);
      loop.clip.set_frame(c * n + i, pose);
    }
    placed = move * placed;
  }

  // The seam as it came out.
  Pose at_end, beyond, next, after;
  meeting.evaluate(n, at_end);
  meeting.evaluate(n + 1, beyond);
  meeting.evaluate(0, next);
  meeting.evaluate(1, after);
  move_posture(skeleton, carrier, way, next);
  move_posture(skeleton, carrier, way, after);
  const WorldPose w_end = forward_kinematics(skeleton, at_end), w_beyond = forward_kinematics(skeleton, beyond);
  const WorldPose w_next = forward_kinematics(skeleton, next), w_after = forward_kinematics(skeleton, after);
  loop.seam_position_m = largest_distance(w_end, w_next);
  for (std::size_t j = 0; j < w_end.positions.size(); ++j) {
    const Vec3d jump = (w_beyond.positions[j] - w_end.positions[j]) - (w_after.positions[j] - w_next.positions[j]);
    loop.seam_velocity_mps = std::max(loop.seam_velocity_mps, jump.norm() / clip.frame_time_s());
  }
  return loop;
}

}  // namespace shosa::segment
