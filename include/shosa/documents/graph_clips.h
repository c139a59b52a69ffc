#pragma once

#include <string>
#include <vector>

#include "shosa/documents/clip_source.h"
#include "shosa/documents/graph_file.h"
#include "shosa/graph/motion_set.h"

namespace shosa::documents {

/// The clips of a graph, each under the name that the graph has for it.
struct GraphClips {
  graph::MotionSet set;  ///< Its warnings begin with what the reader found odd.
  io::MotionFile first;  ///< For writing back in its form.
};
/// Clips of other bodies are retargeted onto that of the first, as a score does. Unless `as_captured`, samples that
/// were captured wrongly are repaired and feet that stand are kept where they stand.
Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const ClipSource& source, bool as_captured);
/// Those of a graph. Fails with the node whose clip cannot be read.
Result<GraphClips> open_graph_clips(const GraphFile& graph, const ClipSource& source, bool as_captured);

}  // namespace shosa::documents
