#pragma once

#include <vector>

#include "segment/path_edit.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"

namespace shosa::segment {

/// A segment whose ends meet those of its neighbours, in the posture halfway between both.
///
/// The body's place and every joint's rotation are paths with two ends: each gets its own coefficients from its own
/// speed, so what is still stays still. Sample i moves by delta_i e + (1 - delta_i) s + tail_i u, with s and e the
/// changes of the two ends and u what the last velocity then still lacks. Feet are the business of whoever asks
/// (laid_parts.h). Coefficients are made once, in O(frames x joints); a frame costs O(joints) and allocates nothing.
class MeetingSegment {
 public:
  /// Frames `first`..`last` of the clip, at least 4; the frame beyond, where there is one, gives the last speeds. Fails
  /// when the range is not in the clip or the body's place does not vary. `linear` meets no velocities.
  static Result<MeetingSegment> create(const analysis::StudiedClip& studied, int first, int last,
                                       EditMethod method = EditMethod::two_step);

  int last() const { return last_; }
  const Clip& clip() const { return clip_; }  ///< Frames 0..last + 1, as they were.
  JointIndex carrier() const { return carrier_; }

  /// Frame 0..last() + 1. Bit for bit the clip's where nothing is changed. No allocation once the pose has its size.
  void evaluate(int frame, Pose& pose) const;

  /// Leads the end of `before` and the start of `after`, which `onto` brings to where `before` ends, to one posture.
  /// The same segment may be both. What was met elsewhere stays.
  static void meet(MeetingSegment& before, MeetingSegment& after, const GroundMove& onto);
  /// Then: `before` ends with the velocities with which `after` starts. Last of all, and once more where a segment is
  /// shorter than the time over which velocities are met.
  static void meet_velocity(MeetingSegment& before, const MeetingSegment& after, const GroundMove& onto);

 private:
  struct Shares {
    double delta = 0.0, tail = 0.0;
  };
  struct Track {
    std::vector<Shares> shares;  // n + 2
    Vec3d start = Vec3d::Zero(), end = Vec3d::Zero(), velocity = Vec3d::Zero();
    Vec3d offset(int frame) const;
    bool none() const { return start.isZero(0.0) && end.isZero(0.0) && velocity.isZero(0.0); }
  };
  MeetingSegment(Clip clip, JointIndex carrier, int last) : clip_(std::move(clip)), carrier_(carrier), last_(last) {}
  Track make_track(const std::vector<double>& speeds) const;
  /// Calls `set(track, change)` with the change that takes the clip's frame to `pose`, for every path.
  template <class Set>
  void for_each_change(int frame, const Pose& pose, const Set& set);

  Clip clip_;
  JointIndex carrier_;
  int last_;
  EditMethod method_ = EditMethod::two_step;
  std::vector<Track> rotations_;     // per joint
  std::vector<Track> translations_;  // per entry of clip().translated()
};

}  // namespace shosa::segment
