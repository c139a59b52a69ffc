#include <algorithm>
#include <cmath>

#include "segment/frames.h"
#include "segment/reconstruct.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {

void Reconstructor::place_middles() {
  for (const Limb& limb : body_->limbs) {
    const auto u = static_cast<std::size_t>(limb.upper_point), m = static_cast<std::size_t>(limb.middle_point),
               e = static_cast<std::size_t>(limb.end_point);
    if (given_[m] != 0) continue;
    const LimbBones bones{base_points_[u], base_points_[m], base_points_[e], bend_direction(limb), amid(limb)};
    points_[m] = bones.middle_of(points_[u], points_[e]);
  }
}

Vec3d Reconstructor::bend_direction(const Limb& limb) const {
  return bend_side(base_at(limb.upper), base_at(limb.middle), base_at(limb.end),
                   world_.rotations[limb.upper] * limb.bend);
}

Vec3d Reconstructor::amid(const Limb& limb) const {
  if (limb.leg) return Vec3d::Zero();
  return world_.rotations[body_->skeleton->parent(limb.upper)] * limb.amid;
}

void Reconstructor::turn_trunk(const ReconstructGoals& goals) {
  const auto moved = [&](int point) { return point >= 0 && (given_[point] != 0 || params_.iterations > 0); };
  // Pelvis: the hips and the line across the hip joints; carried as a whole where nothing pulled on it.
  const Limb *left = nullptr, *right = nullptr, *left_arm = nullptr, *right_arm = nullptr;
  for (const Limb& limb : body_->limbs) {
    if (limb.leg) {
      (limb.left ? left : right) = &limb;
    } else {
      (limb.left ? left_arm : right_arm) = &limb;
    }
  }
  hips_ = points_[0];
  pelvis_turn_ = goals.body_turn;
  const auto turned_from = [&](int point, const Quatd& turn) {
    const auto i = static_cast<std::size_t>(point);
    return Vec3d(turn * (base_points_[i] - base_points_[0]));
  };
  const auto now = [&](int point) { return Vec3d(points_[point] - points_[0]); };
  const int top = body_->point_of(body_->trunk_top);
  const auto pulled = [&](int point, const Quatd& turn) {
    return moved(point) && (now(point) - turned_from(point, turn)).squaredNorm() > 1e-16;
  };
  if (left != nullptr && right != nullptr &&
      (pulled(left->upper_point, pelvis_turn_) || pulled(right->upper_point, pelvis_turn_))) {
    const Vec3d across = turned_from(left->upper_point, pelvis_turn_) - turned_from(right->upper_point, pelvis_turn_);
    const Vec3d below = turned_from(left->upper_point, pelvis_turn_) + turned_from(right->upper_point, pelvis_turn_);
    const Vec3d across_now = now(left->upper_point) - now(right->upper_point);
    const Vec3d below_now = now(left->upper_point) + now(right->upper_point);
    pelvis_turn_ = turn_between(across, below, across_now, below_now) * pelvis_turn_;
  }
  turns_[0] = Quatd::Identity();
  turns_[body_->carrier] = pelvis_turn_;
  own_turn_[body_->carrier] = same_rotation(pelvis_turn_) ? 0 : 1;

  // Trunk: its top and the line across the shoulders, shared by the joints of the spine.
  if (top < 0 || body_->spine.empty()) return;
  bool trunk_pulled = pulled(top, pelvis_turn_);
  for (const Limb* arm : {left_arm, right_arm})
    trunk_pulled |= arm != nullptr && pulled(arm->upper_point, pelvis_turn_);
  if (!trunk_pulled) return;
  Quatd turn;
  if (left_arm != nullptr && right_arm != nullptr) {
    const Vec3d across =
        turned_from(left_arm->upper_point, pelvis_turn_) - turned_from(right_arm->upper_point, pelvis_turn_);
    turn = turn_between(turned_from(top, pelvis_turn_), across, now(top),
                        now(left_arm->upper_point) - now(right_arm->upper_point));
  } else {
    turn = shortest_turn(turned_from(top, pelvis_turn_), now(top));
  }
  const auto count = static_cast<double>(body_->spine.size());
  for (std::size_t i = 0; i < body_->spine.size(); ++i) {
    const auto joint = static_cast<std::size_t>(body_->spine[i]);
    const double share = static_cast<double>(i + 1) / count;
    turns_[joint] = Quatd::Identity().slerp(share, turn) * pelvis_turn_;
    own_turn_[joint] = 1;
  }
}

// Where a joint is and which turn it has: down the path from the hips, with the turns set so far.
Reconstructor::Carried Reconstructor::carried_to(std::span<const JointIndex> path) const {
  Carried at{hips_, pelvis_turn_};
  JointIndex parent = body_->hips;
  for (const JointIndex joint : path) {
    at.position += at.turn * (base_at(joint) - base_at(parent));
    if (own_turn_[joint] != 0) at.turn = turns_[joint];
    parent = joint;
  }
  return at;
}

