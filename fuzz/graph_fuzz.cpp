// Any bytes as a motion graph: an error, or a graph that is planned, written and read again the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/graph_file.h"
#include "shosa/documents/play_script.h"
#include "shosa/graph/planner.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa::graph;
  using namespace shosa::documents;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parse_play_script(text, "fuzz.json");
  const auto file = parse_graph(text, "fuzz.json");
  if (!file) return 0;
  const std::string written = format_graph(file->graph, file->kept);
  const auto again = parse_graph(written, "again");
  if (!again || format_graph(again->graph, again->kept) != written) std::abort();
  if (file->graph.node_count() > 0) {
    Planner planner(file->graph);
    const auto plan = planner.plan(0, {.targets = {file->graph.node_count() - 1}, .hurry = 50});
    if (!plan || (plan->reachable && plan->nodes.size() != plan->steps.size() + 1)) std::abort();
  }
  return 0;
}
