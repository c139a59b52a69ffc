#include "shosa/segment/edit_segment.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "segment/edit_ends.h"
#include "segment/planted.h"
#include "segment/segment_editor.h"
#include "segment/standing_body.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::segment {
namespace {

/// Frames of the segment; the frame beyond the last takes part where the clip has one.
struct Stretch {
  int first = 0, last = 0;
};

Result<Stretch> find_stretch(const Clip& clip, const SegmentEditParams& params) {
  const double from = params.from_s.value_or(0.0), to = params.to_s.value_or(clip.last_time_s());
  const double half = 0.5 * clip.frame_time_s();
  if (!std::isfinite(from) || !std::isfinite(to) || from < -half || to > clip.last_time_s() + half || from >= to) {
    return fail(ErrorCode::invalid_argument, "a segment from {} s to {} s; the clip lasts from 0 s to {:.6g} s", from,
                to, clip.last_time_s());
  }
  const Stretch stretch{clip.nearest_frame(from), clip.nearest_frame(to)};
  if (params.back_by_s && !(*params.back_by_s >= (stretch.last + 1) * clip.frame_time_s() - half)) {
    return fail(ErrorCode::invalid_argument, "back by {} s, expected a time after the segment's end at {:.6g} s",
                *params.back_by_s, to);
  }
  return stretch;
}

Result<void> check(const Clip& clip, const SegmentEditParams& params) {
  if (params.handles.empty()) return fail(ErrorCode::invalid_argument, "no handle; expected at least one");
  if (params.max_speed_mps && !(*params.max_speed_mps > 0.0))
    return fail(ErrorCode::invalid_argument, "max_speed_mps is {}, expected > 0", *params.max_speed_mps);
  if (!(params.settle_s >= 0.0))
    return fail(ErrorCode::invalid_argument, "settle_s is {}, expected >= 0", params.settle_s);
  for (const HandleEnd& end : params.handles) {
    if (end.joint < 0 || end.joint >= clip.joint_count()) {
      return fail(ErrorCode::invalid_argument, "handle joint {} of {}", end.joint, clip.joint_count());
    }
    if (!end.position_m.allFinite() || (end.velocity_mps && !end.velocity_mps->allFinite())) {
      return fail(ErrorCode::invalid_argument, "handle '{}': a position or velocity that is not finite",
                  clip.skeleton().name(end.joint));
    }
    // Beyond this positions have no millimetres left in a file's numbers.
    constexpr double kFarthest_m = 1e4, kFastest_mps = 1e3;
    if (end.position_m.cwiseAbs().maxCoeff() > kFarthest_m ||
        (end.velocity_mps && end.velocity_mps->cwiseAbs().maxCoeff() > kFastest_mps)) {
      return fail(ErrorCode::invalid_argument, "handle '{}': an end beyond {} km or faster than {} m/s",
                  clip.skeleton().name(end.joint), kFarthest_m / 1000.0, kFastest_mps);
    }
  }
  return {};
}

// How far a handle is off its own path at any frame of the clip.
class HandleOffsets {
 public:
  HandleOffsets(const SegmentEditor& editor, int handle, const Stretch& stretch, double frame_time_s,
                const SegmentEditParams& params)
      : editor_(editor), handle_(handle), stretch_(stretch), settle_frames_(params.settle_s / frame_time_s) {
    if (params.back_by_s) back_frames_ = *params.back_by_s / frame_time_s - stretch.last;
  }

  Vec3d at(int frame) const {
    const int i = frame - stretch_.first, n = editor_.last();
    if (i <= 0) return Vec3d::Zero();
    if (i <= n) return offset(i);
    const double stays = back_frames_ ? std::max(0.0, 1.0 - minimum_jerk_step((i - n) / *back_frames_)) : 1.0;
    if (stays == 0.0) return Vec3d::Zero();
    // The velocity's change dies out: its integral over u = 1 - s, s the minimum-jerk step, is half the time.
    const Vec3d velocity = offset(n + 1) - offset(n);
    if (settle_frames_ < 1.0) return stays * offset(n);
    const double x = std::min(1.0, (i - n) / settle_frames_);
    const double rest = x - x * x * x * x * (2.5 + x * (-3.0 + x));
    return stays * (offset(n) + settle_frames_ * rest * velocity);
  }

