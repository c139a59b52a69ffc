#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/state_bytes.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// How far joints move and turn from frame to frame in each clip, and what a played motion may add to that.
///
/// Where a posture of one gait is carried along by the swing of another (a walker's straight arm in a run), limbs would
/// become faster than in either clip. What goes beyond `kStep_m` and `kTurn_rad` (in the world, or against the parent:
/// thigh and shank may turn against each other) is held back.
class SpeedLimit {
 public:
  static constexpr double kStep_m = 0.0065;
  static constexpr double kTurn_rad = 0.044;
  static constexpr double kSlowsDown_s = 0.55;  ///< What was faster slows down over this long.

  SpeedLimit() = default;
  SpeedLimit(const MotionSet& set, double frame_time_s);

  /// A posture and where its joints are.
  struct Frame {
    const Pose& pose;
    const WorldPose& world;
  };

  /// A frame of this clip, and the clip before it.
  void play(int clip, int before) {
    clip_ = clip, before_ = before;
    rate2_ = std::max(wanted2_, kept_ * rate2_);
  }
  /// Clips pass at this share of their own speed: joints of one that passes faster go farther in a frame.
  void set_rate(double rate) { wanted2_ = rate > 1.0 ? rate * rate : 1.0; }
  bool holds(std::span<const JointIndex> joints, const Frame& last, const Frame& now) const;
  void visit_state(StateBytes& bytes) { bytes(clip_, before_, rate2_, wanted2_); }

 private:
  /// What a joint may do in a frame of one clip. Turns are compared by the cosine of half their angle, which is the dot
  /// product of two quaternions: bends are turns against the parent.
  struct Bound {
    double most_m2 = 0.0, least_turn = 1.0, least_bend = 1.0;
  };
  std::shared_ptr<const std::vector<std::vector<Bound>>> own_;  ///< Per clip, per joint.
  int clip_ = 0, before_ = 0;
  double kept_ = 0.0;                   ///< Of what was faster, in a frame.
  double rate2_ = 1.0, wanted2_ = 1.0;  ///< Squares of the rate, at least 1: as it is, and as it was set.
};

/// The largest share in [0, 1] for which `holds(share)`, to 1/64; 0 where none does. Rule: `holds(1)` was found false.
template <class Holds>
double largest_share(const Holds& holds) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 6; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace shosa::graph
