#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graph/clip_stream.h"
#include "graph/decay.h"
#include "graph/speed_limit.h"
#include "shosa/blend/rig.h"
#include "shosa/graph/toe_bends.h"

namespace shosa::graph {

/// Keeps feet where they stand while postures are blended and the body's path is bent.
///
/// A played foot is the playing clip's foot, placed, plus a difference. While it stands the difference over the ground
/// and about the vertical stays as it is, so that it slides no more than the clip's own foot; height and tilt settle.
/// In a swing the difference dies out, or as much of it as the time until the landing allows, and rests when the foot
/// lands. Toes keep their own difference, as the world sees them, on the same clock; heel, ball and tip stay over the
/// ground (`posing::clear_ground`). The leg then reaches for the foot (`blend::Rig`). Where a standing foot would be
/// out of reach the hips sink, then it steps. A foot that stands far from where the clip has it steps there once the
/// other one carries.
class FootKeeper {
 public:
  FootKeeper() = default;
  explicit FootKeeper(const MotionSet& set);

  /// The first clip: its postures one, two and three frames before the first one, placed, and which feet stand.
  void begin(std::span<const Pose, 3> placed, std::uint8_t contact_bits);
  /// The playing clip's posture in this frame, placed in the world.
  void look_at_clip(const Pose& placed, int clip, double time_s, double pace, double heading_rad,
                    std::uint8_t contact_bits, double frame_time_s);
  /// Another clip has taken over: its postures one, two and three frames ago, placed. Before `look_at_clip`.
  void change_clip(std::span<const Pose, 3> placed);
  /// Where the next clip would have to be moved for its feet to stand where feet stand now, at least `most_m` near to
  /// `shift`; `placed` is its posture now.
  Vec3d shift_to_feet(const Pose& placed, int clip, double time_s, std::uint8_t contact_bits, const Vec3d& shift,
                      double most_m);
  /// Changes the legs of `pose`, and the root's height, for this frame. `root` and `height` are how far the body is
  /// from where the clip has it: feet in the air are led to where it will be when they have landed. Legs in the air
  /// keep to `limit`; `last` is the last frame, null in the first one. `world` is where the joints of `pose` are,
  /// before and after.
  void keep(Pose& pose, WorldPose& world, const Decay& root, const Decay& height, const SpeedLimit& limit,
            const Pose* last, const WorldPose& last_world, double frame_time_s);
  /// The playing clip was moved over the ground; feet that stand stay where they are.
  void move_clip(const Vec3d& by);
  /// When the feet that stand are not those that stood: how far the clip should be moved over the ground so that it has
  /// them where they are (all feet in the air: `root_m`). The feet count from there on.
  std::optional<Vec3d> follow_feet(const Vec3d& root_m);

  std::uint8_t standing() const { return standing_; }
  /// How far a foot will be from where the clip has it, over the ground, after some time.
  Vec3d shift_m(int foot, double after_s) const {
    return shared_ ? feet_[foot].shift.value(after_s) : Vec3d(Vec3d::Zero());
  }
  /// How long a foot still takes that steps to another place while the clip's stands.
  std::optional<double> step_left_s(int foot) const {
    if (!shared_ || feet_[foot].doing != Doing::stepping) return std::nullopt;
    return std::max(0.0, feet_[foot].lift_length_s - feet_[foot].lift_time_s);
  }
  void visit_state(StateBytes& bytes);

