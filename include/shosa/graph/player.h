#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shosa/analysis/root_motion.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/pose.h"
#include "shosa/core/result.h"
#include "shosa/graph/motion_set.h"
#include "shosa/graph/planner.h"

namespace shosa {
class StateBytes;
}

namespace shosa::graph {

/// How the postures of a link are made.
enum class LinkMotion {
  velocity_matched,  ///< The next clip plays at once; the difference in posture and velocity dies out.
  linear             ///< As in the seed: from keyframe to keyframe in a straight line.
};

struct PlayerParams {
  double frame_time_s = 1.0 / 60.0;  ///< > 0.
  LinkMotion motion = LinkMotion::velocity_matched;
  bool keep_feet = true;             ///< Only with `velocity_matched`.
  int search_nodes = 20000;          ///< Nodes that a command's search settles per frame; > 0.
  analysis::GroundPlace start = {};  ///< Where the body begins.
};

/// Where a player is in its graph.
struct PlayerState {
  LinkIndex link = kNoLink;  ///< That is being played.
  double into_link_s = 0.0;
  bool commanded = false;     ///< On the way to a target; otherwise default links are followed.
  bool searching = false;     ///< A command was given and its way is still being looked for.
  bool stranded = false;      ///< No possible way goes on for ever: at its end the body shifts back.
  bool unreachable = false;   ///< The last command's targets cannot be reached; default links are followed.
  bool held = false;          ///< The last command's targets were met and are not left before the next.
  int clip = 0;               ///< Of the set, that is playing …
  double clip_time_s = 0.0;   ///< … and at which time; beyond its ends for a moment in some links.
  std::uint8_t standing = 0;  ///< Bit f: foot f of the set stands.
};

/// What a foot in the air is about to do, as far as the playing clip says.
struct Landing {
  bool known = false;            ///< False: the clip ends before, or the foot stands.
  double in_s = 0.0;             ///< From now.
  Vec3d ball_m = Vec3d::Zero();  ///< On the ground that the graph is played on.
  Vec3d leg_m = Vec3d::Zero();   ///< From hip to ankle then; zero where the leg is not known.
  /// Of its way over the ground there: after one, two and three quarters of the time.
  std::array<double, 3> passed = {0.1035, 0.5, 0.8965};
};

/// Plays a graph for ever, frame by frame, and takes commands at any moment.
///
/// Default mode follows default links. A command starts a search (one for all places of the character, so that it need
/// not be ready at once); when the link being played ends, the character is on its way. A state that was reached is
/// held: where some of several targets lead to one another for ever, the way leads to these, and afterwards default
/// links are followed among them, and others where a default link would leave them. Else default links are followed
/// again. A link is never cut short by a command, nor is a frame ever repeated: the character neither stalls nor jumps.
///
/// Change-overs: the next clip plays so that its keyframe is met after the link's play time. It is turned by the best
/// alignment of the two motions and shifted so that the hips go on where they are; their velocity over the ground
/// changes smoothly at comfortable acceleration, which bends the path for good. Every other difference, with its rate,
/// dies out along a fifth-degree polynomial whose length follows from its size. Feet that stand are kept (`keep_feet`).
///
/// `step` allocates nothing but what each thread needs once (`thread_scratch`), nor does a command to no more targets
/// than the graph has nodes. Not thread-safe; players can be copied, and then play on alike.
class Player {
 public:
  /// `graph` and `set` must outlive the player. Fails when a node has no posture in the set, no link leaves it, or
  /// default links go round in no time; when `start` is not in the graph or a rule of `params` is broken.
  static Result<Player> create(const MotionGraph& graph, const MotionSet& set, NodeIndex start,
                               const PlayerParams& params = {});
  /// A player of the same graph, set and parameters that begins at `start`: takes a few kilobytes and no time, because
  /// both share what they know. Fails when `start` is not in the graph.
  Result<Player> another(NodeIndex start) const;
  Player(const Player&);
  Player(Player&&) noexcept;
  Player& operator=(Player&&) noexcept;
  ~Player();

  /// Fails as `Planner::plan` does; then the player goes on as before.
  Result<void> command(const Command& command);
  /// Takes these links after the one being played, then default links; until they are over steps are longer by `stride`
  /// and lead aside by `veer_rad`, about +Y (with `velocity_matched`). Fails unless each link begins where the one
  /// before it ends, `stride` is in 0.5 … 1.5 and `veer_rad` in -0.5 … 0.5.
  Result<void> follow(std::span<const LinkIndex> links, double stride = 1.0, double veer_rad = 0.0);

  /// Stays among these nodes from the first of them on that is met and from which that is possible for ever; until the
  /// next command.
  void hold(std::span<const NodeIndex> nodes);

  /// A node cannot be taken now (something is in the way). Where the link being played leads there, its end moves to
  /// the nearest possible node in posture that has a possible way on, through a change-over; so it does later where all
  /// ways on are impossible. A command is planned again around it. Where no possible way goes on for ever
  /// (`PlayerState::stranded`), the longest are played and at their ends the body shifts back; where no link is left,
  /// impossible nodes are entered. Fails when no node is left.
  Result<void> declare_impossible(NodeIndex node);
  void all_possible();

  /// The next frame.
  void step(Pose& pose);

  const PlayerState& state() const;
  /// The node at the end of the link being played.
  NodeIndex next_node() const;
  /// How long until it is met.
  double until_next_s() const;
  /// Of the hips in the last frame, and where the playing clip faces.
  analysis::GroundPlace place() const;
  /// The last frame and where its joints are; only with `velocity_matched`.
  const Pose& pose() const;
  const WorldPose& world() const;
  /// Where the playing clip would have a foot come down next.
  Landing next_landing(int foot) const;

  /// From the next frame on clips pass at this share of their own speed, change-overs in their own time. Rule (assert):
  /// in 0.5 … 2.
  void set_rate(double rate);

  /// All that changes while it plays (`StateBytes`); read into a player of the same graph, set and parameters.
  void visit_state(StateBytes& bytes);

 private:
  struct Shared;
  struct State;
  explicit Player(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace shosa::graph
