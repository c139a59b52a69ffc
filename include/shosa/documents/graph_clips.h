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
/// Clips of other bodies are retargeted onto that of the first, as a score does; all are cleaned unless the reference
/// or the source says `as_captured`.
Result<GraphClips> open_graph_clips(const std::vector<ClipReference>& clips, const ClipSource& source);

/// Those of a graph: the very samples that its links were found on where they were kept, else read and cleaned again by
/// the options that the graph has for them, with a warning. Fails with the node whose clip cannot be read, and where a
/// clip's file has changed since the graph was built, with both hashes: something else is never played.
Result<GraphClips> open_graph_clips(const GraphFile& graph, const ClipSource& source);

/// What a graph file says of the clips that it was built on, and the bytes of the file that keeps them. Clips without a
/// node are left out, but for the first.
struct GraphKeeping {
  KeptClips said;
  std::string bytes;
};
/// `opened` came from `clips` and `source`; `file` is what the bytes will be called, beside the graph. Fails when a
/// clip cannot be read any more.
Result<GraphKeeping> keep_graph_clips(const graph::MotionGraph& graph, const std::vector<ClipReference>& clips,
                                      const ClipSource& source, const graph::MotionSet& set, const std::string& file);

}  // namespace shosa::documents
