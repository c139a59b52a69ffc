#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "body/body_map_names.h"
#include "body/body_map_tree.h"
#include "shosa/body/body_map.h"

namespace shosa::body {
namespace {

using namespace body_map_detail;

class Pairing {
 public:
  explicit Pairing(int joint_count) : partner_(static_cast<std::size_t>(joint_count), kNoJoint) {}
  bool is_open(JointIndex j) const { return partner_[j] == kNoJoint; }
  JointIndex of(JointIndex j) const { return partner_[j]; }
  void join(JointIndex a, JointIndex b) {
    partner_[a] = b;
    partner_[b] = a;
  }
  std::vector<JointIndex> take() { return std::move(partner_); }

 private:
  std::vector<JointIndex> partner_;
};

using SidelessNames = std::map<std::string, std::vector<JointIndex>>;

/// The open joint that has the same name on the other side; one below the partner of the parent is preferred.
JointIndex partner_by_name(const Skeleton& skeleton, const std::vector<NameLabel>& labels, const SidelessNames& names,
                           const std::vector<int>& depths, const Pairing& pairs, JointIndex joint) {
  const NameLabel& label = labels[joint];
  if (label.side == Side::none) return kNoJoint;
  JointIndex found = kNoJoint;
  for (const JointIndex k : names.at(label.sideless)) {
    const NameLabel& other = labels[k];
    const bool opposite = other.side != Side::none && other.side != label.side;
    if (!opposite || !pairs.is_open(k) || depths[k] != depths[joint]) continue;
    const JointIndex parent = skeleton.parent(joint);
    if (parent != kNoJoint && pairs.of(parent) == skeleton.parent(k)) return k;
    if (found == kNoJoint) found = k;
  }
  return found;
}

/// The open child of `parent` whose subtree is as large and whose bone is as long (within a tenth) as that of `joint`.
JointIndex partner_by_place(const Skeleton& skeleton, const std::vector<int>& sizes,
                            const std::vector<NameLabel>& labels, const Pairing& pairs, JointIndex joint,
                            JointIndex parent) {
  const double length_m = skeleton.joint(joint).rest_translation_m.norm();
  JointIndex best = kNoJoint;
  double best_difference_m = std::numeric_limits<double>::infinity();
  for (const JointIndex k : skeleton.children(parent)) {
    const Side side = labels[k].side;
    const bool same_side = side != Side::none && side == labels[joint].side;
    if (!pairs.is_open(k) || same_side || sizes[k] != sizes[joint]) continue;
    const double difference_m = std::abs(skeleton.joint(k).rest_translation_m.norm() - length_m);
    if (difference_m > 0.1 * length_m + 1e-6 || difference_m >= best_difference_m) continue;
    best = k;
    best_difference_m = difference_m;
  }
  return best;
}

}  // namespace

std::vector<JointIndex> mirror_partners(const Skeleton& skeleton, const BodyMap& map) {
  Pairing pairs(skeleton.joint_count());
  for (int i = 0; i < kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    const JointIndex joint = map.joint(role);
    const JointIndex other = map.joint(mirrored(role));
    if (joint != kNoJoint && other != kNoJoint && pairs.is_open(joint) && pairs.is_open(other))
      pairs.join(joint, other);
  }

  std::vector<NameLabel> labels;
  for (const Joint& joint : skeleton.joints()) labels.push_back(read_name(joint.name));
  SidelessNames names;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) names[labels[j].sideless].push_back(j);
  const auto depths = joint_depths(skeleton);
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (!pairs.is_open(j)) continue;
    const JointIndex other = partner_by_name(skeleton, labels, names, depths, pairs, j);
    if (other != kNoJoint) pairs.join(j, other);
  }

  // What hangs on two partners mirrors too, whatever it is called; parents come first, so this goes down the limbs.
  const auto sizes = subtree_sizes(skeleton);
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const JointIndex across = pairs.of(skeleton.parent(j));
    if (!pairs.is_open(j)) continue;
    const JointIndex other = across == kNoJoint || across == skeleton.parent(j)
                                 ? kNoJoint
                                 : partner_by_place(skeleton, sizes, labels, pairs, j, across);
    pairs.join(j, other == kNoJoint ? j : other);
  }
  if (pairs.is_open(0)) pairs.join(0, 0);
  return pairs.take();
}

}  // namespace shosa::body
