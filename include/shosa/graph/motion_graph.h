#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::graph {

using NodeIndex = std::int32_t;
using LinkIndex = std::int32_t;
inline constexpr NodeIndex kNoNode = -1;
inline constexpr LinkIndex kNoLink = -1;
inline constexpr int kNoClip = -1;
/// Hurry values and commands go up to this.
inline constexpr int kMaxHurry = 100;

/// A keyframe: a posture of a clip, and the link that is taken when nothing is commanded.
struct Node {
  std::int64_t id = 0;               ///< What people and files call it.
  int clip = kNoClip;                ///< Index into `MotionGraph::clips()`; kNoClip: a node without posture.
  double time_s = 0.0;               ///< In that clip.
  LinkIndex default_link = kNoLink;  ///< Leaves this node.
  std::string name = {};             ///< Nodes of one name form a target set ("run"). May be empty.
};

/// A way from one keyframe to another.
struct Link {
  std::int64_t id = 0;
  NodeIndex from = kNoNode;
  NodeIndex to = kNoNode;
  double time_s = 0.0;  ///< Play time until `to` is reached.
  int hurry = 0;        ///< 1 … 100 on a characteristic link; 0: its time alone weighs.
};

/// Keyframes and the links between them. Constant once made.
///
/// Rules, checked by `create`, which names the one broken: ids of nodes and of links are unique; a link joins nodes
/// that are there; link times are finite, >= 0 and at most `kMaxLinkTime_s`; hurry values lie in 0 … 100; a node's
/// default link leaves that node; node times are finite and >= 0; a node's clip is in the list. A node from which no
/// link leaves is allowed, since a plan may end there; `dead_ends` lists them and a player refuses them.
class MotionGraph {
 public:
  static Result<MotionGraph> create(std::vector<std::string> clips, std::vector<Node> nodes, std::vector<Link> links);

  const std::vector<std::string>& clips() const { return clips_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Link> links() const { return links_; }
  int node_count() const { return static_cast<int>(nodes_.size()); }
  int link_count() const { return static_cast<int>(links_.size()); }
  const Node& node(NodeIndex index) const { return nodes_[index]; }
  const Link& link(LinkIndex index) const { return links_[index]; }

  /// Links that leave or enter a node, in the canonical order of `canonical_rank`.
  std::span<const LinkIndex> links_from(NodeIndex node) const { return slice(out_, out_begin_, node); }
  std::span<const LinkIndex> links_to(NodeIndex node) const { return slice(in_, in_begin_, node); }

  /// Place of a link in an order that depends on what the graph means, not on the order in which it was written: by
  /// play time, hurry, then clip name and time of the node it leads to and of the node it leaves, and only then by ids.
  int canonical_rank(LinkIndex link) const { return rank_[link]; }

  /// kNoNode, kNoLink where there is none.
  NodeIndex find_node(std::int64_t id) const;
  LinkIndex find_link(std::int64_t id) const;
  /// Every node of a name, ascending; empty where there is none.
  std::vector<NodeIndex> nodes_named(const std::string& name) const;

  /// The same graph with other default links, one per node (kNoLink allowed). Fails when one does not leave its node.
  Result<MotionGraph> with_defaults(std::span<const LinkIndex> defaults) const;

 private:
  MotionGraph() = default;
  static std::span<const LinkIndex> slice(const std::vector<LinkIndex>& list, const std::vector<std::int32_t>& begin,
                                          NodeIndex node) {
    const auto first = static_cast<std::size_t>(begin[node]);
    return {list.data() + first, static_cast<std::size_t>(begin[static_cast<std::size_t>(node) + 1]) - first};
  }

  std::vector<std::string> clips_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<std::int32_t> out_begin_, in_begin_;
  std::vector<LinkIndex> out_, in_;
  std::vector<int> rank_;
  std::vector<NodeIndex> node_by_id_;  // ascending ids
  std::vector<LinkIndex> link_by_id_;
};

/// About eleven days: longer is taken for a mistake.
inline constexpr double kMaxLinkTime_s = 1e6;

/// Nodes from which no link leaves, ascending.
std::vector<NodeIndex> dead_ends(const MotionGraph& graph);

/// A default link for every node: its own where it has one; else the link that plays its clip on; else the shortest in
/// canonical order. kNoLink at dead ends.
std::vector<LinkIndex> complete_defaults(const MotionGraph& graph);

/// True for a link that plays its clip on as captured: same clip, later node, play time equal to the time between the
/// nodes within 0.1 ms.
bool plays_on(const MotionGraph& graph, LinkIndex link);

/// Nodes by id ("12") or name ("run"), or several of them separated by commas (a name may have commas itself), by
/// increasing id. Fails when there is none, and when a number is both the id of one node and the name of others.
Result<std::vector<NodeIndex>> find_nodes(const MotionGraph& graph, const std::string& ids_or_names);

}  // namespace shosa::graph
