#pragma once

#include <span>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"

namespace shosa::analysis {

enum class BodyPart {
  whole,
  upper,
  lower
};

/// Joints of a part of the body, ascending; joints above the hips, and joints that share their place with their parent,
/// are left out.
std::vector<JointIndex> part_joints(const Skeleton& skeleton, const body::BodyMap& map, BodyPart part);

/// Every frame seen from its own pelvis: horizontal pelvis position at 0, heading 0, heights kept. What `pose_distance`
/// compares.
ClipPositions pelvis_aligned(const StudiedClip& studied);

/// D = (1/n) sum |a_i - b_i| over `joints`, metres. `a` and `b` are frames of `pelvis_aligned` positions (of the same
/// skeleton). 0 for no joints.
double pose_distance(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const JointIndex> joints);

/// The best rigid move over the ground of one cloud of points onto another (Kovar, Gleicher and Pighin 2002,
/// section 3.1).
struct CloudMatch {
  double distance_m = 0.0;  ///< sqrt(sum w |a - M b|^2 / sum w).
  GroundMove a_from_b;      ///< M, without a change of height.
};
/// Minimises sum w_i |a_i - M b_i|^2 in closed form. Fails when the sizes differ, a weight is negative or their sum is
/// not > 0.
Result<CloudMatch> match_clouds(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const double> weights);

/// The clouds of two windows of frames, compared.
struct WindowParams {
  double window_s = 1.0 / 3.0;        ///< Length of the window around the frame.
  std::vector<double> joint_weights;  ///< One per joint; empty: 1 each.
};
/// Frames from the centre - window/2 to the centre + window/2 of each clip; the weight falls linearly to both ends of
/// the window. Frames beyond a clip's end repeat its last; a window longer than twice the longer clip is cut to that.
/// `frame_time_s` is that of both clips: that they share it is up to the caller. Fails when the joint counts differ,
/// the weights are not one per joint (or are refused by `match_clouds`), the window is negative or the frame time not >
/// 0.
Result<CloudMatch> window_distance(const ClipPositions& a, int frame_a, const ClipPositions& b, int frame_b,
                                   double frame_time_s, const WindowParams& params = {});

}  // namespace shosa::analysis
