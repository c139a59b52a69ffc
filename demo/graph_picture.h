#pragma once

#include <span>

#include "shosa/draw/canvas.h"
#include "shosa/graph/planner.h"

namespace shosa::demo {

/// The graph as a picture: a line of dots per clip with time to the right, links between them (stronger the more
/// hurried), and the chosen path on top. Nodes without clip lie on a circle.
draw::Canvas draw_graph(const graph::MotionGraph& graph, const graph::Plan* plan);

}  // namespace shosa::demo
