#pragma once

#include <memory>
#include <vector>

#include "segment/path_edit.h"
#include "segment/reconstruct.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"

namespace shosa::segment {

/// A segment whose last posture, and the speed of every joint there, is to be another one: the first of what follows.
///
/// The body's place and every joint's rotation (the texture, too) are paths with an end: each gets its own
/// coefficients from its own speed, so what is still stays still. Feet are handles in the world: place and orientation
/// have paths of their own that rest while the foot stands, and the legs are closed on them. At frame 0 nothing has
/// changed, at the last frame the posture is the one that follows, whatever lies between.
///
/// Coefficients are made once, in O(frames x joints); a frame costs O(joints) and allocates nothing. Several characters
/// may share one `MeetingSegment`; each has its own `Meeting`.
class MeetingSegment {
 public:
  /// Frames `first`..`last` of the clip, at least 4; the frame beyond, where there is one, gives the last speeds. Fails
  /// when the range is not in the clip or the body's place does not vary.
  /// `still_feet`: feet that stand are also freed of the slide that was captured (standing_feet.h); then no frame keeps
  /// its bits.
  static Result<std::shared_ptr<const MeetingSegment>> create(const analysis::StudiedClip& studied, int first, int last,
                                                              bool still_feet = false);

  int last() const { return last_; }
  double frame_time_s() const { return clip_.frame_time_s(); }
  const Clip& clip() const { return clip_; }  ///< Frames 0..last + 1 of the segment.
  const std::shared_ptr<const PointBody>& body() const { return body_; }
  bool still_feet() const { return still_feet_; }

 private:
  friend class Meeting;
  struct Shares {
    double delta = 0.0, tail = 0.0;
  };
  /// One path's coefficients.
  struct Track {
    std::vector<Shares> shares;  // n + 2
    double end_share = 0.0;
    Track(const std::vector<double>& speeds, int most_tail);
  };
  struct Foot {
    const Limb* limb;
    std::vector<Vec3d> place;
    std::vector<Quatd> turn;
    Track place_track, turn_track;
  };
  MeetingSegment(Clip clip, std::shared_ptr<const PointBody> body, int last)
      : clip_(std::move(clip)), body_(std::move(body)), last_(last) {}

  Clip clip_;
  std::shared_ptr<const PointBody> body_;
  int last_;
  bool still_feet_ = false;
  std::vector<Track> rotations_;     // per joint
  std::vector<Track> translations_;  // per entry of clip().translated()
  std::vector<Foot> feet_;
};

/// How a motion begins, as what comes before it must end: two frames, before legs are closed on their feet.
struct MotionStart {
  struct Foot {
    Vec3d place_m = Vec3d::Zero();
    Quatd turn = Quatd::Identity();
  };
  Pose poses[2];
  std::vector<Foot> feet[2];  ///< In the order of the body's legs.

  /// Two postures as they are.
  static MotionStart of(const PointBody& body, const Pose& first, const Pose& second);
  void move(const PointBody& body, const GroundMove& by);
};

/// One playing of a `MeetingSegment`. Not thread-safe.
class Meeting {
 public:
  explicit Meeting(std::shared_ptr<const MeetingSegment> segment, EditMethod method = EditMethod::two_step,
                   RelaxParams relax = {});

  const MeetingSegment& segment() const { return *segment_; }

  /// How this segment begins, with the edit it has so far. Its second frame has taken the first share of that edit.
  MotionStart start() const;

  /// What follows, where it stands in the segment's own world. `linear` takes its first frame alone, and lets feet
  /// slide.
  void set_end(const MotionStart& next);

  /// Frame 0..last() + 1. Bit for bit the clip's where nothing is changed. No allocation once the pose has its size.
  ReconstructReport evaluate(int frame, Pose& pose);

 private:
  struct Change {
    Vec3d end = Vec3d::Zero(), velocity = Vec3d::Zero();
    bool none = true;
  };
  static Change make_change(const Vec3d& at_end, const Vec3d& beyond, double end_share);
  Vec3d offset(const Change& change, const MeetingSegment::Track& track, int frame) const;
  bool base(int frame, Pose& pose) const;
  MotionStart::Foot foot(std::size_t index, int frame) const;

  std::shared_ptr<const MeetingSegment> segment_;
  EditMethod method_;
  Reconstructor reconstructor_;
  std::vector<Change> rotations_, translations_;
  std::vector<Change> foot_places_, foot_turns_;
  std::vector<PointGoal> goals_;
  std::vector<EndTurn> turns_;
};

}  // namespace shosa::segment
