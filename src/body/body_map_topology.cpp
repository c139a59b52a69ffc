#include "body/body_map_topology.h"

#include <algorithm>
#include <array>
#include <optional>

#include "body/body_map_shape.h"

namespace shosa::body::body_map_detail {
namespace {

struct Limbs {
  MirrorPair legs, arms;
};

/// The two largest mirrored pairs that sit on different joints of the middle; the one nearer the root are the legs.
std::optional<Limbs> find_limbs(const Skeleton& skeleton, const Shape& shape) {
  const auto pairs = find_mirror_pairs(shape);
  const auto inside = [&](int node, const MirrorPair& pair) {
    return shape.is_below(node, pair.a) || shape.is_below(node, pair.b);
  };
  std::optional<Limbs> best;
  double best_size = 0.0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t k = i + 1; k < pairs.size(); ++k) {
      const MirrorPair& p = pairs[i];
      const MirrorPair& q = pairs[k];
      const double size = p.extent * p.likeness + q.extent * q.likeness;
      if (p.attachment == q.attachment || inside(p.attachment, q) || inside(q.attachment, p) || size <= best_size)
        continue;
      const bool p_first = Shape::at(shape.depth, p.attachment) <= Shape::at(shape.depth, q.attachment);
      const Limbs limbs = p_first ? Limbs{p, q} : Limbs{q, p};
      if (common_ancestor(skeleton, limbs.legs.attachment, limbs.arms.attachment) == limbs.arms.attachment) continue;
      best = limbs;
      best_size = size;
    }
  }
  return best;
}

void set_limb(BodyMap& map, const Shape& shape, const std::vector<int>& chain, const LimbJoints& joints, LimbKind kind,
              bool left) {
  const SideRoles& roles = side_roles(left);
  const bool leg = kind == LimbKind::leg;
  map.set(leg ? roles.upper_leg : roles.upper_arm, Shape::at(chain, joints.upper));
  map.set(leg ? roles.lower_leg : roles.lower_arm, Shape::at(chain, joints.lower));
  map.set(leg ? roles.foot : roles.hand, Shape::at(chain, joints.end));
  if (!leg && joints.upper > 0) map.set(roles.shoulder, chain.front());
  if (!leg) return;
  for (std::size_t i = static_cast<std::size_t>(joints.end) + 1; i < chain.size(); ++i) {
    if (shape.is_joint(chain[i]) && Shape::at(shape.length, chain[i]) > 0.0) {
      map.set(roles.toes, chain[i]);
      return;
    }
  }
}

/// Neck and head: the longest chain above the arms. The head is where it divides (eyes, jaw) or ends; a last joint with
/// nothing behind a bone as long as the one before is the crown.
void set_neck_and_head(BodyMap& map, const Skeleton& skeleton, const Shape& shape, const MirrorPair& arms) {
  int neck = -1;
  for (const int child : Shape::at(shape.children, arms.attachment)) {
    if (child == arms.a || child == arms.b || !shape.is_joint(child)) continue;
    if (neck < 0 || shape.extent(child) > shape.extent(neck)) neck = child;
  }
  if (neck < 0) return;
  std::vector<int> chain = {neck};
  while (skeleton.children(chain.back()).size() == 1) chain.push_back(skeleton.children(chain.back()).front());
  const int last = chain.back();
  const bool has_end =
      std::ranges::any_of(skeleton.end_sites(), [&](const EndSite& site) { return site.parent == last; });
  // Two joints are more often neck and head than head and crown.
  const double longer = chain.size() >= 3 ? 1.2 : 1.8;
  const bool crown = chain.size() >= 2 && Shape::at(shape.children, last).empty() && !has_end &&
                     Shape::at(shape.length, last) > longer * Shape::at(shape.length, chain[chain.size() - 2]);
  if (crown) chain.pop_back();
  map.set(Role::head, chain.back());
  if (chain.size() >= 2) map.set(Role::neck, chain.front());
}

