#include "io/node_choice.h"

#include <algorithm>

namespace shosa::io {
namespace {

/// Which nodes are joints; see `read_gltf` for the rule.
class JointChoice {
 public:
  JointChoice(const NodeScene& scene, std::vector<int> order)
      : scene_(scene), order_(std::move(order)), chosen_(scene.nodes.size(), false), moved_(scene.nodes.size(), false) {
    for (const SceneAnimation& animation : scene.animations) {
      for (const Track& track : animation.tracks) {
        if (track.path != TrackPath::scale) moved_[track.node] = true;
      }
    }
    if (!take_hints()) take_moved_or_all();
    close();
    join_roots();
  }

  /// Parents first; in node order where that allows it.
  std::vector<int> joints() const {
    std::vector<int> by_index;
    bool ordered = true;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (!chosen_[i]) continue;
      by_index.push_back(static_cast<int>(i));
      if (scene_.nodes[i].parent > static_cast<int>(i)) ordered = false;
    }
    if (ordered) return by_index;
    return depth_first();
  }

  bool chosen(int node) const { return node >= 0 && chosen_[node]; }
  int root_count() const { return root_count_; }

 private:
  bool take_hints() {
    if (scene_.joint_hints.empty()) return false;
    for (int node : scene_.joint_hints) chosen_[node] = true;
    if (scene_.hints_are_complete) return true;
    // A skin that nothing moves, beside nodes that do move: the motion is what was asked for.
    bool any_moved = false, skin_moved = false;
    const std::vector<bool> above = has_chosen_below();
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      any_moved = any_moved || moved_[i];
      skin_moved = skin_moved || (moved_[i] && (chosen_[i] || above[i]));
    }
    if (any_moved && !skin_moved) {
      std::fill(chosen_.begin(), chosen_.end(), false);
      return false;
    }
    return true;
  }

  void take_moved_or_all() {
    const bool any_moved = std::find(moved_.begin(), moved_.end(), true) != moved_.end();
    for (int index : order_) {
      const auto i = static_cast<std::size_t>(index);
      const SceneNode& node = scene_.nodes[i];
      const bool leaf_object = node.carries_object && node.children.empty();
      const bool below = chosen(node.parent);
      chosen_[i] = !node.end_site && (moved_[i] || ((below || !any_moved) && !leaf_object));
    }
    const std::vector<bool> above = has_chosen_below();
    for (std::size_t i = 0; i < above.size(); ++i) chosen_[i] = chosen_[i] || above[i];
    if (std::find(chosen_.begin(), chosen_.end(), true) == chosen_.end()) {
      std::fill(chosen_.begin(), chosen_.end(), true);
    }
  }

  std::vector<bool> has_chosen_below() const {
    std::vector<bool> below(chosen_.size(), false);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const auto i = static_cast<std::size_t>(*it);
      const int parent = scene_.nodes[i].parent;
      if (parent >= 0 && (chosen_[i] || below[i])) below[parent] = true;
    }
    return below;
  }

  /// Adds moved nodes above joints and all nodes between two joints.
  void close() {
    const std::vector<bool> below = has_chosen_below();
    for (int index : order_) {
      const auto i = static_cast<std::size_t>(index);
      if (below[i] && (moved_[i] || chosen(scene_.nodes[i].parent))) chosen_[i] = true;
    }
  }

  /// Several roots are joined at their nearest common ancestor, where they have one.
  void join_roots() {
    std::vector<int> roots_below(chosen_.size(), 0);
    root_count_ = 0;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const auto i = static_cast<std::size_t>(*it);
      const int parent = scene_.nodes[i].parent;
      if (chosen_[i] && !chosen(parent)) {
        ++roots_below[i];
        ++root_count_;
      }
      if (parent >= 0) roots_below[parent] += roots_below[i];
    }
    if (root_count_ < 2) return;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const auto i = static_cast<std::size_t>(*it);
      if (roots_below[i] == root_count_) {
        chosen_[i] = true;
        close();
        root_count_ = 1;
        return;
      }
    }
  }

  std::vector<int> depth_first() const {
    std::vector<int> result, stack;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      if (scene_.nodes[*it].parent < 0) stack.push_back(*it);
    }
    while (!stack.empty()) {
      const int node = stack.back();
      stack.pop_back();
      if (chosen(node)) result.push_back(node);
      const auto& children = scene_.nodes[node].children;
      stack.insert(stack.end(), children.rbegin(), children.rend());
    }
    return result;
  }

  const NodeScene& scene_;
  std::vector<int> order_;
  std::vector<bool> chosen_;
  std::vector<bool> moved_;
  int root_count_ = 0;
};

}  // namespace

std::vector<int> topological_order(const std::vector<SceneNode>& nodes) {
  std::vector<int> order;
  order.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent < 0) order.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (int child : nodes[order[i]].children) order.push_back(child);
    if (order.size() > nodes.size()) return {};
  }
  if (order.size() != nodes.size()) order.clear();
  return order;
}

ChosenNodes choose_joints(const NodeScene& scene, const std::vector<int>& order) {
  const JointChoice choice(scene, order);
  return {choice.joints(), choice.root_count()};
}

}  // namespace shosa::io