 private:
  Vec3d offset(int i) const { return editor_.target(handle_, i) - editor_.source(handle_, i); }

  const SegmentEditor& editor_;
  int handle_;
  Stretch stretch_;
  double settle_frames_;
  std::optional<double> back_frames_;
};

// Ends and feet that the body could not keep are worth a word.
constexpr double kWorthSaying_m = 1e-3;
// How often ends with free axes are led elsewhere at most.
constexpr int kFreeRounds = 20;

/// Feet that keep their own paths.
std::vector<JointIndex> held_feet(const PointBody& body, const SegmentEditParams& params) {
  std::vector<JointIndex> feet;
  for (const Limb& limb : body.limbs) {
    const auto is_handle = [&](const HandleEnd& e) { return e.joint == limb.end || e.joint == limb.toe; };
    if (limb.leg && params.hold_feet && std::ranges::none_of(params.handles, is_handle)) feet.push_back(limb.end);
  }
  return feet;
}

// A goal out of reach would bend knees backward.
std::vector<posing::HumanRange> knee_ranges(const Clip& clip, const body::BodyMap& map, const PointBody& body) {
  auto ranges = posing::human_ranges(clip.skeleton(), map);
  if (!ranges) return {};
  std::erase_if(*ranges, [&](const posing::HumanRange& range) {
    return std::ranges::none_of(body.limbs, [&](const Limb& limb) { return limb.leg && limb.middle == range.joint; });
  });
  return std::move(*ranges);
}

// Standing feet, at the point that stands: the ball, or the ankle where the foot has none. A heel may rise.
void measure_feet(const analysis::StudiedClip& studied, const std::vector<JointIndex>& feet, SegmentEdit& edit) {
  const Skeleton& skeleton = studied.clip().skeleton();
  const double dt = studied.clip().frame_time_s();
  const ClipPositions after = clip_positions(edit.clip);
  JointIndex worst = kNoJoint;
  int at = 0;
  for (const analysis::FootContactTrack& foot : studied.contacts().feet) {
    if (std::ranges::find(feet, foot.points.joint) == feet.end()) continue;
    const int point = foot.points.toe >= 0 ? foot.points.toe : foot.points.joint;
    for (int f = edit.first; f < edit.clip.frame_count(); ++f) {
      const double off = (after.point(f, point) - studied.positions().point(f, point)).norm();
      if (off <= edit.max_feet_error_m || analysis::find_interval(foot.joined, f * dt) < 0) continue;
      edit.max_feet_error_m = off;
      worst = foot.points.joint;
      at = f;
    }
  }
  if (edit.max_feet_error_m > kWorthSaying_m) {
    edit.warnings.push_back(fmt::format("'{}' is pulled {:.1f} mm off its place at {:.3f} s", skeleton.name(worst),
                                        1e3 * edit.max_feet_error_m, at * dt));
  }
}

/// Every handle's way off its own path. They refer to the editor, which holds the change asked for.
std::vector<HandleOffsets> handle_offsets(const SegmentEditor& editor, const Stretch& stretch, double dt,
                                          const SegmentEditParams& params) {
  std::vector<HandleOffsets> out;
  for (int h = 0; h < editor.handle_count(); ++h) out.emplace_back(editor, h, stretch, dt, params);
  return out;
}

// Frame by frame, in and after the segment as far as there is a change. Feet stand where the capture has them, or as
// `standing` says, and then the hips, too.
void by_particles(const analysis::StudiedClip& studied, const SegmentEditParams& params,
                  const std::vector<HandleOffsets>& offsets, const std::vector<JointIndex>& feet,
                  const StandingBody* standing, SegmentEdit& edit) {
  const Clip& clip = studied.clip();
  Reconstructor reconstructor(make_point_body(clip, studied.map()));
  std::vector<PointGoal> goals;
  std::vector<EndTurn> turns;
  WorldPose world;
  Pose pose;
  for (int f = edit.first + 1; f < clip.frame_count(); ++f) {
    if (std::ranges::all_of(offsets, [&](const HandleOffsets& handle) { return handle.at(f).isZero(0.0); })) continue;
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    goals.clear();
    turns.clear();
    for (std::size_t h = 0; h < offsets.size(); ++h) {
      const JointIndex joint = params.handles[h].joint;
      const int point = reconstructor.body().point_of(joint);
      if (standing != nullptr && point == 0) continue;
      goals.push_back({point, world.positions[joint] + offsets[h].at(f), point != 0});
    }
    if (standing != nullptr) {
      standing->add_goals(reconstructor.body(), f, world, goals, turns);
    } else {
      for (const JointIndex foot : feet)
        goals.push_back({reconstructor.body().point_of(foot), world.positions[foot], true});
    }
    const ReconstructReport report = reconstructor.solve(pose, {.points = goals, .turns = turns}, pose);
    edit.max_iterations = std::max(edit.max_iterations, report.iterations);
    edit.max_link_error_m = std::max(edit.max_link_error_m, report.max_link_error_m);
    if (standing != nullptr) standing->level_toes(reconstructor.body(), f, world, pose);
    edit.clip.set_frame(f, pose);
  }
}

// Where the edit moves the hips, legs are solved over all its frames: by themselves they would be stretched straight
// and pop.
Result<void> stand(const analysis::StudiedClip& studied, const SegmentEditParams& params, const PointBody& body,
                   const std::vector<HandleOffsets>& offsets, const std::vector<JointIndex>& feet, SegmentEdit& edit) {
  feet::FollowHipsParams follow{.first = edit.first + 1, .last = edit.clip.frame_count() - 1, .ankles = feet};
  const auto changes = [&](const HandleOffsets& handle) { return !handle.at(follow.last).isZero(0.0); };
  while (follow.last > follow.first && std::ranges::none_of(offsets, changes)) --follow.last;
  for (std::size_t h = 0; h < offsets.size(); ++h) {
    const JointIndex joint = params.handles[h].joint;
    // Hips go with a head: it has nothing else to reach with.
    if (joint == body.hips || joint == body.head) follow.firm = true;
    for (const Limb& limb : body.limbs) {
      if (!limb.leg || (limb.end != joint && limb.toe != joint)) continue;
      if (std::ranges::find(follow.ankles, limb.end) != follow.ankles.end()) continue;
      follow.ankles.push_back(limb.end);
      follow.led_feet.push_back({limb.end, {}});
      for (int f = follow.first; f <= follow.last; ++f) follow.led_feet.back().shift_m.push_back(offsets[h].at(f));
    }
  }
  if (!moves_legs(studied, edit.clip, body, follow.first, follow.last)) return {};
  const auto standing = StandingBody::create(studied, edit.clip, std::move(follow));
  if (!standing) return std::unexpected(standing.error());
  by_particles(studied, params, offsets, feet, &*standing, edit);
  return {};
}

// The same ends by the pin-and-drag solver. Handles are led where the particle method brought them: that is where they
// were sent as far as the body reaches with its feet held, and a goal beyond would pull the feet along.
Result<void> by_pin_drag(const analysis::StudiedClip& studied, const SegmentEditParams& params, const PointBody& body,
                         const std::vector<JointIndex>& feet, SegmentEdit& edit) {
  const Clip& clip = studied.clip();
  const ClipPositions reached = clip_positions(edit.clip);
  posing::MotionEditParams motion = posing::body_edit(clip.skeleton(), studied.map());
  for (const HandleEnd& end : params.handles) {
    posing::DragLayer layer{.joint = end.joint, .keys = {}, .hold_last = true};
    for (int f = edit.first; f < clip.frame_count(); ++f)
      layer.keys.push_back({f * clip.frame_time_s(), reached.joint(f, end.joint)});
    motion.drags.push_back(std::move(layer));
  }
  for (const JointIndex foot : feet)
    motion.pins.push_back({.joint = foot, .position_m = {}, .hold_orientation = true, .orientation = {}});
  motion.prior = params.prior;
  motion.ranges = knee_ranges(clip, studied.map(), body);
  auto result = posing::edit_motion(clip, motion);
  if (!result) return std::unexpected(result.error());
  // What is not of the segment keeps its bits.
  for (int f = edit.first + 1; f < clip.frame_count(); ++f) edit.clip.set_frame(f, result->clip.frame(f));
  return {};
}

void measure(const SegmentEditParams& params, const Stretch& stretch, SegmentEdit& edit) {
  Pose pose;
  WorldPose before, at, after;
  const Clip& clip = edit.clip;
  clip.get_frame(stretch.last, pose);
  forward_kinematics(clip.skeleton(), pose, at);
  const bool has_next = stretch.last + 1 < clip.frame_count();
  clip.get_frame(has_next ? stretch.last + 1 : stretch.last - 1, pose);
  forward_kinematics(clip.skeleton(), pose, has_next ? after : before);
  for (std::size_t h = 0; h < params.handles.size(); ++h) {
    const HandleEnd& end = params.handles[h];
    const auto joint = static_cast<std::size_t>(end.joint);
    edit.handles[h].joint = end.joint;
    edit.handles[h].end_error_m = along_asked(end, at.positions[joint] - end.position_m).norm();
    if (edit.handles[h].end_error_m > kWorthSaying_m) {
      edit.warnings.push_back(
          fmt::format("'{}' ends {:.1f} mm from where it was asked to: {}", clip.skeleton().name(end.joint),
                      1e3 * edit.handles[h].end_error_m,
                      edit.handles[h].share < 1.0 ? "too far for its speed" : "out of the body's reach"));
    }
    if (!end.velocity_mps) continue;
    const Vec3d step = has_next ? Vec3d(after.positions[joint] - at.positions[joint])
                                : Vec3d(at.positions[joint] - before.positions[joint]);
    edit.handles[h].end_velocity_error_mps = (step / clip.frame_time_s() - *end.velocity_mps).norm();
  }
}

}  // namespace

