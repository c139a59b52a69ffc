#include "segment/meeting_segment.h"

#include "segment/point_body.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {
namespace {

// Velocities are met over the end of a segment only.
constexpr double kVelocityTail_s = 0.25;

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

Pose halfway(const Clip& clip, const Pose& a, const Pose& b) {
  Pose out = a;
  for (JointIndex j = 0; j < clip.joint_count(); ++j) out.set_rotation(j, a.rotation(j).slerp(0.5f, b.rotation(j)));
  for (const JointIndex j : clip.translated()) out.set_translation(j, 0.5f * (a.translation(j) + b.translation(j)));
  return out;
}

}  // namespace

Vec3d MeetingSegment::Track::offset(int frame) const {
  const Shares& share = shares[frame];
  return share.delta * end + (1.0 - share.delta) * start + share.tail * velocity;
}

MeetingSegment::Track MeetingSegment::make_track(const std::vector<double>& speeds) const {
  const PathCoefficients c = path_coefficients(speeds, static_cast<int>(kVelocityTail_s / clip_.frame_time_s()));
  Track track;
  for (int i = 0; i <= last_ + 1; ++i) {
    const double delta = method_ == EditMethod::linear ? linear_share(i, last_) : c.delta[i];
    track.shares.push_back({delta, c.tail_epsilon[i]});
  }
  return track;
}

Result<MeetingSegment> MeetingSegment::create(const analysis::StudiedClip& studied, int first, int last,
                                              EditMethod method) {
  const Clip& clip = studied.clip();
  if (first < 0 || last >= clip.frame_count() || last - first < 3) {
    return fail(ErrorCode::invalid_argument, "a segment from frame {} to {} of {}; at least 4 frames inside are needed",
                first, last, clip.frame_count());
  }
  const JointIndex carrier = carrying_joint(clip, studied.map());
  if (!clip.is_translated(carrier)) {
    return fail(ErrorCode::not_possible, "the root's translation does not vary in the clip, so the body cannot move");
  }
  MeetingSegment out(stretch_of(clip, first, last), carrier, last - first);
  out.method_ = method;
  const Clip& part = out.clip_;
  for (JointIndex j = 0; j < part.joint_count(); ++j) {
    std::vector<double> speeds;
    for (int f = 0; f + 1 < part.frame_count(); ++f) {
      const Quatd step = part.rotation(f, j).cast<double>().conjugate() * part.rotation(f + 1, j).cast<double>();
      speeds.push_back(log_rotation(step).norm());
    }
    out.rotations_.push_back(out.make_track(speeds));
  }
  for (const JointIndex j : part.translated()) {
    std::vector<Vec3d> places;
    for (int f = 0; f < part.frame_count(); ++f) places.push_back(part.translation(f, j).cast<double>());
    out.translations_.push_back(out.make_track(path_speeds(places)));
  }
  return out;
}

void MeetingSegment::evaluate(int frame, Pose& pose) const {
  clip_.get_frame(frame, pose);
  for (std::size_t i = 0; i < rotations_.size(); ++i) {
    if (rotations_[i].none()) continue;
    const auto j = static_cast<JointIndex>(i);
    const Quatd turn = exp_rotation(rotations_[i].offset(frame));
    pose.set_rotation(j, (pose.rotation(j).cast<double>() * turn).normalized().cast<float>());
  }
  for (std::size_t t = 0; t < translations_.size(); ++t) {
    if (translations_[t].none()) continue;
    const JointIndex j = clip_.translated()[t];
    pose.set_translation(j, (pose.translation(j).cast<double>() + translations_[t].offset(frame)).cast<float>());
  }
}

template <class Set>
void MeetingSegment::for_each_change(int frame, const Pose& pose, const Set& set) {
  for (JointIndex j = 0; j < clip_.joint_count(); ++j) {
    const Quatd captured = clip_.rotation(frame, j).cast<double>();
    set(rotations_[j], log_rotation(captured.conjugate() * pose.rotation(j).cast<double>()));
  }
  for (std::size_t t = 0; t < translations_.size(); ++t) {
    const JointIndex j = clip_.translated()[t];
    set(translations_[t], Vec3d((pose.translation(j) - clip_.translation(frame, j)).cast<double>()));
  }
}

void MeetingSegment::meet(MeetingSegment& before, MeetingSegment& after, const GroundMove& onto) {
  const Skeleton& skeleton = before.clip_.skeleton();
  Pose start = after.clip_.frame(0);
  move_posture(skeleton, after.carrier_, onto, start);
  Pose met = halfway(before.clip_, before.clip_.frame(before.last_), start);
  before.for_each_change(before.last_, met, [](Track& track, const Vec3d& change) { track.end = change; });
  move_posture(skeleton, after.carrier_, onto.inverse(), met);
  after.for_each_change(0, met, [](Track& track, const Vec3d& change) { track.start = change; });
}

void MeetingSegment::meet_velocity(MeetingSegment& before, const MeetingSegment& after, const GroundMove& onto) {
  if (before.method_ == EditMethod::linear) return;
  Pose next;
  after.evaluate(1, next);
  move_posture(before.clip_.skeleton(), after.carrier_, onto, next);
  const int beyond = before.last_ + 1;
  before.for_each_change(beyond, next, [&](Track& track, const Vec3d& change) {
    track.velocity.setZero();
    track.velocity = change - track.offset(beyond);
  });
}

}  // namespace shosa::segment
