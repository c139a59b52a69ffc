#pragma once

#include <memory>
#include <span>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/motion_graph.h"

namespace shosa::graph {

/// A command without a hurry value: links weigh their play time alone.
inline constexpr int kNoHurry = -1;

/// What link i weighs for a command C (spec E, equation 2), in seconds:
///
///     a_Ci = (C - c_i)^2 a_i   if c_i != 0 and a_i != 0
///          = (C - c_i)^2       if c_i != 0 and a_i = 0
///          = a_i               if c_i = 0, or C is kNoHurry
double hurry_weight(const Link& link, int command_hurry);

/// One link of a plan, and why it was cheap or dear.
struct PlanStep {
  LinkIndex link = kNoLink;
  double begin_s = 0.0;  ///< From the start of the plan.
  double time_s = 0.0;
  int hurry = 0;        ///< 0: its time alone weighs.
  double weight = 0.0;  ///< `hurry_weight` of the link for this command.
};

struct Plan {
  bool reachable = false;
  std::vector<NodeIndex> nodes;  ///< From the start to the target reached; empty where none can be.
  std::vector<PlanStep> steps;   ///< One fewer than nodes.
  double duration_s = 0.0;       ///< Sum of the steps' play times.
  double weight = 0.0;           ///< Sum of the steps' weights.
};

/// A command: what to become, and how hurried.
struct Command {
  std::vector<NodeIndex> targets;             ///< Any of them will do. At least one.
  int hurry = kNoHurry;                       ///< 0 … 100, or kNoHurry for the shortest time.
  std::vector<NodeIndex> impossible_nodes{};  ///< Not to be entered on the way or at its end.
  std::vector<NodeIndex> avoided_nodes{};     ///< Not entered on the way where another way leads there.
};

/// Finds ways through a graph, and keeps what it found: a further command to the same targets with the same hurry value
/// only walks along links.
///
/// One search serves all starts (it goes backward). Up to `PlannerParams::early_stop_nodes` a search is
/// bounded from both ends and stops at the start asked for, and is run whole where another start needs more; in larger
/// graphs it is finished at once, so that every further command takes the time of reading its path. The same answer for
/// any order of calls.
struct PlannerParams {
  int early_stop_nodes = 4096;
  int kept_searches = 16;  ///< The least recently used goes first. >= 1.
};
class Planner {
 public:
  /// `graph` must outlive the planner.
  explicit Planner(const MotionGraph& graph, const PlannerParams& params = {});
  ~Planner();
  Planner(const Planner&) = delete;  // searches point into it
  Planner& operator=(const Planner&) = delete;

  /// Fails when a node is not in the graph, there is no target, or the hurry value is not in 0 … 100 (or kNoHurry). No
  /// way there: success with `reachable` false.
  Result<Plan> plan(NodeIndex from, const Command& command);

  const MotionGraph& graph() const;

 private:
  class Searches;
  std::unique_ptr<Searches> searches_;
};

/// Fails as `Planner::plan` does.
Result<void> check_command(const MotionGraph& graph, const Command& command);

/// The plan along given links, explained. Rule (assert): each link begins where the one before it ends.
Plan explain(const MotionGraph& graph, NodeIndex from, std::span<const LinkIndex> links, int command_hurry);

}  // namespace shosa::graph
