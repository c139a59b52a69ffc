#include "segment/meeting_segment.h"

#include <algorithm>
#include <cmath>

#include "segment/frames.h"
#include "segment/planted.h"
#include "segment/standing_feet.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"
#include "shosa/solve/smooth_below.h"

namespace shosa::segment {
namespace {

// Velocities are met over the end of a segment only.
constexpr double kVelocityTail_s = 0.25;

std::vector<double> turn_speeds(const std::vector<Quatd>& turns, const std::vector<char>& planted) {
  std::vector<double> speeds;
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
    const bool rests = !planted.empty() && planted[i] != 0 && planted[i + 1] != 0;
    speeds.push_back(rests ? 0.0 : log_rotation(turns[i].conjugate() * turns[i + 1]).norm());
  }
  return speeds;
}

// The segment's frames and the one beyond; where the clip ends, the last step is repeated.
Clip stretch_of(const Clip& clip, int first, int last) {
  const bool has_next = last + 1 < clip.frame_count();
  const int count = last - first + 2;
  Clip out(clip.skeleton_ptr(), count, clip.frame_time_s(), clip.translated());
  for (int i = 0; i < count - (has_next ? 0 : 1); ++i) out.set_frame(i, clip.frame(first + i));
  if (has_next) return out;
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    const Quatd a = clip.rotation(last - 1, j).cast<double>(), b = clip.rotation(last, j).cast<double>();
    out.set_rotation(count - 1, j, (b * (a.conjugate() * b)).normalized().cast<float>());
  }
  for (const JointIndex j : clip.translated()) {
    out.set_translation(count - 1, j, 2.0f * clip.translation(last, j) - clip.translation(last - 1, j));
  }
  return out;
}

// Feet that stand still where captured ones slid may be out of a leg's reach for a moment: how far the hips go down for
// that, world metres per frame of the clip, on the smoothest path that is nowhere less than the legs need.
std::vector<double> hips_sink_m(const Clip& clip, const StandingFeet& still) {
  constexpr double kSinkEase_s = 0.1;
  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<double> weight(frames, 1.0), target(frames, 0.0), most(frames, 0.0), sink(frames, 0.0);
  Pose pose;
  WorldPose world;
  for (std::size_t f = 0; f < frames; ++f) {
    clip.get_frame(static_cast<int>(f), pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const auto at = [&](JointIndex joint) { return world.positions[joint]; };
    for (const StandingFoot& foot : still.feet) {
      const Limb& limb = *foot.limb;
      const double whole = (at(limb.middle) - at(limb.upper)).norm() + (at(limb.end) - at(limb.middle)).norm();
      most[f] -= reach_sink_m(at(limb.upper) - foot.place_m[f], body::kReach * whole);
    }
  }
  solve::smooth_below({weight, target, most, std::pow(kSinkEase_s / clip.frame_time_s(), 4)}, sink);
  return sink;
}

}  // namespace

MeetingSegment::Track::Track(const std::vector<double>& speeds, int most_tail) {
  const PathCoefficients c = path_coefficients(speeds, most_tail);
  end_share = c.end_share;
  for (std::size_t i = 0; i < c.delta.size(); ++i) shares.push_back({c.delta[i], c.tail_epsilon[i]});
}

