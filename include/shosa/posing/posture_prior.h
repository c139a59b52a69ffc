#pragma once

#include <memory>
#include <span>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/posing/articulation.h"

namespace shosa::posing {

/// Postures of a body that people took, by where its joints were (docs/methods/pin_and_drag.md, "how people bend").
/// Constant once made; lookups share it.
class PosturePrior {
 public:
  /// From clips on this skeleton, each posture also seen in a mirror. Frames that hardly differ from the one before,
  /// and frames that are off their feet, are left out. Fails where the body has no hips or feet, a clip is on another
  /// skeleton, or no posture is left.
  static Result<PosturePrior> create(std::shared_ptr<const Skeleton> skeleton, const body::BodyMap& map,
                                     std::span<const Clip> clips);

  const Skeleton& skeleton() const { return *skeleton_; }
  int size() const { return count_; }

 private:
  friend class PostureLookup;
  PosturePrior() = default;
  void add(const Clip& clip);
  Vec3d between_feet(const WorldPose& world) const {
    return 0.5 * (world.positions[left_foot_] + world.positions[right_foot_]);
  }

  std::shared_ptr<const Skeleton> skeleton_;
  body::BodyMap map_;
  JointIndex hips_ = kNoJoint, left_foot_ = kNoJoint, right_foot_ = kNoJoint;
  std::vector<JointIndex> moved_;  // hips, and what is not above them
  double leg_m_ = 1.0;
  int count_ = 0;
  std::vector<std::vector<float>> places_;           // [3 * joint + axis][posture]: seen from the feet, in leg lengths
  std::vector<std::vector<Eigen::Vector4f>> turns_;  // [joint][posture]: parent_from_joint; hips: from the heading
};

/// What a lookup asks of one joint.
struct PriorGoal {
  JointIndex joint = kNoJoint;
  Vec3d position_m = Vec3d::Zero();
  /// Where the joint's limb meets the trunk; kNoJoint where it is on none.
  JointIndex limb_top = kNoJoint;
  /// False: only says which postures are alike (a kept foot).
  bool leads = true;
};

/// The posture that people would take for given goals, from that of a reference. One a thread.
class PostureLookup {
 public:
  explicit PostureLookup(std::shared_ptr<const PosturePrior> prior);

  /// 0: the limbs reach their goals as the reference stands, and its posture is the one to take. Up to 1: `posture()`
  /// is, the reference with this share of the way to the mean of the postures nearest to the goals, no more of it than
  /// the limbs need. Goals are seen from between the reference's feet, along its heading. Continuous in the goals.
  /// O(postures * goals), no allocation once there were as many goals. Deterministic. Limbs are those of
  /// `BodyWeights`; `goals` may name any joints of the skeleton, and a led one at least.
  double find(const Articulation& reference, std::span<const PriorGoal> goals);
  const Articulation& posture() const { return posture_; }

 private:
  struct Near {
    int posture = 0;
    float weight = 0.0F;
  };
  double beyond_reach(const Articulation& reference, const Articulation& body, std::span<const PriorGoal> goals) const;
  void weigh(std::span<const PriorGoal> goals);
  void mean_turns();
  void take(const Articulation& reference, double share);

  std::shared_ptr<const PosturePrior> prior_;
  Articulation posture_;
  std::vector<Vec3d> asked_;  // goals as the prior's places
  std::vector<float> distances_, sorted_;
  std::vector<Near> near_;
  std::vector<Quatd> turns_;  // parent_from_joint of the mean posture
};

}  // namespace shosa::posing
