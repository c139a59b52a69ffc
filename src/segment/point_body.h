#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::segment {

/// Two bones with a hinge between them: a leg or an arm (of a quadruped: a hind or a front leg).
struct Limb {
  bool leg = false;
  bool left = false;
  JointIndex upper = kNoJoint;   ///< Hip joint, shoulder joint.
  JointIndex middle = kNoJoint;  ///< Knee, elbow.
  JointIndex end = kNoJoint;     ///< Ankle, wrist.
  JointIndex toe = kNoJoint;     ///< kNoJoint where there is none, and for arms.
  int upper_point = -1;          ///< Places in `PointBody::points`.
  int middle_point = -1;
  int end_point = -1;
  int toe_point = -1;
  /// Where the middle joint lies off the line from upper to end, as a mean over a clip; unit, in the upper joint's
  /// frame.
  Vec3d bend = Vec3d::UnitZ();
  /// Of an arm: a direction amid those that it takes (frames.h), unit or 0, in the frame of the upper joint's parent.
  Vec3d amid = Vec3d::Zero();
  std::vector<JointIndex> path;  ///< From below the root's joint down to `upper`, both parts of trunk and girdle.
};

/// The points that stand for a body, and their links: what the particle method moves.
///
/// Points are joints: hips, hip joints, knees, ankles, toes, the top of the trunk, shoulder joints, elbows, wrists,
/// head; those that the body has. Bones are links of constant length; pelvis and trunk are held together by links whose
/// length is that of the posture at hand (the spine's own bending is texture).
struct PointBody {
  std::shared_ptr<const Skeleton> skeleton;
  JointIndex hips = 0;
  JointIndex carrier = 0;           ///< As `carrying_joint` says.
  JointIndex trunk_top = kNoJoint;  ///< Neck, or the highest joint of the spine; kNoJoint when unknown.
  JointIndex head = kNoJoint;
  std::vector<JointIndex> head_path;  ///< From below the hips to the head.
  std::vector<JointIndex>
      spine;  ///< Joints between hips and trunk top, from below; the first carries the trunk's turn.
  std::vector<Limb> limbs;
  std::vector<JointIndex> points;         ///< Joint of each point; point 0 is the hips.
  std::vector<std::array<int, 2>> links;  ///< Pairs of points.
  std::vector<double> mobility;           ///< Of each point while it is free.
  std::vector<char> above_hips;           ///< Of each point: part of the trunk's upper end, or of the arms.

  /// The point that is this joint; -1 when it is none.
  int point_of(JointIndex joint) const;
  const Limb* limb_of_end(JointIndex end) const;
};

/// The joint that carries the body through the world: the hips where they translate, else joint 0.
JointIndex carrying_joint(const Clip& clip, const body::BodyMap& map);

/// `clip` teaches the side to which knees and elbows bend. Never fails: a body without roles has one point, its root.
std::shared_ptr<const PointBody> make_point_body(const Clip& clip, const body::BodyMap& map);

/// The point of a joint, or an error that lists the joints that can be handles.
Result<int> handle_point(const PointBody& body, JointIndex joint);

}  // namespace shosa::segment