Result<std::shared_ptr<const MeetingSegment>> MeetingSegment::create(const analysis::StudiedClip& studied, int first,
                                                                     int last, bool still_feet) {
  const Clip& clip = studied.clip();
  if (first < 0 || last >= clip.frame_count() || last - first < 3) {
    return fail(ErrorCode::invalid_argument, "a segment from frame {} to {} of {}; at least 4 frames inside are needed",
                first, last, clip.frame_count());
  }
  auto body = make_point_body(clip, studied.map());
  if (!clip.is_translated(body->carrier)) {
    return fail(ErrorCode::not_possible, "the root's translation does not vary in the clip, so the body cannot move");
  }
  auto out = std::shared_ptr<MeetingSegment>(new MeetingSegment(stretch_of(clip, first, last), body, last - first));
  Clip& part = out->clip_;
  std::optional<StandingFeet> still;
  if (still_feet) {
    if (auto found = standing_feet(studied, *body)) still = std::move(*found);
    out->still_feet_ = still.has_value();
  }
  const int next = std::min(last + 1, clip.frame_count() - 1);
  if (still) {
    for (const StandingFoot& foot : still->feet) {
      for (int f = first; f <= last + 1 && !foot.toe_local.empty(); ++f) {
        part.set_rotation(f - first, foot.limb->toe, foot.toe_local[std::min(f, next)].cast<float>());
      }
    }
  }
  if (still) {
    const std::vector<double> sink = hips_sink_m(clip, *still);
    for (int f = first; f <= last + 1; ++f) {
      Pose pose = part.frame(f - first);
      move_posture(part.skeleton(), body->carrier, {0.0, Vec3d(0.0, sink[std::min(f, next)], 0.0)}, pose);
      part.set_frame(f - first, pose);
    }
  }
  const int count = part.frame_count();
  const int most_tail = static_cast<int>(kVelocityTail_s / clip.frame_time_s());

  // Texture and place.
  for (JointIndex j = 0; j < part.joint_count(); ++j) {
    std::vector<Quatd> turns;
    for (int f = 0; f < count; ++f) turns.push_back(part.rotation(f, j).cast<double>());
    out->rotations_.emplace_back(turn_speeds(turns, {}), most_tail);
  }
  for (const JointIndex j : part.translated()) {
    std::vector<Vec3d> places;
    for (int f = 0; f < count; ++f) places.push_back(part.translation(f, j).cast<double>());
    out->translations_.emplace_back(path_speeds(places), most_tail);
  }

  // Feet, at rest while they stand.
  for (const Limb& limb : body->limbs) {
    if (!limb.leg) continue;
    const std::vector<char> stands = planted_flags(studied, limb.end, first, last + 1);
    std::vector<Vec3d> place;
    std::vector<Quatd> turn;
    WorldPose world;
    for (int f = 0; f < count; ++f) {
      forward_kinematics(part.skeleton(), part.frame(f), world);
      place.push_back(world.positions[limb.end]);
      turn.push_back(world.rotations[limb.end]);
    }
    if (still) {
      for (const StandingFoot& foot : still->feet) {
        for (int f = 0; f < count && foot.limb == &limb; ++f) {
          const auto i = static_cast<std::size_t>(std::min(first + f, next));
          place[f] = foot.place_m[i];
          turn[f] = foot.turn[i];
        }
      }
    }
    Track place_track(path_speeds(place, stands), most_tail), turn_track(turn_speeds(turn, stands), most_tail);
    out->feet_.push_back({&limb, std::move(place), std::move(turn), std::move(place_track), std::move(turn_track)});
  }
  return std::shared_ptr<const MeetingSegment>(std::move(out));
}

Meeting::Meeting(std::shared_ptr<const MeetingSegment> segment, EditMethod method, RelaxParams relax)
    : segment_(std::move(segment)),
      method_(method),
      reconstructor_(segment_->body(), relax),
      rotations_(segment_->rotations_.size()),
      translations_(segment_->translations_.size()),
      foot_places_(segment_->feet_.size()),
      foot_turns_(segment_->feet_.size()),
      goals_(segment_->feet_.size()),
      turns_(segment_->feet_.size()) {}

Meeting::Change Meeting::make_change(const Vec3d& at_end, const Vec3d& beyond, double end_share) {
  Change change{at_end, beyond - at_end - end_share * at_end, true};
  change.none = change.end.isZero(0.0) && change.velocity.isZero(0.0);
  return change;
}

Vec3d Meeting::offset(const Change& change, const MeetingSegment::Track& track, int frame) const {
  const auto& share = track.shares[frame];
  if (method_ == EditMethod::linear) return linear_share(frame, segment_->last()) * change.end;
  return share.delta * change.end + share.tail * change.velocity;
}

MotionStart MotionStart::of(const PointBody& body, const Pose& first, const Pose& second) {
  MotionStart out{.poses = {first, second}, .feet = {}};
  for (int i = 0; i < 2; ++i) {
    const WorldPose world = forward_kinematics(*body.skeleton, out.poses[i]);
    for (const Limb& limb : body.limbs) {
      const auto end = static_cast<std::size_t>(limb.end);
      if (limb.leg) out.feet[i].push_back({world.positions[end], world.rotations[end]});
    }
  }
  return out;
}