 private:
  /// What a foot is about to do in a clip.
  struct Outlook {
    float landing_s = 0.0f;  ///< Until it comes down next; negative: not in this clip.
    float lift_s = 0.0f;     ///< Until it leaves the ground; negative: not in this clip.
    /// How long all feet are in the air in the clip: now, or once this foot has left the ground; 0 where another
    /// stands.
    float flight_s = 0.0f;
    Vec3f hip_from_ankle_m = Vec3f::Zero();  ///< In the clip's own space.
    void visit_state(StateBytes& bytes) { bytes(landing_s, lift_s, flight_s, hip_from_ankle_m); }
  };
  struct Toes : ToeBends {  ///< `joint` is `kNoJoint` where the toes have no tip.
    Vec3d tip_in_toes_m = Vec3d::Zero();
  };
  /// How low heel, ball and toe tip may come.
  struct Floor {
    double heel_m = 0.0, ball_m = 0.0, tip_m = 0.0;
    void visit_state(StateBytes& bytes) { bytes(heel_m, ball_m, tip_m); }
  };
  /// A foot in a clip: heights of its ball frame by frame, and the lowest places where it stands.
  struct Heights {
    std::vector<float> ball_m;
    Floor lowest;
  };
  struct Shared {
    blend::Rig rig;
    std::vector<Vec3d> knee_axes;
    std::vector<std::vector<JointIndex>> legs;   ///< Per foot: what hangs on its hip joint, that included.
    std::vector<Toes> toes;                      ///< Per foot.
    std::vector<Vec3d> heel_in_foot_m;           ///< Per foot: the heel of the sole from the ankle.
    std::vector<std::vector<Outlook>> outlook;   ///< Per clip: frame by frame, all feet.
    std::vector<std::vector<Heights>> heights;   ///< Per clip, per foot.
    std::vector<std::vector<double>> speed_mps;  ///< Per clip, frame by frame: of the body over the ground.
    double frame_time_s;
  };
  /// A foot with its toes.
  struct WholeFoot : blend::FootPose {
    Quatd toes = Quatd::Identity();  ///< world_from_toes.
    double tip_m = 0.0;              ///< Height of their tip …
    double heel_m = 0.0;             ///< … and of the heel, in a clip.
    void visit_state(StateBytes& bytes) { bytes(anchor_m, rotation, toes, tip_m, heel_m); }
  };
  enum class Doing {
    standing,
    swinging,
    stepping,  ///< To another place, while the clip's foot stands.
    released   ///< Lifted a little before the clip's foot does.
  };
  struct Foot {
    bool slipped = false;    ///< Drawn along in the last frame, because its leg could not follow fast enough.
    bool planted = false;    ///< `is_planted`.
    double crept_m = 0.0;    ///< How far the clip's foot has gone since it was planted.
    bool held = false;       ///< `holds_still`.
    bool aims_anew = false;  ///< The clip was moved under it.
    bool lingers = false;    ///< Stands longer than the clip's foot: a flight would last too long, or it only creeps.
    Doing doing = Doing::swinging;
    std::array<WholeFoot, 4> clip;    ///< Of the playing clip, in this frame and the three before it.
    std::array<WholeFoot, 3> out;     ///< As played in the last three frames, the last one first.
    Decay shift, height, turn, toes;  ///< Over the ground, above it; of the foot, of its toes as the world sees them.
    double lift_m = 0.0, lift_time_s = 0.0, lift_length_s = 0.0;  ///< A step's own rise.
    double clip_leg_m = 0.0;                                      ///< From hip to ankle in the clip.
    double leg_m = 0.0;        ///< The same; after a change of clip what the last one had, ever less.
    double leg_ahead_m = 0.0;  ///< `leg_m`, or what the clip has a moment later where that is more.
    double rolled_rad = 0.0;   ///< By `raise_heel`.
    double own_way =
        0.0;  ///< 1: so far from the clip's foot that the clip's leg says nothing about how straight this one may be.
    double stretch_m = 0.0;  ///< Hip to ankle while it stood; after that less and less, so that no knee snaps back.
    Outlook outlook;
    Floor floor{1e9, 1e9, 1e9};  ///< Not known before the first frame.
    double free = 1.0;           ///< `FootClearanceParams::free`.
    void visit_state(StateBytes& bytes) {
      bytes(slipped, planted, crept_m, held, aims_anew, lingers, doing, clip, out, shift, height, turn, toes, lift_m,
            lift_time_s, lift_length_s, clip_leg_m, leg_m, leg_ahead_m, rolled_rad, own_way, stretch_m, outlook, floor,
            free);
    }
  };
  struct Difference {
    Vec3d shift, shift_speed, turn, turn_speed, toes, toes_speed;
  };
  static constexpr double kSettle_s = 0.2;  ///< Height and tilt of a foot that came down otherwise than the clip's.
  static constexpr double kUnknownSwing_s = 0.3;  ///< Where the clip ends before the foot lands.
  static constexpr double kSwingSpeed_mps = 1.0;  ///< What a dying difference may add to a foot's speed …
  static constexpr double kStepSpeed_mps = 2.0;   ///< … and in a step that the clip does not have.
  static constexpr double kRelaxSpeed_mps = 0.3;  ///< At which a leg that was stretched may bend.
  static constexpr double kStep_s = 0.4, kStepLift_m = 0.05, kReleaseLift_m = 0.03;

