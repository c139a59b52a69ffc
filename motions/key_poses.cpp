#include "motions/key_poses.h"

#include <algorithm>
#include <cmath>

#include "scenes/limbs.h"
#include "shosa/core/rotations.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/motion_edit.h"
#include "shosa/posing/pin_drag_solver.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

const char* const kHands[] = {"left_hand", "right_hand"};

using Feet = std::array<FootState, 2>;

/// Brings the hands to their goals; hips and legs stay.
Result<void> reach(const std::shared_ptr<const Skeleton>& skeleton, const body::BodyMap& map, const Posture& posture,
                   const Feet& feet, UpperBody& body) {
  if (!posture.hand_m[0] && !posture.hand_m[1]) return {};
  posing::PinDragSolver solver(skeleton, {.root_stiffness_lin = 1e6, .root_stiffness_ang = 1e6});
  solver.body().set_pose(whole_pose(*skeleton, body, feet));
  const auto ranges = posing::human_ranges(*skeleton, map);
  if (!ranges) return std::unexpected(ranges.error());
  for (const auto& [joint, stiffness] : posing::human_stiffness(*skeleton, map)) {
    if (joint == 0) continue;
    if (const auto set = solver.set_stiffness(joint, stiffness); !set) return set;
  }
  for (const auto& range : *ranges) solver.set_range(range.joint, range.range);
  for (JointIndex j = 1; j < skeleton->joint_count(); ++j) {
    const std::string& name = skeleton->name(j);
    const bool arm = name.find("arm") != std::string::npos || name.find("shoulder") != std::string::npos ||
                     name.find("hand") != std::string::npos;
    const bool trunk = name.find("spine") != std::string::npos || name.find("chest") != std::string::npos;
    if (!arm && !trunk) {
      if (const auto set = solver.set_freedom(j, {.kind = posing::JointKind::fixed}); !set) return set;
    }
    const posing::DesiredRotation desired{.joint = j, .rotation = body.rotations[j], .weight = trunk ? 30.0 : 0.3};
    if (const auto set = solver.set_desired(desired); !set) return set;
  }
  for (int side = 0; side < 2; ++side) {
    const auto& goal = posture.hand_m[side];
    if (!goal) continue;
    const auto added = solver.add_goal(
        {.joint = skeleton->find(kHands[side]), .position_m = *goal, .priority = posing::Priority::high});
    if (!added) return std::unexpected(added.error());
  }
  for (int i = 0; i < 240; ++i) solver.step(1.0 / 60.0);
  for (JointIndex j = 1; j < skeleton->joint_count(); ++j) {
    body.rotations[j] = solver.body().rotation(j);
  }
  return {};
}

/// Middle of the sole.
Vec3d support_point(const FootState& foot) {
  return foot.ankle + foot_rotation(foot) * Vec3d(0, 0, 0.045);
}

Result<UpperBody> solve_key(const std::shared_ptr<const Skeleton>& skeleton, const body::BodyMap& map,
                            const Posture& posture, const Feet& feet) {
  const double share = 0.5 * (1.0 + posture.weight);
  const Vec3d support = share * support_point(feet[0]) + (1.0 - share) * support_point(feet[1]);
  const Quatd heading = about_y(radians(posture.pelvis[0]));
  const Vec3d wanted = support + heading * Vec3d(posture.com_m.x(), 0, posture.com_m.y());
  // Between two levels the ground is where the weight is.
  const auto level = [&](std::size_t side) {
    return feet[feet[side].stands ? side : 1 - side].ankle.y() - kAnkleHeight_m;
  };
  const double ground = share * level(0) + (1.0 - share) * level(1);
  UpperBody body = upper_body(*skeleton, posture);
  body.hips_m = Vec3d(wanted.x(), ground + kStandingHips_m - posture.down_m, wanted.z());

  // The centre of mass moves nearly as the hips do: a few rounds settle it.
  for (int round = 0; round < 5; ++round) {
    const Vec3d hips = body.hips_m;
    body = upper_body(*skeleton, posture);
    body.hips_m = hips;
    if (posture.hips_m) {
      body.hips_m.x() = posture.hips_m->x();
      body.hips_m.z() = posture.hips_m->y();
    }
    if (const auto reached = reach(skeleton, map, posture, feet, body); !reached) {
      return std::unexpected(reached.error());
    }
    if (posture.hips_m) break;
    UpperBody sunk = body;
    sunk.hips_m.y() = std::min(body.hips_m.y(), highest_hips(body, feet, 0.9985));
    const Vec3d com = center_of_mass(forward_kinematics(*skeleton, whole_pose(*skeleton, sunk, feet)), map);
    if (round == 4) break;
    body.hips_m.x() += wanted.x() - com.x();
    body.hips_m.z() += wanted.z() - com.z();
  }
  return body;
}

double lag_of(const std::string& joint) {
  if (joint.ends_with("hand")) return 0.14;
  if (joint.ends_with("lower_arm")) return 0.10;
  if (joint.ends_with("upper_arm") || joint.ends_with("shoulder")) return 0.05;
  if (joint == "chest" || joint == "upper_chest") return 0.04;
  return 0.0;
}

}  // namespace

Result<KeyTimeline> KeyTimeline::create(const std::shared_ptr<const Skeleton>& skeleton, const body::BodyMap& map,
                                        const Description& description, const std::array<FootPath, 2>& feet) {
  KeyTimeline line;
  for (const Key& key : description.keys) {
    const Feet at_key = {feet[0].at(key.time_s), feet[1].at(key.time_s)};
    auto body = solve_key(skeleton, map, key.posture, at_key);
    if (!body) return std::unexpected(body.error());
    line.keys_.push_back({.begin_s = key.time_s - key.over_s, .end_s = key.time_s, .body = std::move(*body)});
  }
  for (JointIndex j = 0; j < skeleton->joint_count(); ++j) line.lag_.push_back(lag_of(skeleton->name(j)));
  return line;
}

UpperBody KeyTimeline::at(double time_s) const {
  UpperBody body = keys_.front().body;
  for (std::size_t k = 1; k < keys_.size(); ++k) {
    const Solved &key = keys_[k], &before = keys_[k - 1];
    const double length_s = key.end_s - key.begin_s;
    const double done = solve::minimum_jerk_value(time_s, key.begin_s, key.end_s);
    if (time_s <= key.begin_s) continue;
    body.hips_m += done * (key.body.hips_m - before.body.hips_m);
    for (std::size_t side = 0; side < 2; ++side) {
      body.knee_out_rad[side] += done * (key.body.knee_out_rad[side] - before.body.knee_out_rad[side]);
    }
    for (std::size_t j = 0; j < body.rotations.size(); ++j) {
      const double late = lag_[j] * length_s;
      const double share = solve::minimum_jerk_value(time_s, key.begin_s + late, key.end_s + late);
      const Vec3d turn = log_rotation(before.body.rotations[j].conjugate() * key.body.rotations[j]);
      body.rotations[j] = (body.rotations[j] * exp_rotation(share * turn)).normalized();
    }
  }
  return body;
}

}  // namespace shosa::motions
