#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shosa/core/clip.h"

namespace shosa::scenes {

// Skeletons and motions made in code. Same arguments, same bits. Every body faces +Z with +X on its left, and all rest
// rotations are the identity. Bad arguments (no frames, negative times) are bugs of the caller (assert).

/// A 1.75 m human in T-pose, hips at 0.95 m. Joints carry the names of body roles (`left_upper_leg`); end sites on
/// head, hands and toes. The soles of the toes are at 0 m: ankle 0.08 m, ball 0.02 m, toe tip 0.01 m.
std::shared_ptr<const Skeleton> humanoid();

/// A dog, 0.6 m at the hips. Joint names are body roles: the front legs are the arms and `left_hand` is a front paw.
std::shared_ptr<const Skeleton> dog();

/// `joint_count` joints `bone_m` apart, straight up along +Y, with an end site on the last.
std::shared_ptr<const Skeleton> chain(int joint_count, double bone_m = 0.1);

/// A tree with random parents, offsets (some of them zero) and rest rotations; end sites on the leaves.
std::shared_ptr<const Skeleton> random_tree(int joint_count, std::uint64_t seed);

/// A smooth motion of every joint: sines of random axis, frequency and phase, while the root wanders a few metres.
Clip random_clip(std::shared_ptr<const Skeleton> skeleton, int frame_count, std::uint64_t seed, double fps = 60.0);

/// When one planned foot stands: an oracle, because the motion was made from it.
struct FootPlan {
  static constexpr double heel_m[3] = {0.0, -0.08, -0.045};
  std::string foot;                    ///< Name of the joint: "left_foot", "left_hand" for a front paw.
  std::vector<TimeInterval> heel;      ///< The sole's heel, `heel_m` in the foot's frame, is still. Empty for paws.
  std::vector<TimeInterval> toes;      ///< The toe joint, or the tip of a front paw, is still.
  std::vector<TimeInterval> standing;  ///< Either: heel strike to toe-off.
};

/// A motion and what is known about it.
struct Scene {
  Clip clip;
  std::vector<FootPlan> feet;
  std::vector<TimeInterval> flights;  ///< No foot stands.
};

/// Steady walking along a straight line, an arc, or a flight of stairs, cut out of an endless walk.
///
/// Each foot strikes with the heel, rolls flat, lifts the heel over the ball and swings. Touch-down and lift-off change
/// the speed at once, as real feet nearly do, so that the edges of the contacts are sharp. The left foot strikes at t =
/// 0.
struct WalkParams {
  double duration_s = 4.0;
  double fps = 60.0;
  double speed_mps = 1.25;
  double step_s = 0.52;            ///< Strike of one foot to strike of the other.
  double duty = 0.62;              ///< Share of a foot's cycle that it stands; below 0.5 is running.
  double rise_per_step_m = 0.0;    ///< Stairs: every foothold this much higher than the last; below 0 is down.
  double turn_rad_per_m = 0.0;     ///< Curvature of the path, positive to the left.
  double foot_clearance_m = 0.06;  ///< Extra lift in the middle of the swing.
};
Scene walk(const WalkParams& params = {});

/// The same machine with flight: the hips follow a 9.81 m/s² parabola whenever no foot stands.
Scene run(WalkParams params = {.speed_mps = 3.0, .step_s = 0.37, .duty = 0.33, .foot_clearance_m = 0.16});

/// Stand, crouch, take off, land, stand up. In flight the hips follow a 9.81 m/s² parabola.
struct JumpParams {
  double fps = 60.0;
  double flight_s = 0.45;
  double distance_m = 0.5;
  double still_s = 0.5;  ///< Standing before the crouch and after the landing.
};
Scene jump(const JumpParams& params = {});

/// Standing at ease: breathing, a little sway, both feet planted all the time.
Scene stand(double duration_s = 3.0, double fps = 60.0);

/// A lateral-sequence walk: left hind, left front, right hind, right front, a quarter cycle apart.
struct DogWalkParams {
  double duration_s = 4.0;
  double fps = 60.0;
  double speed_mps = 0.9;
  double cycle_s = 0.7;
  double duty = 0.65;
};
Scene dog_walk(const DogWalkParams& params = {});

}  // namespace shosa::scenes
