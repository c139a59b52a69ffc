#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/analysis/body_motion.h"
#include "shosa/analysis/metrics.h"
#include "shosa/analysis/pose_distance.h"
#include "shosa/analysis/studied_clip.h"

namespace shosa::blend {

/// Frames `begin` to `end` of one grid, both included.
struct FrameInterval {
  int begin = 0;
  int end = 0;
  int length() const { return end - begin; }
  bool contains(int frame) const { return frame >= begin && frame <= end; }
  FrameInterval shifted(int frames) const { return {begin + frames, end + frames}; }
  bool operator==(const FrameInterval&) const = default;
};

/// When one foot stands and moves, in frames of its motion.
struct FootTimes {
  std::vector<FrameInterval> standing;  ///< Sorted, disjoint.
  /// Where it moves: from the last frame that stands (or the motion's first) to the first that stands again (or the
  /// motion's last).
  std::vector<FrameInterval> moving;
};

/// Standing and moving intervals from a list of contacts, on the frames of a motion. Moves shorter than `min_move_s`
/// are taken for standing.
FootTimes foot_times(std::span<const TimeInterval> contacts, int frame_count, double frame_time_s, double min_move_s);

/// Joint positions of a part of the body, seen from the pelvis (docs: `analysis::pelvis_aligned`), laid out for the
/// interval search: per frame all x, then all y, then all z.
class PartTrack {
 public:
  PartTrack() = default;
  PartTrack(const ClipPositions& aligned, std::span<const JointIndex> joints);

  int frame_count() const { return frame_count_; }
  int joint_count() const { return joint_count_; }
  /// D = (1/n) sum |a_i - b_i|, metres; frames outside a track are its first or last. 0 for no joints.
  static float distance(const PartTrack& a, int frame_a, const PartTrack& b, int frame_b);

 private:
  const float* values(int frame) const;

  int frame_count_ = 0;
  int joint_count_ = 0;
  int stride_ = 0;  ///< `joint_count_` rounded up to whole registers.
  FloatBuffer values_;
};

/// An elementary motion, ready to be composed with others: made once, shared, never changed.
struct Motion {
  analysis::StudiedClip studied;
  FrameInterval core;           ///< What must survive.
  std::vector<FootTimes> feet;  ///< In the order of `contacts().feet`.
  double floor_m = 0.0;  ///< World y of the flat floor: the mean ground of the stances near the clip's lowest one.
  PartTrack upper, lower;
  analysis::BodyFigures body;  ///< Of the whole clip, as is `quality`.
  analysis::MotionQuality quality;
  std::vector<Eigen::Vector2d> pace_mps;  ///< Of the hips over the ground, per frame, as the body sees it.
  /// Per foot and frame: the hips over the ground from where the foot stands, likewise; nothing where it does not.
  std::vector<std::vector<std::optional<Eigen::Vector2d>>> over_foot_m;
  std::vector<Vec3d> knee_axes;  ///< Per foot, in the knee's frame: a positive turn bends the knee further.

  const Clip& clip() const { return studied.clip(); }
  const body::BodyMap& map() const { return studied.map(); }
  const analysis::FootContacts& contacts() const { return studied.contacts(); }
  int frame_count() const { return clip().frame_count(); }
};

struct MotionParams {
  std::optional<TimeInterval> core;  ///< Within the clip. When empty: what `analysis` suggests, without the
                                     ///< clip's first and last 0.5 s (a quarter of short ones).
  double min_move_s = 0.10;          ///< Feet that lift for less than this, and come down where they were, are taken to
                                     ///< stand; >= 0.
};

/// Fails when the core is reversed or outside the clip, the root of the clip cannot move, or a parameter is out of
/// bounds. O(frames * joints).
Result<std::shared_ptr<const Motion>> prepare_motion(const analysis::StudiedClip& studied,
                                                     const MotionParams& params = {});

/// Why two motions cannot be composed, or nothing: other skeleton, other frame time.
std::optional<std::string> mismatch(const Motion& a, const Motion& b);

}  // namespace shosa::blend
