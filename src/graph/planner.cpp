#include "shosa/graph/planner.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <list>

#include "graph/meeting_bound.h"
#include "graph/route_search.h"

namespace shosa::graph {
namespace {

void sort_unique(std::vector<NodeIndex>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

Result<void> check_nodes(const MotionGraph& graph, std::span<const NodeIndex> nodes, const char* what) {
  for (const NodeIndex node : nodes) {
    if (node < 0 || node >= graph.node_count()) {
      return fail(ErrorCode::invalid_argument, "{} is node number {}, expected 0 to {}", what, node,
                  graph.node_count() - 1);
    }
  }
  return {};
}

}  // namespace

Result<void> check_command(const MotionGraph& graph, const Command& command) {
  if (command.targets.empty()) return fail(ErrorCode::invalid_argument, "a command without target");
  if (command.hurry != kNoHurry && (command.hurry < 0 || command.hurry > kMaxHurry)) {
    return fail(ErrorCode::invalid_argument, "a command's hurry is {}, expected 0 to {}", command.hurry, kMaxHurry);
  }
  if (const auto known = check_nodes(graph, command.targets, "a target"); !known) return known;
  if (const auto known = check_nodes(graph, command.avoided_nodes, "an avoided node"); !known) return known;
  return check_nodes(graph, command.impossible_nodes, "an impossible node");
}

Plan explain(const MotionGraph& graph, NodeIndex from, std::span<const LinkIndex> links, int command_hurry) {
  Plan plan{.reachable = true, .nodes = {from}, .steps = {}};
  for (const LinkIndex index : links) {
    const Link& link = graph.link(index);
    assert(link.from == plan.nodes.back());
    plan.nodes.push_back(link.to);
    plan.steps.push_back({index, plan.duration_s, link.time_s, link.hurry, hurry_weight(link, command_hurry)});
    plan.duration_s += link.time_s;
    plan.weight += plan.steps.back().weight;
  }
  return plan;
}

class Planner::Searches {
 public:
  Searches(const MotionGraph& graph, const PlannerParams& params) : graph_(&graph), params_(params), routes_(graph) {
    if (graph.node_count() <= params.early_stop_nodes) bound_ = std::make_unique<MeetingBound>(routes_);
  }
  Result<Plan> plan(NodeIndex from, const Command& command);
  const MotionGraph& graph() const { return *graph_; }

 private:
  struct Kept {
    Command command;  ///< Sorted, without repetition.
    std::unique_ptr<RouteSearch> search;
  };
  void start(RouteSearch& search, const Command& command) const;
  RouteSearch& search_for(Command command);

  const MotionGraph* graph_;
  PlannerParams params_;
  RouteGraph routes_;
  std::unique_ptr<MeetingBound> bound_;  ///< In small graphs.
  std::list<Kept> kept_;                 ///< Most recently used first.
};

Planner::Planner(const MotionGraph& graph, const PlannerParams& params)
    : searches_(std::make_unique<Searches>(graph, params)) {}

Planner::~Planner() = default;

const MotionGraph& Planner::graph() const {
  return searches_->graph();
}

Result<Plan> Planner::plan(NodeIndex from, const Command& command) {
  return searches_->plan(from, command);
}

void Planner::Searches::start(RouteSearch& search, const Command& command) const {
  std::vector<std::uint8_t> blocked;
  if (!command.impossible_nodes.empty()) blocked.assign(static_cast<std::size_t>(graph_->node_count()), 0);
  for (const NodeIndex node : command.impossible_nodes) blocked[node] = 1;
  search.start(command.targets, command.hurry, blocked);
}

RouteSearch& Planner::Searches::search_for(Command command) {
  sort_unique(command.targets);
  sort_unique(command.impossible_nodes);
  const auto same = [&](const Kept& kept) {
    return kept.command.hurry == command.hurry && kept.command.targets == command.targets &&
           kept.command.impossible_nodes == command.impossible_nodes;
  };
  const auto found = std::find_if(kept_.begin(), kept_.end(), same);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return *kept_.front().search;
  }
  // The oldest search gives its memory to the new one.
  if (static_cast<int>(kept_.size()) >= std::max(1, params_.kept_searches)) {
    kept_.splice(kept_.begin(), kept_, std::prev(kept_.end()));
  } else {
    kept_.push_front({{}, std::make_unique<RouteSearch>(routes_)});
  }
  Kept& kept = kept_.front();
  start(*kept.search, command);
  kept.command = std::move(command);
  return *kept.search;
}

Result<Plan> Planner::Searches::plan(NodeIndex from, const Command& command) {
  if (const auto known = check_nodes(*graph_, {&from, 1}, "the start"); !known) return std::unexpected(known.error());
  if (const auto checked = check_command(*graph_, command); !checked) return std::unexpected(checked.error());
  if (!command.avoided_nodes.empty()) {
    Command open = command, strict = command;
    open.avoided_nodes.clear();
    std::ranges::copy_if(command.avoided_nodes, std::back_inserter(strict.impossible_nodes), [&](NodeIndex node) {
      return std::ranges::find(command.targets, node) == command.targets.end();
    });
    strict.avoided_nodes.clear();
    auto around = plan(from, strict);
    return around && around->reachable ? around : plan(from, open);
  }
  RouteSearch& search = search_for(command);
  const bool stop_early = graph_->node_count() <= params_.early_stop_nodes;
  constexpr int kAll = std::numeric_limits<int>::max();
  if (search.is_pruned() && !search.is_settled(from)) {
    start(search, command);
    search.run(kAll);
  } else if (bound_ != nullptr && command.impossible_nodes.empty() && !search.is_settled(from)) {
    // Where no way leads to a target nothing need be searched.
    if (!bound_->find(from, command.targets, command.hurry)) return Plan{};
    search.run(kAll, from, bound_.get());
  } else {
    search.run(kAll, stop_early ? from : kNoNode);
  }
  if (!search.is_settled(from)) return Plan{};

  std::vector<LinkIndex> links;
  for (NodeIndex node = from; search.next_link(node) != kNoLink; node = graph_->link(links.back()).to) {
    links.push_back(search.next_link(node));
  }
  return explain(*graph_, from, links, command.hurry);
}

}  // namespace shosa::graph
