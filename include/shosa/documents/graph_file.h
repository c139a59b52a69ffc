#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shosa/documents/clip_source.h"
#include "shosa/graph/motion_graph.h"

namespace shosa::documents {

/// A clip of a graph, as it was when the graph was built.
struct GraphClip : ClipReference {
  std::string hash;  ///< `ClipSource::hash_of`. Empty: not known, and not asked for.
  bool operator==(const GraphClip&) const = default;
};
/// The clips that a graph's links were found on.
struct KeptClips {
  std::vector<GraphClip> clips;  ///< The first gives the body. Empty: the graph does not say how they are read.
  std::string file, hash;        ///< Their cleaned samples, beside the graph, and the hash of it. Empty: not kept.
  Notes notes;                   ///< What was done to them, and what is odd about them.
  bool operator==(const KeptClips&) const = default;
};

/// A graph as it stands in a file:
///
///     {"nodes": [{"id": 0, "clip": "walk.bvh", "time_s": 0.0, "default": 3, "name": "walk"}, …],
///      "links": [{"id": 3, "from": 0, "to": 1, "time_s": 0.1, "hurry": 0}, …],
///      "clips": [{"clip": "walk.bvh", "hash": "…"}, …], "kept": {"file": "g.clips", "hash": "…", "notes": […],
///      "warnings": […]}}
///
/// In a node only `id` is required, in a link `id` may be left out too (its place in the list is taken) and `hurry`
/// (0). `clip` may be null or left out: planning needs no postures. `clips` and `kept` are what `graph build` writes.
struct GraphFile {
  std::string file;  ///< For messages.
  graph::MotionGraph graph;
  KeptClips kept;
  Notes warnings;  ///< Keys that mean nothing here.
};

Result<GraphFile> parse_graph(std::string_view text, const std::string& file);

/// What `parse_graph` reads back to the same graph: numbers keep every bit, one line per node and link.
std::string format_graph(const graph::MotionGraph& graph, const KeptClips& kept = {});

}  // namespace shosa::documents
