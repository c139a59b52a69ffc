#include "segment/point_body.h"

#include <algorithm>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/tree_paths.h"

namespace shosa::segment {
namespace {

// How readily free points move: the trunk is heavy, so that limbs give way first.
constexpr double kTrunkMobility = 0.3;
constexpr double kLimbMobility = 1.0;

/// Builds points and links in a fixed order.
class Builder {
 public:
  explicit Builder(PointBody& body) : body_(body) {}

  int point(JointIndex joint, double mobility) {
    if (joint == kNoJoint) return -1;
    if (const int known = body_.point_of(joint); known >= 0) return known;
    body_.points.push_back(joint);
    body_.mobility.push_back(mobility);
    return static_cast<int>(body_.points.size()) - 1;
  }
  void link(int a, int b) {
    if (a >= 0 && b >= 0 && a != b) body_.links.push_back({a, b});
  }

 private:
  PointBody& body_;
};

bool hangs_on(const Skeleton& skeleton, JointIndex joint, JointIndex ancestor) {
  return joint != kNoJoint && ancestor != kNoJoint && joint != ancestor &&
         !joint_chain(skeleton, ancestor, joint).empty();
}

std::optional<Limb> find_limb(const Skeleton& skeleton, const body::BodyMap& map, JointIndex root, bool leg,
                              bool left) {
  using enum body::Role;
  Limb limb{.leg = leg, .left = left};
  limb.upper = map.joint(leg ? (left ? left_upper_leg : right_upper_leg) : (left ? left_upper_arm : right_upper_arm));
  limb.middle = map.joint(leg ? (left ? left_lower_leg : right_lower_leg) : (left ? left_lower_arm : right_lower_arm));
  limb.end = map.joint(leg ? (left ? left_foot : right_foot) : (left ? left_hand : right_hand));
  if (!hangs_on(skeleton, limb.middle, limb.upper) || !hangs_on(skeleton, limb.end, limb.middle) ||
      !hangs_on(skeleton, limb.upper, root)) {
    return std::nullopt;
  }
  if (leg) limb.toe = map.joint(left ? left_toes : right_toes);
  if (limb.toe != kNoJoint && !hangs_on(skeleton, limb.toe, limb.end)) limb.toe = kNoJoint;
  limb.path = joint_chain(skeleton, root, limb.upper);
  limb.path.erase(limb.path.begin());
  return limb;
}

// The mean offset of the middle joint from the line through the ends, seen from the upper joint.
Vec3d learned_bend(const Clip& clip, const Limb& limb) {
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  const int step = std::max(1, clip.frame_count() / 200);
  for (int f = 0; f < clip.frame_count(); f += step) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const auto at = [&](JointIndex j) { return world.positions[j]; };
    const Vec3d line = at(limb.end) - at(limb.upper);
    if (line.squaredNorm() < 1e-12) continue;
    const Vec3d out = at(limb.middle) - at(limb.upper);
    const Vec3d off = out - out.dot(line) / line.squaredNorm() * line;
    sum += world.rotations[limb.upper].conjugate() * off;
  }
  return sum.norm() > 1e-9 ? Vec3d(sum.normalized()) : Vec3d::UnitZ();
}

// Arms reach all around but for behind and across the back: before the body, outward and a little down is amid that.
void find_amid(const Clip& clip, PointBody& body) {
  if (body.trunk_top == kNoJoint) return;
  const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(0));
  const auto at = [&](JointIndex j) { return world.positions[j]; };
  for (Limb& limb : body.limbs) {
    const auto is_opposite = [&](const Limb& other) { return !other.leg && other.left != limb.left; };
    const auto opposite = std::ranges::find_if(body.limbs, is_opposite);
    if (limb.leg || opposite == body.limbs.end()) continue;
    const Vec3d up = (at(body.trunk_top) - at(body.hips)).normalized();
    const Vec3d out = (at(limb.upper) - at(opposite->upper)).normalized();
    const Vec3d front = limb.left ? Vec3d(out.cross(up)) : Vec3d(up.cross(out));
    const auto parent = static_cast<std::size_t>(clip.skeleton().parent(limb.upper));
    limb.amid = world.rotations[parent].conjugate() * (0.8 * front + 0.5 * out - 0.3 * up).normalized();
  }
}

}  // namespace

