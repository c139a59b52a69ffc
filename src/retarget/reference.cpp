#include "retarget/reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "retarget/limbs.h"
#include "retarget/rest_stance.h"
#include "retarget/stance_frames.h"
#include "retarget/two_axes.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"

namespace shosa::retarget {
namespace {

// A captured stance turns the sole by less than this against a standing rest pose; more is no flat stance.
constexpr double kMaxFootTurn_rad = 0.8;

class Builder {
 public:
  Builder(const Skeleton& skeleton, const body::BodyMap& map, const analysis::StudiedClip* motion)
      : skeleton_(skeleton), map_(map), motion_(motion), feet_(body::find_foot_points(skeleton, map)) {
    out_.canonical.resize(static_cast<std::size_t>(skeleton.joint_count()));
  }

  Reference build(bool calibrate_feet) {
    out_.standing = rest_pose_stands(skeleton_, map_);
    out_.neutral.resize(out_.canonical.size());
    for (JointIndex j = 0; j < skeleton_.joint_count(); ++j)
      out_.neutral[j] = skeleton_.joint(j).rest_rotation.cast<double>();
    const bool from_motion = !out_.standing && motion_ != nullptr;
    if (from_motion) mean_locals();
    pose_neutral();
    if (from_motion) {
      mean_trunk();
      hinged_limbs();
    } else {
      rest_trunk();
      swung_limbs();
      rest_feet();
    }
    const bool ask_feet = from_motion || calibrate_feet || legs_are_spread(map_, out_.pose.positions);
    if (motion_ != nullptr && ask_feet) stance_feet(from_motion);
    if (map_.kind == body::BodyKind::quadruped) paws();
    hands();
    lay_out();
    return std::move(out_);
  }

 private:
  const Vec3d& at(body::Role role) const { return out_.pose.positions[map_.joint(role)]; }
  const Quatd& turn(body::Role role) const { return out_.pose.rotations[map_.joint(role)]; }
  void set(JointIndex joint, const Quatd& world_from_joint) { out_.canonical[joint] = world_from_joint.normalized(); }

  void mean_locals() {
    const Clip& clip = motion_->clip();
    for (JointIndex j = 0; j < skeleton_.joint_count(); ++j) {
      MeanRotation mean;
      for (int f = 0; f < clip.frame_count(); ++f) mean.add(clip.rotation(f, j).cast<double>());
      if (mean.known()) out_.neutral[j] = mean.value();
    }
  }

  void pose_neutral() {
    Pose pose = Pose::rest(skeleton_);
    for (JointIndex j = 0; j < skeleton_.joint_count(); ++j) pose.set_rotation(j, out_.neutral[j].cast<float>());
    forward_kinematics(skeleton_, pose, out_.pose);
  }

  std::vector<JointIndex> trunk() const {
    std::vector<JointIndex> joints = {map_.joint(body::Role::hips)};
    const Columns columns = find_columns(skeleton_, map_);
    joints.insert(joints.end(), columns.spine.begin(), columns.spine.end());
    joints.insert(joints.end(), columns.neck.begin(), columns.neck.end());
    for (const body::Role role : {body::Role::left_shoulder, body::Role::right_shoulder, body::Role::jaw,
                                  body::Role::left_eye, body::Role::right_eye}) {
      if (map_.has(role)) joints.push_back(map_.joint(role));
    }
    return joints;
  }

  void rest_trunk() {
    upright_ = about_y(-analysis::heading_rad(map_, out_.pose.positions, out_.pose.rotations[0]));
    if (!out_.standing) {
      // No motion to learn from: the line across the hips and the way along the trunk.
      const Vec3d left = at(body::Role::left_upper_leg) - at(body::Role::right_upper_leg);
      const JointIndex top = map_.has(body::Role::head) ? map_.joint(body::Role::head) : trunk().back();
      const Vec3d along = out_.pose.positions[top] - at(body::Role::hips);
      const Vec3d ahead = map_.kind == body::BodyKind::quadruped ? Vec3d::UnitZ() : Vec3d::UnitY();
      if (const auto turned = two_axes(left, along, Vec3d::UnitX(), ahead)) upright_ = *turned;
    }
    for (const JointIndex joint : trunk()) set(joint, upright_ * out_.pose.rotations[joint]);
  }