Result<SegmentEdit> edit_segment(const analysis::StudiedClip& studied, const SegmentEditParams& params) {
  const Clip& clip = studied.clip();
  if (const auto ok = check(clip, params); !ok) return std::unexpected(ok.error());
  const auto stretch = find_stretch(clip, params);
  if (!stretch) return std::unexpected(stretch.error());
  const double dt = clip.frame_time_s();

  // Coefficients, with feet at rest while they stand.
  SegmentEditorParams setup{.handles = {}, .method = params.method, .hold_feet = params.hold_feet};
  for (const HandleEnd& end : params.handles) {
    setup.handles.push_back({end.joint, planted_flags(studied, end.joint, stretch->first, stretch->last + 1)});
  }
  auto editor = SegmentEditor::create(studied, stretch->first, stretch->last, setup);
  if (!editor) return std::unexpected(editor.error());

  SegmentEdit edit{.clip = clip, .first = stretch->first, .last = stretch->last};
  std::vector<Vec3d> ends;
  for (int h = 0; h < editor->handle_count(); ++h) {
    const HandleEnd& end = params.handles[h];
    const Vec3d& own = editor->source(h, editor->last());
    ends.push_back(own + along_asked(end, end.position_m - own));
  }
  const PointBody& body = editor->body();
  const std::vector<JointIndex> feet = held_feet(body, params);
  if (!send(params, ends, dt, *editor, edit)) {
    measure(params, *stretch, edit);
    return edit;
  }
  // First the points, then the legs that go with them. Feet do not hold back hips that are led themselves: legs follow.
  const bool stands =
      params.hold_feet && params.reconstruction == Reconstruction::particles && studied.needs_feet().has_value();
  const bool hips_led = std::ranges::find(params.handles, body.hips, &HandleEnd::joint) != params.handles.end();
  const std::vector<JointIndex> holding = stands && hips_led ? std::vector<JointIndex>() : feet;
  const auto make = [&]() -> Result<void> {
    const auto offsets = handle_offsets(*editor, *stretch, dt, params);
    by_particles(studied, params, offsets, holding, nullptr, edit);
    return stands ? stand(studied, params, body, offsets, feet, edit) : Result<void>();
  };
  if (const auto ok = make(); !ok) return std::unexpected(ok.error());
  // A body that does not reach an end with free axes as the clip has them may reach it elsewhere along these: sent to
  // where it got along them, it is projected in turn onto what it reaches and onto what is asked for.
  for (int round = 0; round < kFreeRounds && lead_free_axes(params, edit, ends); ++round) {
    edit = {.clip = clip, .first = stretch->first, .last = stretch->last};
    send(params, ends, dt, *editor, edit);
    if (const auto ok = make(); !ok) return std::unexpected(ok.error());
  }
  if (params.reconstruction == Reconstruction::pin_drag) {
    if (const auto ok = by_pin_drag(studied, params, body, feet, edit); !ok) return std::unexpected(ok.error());
  }
  measure(params, *stretch, edit);
  measure_feet(studied, feet, edit);
  return edit;
}

}  // namespace shosa::segment
