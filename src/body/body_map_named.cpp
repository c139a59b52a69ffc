#include "body/body_map_named.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace shosa::body::body_map_detail {

Labels::Labels(const Skeleton& skeleton) : skeleton_(skeleton), sizes_(subtree_sizes(skeleton)) {
  for (const Joint& joint : skeleton.joints()) labels_.push_back(read_name(joint.name));
  places_.assign(labels_.size(), 0);
  std::vector<int> next_place(labels_.size(), 1);
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    int& free_place = next_place[skeleton.parent(j)];
    places_[at] = free_place;
    next_place[at] = free_place + 1;
    free_place += sizes_[at];
  }
  const auto depths = joint_depths(skeleton);
  order_.resize(labels_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, [&](JointIndex a, JointIndex b) {
    return std::tie(depths[a], of(a).numbers, skeleton.name(a)) < std::tie(depths[b], of(b).numbers, skeleton.name(b));
  });
}

std::vector<JointIndex> Labels::all(Part part, Side side, JointIndex below) const {
  std::vector<JointIndex> found;
  for (const JointIndex j : order_) {
    if (of(j).part == part && of(j).side == side && (below == kNoJoint || is_below(j, below))) found.push_back(j);
  }
  return found;
}

JointIndex Labels::first(Part part, Side side, JointIndex below) const {
  const auto found = all(part, side, below);
  return found.empty() ? kNoJoint : found.front();
}

bool Labels::any_animal() const {
  return std::ranges::any_of(labels_, [](const NameLabel& label) { return label.animal; });
}