  const Outlook& outlook(int clip, double time_s, std::size_t foot) const;
  /// Of the playing clip, over the ground.
  double body_speed_mps() const;
  /// Beyond how far toes bend they turn with the foot: the differences of foot and toes die out each on their own
  /// clock.
  void bend_toes(std::size_t leg);
  /// At the level of the sole, below and a little behind the ankle; the ankle of a foot without toes.
  static Vec3d find_heel(const Skeleton& skeleton, const body::FootPoints& points);
  static Heights find_heights(const SetClip& clip, const body::FootPoints& points, std::size_t foot,
                              const Vec3d& heel_in_foot_m);
  static Difference difference(const Foot& foot, double frame_time_s);
  void swing(Foot& foot, const Difference& from, double time_s, double lift_m, double speed_mps) const;
  /// How long a difference in height may last in a swing so that the foot does not brush the ground.
  double height_length_s(const Foot& foot, const Vec3d& height, const Vec3d& speed, double swing_s) const;
  void look_at_floor(std::size_t leg, double frame_time_s);
  /// Heel, ball and tip over the ground.
  void clear(std::size_t leg, const Pose& pose);
  static void stand(Foot& foot, const Difference& from, bool stood);
  /// What the foot begins to do in this frame.
  void decide(Foot& foot, bool contact, bool others_stand, double frame_time_s) const;
  /// A foot whose ball is down, or still creeps away from the ground in the clip: the played one does not move with it.
  bool is_planted(const Foot& foot, bool contact, double frame_time_s) const;
  void plant(Foot& foot, bool contact, double frame_time_s) const;
  /// The last foot on the ground, where the clip, at the pace it plays now, would fly for longer than it does.
  bool lingers(const Foot& foot, bool contact) const;
  /// A foot that rests on the ground while the clip's foot, which strikes with its heel, rolls on to its ball.
  bool holds_still(const Foot& foot) const;
  static WholeFoot aim(const Foot& foot);
  WholeFoot whole_foot(const Pose& pose, std::size_t leg) const;
  double distance_m(std::size_t leg, const blend::FootPose& target, const Pose& pose) const;
  void reach(std::size_t leg, const SpeedLimit& limit, const Pose* last, const WorldPose& last_world, Pose& pose,
             WorldPose& world);
  /// What of it the legs look at.
  void look_at(const WorldPose& world);
  static bool leaves_soon(const Foot& foot) { return foot.outlook.lift_s >= 0.0f && foot.outlook.lift_s < 0.25f; }
  /// A foot that stands behind the body rolls over its ball rather than stretch its leg.
  void raise_heel(std::size_t leg, const Pose& pose, double frame_time_s);
  /// Holds the body back where the only foot that stands would be out of reach: it cannot step.
  void hold_body(Pose& pose, WorldPose& world, double frame_time_s);
  /// How far the hip of a foot that stands will have come when what lets the body down or holds it back has followed.
  Vec3d hip_ahead(Foot& foot) const;
  double sink_needed(std::size_t leg, const blend::FootPose& target, const Pose& pose);

  std::shared_ptr<const Shared> shared_;
  std::vector<Foot> feet_;
  std::vector<WholeFoot> targets_;
  int clip_ = 0;  ///< That plays …
  double time_s_ = 0.0, pace_ = 1.0, heading_rad_ = 0.0;
  std::uint8_t contact_ = 0, standing_ = 0, stood_ = 0;
  bool changed_ = false;
  Follower sink_, held_;  ///< How far the body is let down, and held back over the ground.
  Decay root_, height_;
  blend::RigWorld world_;
  Pose before_;
};

}  // namespace shosa::graph
