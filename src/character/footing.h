#pragma once

#include <array>
#include <memory>
#include <vector>

#include "character/min_jerk.h"
#include "shosa/body/foot_points.h"
#include "shosa/body/two_bones.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/ground_move.h"
#include "shosa/feet/ground.h"
#include "shosa/graph/player.h"
#include "shosa/graph/toe_bends.h"

namespace shosa::character {

inline constexpr int kMostFeet = 4;
/// Who goes slower stands on the lower foot, for a leg of 0.85 m.
inline constexpr double kGoes_mps = 0.5;

/// What the feet of a body are like. Made once, shared.
struct FootModel {
  struct Foot {
    body::TwoBones bones;
    int ball = -1;                          ///< Point (joint or end site) that stands.
    graph::ToeBends toes;                   ///< Of the joint of the ball, where it is one.
    Vec3d ball_in_foot_m = Vec3d::Zero();   ///< Seen from the ankle.
    Vec3d across_in_foot = Vec3d::UnitX();  ///< A turn about it raises the heel.
    double length_m = 0.0;                  ///< Thigh and shank.
    double rest_m = 0.0;                    ///< Height of the ball when it is down.
    double sole_m = 0.2;                    ///< Heel to ball.
  };
  std::vector<Foot> feet;
  double leg_m = 0.85;
  double hips_m = 0.9;  ///< Height of the hips when standing: the pendulum's length.
  JointIndex hips = 0;
};
/// Fails when there are no feet, more than `kMostFeet`, or one does not hang on a leg with a knee.
Result<FootModel> make_foot_model(const graph::MotionSet& set);

struct LegTarget;

/// Puts the feet of a motion made for level ground onto any ground, and keeps them where they stand while the body's
/// path over the ground is bent.
///
/// The graph is played on a plane of its own; `world_from_plane` lays it into the world and may change in every frame.
/// Each foot has a difference from where that puts it: over the ground (x, z), about the vertical, in height, and in
/// tilt. While the foot stands, what laid it down stays: the difference is whatever keeps it there. In the air the
/// difference goes the smoothest way (`MinJerk`) to what the landing asks for: none over the ground, the ground's
/// height and slope where the clip will come down, seen ahead, on the lowest way over what lies between. Hips go
/// the smoothest way to the height over the foot that bears them. The leg of a standing foot that is too short first
/// raises its heel, then lowers the hips; a foot in the air, or left behind, goes with its leg.
///
/// A foot that stands too far from where the body wants it steps there: so a character turns on the spot, shuffles to a
/// place and catches itself when pushed.
///
/// When nothing differs nothing changes, to the bit. No allocation.
class Footing {
 public:
  /// Where a foot is to come down: the ball, world, and how far the foot is turned from where the body faces.
  struct Landing {
    bool on = false;
    Vec3d ball_m = Vec3d::Zero();
    double turn_rad = 0.0;
  };
  struct Input {
    graph::Landing landing[kMostFeet];
    std::uint8_t standing = 0;  ///< In the clip.
    GroundMove world_from_plane;
    Vec3d drift_mps = Vec3d::Zero();   ///< How fast `world_from_plane` moves, at the hips …
    double turn_radps = 0.0;           ///< … and turns.
    double gait_mps = 0.0;             ///< Of the clips: the next swing makes up for what its stance lacks.
    Vec3d ahead_m = Vec3d::Zero();     ///< Feet come down so far from where the clip has them (capture point) …
    Vec3d pushed_mps = Vec3d::Zero();  ///< … for this part of the drift, which they end.
    Landing aim[kMostFeet];
    bool planned = false;  ///< Feet stand where a plan wants them, not the body.
    double step_s = 1.0 / 60.0;
  };

  /// A gait's steps are shortened by this much of its speed at most, so that it stays that gait.
  static constexpr double kMostShortened_mps = 0.7;

  Footing() = default;
  Footing(std::shared_ptr<const FootModel> model, const Skeleton& skeleton);

  /// Feet stand as the pose has them whose joints are at `plane`, on `ground`.
  void begin(const WorldPose& plane, const Input& input, const feet::GroundView& ground);
  /// `pose`: in the plane before, where its joints are at `plane`; in the world after.
  void place(Pose& pose, const WorldPose& plane, const Input& input, const feet::GroundView& ground);

  std::uint8_t standing() const { return standing_; }
  /// The ball of a foot in the world, after `place`.
  const Vec3d& ball_m(int foot) const { return feet_[foot].ball_m; }
  double hips_rise_m() const { return rise_.value[0] + longer_.value[0]; }
  /// Where a foot is over the ground, seen from where the body wants it.
  Vec3d offset_m(int foot) const {
    const auto& over = feet_[foot].over.value;
    return {over[0], 0.0, over[1]};
  }
  bool stepping() const;
  /// How much slower the body must go for steps that are shortened.
  double shortened_mps() const { return shortened_mps_; }
  /// Laid into the world and lifted to the ground as a whole; feet do as the clip's. After it, `begin`.
  void carry(Pose& pose, const Input& input, const feet::GroundView& ground, const Vec3d& hips_m);
  void visit_state(StateBytes& bytes);

