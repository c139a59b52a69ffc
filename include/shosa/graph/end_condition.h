#pragma once

#include <span>
#include <vector>

#include "shosa/analysis/root_motion.h"
#include "shosa/core/result.h"
#include "shosa/graph/player.h"

namespace shosa::graph {

/// A command with a condition at its end: "stop one metre ahead", "be at this place, facing there".
///
/// The seed names the two freedoms (section 6.1): when to begin, and how hurried. Both are searched: the character
/// follows default links for up to `longest_wait_s`, and from every node on the way the command is carried out with
/// each hurry value of the list; equal paths are tried once. Each trial is played to its end by a copy of the player,
/// so that what is compared is what will be seen. What is still missing is shared out over its steps, which become
/// longer or shorter by up to `most_stride` and lead aside by up to `most_veer_rad`; that is tried with the trials that
/// it may bring nearest. Of those with an error |place - wanted| + `metres_per_rad` |heading - wanted| of at most
/// `enough_m` after that the one that is there first wins; where there is none, the one with the least error.
struct EndConditionParams {
  std::vector<NodeIndex> targets;  ///< At least one.
  analysis::GroundPlace place;     ///< Of the hips when the target is met.
  bool heading_matters = false;
  double metres_per_rad = 0.5;   ///< >= 0.
  double enough_m = 0.02;        ///< >= 0.
  double longest_wait_s = 12.0;  ///< >= 0.
  int hurry_step = 10;           ///< Hurry values 0, step, … 100; in 1 … 100.
  double most_stride = 0.15;     ///< In [0, 0.5]; 0: steps stay as they are.
  double most_veer_rad = 0.06;   ///< In [0, 0.5].
  double longest_s = 30.0;       ///< Trials that take longer are given up; > 0.
};
struct EndCondition {
  bool found = false;    ///< False: no target can be reached in time.
  int links_before = 0;  ///< Default links that are followed first.
  int hurry = 0;
  std::vector<LinkIndex> links;  ///< Default links, then the way: for `Player::follow`.
  double stride = 1.0;           ///< For `Player::follow`: how much longer steps are …
  double veer_rad = 0.0;         ///< … and how far aside they lead.
  double duration_s = 0.0;
  analysis::GroundPlace end;  ///< Where it will be.
  double error_m = 0.0;       ///< Distance from the wanted place.
  double heading_error_rad = 0.0;
  int trials = 0;  ///< Diagnostic.
};
/// Fails when a rule is broken.
Result<EndCondition> plan_to_place(const Player& player, const MotionGraph& graph, double frame_time_s,
                                   const EndConditionParams& params);

/// Gives `pose` those joints of another posture for which `is_part` is true.
void take_part(const Pose& other, const std::vector<bool>& is_part, Pose& pose);

/// Plays two graphs side by side on one body: the first carries it (root, hips, legs), the second moves the joints for
/// which `is_second` is true. Both on one skeleton and frame time; each takes its own commands.
class PartsPlayer {
 public:
  /// Rule (assert): `is_second` has one entry per joint, and none for joint 0.
  PartsPlayer(Player first, Player second, std::vector<bool> is_second);
  Player& first() { return first_; }
  Player& second() { return second_; }
  void step(Pose& pose);

 private:
  Player first_, second_;
  std::vector<bool> is_second_;
  Pose other_;
};

}  // namespace shosa::graph
