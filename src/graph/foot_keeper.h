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
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// Keeps feet where they stand while postures are blended and the body's path is bent.
///
/// A played foot is the playing clip's foot, placed, plus a difference. While it stands the difference over the ground
/// and about the vertical stays as it is, so that it slides no more than the clip's own foot; height and tilt settle.
/// In a swing the difference dies out, or as much of it as the time until the landing allows, and rests when the foot
/// lands. The leg then reaches for the foot (`blending::Rig`). Where a standing foot would be out of reach the hips
/// sink, then it steps. A foot that stands far from where the clip has it steps there once the other one carries.
class FootKeeper {
 public:
  FootKeeper() = default;
  explicit FootKeeper(const MotionSet& set);

  /// The playing clip's posture in this frame, placed in the world.
  void look_at_clip(const Pose& placed, int clip, double time_s, double pace, std::uint8_t contact_bits);
  /// Another clip has taken over: its postures one, two and three frames ago, placed. Before `look_at_clip`.
  void change_clip(std::span<const Pose, 3> placed);
  /// Where the next clip would have to be moved for its feet to stand where feet stand now, at least `most_m` near to
  /// `shift`; `placed` is its posture now.
  Vec3d shift_to_feet(const Pose& placed, int clip, double time_s, std::uint8_t contact_bits, const Vec3d& shift,
                      double most_m);
  /// Changes the legs of `pose`, and the root's height, for this frame. `root` is how far the body is from where the
  /// clip has it: feet in the air are led to where it will be when they have landed. Legs in the air keep to `limit`;
  /// `last` is the last frame, null in the first one.
  void keep(Pose& pose, const Decay& root, const SpeedLimit& limit, const Pose* last, const WorldPose& last_world,
            double frame_time_s);
  /// The playing clip was moved over the ground; feet that stand stay where they are.
  void move_clip(const Vec3d& by);
  /// When the feet that stand are not those that stood: how far the clip should be moved over the ground so that it has
  /// them where they are (all feet in the air: `root_m`). The feet count from there on.
  std::optional<Vec3d> follow_feet(const Vec3d& root_m);

  std::uint8_t standing() const { return standing_; }

 private:
  /// What a foot is about to do in a clip.
  struct Outlook {
    float landing_s = 0.0f;  ///< Until it comes down next; negative: not in this clip.
    float lift_s = 0.0f;     ///< Until it leaves the ground; negative: not in this clip.
  };
  struct Shared {
    blending::Rig rig;
    std::vector<Vec3d> knee_axes;
    std::vector<std::vector<JointIndex>> legs;  ///< Per foot: what hangs on its hip joint, that included.
    std::vector<std::vector<Outlook>> outlook;  ///< Per clip: frame by frame, all feet.
    double frame_time_s;
  };
  enum class Doing {
    standing,
    swinging,
    stepping,  ///< To another place, while the clip's foot stands.
    released   ///< Lifted a little before the clip's foot does.
  };
  struct Foot {
    bool started = false;
    bool slipped = false;  ///< Drawn along in the last frame, because its leg could not follow fast enough.
    Doing doing = Doing::swinging;
    std::array<blending::FootPose, 4> clip;  ///< Of the playing clip, in this frame and the three before it.
    std::array<blending::FootPose, 3> out;   ///< As played in the last three frames, the last one first.
    Decay shift, turn;
    double lift_m = 0.0, lift_time_s = 0.0, lift_length_s = 0.0;  ///< A step's own rise.
    double leg_m = 0.0;                                           ///< From hip to ankle in the clip.
    double stretch_m = 0.0;  ///< Hip to ankle while it stood; after that less and less, so that no knee snaps back.
    Outlook outlook;
  };
  struct Difference {
    Vec3d shift, shift_speed, turn, turn_speed;
  };
  static constexpr double kUnknownSwing_s = 0.3;  ///< Where the clip ends before the foot lands.
  static constexpr double kStep_s = 0.4, kStepLift_m = 0.05, kReleaseLift_m = 0.03;

  const Outlook& outlook(int clip, double time_s, std::size_t foot) const;
  static Difference difference(const Foot& foot, double frame_time_s);
  void swing(Foot& foot, const Difference& from, double time_s, double lift_m) const;
  static void stand(Foot& foot, const Difference& from, bool stood);
  /// What the foot begins to do in this frame.
  void decide(Foot& foot, bool contact, bool others_stand, double frame_time_s) const;
  static blending::FootPose aim(const Foot& foot);
  double distance_m(std::size_t leg, const blending::FootPose& target, const Pose& pose) const;
  void reach(std::size_t leg, const SpeedLimit& limit, const Pose* last, const WorldPose& last_world, Pose& pose);
  double sink_needed(std::size_t leg, const blending::FootPose& target, const Pose& pose) const;

  std::shared_ptr<const Shared> shared_;
  std::vector<Foot> feet_;
  std::vector<blending::FootPose> targets_;
  std::uint8_t contact_ = 0, standing_ = 0, stood_ = 0;
  bool changed_ = false;
  double sink_m_ = 0.0;
  Decay root_;
  blending::RigWorld world_;
  Pose before_;
  WorldPose reached_;
};

}  // namespace shosa::graph