int PointBody::point_of(JointIndex joint) const {
  const auto found = std::find(points.begin(), points.end(), joint);
  return found == points.end() ? -1 : static_cast<int>(found - points.begin());
}

const Limb* PointBody::limb_of_end(JointIndex end) const {
  for (const Limb& limb : limbs) {
    if (limb.end == end) return &limb;
  }
  return nullptr;
}

JointIndex carrying_joint(const Clip& clip, const body::BodyMap& map) {
  const JointIndex hips = root_joint(map);
  return clip.is_translated(hips) ? hips : 0;
}

std::shared_ptr<const PointBody> make_point_body(const Clip& clip, const body::BodyMap& map) {
  const Skeleton& skeleton = clip.skeleton();
  auto body = std::make_shared<PointBody>();
  body->skeleton = clip.skeleton_ptr();
  body->hips = root_joint(map);
  body->carrier = carrying_joint(clip, map);
  Builder add(*body);
  const int hips = add.point(body->hips, kTrunkMobility);

  for (const bool leg : {true, false}) {
    for (const bool left : {true, false}) {
      if (auto limb = find_limb(skeleton, map, body->hips, leg, left)) body->limbs.push_back(std::move(*limb));
    }
  }

  // The top of the trunk: the neck, else what both shoulders hang on.
  for (const body::Role role : {body::Role::neck, body::Role::upper_chest, body::Role::chest, body::Role::spine}) {
    const JointIndex joint = map.joint(role);
    if (body->trunk_top == kNoJoint && hangs_on(skeleton, joint, body->hips)) body->trunk_top = joint;
  }
  if (body->trunk_top != kNoJoint) {
    // Only joints that also carry the arms turn with the trunk.
    for (const JointIndex joint : joint_chain(skeleton, body->hips, body->trunk_top)) {
      if (joint == body->hips || joint == body->trunk_top) continue;
      bool carries_arms = true;
      for (const Limb& limb : body->limbs) carries_arms &= limb.leg || hangs_on(skeleton, limb.upper, joint);
      if (carries_arms) body->spine.push_back(joint);
    }
  }
  if (hangs_on(skeleton, map.joint(body::Role::head), body->hips)) {
    body->head = map.joint(body::Role::head);
    body->head_path = joint_chain(skeleton, body->hips, body->head);
    body->head_path.erase(body->head_path.begin());
  }

  // Pelvis and trunk.
  const int top = add.point(body->trunk_top, kTrunkMobility);
  add.link(hips, top);
  std::vector<int> girdle;
  for (Limb& limb : body->limbs) {
    limb.upper_point = add.point(limb.upper, kTrunkMobility);
    add.link(hips, limb.upper_point);
    add.link(top, limb.upper_point);
    for (const int other : girdle) add.link(other, limb.upper_point);
    girdle.push_back(limb.upper_point);
  }
  const int head = add.point(body->head, kLimbMobility);
  add.link(top, head);

  // Bones, from the ends inward so that a fixed foot is felt at once.
  for (Limb& limb : body->limbs) {
    limb.bend = learned_bend(clip, limb);
    limb.middle_point = add.point(limb.middle, kLimbMobility);
    limb.end_point = add.point(limb.end, kLimbMobility);
    limb.toe_point = add.point(limb.toe, kLimbMobility);
    add.link(limb.end_point, limb.toe_point);
    add.link(limb.middle_point, limb.end_point);
    add.link(limb.upper_point, limb.middle_point);
  }
  find_amid(clip, *body);
  body->above_hips.assign(body->points.size(), 0);
  for (const int point : {top, head}) {
    if (point >= 0) body->above_hips[point] = 1;
  }
  for (const Limb& limb : body->limbs) {
    if (limb.leg) continue;
    for (const int point : {limb.upper_point, limb.middle_point, limb.end_point}) {
      body->above_hips[point] = 1;
    }
  }
  return body;
}

Result<int> handle_point(const PointBody& body, JointIndex joint) {
  if (const int point = body.point_of(joint); point >= 0) return point;
  std::string names;
  for (const JointIndex known : body.points) names += (names.empty() ? "" : ", ") + body.skeleton->name(known);
  return fail(ErrorCode::not_possible, "joint '{}' is no handle; handles of this body are {}",
              body.skeleton->name(joint), names);
}

}  // namespace shosa::segment
