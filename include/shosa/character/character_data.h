#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/motion_graph.h"
#include "shosa/graph/motion_set.h"
#include "shosa/graph/player.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::character {

struct FootModel;

/// What the nodes of one name can do.
struct State {
  std::string name;
  std::vector<graph::NodeIndex> nodes;
  double speed_mps = 0.0;  ///< Mean of the body over the ground.
  double stir_mps = 0.0;   ///< Mean of all joints' speeds: what a wave has and standing has not.
  bool lasting = false;    ///< Can be held for ever; otherwise it is played once.
  bool gait = false;       ///< Lasts and goes on where it faces, as a walk does and neither a dance nor a jump.
  /// Where each of its clips' cores (what makes the motion what it is) begins, and how long the longest is.
  std::vector<graph::NodeIndex> core_nodes;
  double core_length_s = 0.0;
  /// How far it goes at least from standing to standing: what its start and its stop take. Infinite where it cannot.
  double least_way_m = std::numeric_limits<double>::infinity();
};

/// Where a character ends when it is told to stand while on its way to a node.
struct StopWay {
  bool known = false;
  float ahead_m = 0.0f, aside_m = 0.0f;  ///< Of the hips, seen from where it faces at the node.
  float time_s = 0.0f;
};

struct CharacterDataParams {
  double frame_time_s = 1.0 / 60.0;  ///< > 0.
  bool ranges = true;                ///< Reaches and drags keep to human joint ranges, where the body is human.
  /// How people bend, for reaches that arms do not do alone; on the skeleton of the set. None: the smallest change.
  std::shared_ptr<const posing::PosturePrior> prior = {};
};

/// What characters of one kind share: made once, constant, may be used from any number of threads.
class CharacterData {
 public:
  /// Fails as `graph::Player::create` does, when the body has no feet that a leg can lead, or a rule is broken.
  static Result<std::shared_ptr<const CharacterData>> create(std::shared_ptr<const graph::MotionGraph> graph,
                                                             std::shared_ptr<const graph::MotionSet> set,
                                                             const CharacterDataParams& params = {});

  const graph::MotionGraph& graph() const { return *graph_; }
  const graph::MotionSet& set() const { return *set_; }
  const Skeleton& skeleton() const { return *set_->skeleton; }
  const std::vector<State>& states() const { return states_; }
  /// -1 where there is none.
  int find_state(std::string_view name) const;
  /// The gait, or the state that stands, of the speed nearest to this; -1 where there is neither.
  int state_at_speed(double speed_mps) const;
  /// The fastest gait that is no faster than `fastest` and can start and stop within this way; -1 where none can.
  int state_within(double way_m, int fastest) const;
  /// The lasting state that stands (slower than `kStill_mps`) and stirs least; -1 where there is none.
  int still_state() const { return still_; }
  static constexpr double kStill_mps = 0.15;
  /// Whether a way to another state may lead through a state: gaits and standing. Nobody jumps on the way to stopping.
  bool is_passed(int state) const { return state < 0 || states_[state].gait || state == still_; }
  /// State of a node; -1 for a node without a name.
  int state_of(graph::NodeIndex node) const { return state_of_[node]; }
  /// The shortest time from a node to a core of a state; < 0 where there is no way.
  float time_to_core_s(int state, graph::NodeIndex node) const { return times_to_core_s_[state][node]; }
  const StopWay& stop_way(graph::NodeIndex node) const { return stop_ways_[node]; }
  /// The command to come to nodes of a state from another node, round states that are not passed.
  void lead(std::span<const graph::NodeIndex> targets, int state, int hurry, graph::NodeIndex from,
            graph::Command& command) const;
  /// Whether a player has come to a state and was not told to leave it.
  bool is_in(int state, const graph::Player& player) const;
  /// Tells data apart: over skeleton, clips, graph and parameters.
  std::uint64_t fingerprint() const { return fingerprint_; }

  const CharacterDataParams& params() const { return params_; }
  const std::shared_ptr<const FootModel>& feet() const { return feet_; }
  const posing::MotionEditParams& edit() const { return edit_; }
  /// A joint and all that hangs on it, ascending.
  std::span<const JointIndex> carried(JointIndex joint) const { return carried_[joint]; }
  /// Whose graph characters play: each has `another`.
  const graph::Player& player() const { return *player_; }

 private:
  CharacterData() = default;
  void find_states();
  StopWay played_stop(graph::NodeIndex before, graph::NodeIndex node) const;
  void find_stop_ways();
  void find_least_ways();
  void find_fingerprint();

  CharacterDataParams params_;
  std::uint64_t fingerprint_ = 0;
  std::shared_ptr<const graph::MotionGraph> graph_;
  std::shared_ptr<const graph::MotionSet> set_;
  std::optional<graph::Player> player_;
  std::vector<State> states_;
  std::vector<int> state_of_;
  int still_ = -1;
  std::vector<StopWay> stop_ways_;
  std::vector<std::vector<float>> times_to_core_s_;  ///< Per state, per node.
  std::vector<std::vector<JointIndex>> carried_;     ///< Per joint.
  std::shared_ptr<const FootModel> feet_;
  posing::MotionEditParams edit_;
};

}  // namespace shosa::character