namespace {

/// The joint both arms leave from.
JointIndex arms_attachment(const Skeleton& skeleton, const BodyMap& map) {
  JointIndex attachment = kNoJoint;
  for (const bool left : {true, false}) {
    const SideRoles& roles = side_roles(left);
    const JointIndex top = map.has(roles.shoulder) ? map.joint(roles.shoulder) : map.joint(roles.upper_arm);
    if (top != kNoJoint && skeleton.parent(top) != kNoJoint) {
      attachment = common_ancestor(skeleton, attachment, skeleton.parent(top));
    }
  }
  return attachment;
}

JointIndex legs_attachment(const Skeleton& skeleton, const BodyMap& map) {
  JointIndex attachment = kNoJoint;
  for (const bool left : {true, false}) {
    const JointIndex upper = map.joint(side_roles(left).upper_leg);
    if (upper != kNoJoint && skeleton.parent(upper) != kNoJoint) {
      attachment = common_ancestor(skeleton, attachment, skeleton.parent(upper));
    }
  }
  return attachment;
}

/// Where no joint is called head: the end of the unbranched chain that goes on above the arms.
JointIndex unnamed_head(const Labels& labels, JointIndex above) {
  const Skeleton& skeleton = labels.skeleton();
  if (above == kNoJoint) return kNoJoint;
  JointIndex joint = above;
  while (true) {
    JointIndex next = kNoJoint;
    int open = 0;
    for (const JointIndex child : skeleton.children(joint)) {
      const NameLabel& label = labels.of(child);
      if (label.side != Side::none) continue;
      if (label.part == Part::neck || label.part == Part::spine) {
        next = child;
        open = 1;
        break;
      }
      if (label.part == Part::unknown) {
        next = child;
        ++open;
      }
    }
    if (open != 1) break;
    joint = next;
  }
  // A lone neck joint stays a neck.
  const auto path = path_below(skeleton, above, joint);
  return path.size() >= 2 || (path.size() == 1 && labels.of(joint).part == Part::unknown) ? joint : kNoJoint;
}

JointIndex named_hips(const Labels& labels, JointIndex carries_all, BodyMap& map) {
  const Skeleton& skeleton = labels.skeleton();
  const auto candidates = labels.all(Part::hips, Side::none);
  JointIndex hips = kNoJoint;
  for (const JointIndex j : candidates) {
    if (carries_all == kNoJoint ? hips == kNoJoint : is_self_or_ancestor(skeleton, j, carries_all)) hips = j;
  }
  if (hips != kNoJoint) return hips;
  if (carries_all == kNoJoint) return labels.first(Part::root, Side::none);
  if (!candidates.empty()) {
    map.warnings.push_back(
        fmt::format("'{}' is named hips but does not carry both legs and back; '{}' is taken as the hips",
                    skeleton.name(candidates.front()), skeleton.name(carries_all)));
  }
  return carries_all;
}

void set_middle(const Labels& labels, BodyMap& map) {
  const Skeleton& skeleton = labels.skeleton();
  const JointIndex arms = arms_attachment(skeleton, map);
  const JointIndex legs = legs_attachment(skeleton, map);
  const JointIndex any_neck = labels.first(Part::neck, Side::none);
  JointIndex head = labels.first(Part::head, Side::none, arms);
  if (head == kNoJoint) head = labels.first(Part::head, Side::none);
  if (head == kNoJoint) head = unnamed_head(labels, arms);

  JointIndex top = head != kNoJoint ? head : (any_neck != kNoJoint ? any_neck : arms);
  if (top == kNoJoint) {
    const auto back = labels.all(Part::spine, Side::none);
    if (!back.empty()) top = back.back();
  }
  if (top == kNoJoint && legs == kNoJoint) return;
  const JointIndex hips = named_hips(labels, legs == kNoJoint ? kNoJoint : common_ancestor(skeleton, legs, top), map);
  map.set(Role::hips, hips);
  map.set(Role::head, head);
  if (hips == kNoJoint || top == kNoJoint || top == hips) return;

  // Back joints up to the neck; the neck begins at the first joint called so, else above the arms.
  const auto middle = path_below(skeleton, hips, top);
  std::size_t neck_begin = middle.size();
  for (std::size_t i = middle.size(); i-- > 0;) {
    if (labels.of(middle[i]).part == Part::neck) neck_begin = i;
  }
  const auto at_arms = std::ranges::find(middle, arms);
  if (neck_begin == middle.size() && head != kNoJoint) {
    neck_begin = at_arms != middle.end() ? static_cast<std::size_t>(at_arms - middle.begin()) + 1 : middle.size() - 1;
    if (arms == hips) neck_begin = 0;
  }
  std::vector<JointIndex> back;
  for (std::size_t i = 0; i < neck_begin; ++i) {
    if (middle[i] != head && labels.of(middle[i]).part != Part::ignored) back.push_back(middle[i]);
  }
  set_back_roles(map, back);
  if (neck_begin < middle.size() && middle[neck_begin] != head) map.set(Role::neck, middle[neck_begin]);
  if (head != kNoJoint) map.set(Role::jaw, labels.first(Part::jaw, Side::none, head));
}

}  // namespace

BodyMap roles_from_names(const Labels& labels) {
  BodyMap map;
  for (const Side side : {Side::left, Side::right}) {
    const SideRoles& roles = side_roles(side == Side::left);
    const NamedLeg leg = find_named_leg(labels, side, map.warnings);
    map.set(roles.upper_leg, leg.upper);
    map.set(roles.lower_leg, leg.lower);
    map.set(roles.foot, leg.foot);
    map.set(roles.toes, leg.toes);
    const NamedArm arm = find_named_arm(labels, side);
    map.set(roles.shoulder, arm.shoulder);
    map.set(roles.upper_arm, arm.upper);
    map.set(roles.lower_arm, arm.lower);
    map.set(roles.hand, arm.hand);
    set_named_fingers(labels, side, map);
  }
  set_middle(labels, map);
  for (const Side side : {Side::left, Side::right}) {
    if (map.has(Role::head)) {
      map.set(side_roles(side == Side::left).eye, labels.first(Part::eye, side, map.joint(Role::head)));
    }
  }
  return map;
}

}  // namespace shosa::body::body_map_detail