bool has_tail(const Skeleton& skeleton, const Shape& shape, const Limbs& limbs) {
  const JointIndex hips = limbs.legs.attachment;
  return std::ranges::any_of(skeleton.children(hips), [&](JointIndex child) {
    const bool limb = child == limbs.legs.a || child == limbs.legs.b || shape.is_below(limbs.arms.attachment, child);
    return !limb && !skeleton.children(child).empty() && shape.extent(child) > 0.15 * limbs.legs.extent;
  });
}

struct Chains {
  std::array<std::vector<int>, 2> legs, arms;
};

/// The roles as seen in one set of positions, with chain 0 called left.
BodyMap split_body(const Skeleton& skeleton, const Shape& shape, const Limbs& limbs, const Chains& chains,
                   const std::vector<Vec3d>& positions) {
  BodyMap map;
  const LimbJoints leg = split_limb(shape, LimbKind::leg, chains.legs[0], chains.legs[1], positions);
  const LimbJoints arm = split_limb(shape, LimbKind::arm, chains.arms[0], chains.arms[1], positions);
  if (!leg.found() || !arm.found()) return map;
  for (std::size_t side = 0; side < 2; ++side) {
    set_limb(map, shape, chains.legs[side], leg, LimbKind::leg, side == 0);
    set_limb(map, shape, chains.arms[side], arm, LimbKind::arm, side == 0);
  }
  const JointIndex hips = common_ancestor(skeleton, limbs.legs.attachment, limbs.arms.attachment);
  map.set(Role::hips, hips);
  set_back_roles(map, path_below(skeleton, hips, limbs.arms.attachment));
  set_neck_and_head(map, skeleton, shape, limbs.arms);
  return map;
}

Vec3d limb_direction(const BodyMap& map, const std::vector<Vec3d>& positions, bool legs) {
  Vec3d sum = Vec3d::Zero();
  for (const bool left : {true, false}) {
    const SideRoles& roles = side_roles(left);
    sum += (Shape::at(positions, map.joint(legs ? roles.foot : roles.hand)) -
            Shape::at(positions, map.joint(legs ? roles.upper_leg : roles.upper_arm)))
               .normalized();
  }
  return sum;
}

/// Where the toes point, else where the knees bend to; zero when neither says anything. Across `up`.
Vec3d facing_of_feet(const Shape& shape, const BodyMap& map, const Chains& chains, const std::vector<Vec3d>& positions,
                     const Vec3d& up) {
  Vec3d toes = Vec3d::Zero();
  Vec3d knees = Vec3d::Zero();
  double leg_length = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    const SideRoles& roles = side_roles(side == 0);
    const JointIndex foot = map.joint(roles.foot);
    const Vec3d hip_at = Shape::at(positions, map.joint(roles.upper_leg));
    const Vec3d knee_at = Shape::at(positions, map.joint(roles.lower_leg));
    const Vec3d foot_at = Shape::at(positions, foot);
    // The last point of the foot that has a position: end sites have none in a posture.
    Vec3d toe_at = map.has(roles.toes) ? Shape::at(positions, map.joint(roles.toes)) : foot_at;
    for (const int node : chains.legs[side]) {
      const bool beyond =
          node != foot && shape.is_below(node, foot) && static_cast<std::size_t>(node) < positions.size();
      if (beyond) toe_at = Shape::at(positions, node);
    }
    toes += toe_at - foot_at;
    const Vec3d leg = foot_at - hip_at;
    const double along = leg.squaredNorm() > 0.0 ? (knee_at - hip_at).dot(leg) / leg.squaredNorm() : 0.0;
    knees += knee_at - (hip_at + along * leg);
    leg_length += leg.norm();
  }
  for (Vec3d* direction : {&toes, &knees}) {
    *direction -= direction->dot(up) * up;
    if (direction->norm() > 0.02 * leg_length) return *direction;
  }
  return Vec3d::Zero();
}

struct LeftAxis {
  Vec3d axis = Vec3d::Zero();
  bool assumed = false;  ///< Nothing showed where the body faces.
};

