#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shosa/core/state_bytes.h"
#include "shosa/graph/planner.h"

namespace shosa::graph {

class MeetingBound;

/// A graph's links turned round and packed for searching from targets back to everywhere. Constant once made.
///
/// Times become whole ticks (10^-12 s where the graph is small, coarser only where the weight of a longest way would
/// not fit 62 bits), so that sums are exact: equal weights are equal, in whatever order they were added.
class RouteGraph {
 public:
  explicit RouteGraph(const MotionGraph& graph);

  /// A link weighs `base` times the factor of its kind for a command, without a branch.
  struct Entry {
    std::int64_t base;  ///< Play time in ticks; one second for a characteristic link of no time.
    NodeIndex from;
    std::int32_t kind;  ///< Its hurry value, plus `kNoTime` for a characteristic link of no time.
    std::int64_t ticks() const { return kind >= kNoTime ? 0 : base; }
    std::int32_t hurry() const { return kind & (kNoTime - 1); }
  };
  static constexpr std::int32_t kNoTime = 128, kKinds = 256;
  /// What each kind is multiplied by for a command.
  static std::array<std::int64_t, kKinds> factors(int command_hurry);
  int node_count() const { return static_cast<int>(begin_.size()) - 1; }
  std::int64_t ticks_per_s() const { return ticks_per_s_; }
  std::span<const Entry> entering(NodeIndex node) const {
    const auto n = static_cast<std::size_t>(node);
    return {entries_.data() + begin_[n], static_cast<std::size_t>(begin_[n + 1] - begin_[n])};
  }
  std::int32_t first_entry(NodeIndex node) const { return begin_[node]; }
  LinkIndex link(std::int32_t entry) const { return links_[entry]; }
  int rank(std::int32_t entry) const { return ranks_[entry]; }

 private:
  std::int64_t ticks_per_s_ = 1;
  std::vector<std::int32_t> begin_;
  std::vector<Entry> entries_;
  std::vector<LinkIndex> links_;
  std::vector<int> ranks_;
};

/// The least-weight way from every node to a set of targets, found from the targets outward.
///
/// Among ways of equal weight the more hurried one is taken: the larger sum of hurry values over its characteristic
/// links. A link whose value is the command's own weighs nothing and is not counted, because going round on such links
/// would count for ever. Then the shorter play time, then fewer links, then `MotionGraph::canonical_rank` decides, so
/// that the order in which a graph is written never does. Every extension of a way is larger in that order, so labels
/// are final when they leave the heap (Dijkstra 1959). O((nodes + links) log nodes).
///
/// A search can be run in slices beside a playing character: `run` settles at most so many nodes. Memory is taken when
/// it is made and never again.
class RouteSearch {
 public:
  explicit RouteSearch(const RouteGraph& graph);

  /// `blocked`, when not empty, has one entry per node: no way may enter a node whose entry is not 0.
  void start(std::span<const NodeIndex> targets, int command_hurry, std::span<const std::uint8_t> blocked = {});
  /// Settles up to `max_nodes` more nodes, or until `until` is settled. True when the search is over or `until` is
  /// settled. With `until`, ways heavier than the best one known from there are not followed: after that only what is
  /// settled is known (`is_pruned`), and a search for other nodes must start again. The same with a `bound` on ways
  /// from `until`.
  bool run(int max_nodes, NodeIndex until = kNoNode, const MeetingBound* bound = nullptr);
  bool is_pruned() const { return pruned_; }

  bool is_over() const { return heap_size_ == 0; }
  /// A way to a target is known and final.
  bool is_settled(NodeIndex node) const { return state_[node] == kSettled; }
  /// The first link of that way; kNoLink at a target. Only for settled nodes.
  LinkIndex next_link(NodeIndex node) const {
    const std::int32_t entry = labels_[node].entry;
    return entry < 0 ? kNoLink : graph_->link(entry);
  }
  /// Play time and weight of that way in ticks. Only for settled nodes.
  std::int64_t time_ticks(NodeIndex node) const { return labels_[node].time; }
  std::int64_t weight_ticks(NodeIndex node) const { return weight_[node]; }
  int command_hurry() const { return hurry_; }
  void visit_state(StateBytes& bytes) {
    bytes(weight_, state_, labels_, heap_, heap_size_, blocked_, any_blocked_, pruned_, hurry_, factor_);
  }

 private:
  /// What decides between ways of one weight, in this order.
  struct Label {
    std::int64_t time = 0;
    std::int32_t hurry = 0;
    std::int32_t links = 0;
    std::int32_t entry = -1;
    void visit_state(StateBytes& bytes) { bytes(time, hurry, links, entry); }
  };
  struct HeapItem {
    std::int64_t weight;
    NodeIndex node;
    void visit_state(StateBytes& bytes) { bytes(weight, node); }
  };
  static constexpr std::int32_t kUnseen = -1, kSettled = -2;  ///< Otherwise: the place in the heap.

  bool before(const HeapItem& a, const HeapItem& b) const;
  void sift_up(std::int32_t place, HeapItem item);
  void sift_down(std::int32_t place, HeapItem item);
  void relax(NodeIndex node, NodeIndex until, const MeetingBound* bound);

  const RouteGraph* graph_;
  std::vector<std::int64_t> weight_;
  std::vector<std::int32_t> state_;
  std::vector<Label> labels_;
  std::vector<HeapItem> heap_;
  std::int32_t heap_size_ = 0;
  std::vector<std::uint8_t> blocked_;
  bool any_blocked_ = false;
  bool pruned_ = false;
  int hurry_ = kNoHurry;
  std::array<std::int64_t, RouteGraph::kKinds> factor_{};
};

}  // namespace shosa::graph