void Reconstructor::close_limb(const Limb& limb, const ReconstructGoals& goals) {
  // A limb that nobody sent anywhere goes with the trunk.
  const auto e = static_cast<std::size_t>(limb.end_point);
  if (given_[e] == 0) return;
  const auto [upper, turn] = carried_to(limb.path);

  const Vec3d target = points_[e];
  const Vec3d carried = upper + turn * (base_at(limb.end) - base_at(limb.upper));
  const EndTurn* own = nullptr;
  for (const EndTurn& end : goals.turns) {
    if (end.end == limb.end) own = &end;
  }
  const auto set = [&](JointIndex joint, const Quatd& value) {
    turns_[joint] = value;
    own_turn_[joint] = 1;
  };

  Quatd end_turn = turn;
  if ((target - carried).squaredNorm() > 1e-18) {
    const LimbBones bones{base_at(limb.upper), base_at(limb.middle), base_at(limb.end), bend_direction(limb),
                          amid(limb)};
    const LimbBones carried_bones{upper, upper + turn * (bones.middle - bones.upper), carried, turn * bones.bend,
                                  turn * bones.amid};
    const BentBones bent = carried_bones.bent_to(upper, target);
    set(limb.upper, bent.upper_turn * turn);
    set(limb.middle, bent.lower_turn * turn);
    end_turn = bent.lower_turn * turn;
    const Vec3d miss = target - bent.end;
    (limb.leg ? leg_miss_ : arm_miss_) += miss;
    if (limb.leg && miss.squaredNorm() > 1e-18) ++short_legs_;
    fixed_error_m_ = std::max(fixed_error_m_, miss.norm());
  }

  // Feet keep their place in the world, hands in the arm; toes that were sent elsewhere aim the foot.
  if (own != nullptr) {
    set(limb.end, own->world_from_end * world_.rotations[limb.end].conjugate());
  } else if (limb.leg) {
    Quatd foot = Quatd::Identity();
    if (limb.toe_point >= 0) {
      const auto t = static_cast<std::size_t>(limb.toe_point);
      const Vec3d before = base_points_[t] - base_points_[e], after = points_[t] - points_[e];
      if ((after - before).squaredNorm() > 1e-18) foot = shortest_turn(before, after);
    }
    if (!same_rotation(foot) || !same_rotation(end_turn)) set(limb.end, foot);
  }
}

// The neck turns toward a head that was sent somewhere.
void Reconstructor::aim_head() {
  const int head = body_->point_of(body_->head), top = body_->point_of(body_->trunk_top);
  if (head < 0 || top < 0 || given_[head] == 0) return;
  const Vec3d goal = points_[head];
  const auto path = std::span(body_->head_path);
  const auto neck = std::ranges::find(path, body_->trunk_top);
  if (neck == path.end()) return;
  const auto [at, inherited] = carried_to({path.begin(), neck + 1});
  const Vec3d carried = inherited * (base_at(body_->head) - base_at(body_->trunk_top)), wanted = goal - at;
  if ((wanted - carried).squaredNorm() > 1e-18 && carried.squaredNorm() > 1e-12 && wanted.squaredNorm() > 1e-12) {
    turns_[body_->trunk_top] = shortest_turn(carried, wanted) * inherited;
    own_turn_[body_->trunk_top] = 1;
  }
  const Vec3d miss = goal - carried_to(path).position;
  arm_miss_ += miss;
  fixed_error_m_ = std::max(fixed_error_m_, miss.norm());
}

// Locals change only where a joint's turn differs from the one it would inherit.
void Reconstructor::write(const Pose& base, Pose& out) {
  if (&out != &base) out = base;
  const Skeleton& skeleton = *body_->skeleton;
  const JointIndex carrier = body_->carrier;
  const auto c = static_cast<std::size_t>(carrier);
  if (own_turn_[c] != 0 || !(hips_ - base_points_[0]).isZero(0.0)) {
    Vec3d place = hips_ + turns_[c] * (base_at(carrier) - base_points_[0]);
    if (const JointIndex parent = skeleton.parent(carrier); parent != kNoJoint) {
      place = world_.rotations[parent].conjugate() * (place - base_at(parent));
    }
    out.set_translation(carrier, place.cast<float>());
  }
  if (own_turn_[0] != 0) out.set_rotation(0, (turns_[0] * world_.rotations[0]).normalized().cast<float>());
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const auto i = static_cast<std::size_t>(j), p = static_cast<std::size_t>(skeleton.parent(j));
    if (own_turn_[i] == 0) {
      turns_[i] = turns_[p];
      continue;
    }
    const Quatd world_from_parent = turns_[p] * world_.rotations[p];
    out.set_rotation(j, (world_from_parent.conjugate() * (turns_[i] * world_.rotations[i])).normalized().cast<float>());
  }
}

}  // namespace shosa::segment
