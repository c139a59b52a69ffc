#pragma once

#include <string>
#include <vector>

#include "body/body_map_names.h"
#include "body/body_map_tree.h"

namespace shosa::body::body_map_detail {

/// Every joint's name read once, with lookups whose answers do not depend on the order of joints in the file.
class Labels {
 public:
  explicit Labels(const Skeleton& skeleton);

  const Skeleton& skeleton() const { return skeleton_; }
  const NameLabel& of(JointIndex joint) const { return labels_[joint]; }
  int size(JointIndex joint) const { return sizes_[joint]; }
  /// Strictly; constant time.
  bool is_below(JointIndex joint, JointIndex ancestor) const {
    const int place = places_[joint] - places_[ancestor];
    return place > 0 && place < size(ancestor);
  }
  /// Joints with a label, strictly below `below` unless that is kNoJoint; nearest the root first, then by number and
  /// name.
  std::vector<JointIndex> all(Part part, Side side, JointIndex below = kNoJoint) const;
  JointIndex first(Part part, Side side, JointIndex below = kNoJoint) const;
  bool any_animal() const;

 private:
  const Skeleton& skeleton_;
  std::vector<NameLabel> labels_;
  std::vector<int> sizes_;
  std::vector<int> places_;  ///< In depth-first order: a subtree is one run of places.
  std::vector<JointIndex> order_;
};

struct NamedLeg {
  JointIndex upper = kNoJoint, lower = kNoJoint, foot = kNoJoint, toes = kNoJoint;
};
struct NamedArm {
  JointIndex shoulder = kNoJoint, upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
};
NamedLeg find_named_leg(const Labels& labels, Side side, std::vector<std::string>& warnings);
NamedArm find_named_arm(const Labels& labels, Side side);
/// Fingers below the hand that the map already has.
void set_named_fingers(const Labels& labels, Side side, BodyMap& map);

/// All roles that names give, made consistent with the tree. `kind` stays unknown.
BodyMap roles_from_names(const Labels& labels);

}  // namespace shosa::body::body_map_detail