 private:
  struct Foot {
    bool planted = false;
    bool stepping = false;     ///< A step that the clip does not have.
    double left_s = 0.0;       ///< Of that step.
    GroundMove held;           ///< Lays down the foot while it stands.
    MinJerk<3> over;           ///< x, z, turn about the vertical: from where the plane has it.
    MinJerk<1> height;         ///< Of the ground under it.
    MinJerk<2> tilt;           ///< Rotation vector over x and z.
    MinJerk<1> bump;           ///< Height of the arch of a step that the clip does not have.
    MinJerk<1> heel;           ///< Raised, where the leg is too short or the step goes down; radians.
    double pointed_rad = 0.0;  ///< By how much for the step.
    bool torn = false;         ///< It stands farther away than leg, heel and hips can give: it must leave the ground.
    double yields = 0.0;       ///< How far it goes with a leg that is too short for it, 0 … 1 …
    Vec3d pulled_m = Vec3d::Zero();  ///< … and did last.
    double stood_s = 0.0;            ///< Since it came down.
    bool down = false;               ///< The ball is on the ground: it stays there, whatever the clip's does.
    Vec3d anchor_m = Vec3d::Zero();
    Vec3d left_m = Vec3d::Zero();  ///< Where the ball left the ground.
    double passed = 0.0;           ///< Of its swing, 0 … 1.
    double led_m = 0.0;            ///< `foothold_m`.
    double ground_m = 0.0;         ///< Where it stands, or will land …
    Vec3d leg_m = Vec3d::Zero();  ///< … and from hip to ankle then, were hips and foot on one level; zero: not known.
    Vec3d ball_m = Vec3d::Zero();
    void visit_state(StateBytes& bytes) {
      bytes(planted, stepping, left_s, held.yaw_rad, held.shift_m, over, height, tilt, bump, heel, torn, yields,
            pulled_m, stood_s, down, anchor_m, left_m, passed, led_m, pointed_rad, ground_m, leg_m, ball_m);
    }
  };
  struct Sole {
    double height_m = 0.0;
    Eigen::Vector2d tilt = Eigen::Vector2d::Zero();
    bool on_edge = false;
  };

  Sole sole_on(const feet::GroundView& ground, const FootModel::Foot& foot, const Vec3d& ball,
               double heading_rad) const;
  /// How far along its heading a foot is led from where it would land, so that no edge lies under its sole and no step
  /// is higher than people's; as it was led until now, where that will do.
  double foothold_m(const feet::GroundView& ground, std::size_t f, const Vec3d& ball, double heading_rad) const;
  /// The lowest way of a swing over what lies under it.
  struct Way {
    double via_m = 0.0, via_s = 0.0;  ///< Where it touches next, and in what time …
    double rate_mps = 0.0;            ///< … and how it rises there.
    double pointed_rad = 0.0;         ///< How far toes point down.
    bool riser = false;               ///< There is no time to rise for what it would meet.
  };
  /// `passed`: `graph::Landing::passed`.
  Way way_over(const feet::GroundView& ground, const FootModel::Foot& model, const Foot& foot, const Vec3d& to,
               double heading_rad, const Sole& sole, double progress, const std::array<double, 3>& passed) const;
  void stand(Foot& foot, const Input& input, const Vec3d& ball_plane);
  /// Lays the foot down so that its ball is where it was seen last.
  static void hold(Foot& foot, const Vec3d& at, const Vec3d& ball_plane);
  /// What lies under a foot that stands. One that still rolls onto its ball goes no farther than a riser lets it.
  Sole stop_at_riser(Foot& foot, const FootModel::Foot& model, const Vec3d& sole_plane, const Vec3d& ball_plane,
                     const feet::GroundView& ground) const;
  void raise_heel(std::size_t foot, LegTarget& target, const Vec3d& hip_m, double step_s, double& lack_m);
  /// A step that the clip does not have.
  static void begin_step(Foot& foot, double time_s);
  void decide_steps(const Input& input);
  void swing(std::size_t f, const WorldPose& plane, const Input& input, const feet::GroundView& ground,
             const Vec3d& ball_plane);
  void solve_legs(Pose& pose, const WorldPose& plane, const Input& input, double step_s);
  /// The lower foot's ground of a pair, where it stands or will land: there hips are when it lands.
  double lower_ground_m() const;
  /// What the hips go by: the foot that bears the body, or is about to.
  struct Bearing {
    double ground_m = 0.0;  ///< Under it.
    double longer_m = 0.0;  ///< So much higher its leg has the length that it has in the clip.
    double in_s = 1e9;      ///< The hips must be there by then.
  };
  Bearing bearing(const WorldPose& plane, const Input& input) const;
  void lead_hips(const WorldPose& plane, const Input& input);
  /// The body goes on onto the other foot, which came down last.
  bool is_left_behind(std::size_t foot, double gait_mps) const;
  /// How far the hips must sink until a foot in the air lands.
  double drop_ahead_m(double hips_rise_m, double& in_s) const;

  std::shared_ptr<const FootModel> model_;
  const Skeleton* skeleton_ = nullptr;
  std::array<Foot, kMostFeet> feet_;
  MinJerk<1> rise_;           ///< Of the hips, with the ground.
  double rise_to_m_ = 0.0;    ///< Where that leads …
  double rise_left_s_ = 0.0;  ///< … and in what time.
  MinJerk<1> longer_;         ///< Of the hips, with `Bearing::longer_m`.
  MinJerk<1> drop_;           ///< Of the hips, where legs are too short.
  std::uint8_t standing_ = 0;
  int last_stepper_ = -1;
  double shortened_mps_ = 0.0;
};

}  // namespace shosa::character