LeftAxis find_left(const Shape& shape, const BodyMap& map, const Chains& chains, const std::vector<Vec3d>& positions,
                   bool on_fours) {
  const Vec3d legs = limb_direction(map, positions, true);
  const Vec3d arms = limb_direction(map, positions, false);
  const SideRoles& l = side_roles(true);
  const SideRoles& r = side_roles(false);
  const Vec3d trunk = (Shape::at(positions, map.joint(l.upper_arm)) + Shape::at(positions, map.joint(r.upper_arm)) -
                       Shape::at(positions, map.joint(l.upper_leg)) - Shape::at(positions, map.joint(r.upper_leg)))
                          .normalized();
  if (on_fours) return {(-(legs + arms)).cross(trunk).normalized()};
  const Vec3d up = (trunk - 0.5 * legs).normalized();
  const Vec3d forward = facing_of_feet(shape, map, chains, positions, up);
  if (!forward.isZero()) return {up.cross(forward).normalized()};
  // Y up and facing +Z, Z up and facing -Y: left is +X in both.
  const bool x_up = std::abs(up.x()) > std::abs(up.y()) && std::abs(up.x()) > std::abs(up.z());
  return {x_up ? Vec3d(up.cross(Vec3d::UnitZ())) : Vec3d::UnitX(), true};
}

/// Exchanges the sides of a limb whose "left" joint lies to the right.
void put_left(BodyMap& map, const std::vector<Vec3d>& positions, const Vec3d& left,
              std::initializer_list<Role> left_roles) {
  Vec3d across = Vec3d::Zero();
  // The joints nearest the trunk say most: limbs may cross.
  for (const Role role : left_roles) {
    if (!map.has(role) || !map.has(mirrored(role))) continue;
    across = Shape::at(positions, map.joint(role)) - Shape::at(positions, map.joint(mirrored(role)));
    if (std::abs(across.dot(left)) > 0.0) break;
  }
  if (across.dot(left) >= 0.0) return;
  for (const Role role : left_roles) {
    const JointIndex joint = map.joint(role);
    map.set(role, map.joint(mirrored(role)));
    map.set(mirrored(role), joint);
  }
}

}  // namespace

TopologyBody roles_from_topology(const Skeleton& skeleton, const std::vector<Vec3d>* posed) {
  TopologyBody body;
  const Shape shape(skeleton);
  const auto limbs = find_limbs(skeleton, shape);
  if (!limbs) return body;
  const Chains chains{{shape.longest_chain(limbs->legs.a), shape.longest_chain(limbs->legs.b)},
                      {shape.longest_chain(limbs->arms.a), shape.longest_chain(limbs->arms.b)}};

  body.map = split_body(skeleton, shape, *limbs, chains, shape.rest);
  if (!body.found()) return body;
  body.rest = find_stance(body.map, shape.rest);
  const std::vector<Vec3d>* positions = &shape.rest;
  Stance stance = body.rest;
  if (posed != nullptr && body.rest == Stance::unclear) {
    const BodyMap map = split_body(skeleton, shape, *limbs, chains, *posed);
    if (map.has(Role::hips)) {
      body.map = map;
      body.posed = find_stance(map, *posed);
      stance = body.posed;
      positions = posed;
    }
  }

  body.tail = has_tail(skeleton, shape, *limbs);
  const bool on_fours = stance == Stance::on_fours || (stance == Stance::unclear && body.tail);
  const LeftAxis left = find_left(shape, body.map, chains, *positions, on_fours);
  put_left(body.map, *positions, left.axis,
           {Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::left_toes});
  put_left(body.map, *positions, left.axis,
           {Role::left_upper_arm, Role::left_lower_arm, Role::left_hand, Role::left_shoulder});
  if (stance == Stance::unclear) {
    body.map.warnings.emplace_back("the posture does not show how the body stands: left and right may be exchanged");
  } else if (left.assumed) {
    body.map.warnings.emplace_back("nothing shows where the body faces: left is taken to be +x");
  }
  return body;
}

}  // namespace shosa::body::body_map_detail