void MotionStart::move(const PointBody& body, const GroundMove& by) {
  for (int i = 0; i < 2; ++i) {
    move_posture(*body.skeleton, body.carrier, by, poses[i]);
    for (Foot& foot : feet[i]) foot = {by * foot.place_m, by.turn() * foot.turn};
  }
}

MotionStart Meeting::start() const {
  MotionStart out;
  for (int i = 0; i < 2; ++i) {
    base(i, out.poses[i]);
    for (std::size_t f = 0; f < segment_->feet_.size(); ++f) out.feet[i].push_back(foot(f, i));
  }
  return out;
}

void Meeting::set_end(const MotionStart& next) {
  const Clip& clip = segment_->clip();
  const int n = segment_->last();
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    const auto off = [&](int frame, const Pose& pose) {
      return log_rotation(clip.rotation(frame, j).cast<double>().conjugate() * pose.rotation(j).cast<double>());
    };
    rotations_[i] = make_change(off(n, next.poses[0]), off(n + 1, next.poses[1]), segment_->rotations_[i].end_share);
  }
  for (std::size_t t = 0; t < translations_.size(); ++t) {
    const JointIndex j = clip.translated()[t];
    const Vec3d at = (next.poses[0].translation(j) - clip.translation(n, j)).cast<double>();
    const Vec3d beyond = (next.poses[1].translation(j) - clip.translation(n + 1, j)).cast<double>();
    translations_[t] = make_change(at, beyond, segment_->translations_[t].end_share);
  }
  for (std::size_t i = 0; i < segment_->feet_.size(); ++i) {
    const auto& own = segment_->feet_[i];
    const MotionStart::Foot &at = next.feet[0][i], &beyond = next.feet[1][i];
    const auto last = static_cast<std::size_t>(n);
    foot_places_[i] =
        make_change(at.place_m - own.place[last], beyond.place_m - own.place[last + 1], own.place_track.end_share);
    foot_turns_[i] = make_change(log_rotation(at.turn * own.turn[last].conjugate()),
                                 log_rotation(beyond.turn * own.turn[last + 1].conjugate()), own.turn_track.end_share);
  }
}

// Texture and place of a frame; false where nothing is changed.
bool Meeting::base(int frame, Pose& pose) const {
  const Clip& clip = segment_->clip();
  clip.get_frame(frame, pose);
  if (frame == 0) return false;
  bool moved = false;
  for (std::size_t i = 0; i < rotations_.size(); ++i) {
    if (rotations_[i].none) continue;
    moved = true;
    const auto j = static_cast<JointIndex>(i);
    const Quatd turn = exp_rotation(offset(rotations_[i], segment_->rotations_[i], frame));
    pose.set_rotation(j, (pose.rotation(j).cast<double>() * turn).normalized().cast<float>());
  }
  for (std::size_t t = 0; t < translations_.size(); ++t) {
    if (translations_[t].none) continue;
    moved = true;
    const JointIndex j = clip.translated()[t];
    const Vec3d by = offset(translations_[t], segment_->translations_[t], frame);
    pose.set_translation(j, (pose.translation(j).cast<double>() + by).cast<float>());
  }
  return moved;
}

MotionStart::Foot Meeting::foot(std::size_t index, int frame) const {
  const auto& own = segment_->feet_[index];
  const auto f = static_cast<std::size_t>(frame);
  return {own.place[f] + offset(foot_places_[index], own.place_track, frame),
          exp_rotation(offset(foot_turns_[index], own.turn_track, frame)) * own.turn[f]};
}

ReconstructReport Meeting::evaluate(int frame, Pose& pose) {
  const bool still = segment_->still_feet();
  if (!base(frame, pose) && !still) return {};
  for (std::size_t i = 0; i < segment_->feet_.size(); ++i) {
    const MotionStart::Foot at = foot(i, frame);
    goals_[i] = {segment_->feet_[i].limb->end_point, at.place_m, true};
    turns_[i] = {segment_->feet_[i].limb->end, at.turn};
  }
  const HipsRule hips = still ? HipsRule::reach : HipsRule::as_before;
  return reconstructor_.solve(pose, {.points = goals_, .turns = turns_, .hips = hips}, pose);
}

}  // namespace shosa::segment
