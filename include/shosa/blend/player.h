#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/blend/motion.h"

namespace shosa::blend {

/// How two motions are joined (section 4.1 of the seed), highest priority first.
enum class JoinMethod {
  transition,               ///< Both move the same foot at the same time.
  connection,               ///< The previous motion moves a foot after its core.
  adaptation_with_step,     ///< The previous one moves no foot, the next one moves one later.
  adaptation_without_step,  ///< Neither moves a foot.
  bridge,                   ///< Not by contacts: there is a gap between the motions, or both keep their places.
};
std::string_view method_name(JoinMethod method);

/// Which half of the body a blend is for, and what of the two motions plays on in it.
enum class Part {
  upper,
  lower
};
enum class BlendKind {
  pose_pose,
  motion_motion,
  motion_pose,
  pose_motion,
  hold
};
std::string_view part_name(Part part);
std::string_view kind_name(BlendKind kind);

/// Blends that somebody gives instead of those searched for: seconds of the next motion's own time, so that they go
/// with it; before its first frame they are negative. What the feet do not allow is brought to the nearest that they
/// do.
struct GivenBlends {
  std::optional<TimeInterval> lower, upper;
  bool any() const { return lower || upper; }
};

struct PlanParams {
  double smoothness = 0.5;     ///< The knob W, in [0, 1].
  double min_length_s = 0.10;  ///< Blend intervals are no shorter where there is room, and cores that leave less for
                               ///< one are refused; > 0.
  double max_length_s = 1.0;   ///< And no longer; >= min_length_s. Keeps the search within a frame's budget.
  double min_move_s = 0.10;    ///< A foot cannot move and land in less; > 0.
  double gap_s = 0.6;          ///< `auto`: room that is offered between the cores at first; > 0.
  bool bridge = true;    ///< Motions with a gap between them, or that keep their places, are bridged. Off: joined by
                         ///< their feet, as the rest.
  bool momentum = true;  ///< Hips and feet are led so that the body keeps its momentum. Off: as the blends have them.
  bool search = true;    ///< Off: intervals as the constraints have them (Smart Motion Synthesis), linear weights.
  GivenBlends given;     ///< Of the motion that is planned; `MotionPlayer` takes each motion's from `AddParams`.
};

struct TransitionPlan;  ///< What the searches found, in frames. Opaque.

/// One blend, on the player's time.
struct BlendSpan {
  Part part = Part::lower;
  BlendKind kind = BlendKind::pose_pose;
  TimeInterval time;
};

/// What became of one motion that was added.
struct AddReport {
  bool executed = false;
  std::string reason;       ///< Why not, for people.
  double at_s = 0.0;        ///< Where its first frame is.
  double settled_s = 0.0;   ///< From here on the motion is its clip's own, but for the root's place; may be infinite.
  double earliest_s = 0.0;  ///< The earliest time at which it could have been put.
  JoinMethod method = JoinMethod::adaptation_without_step;
  JoinMethod by_contacts = JoinMethod::adaptation_without_step;  ///< As contacts have it, where `method` is a bridge.
  std::vector<BlendSpan> blends;  ///< Lower body, upper body; adaptations also hold, and those with a step, step.
  std::shared_ptr<const TransitionPlan> plan;
};

struct AddParams {
  std::optional<double> at_s;  ///< Rounded to the grid; as early as possible when empty.
  double now_s = -1.0;         ///< What was played: nothing up to here changes (equation 17).
  bool keep_place = false;  ///< Both clips are in one world: the motion stays where its clip has it, seen from the one
                            ///< before, and what lies between is made to fit. Otherwise its feet say where it goes.
  GivenBlends given;        ///< Not over a gap, which is bridged as a whole.
  bool interrupt = false;   ///< The playing motion's core ends now, and the next one need not wait for it.
};

/// Plays motions one after another, and takes new ones while it plays.
///
/// Motions are on one skeleton and one frame time (`mismatch`). Time is the player's own: the first motion begins at
/// its `at`. A frame that was played never changes by what is added later, where `now_s` says truly what was played.
/// `frame` allocates nothing; `add` searches and allocates. Cores keep their joint rotations to the bit, but for the
/// root's placement and for legs whose stance is deformed. JoinMethod, figures and failure cases:
/// docs/methods/optimal_blending.md
///
/// Not thread-safe: `frame` uses buffers of the player.
class MotionPlayer {
 public:
  /// Fails when a rule of `params` is broken, or `first` is null.
  static Result<MotionPlayer> create(std::shared_ptr<const Motion> first, const PlanParams& params = {},
                                     double first_at_s = 0.0);
  ~MotionPlayer();
  MotionPlayer(MotionPlayer&&) noexcept;
  MotionPlayer& operator=(MotionPlayer&&) noexcept;

  /// Joins a motion to the last one. A motion whose core overlaps what must survive is not executed (the report says
  /// why and when it could be). Fails when it does not fit the first one's skeleton or frame time.
  Result<AddReport> add(std::shared_ptr<const Motion> motion, const AddParams& params = {});

  /// The posture at a time; before the first motion its first frame, after the last motion its last.
  void frame(double time_s, Pose& pose);

  double frame_time_s() const;
  double begin_s() const;
  /// Time of the last motion's last frame.
  double end_s() const;
  int motion_count() const;
  /// When the feet of the joined motion stand, on the player's time; grounds and resting heights of the motions.
  analysis::FootContacts contacts() const;
  /// Forgets motions that end before a time: they cannot be asked for any more.
  void forget_before(double time_s);

 private:
  struct State;
  explicit MotionPlayer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace shosa::blend