  // Mean orientations over the clip, heading taken out. Frames in which the hips are low (sitting, lying) do not count.
  void mean_trunk() {
    const std::vector<JointIndex> joints = trunk();
    std::vector<double> heights_m;
    for (int f = 0; f < motion_->clip().frame_count(); ++f)
      heights_m.push_back(motion_->positions().joint(f, joints[0]).y() - motion_->contacts().ground_m);
    std::vector<double> sorted = heights_m;
    std::ranges::sort(sorted);
    const double upright_m = 0.9 * sorted[sorted.size() * 3 / 4];
    std::vector<MeanRotation> means(joints.size());
    for_each_frame([&](int f, const WorldPose& world) {
      if (heights_m[f] < upright_m) return;
      const Quatd back = about_y(-motion_->heading_rad(f));
      for (std::size_t i = 0; i < joints.size(); ++i) means[i].add(back * world.rotations[joints[i]]);
    });
    for (std::size_t i = 0; i < joints.size(); ++i) {
      set(joints[i], means[i].known() ? means[i].value() : out_.pose.rotations[joints[i]]);
    }
    upright_ = *out_.canonical[joints[0]] * out_.pose.rotations[joints[0]].conjugate();
  }

  template <class Visit>
  void for_each_frame(Visit visit) const {
    Pose pose;
    WorldPose world;
    for (int f = 0; f < motion_->clip().frame_count(); ++f) {
      motion_->clip().get_frame(f, pose);
      forward_kinematics(skeleton_, pose, world);
      visit(f, world);
    }
  }

  // Swings from the trunk outward; `before` is how the bone before was turned.
  void swung_limbs() {
    for (const LimbBone& bone : limb_bones(map_.kind)) {
      if (!map_.has(bone.role) || !map_.has(bone.next)) continue;
      const Quatd before = bone.upper == bone.role || !map_.has(bone.upper)
                               ? upright_
                               : *out_.canonical[map_.joint(bone.upper)] * turn(bone.upper).conjugate();
      const Vec3d along = before * (at(bone.next) - at(bone.role));
      if (along.norm() < 1e-6) continue;
      set(map_.joint(bone.role), shortest_turn(along, bone.direction) * before * turn(bone.role));
    }
  }

  void hinged_limbs() {
    swung_limbs();  // where a limb never bends
    const std::vector<LimbBone> bones = limb_bones(map_.kind);
    std::vector<Vec3d> along(bones.size(), Vec3d::Zero()), hinge(bones.size(), Vec3d::Zero());
    for_each_frame([&](int, const WorldPose& world) {
      const auto vector = [&](const LimbBone& bone) {
        return Vec3d(world.positions[map_.joint(bone.next)] - world.positions[map_.joint(bone.role)]);
      };
      for (std::size_t upper = 0; upper + 1 < bones.size(); upper += 2) {
        if (!map_.has(bones[upper].role) || !map_.has(bones[upper].next) || !map_.has(bones[upper + 1].next)) continue;
        const Vec3d bend = vector(bones[upper]).normalized().cross(vector(bones[upper + 1]).normalized());
        for (const std::size_t i : {upper, upper + 1}) {
          const Quatd back = world.rotations[map_.joint(bones[i].role)].conjugate();
          along[i] += back * vector(bones[i]);
          hinge[i] += back * bend;
        }
      }
    });
    for (std::size_t i = 0; i < bones.size(); ++i) {
      if (hinge[i].norm() < 0.05 * motion_->clip().frame_count()) continue;
      if (const auto laid = two_axes(along[i], hinge[i], bones[i].direction, bones[i].hinge))
        set(map_.joint(bones[i].role), *laid);
    }
  }

  const body::FootPoints* points_of(body::Role foot) const {
    const auto found = std::ranges::find(feet_, foot, &body::FootPoints::role);
    return found == feet_.end() ? nullptr : &*found;
  }

  Vec3d neutral_point(int point) const {
    if (point < skeleton_.joint_count()) return out_.pose.positions[point];
    return out_.pose.end_site(skeleton_.end_sites()[point - skeleton_.joint_count()]);
  }

  // Soles are flat at rest; toes come to point ahead.
  void rest_feet() {
    for (const FootRoles& roles : kFeet) {
      const body::FootPoints* points = points_of(roles.foot);
      if (points == nullptr) continue;
      Quatd ahead = upright_;
      if (points->toe >= 0) {
        const Vec3d foot = upright_ * (neutral_point(points->toe) - at(roles.foot));
        if (std::hypot(foot.x(), foot.z()) > 0.2 * foot.norm()) ahead = about_y(-heading_of(foot)) * upright_;
      }
      if (!out_.standing) {
        // The bone of the foot points ahead and falls.
        const Vec3d foot =
            points->toe >= 0 ? Vec3d(upright_ * (neutral_point(points->toe) - at(roles.foot))) : Vec3d::Zero();
        if (foot.norm() > 1e-6) ahead = shortest_turn(foot, Vec3d(0.0, -kFootFall, 0.91)) * upright_;
      }
      set(map_.joint(roles.foot), ahead * turn(roles.foot));
      if (map_.has(roles.toes)) set(map_.joint(roles.toes), ahead * turn(roles.toes));
    }
  }

