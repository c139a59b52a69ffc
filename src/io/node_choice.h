#pragma once

#include <vector>

#include "io/node_scene.h"

namespace shosa::io {

/// Parents before children; empty when the nodes form a cycle.
std::vector<int> topological_order(const std::vector<SceneNode>& nodes);

struct ChosenNodes {
  std::vector<int> joints;  ///< Parents first; in node order where that allows it.
  int root_count = 0;       ///< More than one: they have no common ancestor.
};

/// Which nodes are joints; see `read_gltf` for the rule. `order` is topological.
ChosenNodes choose_joints(const NodeScene& scene, const std::vector<int>& order);

}  // namespace shosa::io
