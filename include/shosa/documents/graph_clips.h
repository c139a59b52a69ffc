#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shosa/documents/clip_file.h"
#include "shosa/documents/graph_file.h"
#include "shosa/graph/motion_set.h"

namespace shosa::documents {

Result<GraphFile> open_graph(const std::string& path);

/// The clips of a graph, each under the name that the graph has for it.
struct GraphClips {
  graph::MotionSet set;  ///< Its warnings begin with what the reader found odd.
  io::MotionFile first;  ///< For writing back in its form.
};
/// Paths are relative to `folder`. Clips of other bodies are retargeted onto that of the first, as `compose` does.
/// Unless `as_captured`, samples that were captured wrongly are repaired and feet that stand are kept where they stand.
Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const std::filesystem::path& folder,
                                    const ClipOptions& input, bool as_captured);
/// Those of a graph that was read from `file`, beside it. Fails with the node whose clip is not there.
Result<GraphClips> open_graph_clips(const graph::MotionGraph& graph, const std::string& file, const ClipOptions& input,
                                    bool as_captured);

}  // namespace shosa::documents