  // A flat foot is as it is while heel and toe stand.
  void stance_feet(bool always) {
    if (map_.kind == body::BodyKind::quadruped) return;
    for (const FootRoles& roles : kFeet) {
      const body::FootPoints* points = points_of(roles.foot);
      const auto track =
          std::ranges::find_if(motion_->contacts().feet, [&](const auto& t) { return t.points.role == roles.foot; });
      if (points == nullptr || points->toe < 0 || track == motion_->contacts().feet.end()) continue;
      const std::vector<char> flat = flat_frames(*track, motion_->clip().frame_count(), motion_->clip().frame_time_s());
      MeanRotation foot, toes;
      for_each_frame([&](int f, const WorldPose& world) {
        if (!flat[f]) return;
        const Vec3d along = motion_->positions().point(f, points->toe) - motion_->positions().joint(f, points->joint);
        const Quatd back = about_y(-heading_of(along));
        foot.add(back * world.rotations[points->joint]);
        if (map_.has(roles.toes)) toes.add(back * world.rotations[map_.joint(roles.toes)]);
      });
      const auto take = [&](JointIndex joint, const MeanRotation& mean) {
        if (mean.count() < 5 || !mean.known()) return;
        auto& known = out_.canonical[joint];
        if (always || !known || known->angularDistance(mean.value()) < kMaxFootTurn_rad) known = mean.value();
      };
      take(points->joint, foot);
      if (map_.has(roles.toes)) take(map_.joint(roles.toes), toes);
      if (!out_.canonical[points->joint] && always) set(points->joint, upright_ * turn(roles.foot));
    }
  }

  // The last bone of a quadruped's leg is one bone more: straight down.
  void paws() {
    for (const body::FootPoints& foot : feet_) {
      const auto above = map_.role_of(foot.joint) == body::Role::left_foot    ? body::Role::left_lower_leg
                         : map_.role_of(foot.joint) == body::Role::right_foot ? body::Role::right_lower_leg
                         : map_.role_of(foot.joint) == body::Role::left_hand  ? body::Role::left_lower_arm
                                                                              : body::Role::right_lower_arm;
      const auto& leg = map_.has(above) ? out_.canonical[map_.joint(above)] : std::optional<Quatd>();
      Quatd before = leg ? Quatd(*leg * turn(above).conjugate()) : upright_;
      const Vec3d along =
          foot.toe >= 0 ? Vec3d(before * (neutral_point(foot.toe) - out_.pose.positions[foot.joint])) : Vec3d::Zero();
      if (along.norm() > 1e-6) before = shortest_turn(along, Vec3d(-Vec3d::UnitY())) * before;
      set(foot.joint, before * out_.pose.rotations[foot.joint]);
      for (const body::Role toes : {body::Role::left_toes, body::Role::right_toes}) {
        if (map_.has(toes) && map_.joint(toes) == foot.toe) set(map_.joint(toes), before * turn(toes));
      }
    }
  }

  // Hands in line with the forearm where their middle is known; fingers with their hand.
  void hands() {
    if (map_.kind == body::BodyKind::quadruped) return;
    for (const HandRoles& roles : kHands) {
      if (!map_.has(roles.hand) || !map_.has(roles.lower)) continue;
      const auto& forearm = out_.canonical[map_.joint(roles.lower)];
      if (!forearm) continue;
      Quatd laid = *forearm * turn(roles.lower).conjugate();
      const body::Role middle = role_at(roles.first_finger, 6);
      if (map_.has(middle) && out_.standing) {
        const Vec3d along = laid * (at(middle) - at(roles.hand));
        const Vec3d straight = roles.hand == body::Role::left_hand ? Vec3d::UnitX() : Vec3d(-Vec3d::UnitX());
        if (along.norm() > 1e-4) laid = shortest_turn(along, straight) * laid;
      }
      set(map_.joint(roles.hand), laid * turn(roles.hand));
      for (int i = 0; i < kFingerRoles; ++i) {
        const body::Role finger = role_at(roles.first_finger, i);
        if (map_.has(finger)) set(map_.joint(finger), laid * turn(finger));
      }
    }
  }

  void lay_out() {
    out_.laid.resize(out_.canonical.size());
    for (JointIndex j = 0; j < skeleton_.joint_count(); ++j) {
      const JointIndex parent = skeleton_.parent(j);
      out_.laid[j] =
          out_.canonical[j].value_or((parent == kNoJoint ? Quatd::Identity() : out_.laid[parent]) * out_.neutral[j]);
    }
  }

  const Skeleton& skeleton_;
  const body::BodyMap& map_;
  const analysis::StudiedClip* motion_;
  std::vector<body::FootPoints> feet_;
  Quatd upright_ = Quatd::Identity();  // canonical from neutral, for the trunk
  Reference out_;
};

}  // namespace

Reference make_reference(const Skeleton& skeleton, const body::BodyMap& map, const analysis::StudiedClip* motion,
                         bool calibrate_feet) {
  return Builder(skeleton, map, motion).build(calibrate_feet);
}

}  // namespace shosa::retarget
