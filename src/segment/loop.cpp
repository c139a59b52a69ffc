#include "shosa/segment/loop.h"

#include <algorithm>
#include <cmath>

#include "segment/floor_rise.h"
#include "segment/laid_parts.h"
#include "segment/match_postures.h"
#include "segment/meeting_segment.h"
#include "shosa/analysis/carried_by_root.h"
#include "shosa/analysis/cycle.h"
#include "shosa/core/angles.h"
#include "shosa/core/clip_edit.h"

namespace shosa::segment {
namespace {

// A loop is played by repeating one cycle; longer files than this are a slip of the hand.
constexpr std::size_t kMaxLoopBytes = std::size_t{1} << 30;

// What happens at an end of a motion has died out in its feet and hips by then: `FeetScales::root_m` and
// `root_jerk_mps3` stand for 0.1 s.
constexpr double kAround_s = 2.0;

struct Range {
  int first = 0, last = 0;
};

/// The first strides of the foot that makes most, from landing to landing: what may be a cycle all the same.
std::string strides_text(const analysis::FootContacts& contacts) {
  constexpr std::size_t kFew = 3;
  std::string most;
  std::size_t strides = 0;
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    std::vector<double> landings;
    for (const TimeInterval& stance : foot.joined)
      if (stance.begin_s > 0.0) landings.push_back(stance.begin_s);
    if (landings.size() < 2 || landings.size() - 1 <= strides) continue;
    strides = landings.size() - 1;
    most = fmt::format("; strides of the {} foot:", foot.points.name);
    for (std::size_t i = 0; i < std::min(strides, kFew); ++i)
      most += fmt::format("{} {:.3f} to {:.3f} s", i > 0 ? "," : "", landings[i], landings[i + 1]);
  }
  return most;
}

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
    return fail(ErrorCode::not_possible, "no cycle of steps found in {:.3g} s; give its begin and end{}",
                clip.duration_s(), strides_text(studied.contacts()));
  }
  return Range{clip.nearest_frame(cycle->begin_s), clip.nearest_frame(cycle->end_s)};
}

double rise_of(const analysis::StudiedClip& studied, const Range& range, LoopRise rise) {
  const FloorRise floor = floor_rise(studied, range.first, range.last);
  const bool climbs = rise == LoopRise::climb || (rise == LoopRise::as_floor && floor.climbs);
  return climbs ? floor.rise_m : 0.0;
}

/// How two ends meet: the largest distance of any joint, and the largest change of its velocity.
struct Seam {
  double position_m = 0.0, velocity_mps = 0.0;
};
/// Frames `end` and `end + 1` of what `frame` gives, against its frames 0 and 1, moved.
template <class Frame>
Seam seam_of(const Clip& clip, JointIndex carrier, const GroundMove& move, int end, const Frame& frame) {
  const auto at = [&](int i, const GroundMove& by) {
    Pose pose = frame(i);
    move_posture(clip.skeleton(), carrier, by, pose);
    return forward_kinematics(clip.skeleton(), pose).positions;
  };
  const auto start = at(0, move), after = at(1, move), last = at(end, {}), beyond = at(end + 1, {});
  Seam out;
  for (std::size_t j = 0; j < start.size(); ++j) {
    const Vec3d off = last[j] - start[j], off_next = beyond[j] - after[j];
    out.position_m = std::max(out.position_m, off.norm());
    out.velocity_mps = std::max(out.velocity_mps, (off_next - off).norm() / clip.frame_time_s());
  }
  return out;
}

/// The edited cycle with as much of itself before and after it that what happens at the far ends does not matter.
class Laps {
 public:
  Laps(const MeetingSegment& segment, const GroundMove& move, int around)
      : cycle_(segment.last()),
        around_(around),
        move_(move),
        clip_(segment.clip().skeleton_ptr(), cycle_ + 2 + 2 * around, segment.clip().frame_time_s(),
              segment.clip().translated()) {
    Pose pose;
    for (int f = 0; f < clip_.frame_count(); ++f) {
      segment.evaluate(f - start_of(lap_of(f)), pose);
      move_posture(clip_.skeleton(), segment.carrier(), placed(lap_of(f)), pose);
      clip_.set_frame(f, pose);
    }
  }

  /// Feet stand where the stances of all laps, cut by no seam, have them. `first`: of the cycle in its source.
  Result<void> stand(const analysis::StudiedClip& studied, int first) {
    std::vector<LaidPart> parts;
    const int end = clip_.frame_count() - 1;
    for (int lap = lap_of(0); start_of(lap) < end; ++lap) {
      const int from = std::max(0, start_of(lap)), to = std::min(end, start_of(lap + 1));
      parts.push_back({studied, first + from - start_of(lap), first + to - start_of(lap), from, placed(lap)});
    }
    auto stood = stand_laid_parts(clip_, parts);
    if (!stood) return std::unexpected(stood.error());
    clip_ = std::move(stood->clip);
    return {};
  }

