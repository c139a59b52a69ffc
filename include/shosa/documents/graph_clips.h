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
/// Clips of other bodies are retargeted onto that of the first, as a score does. Clips are cleaned as the source says
/// (`ClipOptions::as_captured`).
Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const ClipSource& source);
/// Those of a graph. Fails with the node whose clip cannot be read.
Result<GraphClips> open_graph_clips(const GraphFile& graph, const ClipSource& source);

}  // namespace shosa::documents
