#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::motions {

// A motion as a person writes it. The words of the text and their units: motions/README.md

enum Side : int {
  left = 0,
  right = 1
};

/// +1 for the left, which is +X.
constexpr double sign_of(int side) {
  return side == left ? 1.0 : -1.0;
}

/// Degrees. An arm of zeros hangs straight down with the palm to the back.
struct Arm {
  double raise = 0.0;  ///< Forward, about the body's left-right axis.
  double out = 9.0;    ///< Away from the body.
  double turn = 0.0;   ///< About the upper arm, positive inward.
  double bend = 14.0;  ///< Elbow.
  double roll = 0.0;   ///< Forearm, positive turns the palm inward.
  double wrist = 0.0;  ///< Positive toward the palm.
  double shrug = 0.0;  ///< Collar bone up.
};

/// What one key says about the whole body; a key inherits what it does not name.
struct Posture {
  double down_m = 0.0;          ///< Hips below their standing height.
  double weight = 0.0;          ///< Which foot carries: 1 left, -1 right.
  Eigen::Vector2d com_m{0, 0};  ///< Centre of mass beside the support, to the left and forward (of the hips' heading).
  std::optional<Eigen::Vector2d> hips_m;  ///< x, z of the hips in the world instead of a balanced centre of mass.
  Vec3d pelvis{0, 0, 0};                  ///< Yaw (left), pitch (forward), roll (to the left), degrees.
  Vec3d spine{0, 0, 0};  ///< Bend forward, to the left, twist to the left, degrees, over the whole trunk.
  Vec3d head{0, 0, 0};   ///< Nod, tilt to the left, turn to the left, degrees.
  std::array<Arm, 2> arms;
  std::array<double, 2> knee_out{0, 0};        ///< Degrees the knee points outside the line of its foot.
  std::array<std::optional<Vec3d>, 2> hand_m;  ///< Goal of the wrist, world.
};

struct Key {
  double time_s = 0.0;  ///< Reached then ...
  double over_s = 0.0;  ///< ... by a movement that lasts this long.
  Posture posture;
};

/// Where a foot stands: the ground below the ankle, and the heading of the foot.
struct Foothold {
  Vec3d ground_m = Vec3d::Zero();
  double yaw_rad = 0.0;
};

struct Via {
  double time_s = 0.0;
  Vec3d ankle_m = Vec3d::Zero();
  double pitch_rad = 0.0;
  double yaw_rad = 0.0;
};

/// From one foothold to the next.
struct Step {
  double lift_s = 0.0, land_s = 0.0;
  Foothold to;
  double clear_m = 0.05;      ///< Lift in the middle, beyond the straight way.
  double strike_rad = -0.12;  ///< Pitch on landing; below 0 on the heel, above on the ball.
  double flat_s = 0.08;       ///< From landing until the sole is flat.
  double push_rad = 0.5;      ///< Pitch on leaving, over the ball.
  double push_s = 0.20;       ///< How long the heel rises before leaving.
  double push_late = 1.0;     ///< How the heel rises: 0 with the square of time (sprinting), 1 with its cube (walking).
  double land_speed = 0.25;   ///< Share of the step's mean speed with which the foot comes down.
  double smooth = 0.30;       ///< Share of the swing over which it is smoothed, see `relax_swings`.
  double above = 0.86;        ///< Share of the swing after which the foot is above its place and only sinks.
  std::vector<Via> via;
};

/// The heel rises or sinks to a pitch, or the foot turns over its ball, while it stands.
struct FootTurn {
  double begin_s = 0.0, end_s = 0.0;
  double angle_rad = 0.0;
};

struct FootScript {
  Foothold start;
  std::vector<Step> steps;      ///< In order of time.
  std::vector<FootTurn> heel;   ///< To a pitch, heel up.
  std::vector<FootTurn> pivot;  ///< To a heading.
};

struct Knot {
  double begin_s = 0.0, end_s = 0.0;
  double value = 0.0;
};

/// A walk or run, by the figures that gait studies state.
struct Gait {
  double step_s = 0.53;
  double duty = 0.62;
  int first_side = left;
  double first_s = 0.0;     ///< First strike; before it the body stands. Cyclic motions have steps for ever.
  int strikes = 0;          ///< 0: for ever.
  std::vector<Knot> speed;  ///< Changes of speed, m/s, minimum-jerk each; before the first 0.
  double top_mps = 1.0;     ///< The speed that the swings below belong to.
  double behind_m = 0.095;  ///< How far the ankle is behind the hips in the middle of its stance.
  double half_width_m = 0.06;
  double toe_out_deg = 6.0;
  double strike_deg = 20.0, push_deg = 64.0;
  double clear_m = 0.016;
  double heel_off = 0.56;               ///< Share of the stance.
  double push_late = 0.4;               ///< See Step::push_late.
  double flat = 0.12;                   ///< Share of the stance until the sole is flat.
  double land_share = 0.15;             ///< Speed of a landing foot, share of the swing's mean.
  double kick_m = 0.36, knee_m = 0.26;  ///< Running: height of the ankle behind and below the body.
  double force_k = 0.2;                 ///< Running: how flat the push is, see `GaitMotion::bounce`.
  double bounce_m = 0.042;              ///< Of the hips, peak to peak (walking).
  double sway_m = 0.022;                ///< Half.
  double pelvis_yaw_deg = 4.0, pelvis_list_deg = 4.0, twist_deg = 7.0;
  double arm_deg = 18.0, arm_back_deg = 4.0, elbow_deg = 12.0;
  double rise_m = 0.0;        ///< Stairs, per step.
  double extension = 0.9955;  ///< Of the leg at most.
};

/// The hips' height through a jump: pushed up from the bottom, thrown, caught.
struct Leap {
  double bottom_s = 0.0, off_s = 0.0, land_s = 0.0, caught_s = 0.0;
  double off_m = 0.0, land_m = 0.0;  ///< Height of the hips when the feet leave and meet the ground.
};

struct Description {
  std::string about;
  std::string mirror_of;  ///< Not empty: the motion is that one seen in a mirror.
  double duration_s = 2.0;
  std::optional<TimeInterval> core;
  bool alive = true;  ///< Breath and sway.
  std::array<FootScript, 2> feet;
  std::vector<Leap> leaps;
  std::vector<Key> keys;  ///< At least the one at 0.
  std::optional<Gait> gait;
};

}  // namespace shosa::motions
