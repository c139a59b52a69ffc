#include "motions/body.h"

#include <algorithm>
#include <cmath>

#include "scenes/limbs.h"
#include "shosa/body/body_segments.h"
#include "shosa/core/rotations.h"

namespace shosa::motions {
namespace {

const char* const kSides[] = {"left", "right"};

Vec3d hip_offset(int side) {
  return {0.09 * sign_of(side), -0.03, 0.0};
}

}  // namespace

UpperBody upper_body(const Skeleton& skeleton, const Posture& posture) {
  UpperBody body;
  body.rotations.assign(static_cast<std::size_t>(skeleton.joint_count()), Quatd::Identity());
  const auto set = [&](const std::string& joint, const Quatd& rotation) {
    body.rotations[skeleton.find(joint)] = rotation.normalized();
  };
  set("hips", about(posture.pelvis[0], kY) * about(posture.pelvis[1], kX) * about(-posture.pelvis[2], kZ));
  const struct {
    const char* joint;
    double share;
  } trunk[] = {{"spine", 0.40}, {"chest", 0.33}, {"upper_chest", 0.27}};
  for (const auto& part : trunk) {
    const Vec3d angles = part.share * posture.spine;
    set(part.joint, about(angles[2], kY) * about(angles[0], kX) * about(-angles[1], kZ));
  }
  for (const char* joint : {"neck", "head"}) {
    const Vec3d angles = 0.5 * posture.head;
    set(joint, about(angles[2], kY) * about(angles[0], kX) * about(-angles[1], kZ));
  }
  for (int side = 0; side < 2; ++side) {
    const Arm& arm = posture.arms[side];
    const double s = sign_of(side);
    const std::string name = kSides[side];
    const Quatd upper = about(-arm.raise, kX) * about(-s * (90.0 - arm.out), kZ) * about(arm.turn, kX);
    // The collar bone takes its share of a raised arm (Inman, Saunders and Abbott 1944: about a third beyond 30°).
    const Vec3d bone = upper * (s * kX);
    const double elevation = std::acos(std::clamp(-bone.y(), -1.0, 1.0)) / radians(1.0);
    const double lift = arm.shrug + 0.25 * std::max(0.0, elevation - 40.0);
    const double forward = (bone.z() < 0 ? 22.0 : 8.0) * bone.z();
    const Quatd collar = about(-s * forward, kY) * about(s * lift, kZ);
    set(name + "_shoulder", collar);
    set(name + "_upper_arm", collar.conjugate() * upper);
    set(name + "_lower_arm", about(-s * arm.bend, kY) * about(arm.roll, kX));
    set(name + "_hand", about(-s * arm.wrist, kZ));
    body.knee_out_rad[side] = radians(posture.knee_out[side]) * s;
  }
  return body;
}

Vec3d hip_joint(const UpperBody& body, int side) {
  return body.hips_m + body.rotations[0] * hip_offset(side);
}

double highest_hips(const UpperBody& body, const std::array<FootState, 2>& feet, double extension) {
  double highest = 1e9;
  for (int side = 0; side < 2; ++side) {
    const FootState& foot = feet[side];
    if (foot.free_air) continue;
    const Vec3d offset = body.rotations[0] * hip_offset(side);
    const Vec3d flat = foot.ankle - body.hips_m - offset;
    // A foot in the air may be out of reach by a little; the leg then points at it.
    const double reach = (foot.stands ? extension : 1.04) * kLegLength_m;
    const double across2 = flat.x() * flat.x() + flat.z() * flat.z();
    highest = std::min(highest, foot.ankle.y() - offset.y() + std::sqrt(std::max(0.01, reach * reach - across2)));
  }
  return highest;
}

Pose whole_pose(const Skeleton& skeleton, const UpperBody& body, const std::array<FootState, 2>& feet) {
  Pose pose = Pose::rest(skeleton);
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    pose.set_rotation(j, body.rotations[j].cast<float>());
  }
  scenes::PoseWriter writer(skeleton, pose);
  writer.root(body.hips_m, body.rotations[0]);
  const Vec3d ahead = body.rotations[0] * kZ;
  const double hips_yaw = heading_of(ahead);
  for (int side = 0; side < 2; ++side) {
    const FootState& foot = feet[side];
    const std::string name = kSides[side];
    // The knee points where the foot does, and a little where the hips do.
    const double between = wrap_angle(foot.yaw_rad - hips_yaw);
    const double yaw = hips_yaw + 0.75 * between + body.knee_out_rad[side];
    Vec3d bend = about_y(yaw) * kZ;
    // A thigh lifted toward the chest bends its knee upward.
    const Vec3d hip = writer.position(name + "_upper_leg");
    const Vec3d way = (foot.ankle - hip).normalized();
    bend += std::max(0.0, bend.dot(way)) * kY;
    writer.reach(name + "_upper_leg", name + "_lower_leg", name + "_foot", foot.ankle, bend);
    writer.rotate_world(name + "_foot", foot_rotation(foot));
    writer.rotate(name + "_toes", Quatd(Eigen::AngleAxisd(foot.toe_pitch_rad, kX)));
  }
  return pose;
}

Vec3d center_of_mass(const WorldPose& world, const body::BodyMap& map) {
  Vec3d sum = Vec3d::Zero();
  double mass = 0.0;
  for (const body::BodySegment& segment : body::kHumanSegments) {
    const auto at = [&](body::Role role) { return world.positions[map.joint(role)]; };
    sum += segment.mass * (at(segment.from) + segment.place * (at(segment.to) - at(segment.from)));
    mass += segment.mass;
  }
  return sum / mass;
}

}  // namespace shosa::motions