  /// Of the lap in the middle.
  Pose frame(int i) const { return clip_.frame(around_ + i); }

 private:
  int start_of(int lap) const { return around_ + lap * cycle_; }
  int lap_of(int frame) const {
    const int from = frame - around_;
    return from >= 0 ? from / cycle_ : -((cycle_ - 1 - from) / cycle_);
  }
  GroundMove placed(int lap) const {
    GroundMove out;
    for (int i = 0; i < std::abs(lap); ++i) out = (lap > 0 ? move_ : move_.inverse()) * out;
    return out;
  }

  int cycle_, around_;
  GroundMove move_;
  Clip clip_;
};

}  // namespace

Result<Loop> make_loop(const analysis::StudiedClip& given, const LoopParams& params) {
  const analysis::StudiedClip studied = analysis::carried_by_root(given);
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
  auto created = MeetingSegment::create(studied, range->first, range->last, params.method);
  if (!created) return std::unexpected(created.error());
  MeetingSegment& segment = *created;
  const Clip& part = segment.clip();
  const Skeleton& skeleton = clip.skeleton();
  const JointIndex carrier = segment.carrier();

  // Where the cycle starts anew.
  const WorldPose begin = forward_kinematics(skeleton, part.frame(0)),
                  end = forward_kinematics(skeleton, part.frame(n));
  GroundMove move = match_postures(end, begin);
  if (params.straight) {
    // The same way, without the turn: about the hips.
    const Vec3d& hips = begin.positions[std::max(0, root_joint(studied.map()))];
    move = {0.0, move * hips - hips};
  }
  move.shift_m.y() = rise_of(studied, *range, params.rise);
  Loop loop{.clip = Clip(clip.skeleton_ptr(), params.cycles * n, clip.frame_time_s(), clip.translated()),
            .first = range->first,
            .frames_per_cycle = n,
            .per_cycle = move,
            .warnings = {}};
  loop.clip.set_name(clip.name());
  for (std::size_t j = 0; j < begin.positions.size(); ++j) {
    loop.distance_m +=
        (move * begin.positions[j] - end.positions[j]).norm() / static_cast<double>(begin.positions.size());
  }
  // Of a cycle that is found the ends are nearer than this.
  const double near_m = studied.needs_feet() ? analysis::CycleParams{}.max_distance_m * studied.contacts().scale : 0.0;
  if (near_m > 0.0 && loop.distance_m > near_m) {
    loop.warnings.push_back(fmt::format(
        "its ends are {:.0f} cm apart on the mean joint, a cycle's {:.0f} at most: the motion is bent by that much",
        100.0 * loop.distance_m, 100.0 * near_m));
  }

  MeetingSegment::meet(segment, segment, move);
  for (int pass = 0; pass < 2; ++pass) MeetingSegment::meet_velocity(segment, segment, move);
  const bool stand = params.still_feet && params.method != EditMethod::linear;
  Laps laps(segment, move, stand ? static_cast<int>(std::ceil(kAround_s / clip.frame_time_s())) : 0);
  if (const auto done = stand ? laps.stand(studied, range->first) : Result<void>(); !done) {
    loop.warnings.push_back(fmt::format("standing feet are left as they are: {}", done.error().message));
  }
  // As the edit left it, and as the feet did.
  const Seam edited = seam_of(clip, carrier, move, n, [&](int i) {
    Pose pose;
    segment.evaluate(i, pose);
    return pose;
  });
  const Seam stood = seam_of(clip, carrier, move, n, [&](int i) { return laps.frame(i); });
  loop.seam_position_m = std::max(edited.position_m, stood.position_m);
  loop.seam_velocity_mps = std::max(edited.velocity_mps, stood.velocity_mps);

  if (params.in_place && std::abs(move.yaw_rad) > 1e-9) {
    loop.warnings.push_back(
        fmt::format("the cycle turns by {:.1f} degrees, which in_place leaves in", move.yaw_rad * kDegPerRad));
  }
  if (params.in_place) loop.per_cycle.shift_m.setZero();
  GroundMove placed;
  for (int c = 0; c < params.cycles; ++c) {
    for (int i = 0; i < n; ++i) {
      Pose pose = laps.frame(i);
      if (params.in_place) move_posture(skeleton, carrier, {0.0, -(static_cast<double>(i) / n) * move.shift_m}, pose);
      move_posture(skeleton, carrier, placed, pose);
      loop.clip.set_frame(c * n + i, pose);
    }
    placed = loop.per_cycle * placed;
  }
  return loop;
}

}  // namespace shosa::segment
