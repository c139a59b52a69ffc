#include "shosa/c/graph.h"

#include <algorithm>

#include "c/objects.h"
#include "shosa/documents/reports.h"
#include "shosa/graph/link_gaits.h"

using namespace shosa;
using namespace shosa::c;

namespace {

/// Hands a graph over with its report, or neither.
void give_graph(Call& c, graph::MotionGraph graph, graph::MotionSet set, std::vector<documents::GraphClip> clips,
                const std::string& made, shosa_graph* out, shosa_buffer* report) {
  c.say(set.warnings);
  if (report != nullptr) c.give_bytes(report, documents::with_notes(made, set.warnings));
  auto object = std::make_unique<GraphObject>();
  object->graph = std::make_shared<const graph::MotionGraph>(std::move(graph));
  object->set = std::make_shared<const graph::MotionSet>(std::move(set));
  object->clips = std::move(clips);
  if (!c.give(out, std::move(object)) && report != nullptr) c.context().handles.remove(std::exchange(*report, 0));
}

std::vector<documents::GraphClip> named_clips(const std::vector<documents::ClipReference>& references) {
  std::vector<documents::GraphClip> clips;
  for (const auto& reference : references) clips.push_back({reference, ""});
  return clips;
}

/// A node that a way begins at: of several of a name the first.
std::optional<graph::NodeIndex> begin_node(Call& c, const graph::MotionGraph& graph, const std::string& name) {
  const auto nodes = c.take(graph::find_nodes(graph, name));
  if (!nodes) return std::nullopt;
  return nodes->front();
}

}  // namespace

shosa_status shosa_graph_link(shosa_context* context, shosa_folder folder, shosa_graph* out, shosa_buffer* report) {
  return make_from<FolderObject>(context, "shosa_graph_link", folder, out, report, [&](Call& c, const auto* object) {
    if (c.failed()) return;
    auto opened = c.take(documents::open_graph_clips(object->references(), *object));
    if (!opened) return;
    auto linked = c.take(graph::link_gaits(opened->set));
    if (!linked) return;
    const std::string made = documents::link_report(*linked, opened->set);
    give_graph(c, std::move(linked->graph), std::move(opened->set), named_clips(object->references()), made, out,
               report);
  });
}

shosa_status shosa_graph_build(shosa_context* context, shosa_folder folder, const shosa_build_params* params,
                               shosa_graph* out, shosa_buffer* report) {
  return make_from<FolderObject>(context, "shosa_graph_build", folder, out, report, [&](Call& c, const auto* object) {
    const auto own = c.read(params, shosa_build_params SHOSA_BUILD_PARAMS_INIT, "shosa_build_params");
    graph::BuildParams how;
    how.match.same_feet = own.any_feet == 0;
    if (own.extremal != 0) how.nodes = graph::NodeChoice::extremal;
    if (own.threshold_m != 0.0) how.match.threshold_m = c.number(own.threshold_m, "threshold_m", 1e-6, 10.0);
    if (c.failed()) return;
    auto opened = c.take(documents::open_graph_clips(object->references(), *object));
    if (!opened) return;
    if (own.connect != 0) {
      const double connecting_m = graph::connecting_threshold_m(opened->set, how);
      if (connecting_m > 0.0) how.match.threshold_m = connecting_m;
    }
    auto built = c.take(graph::build_graph(opened->set, how));
    if (!built) return;
    const std::string made = documents::build_report(*built, how.match.threshold_m);
    give_graph(c, std::move(built->graph), std::move(opened->set), named_clips(object->references()), made, out,
               report);
  });
}

shosa_status shosa_graph_parse(shosa_context* context, shosa_folder folder, const char* name, const char* text,
                               shosa_graph* out) {
  return call(context, "shosa_graph_parse", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<FolderObject>(folder);
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    const auto own = text != nullptr ? std::optional<std::string>(text) : c.take(object->text(called));
    if (!own) return;
    auto file = c.take(documents::parse_graph(*own, called));
    if (!file) return;
    auto opened = c.take(documents::open_graph_clips(*file, *object));
    if (!opened) return;
    c.say(file->warnings);
    std::vector<documents::GraphClip> clips = file->kept.clips;
    if (clips.empty()) {
      for (const std::string& clip : file->graph.clips()) clips.emplace_back().clip = clip;
    }
    give_graph(c, std::move(file->graph), std::move(opened->set), std::move(clips), "{}", out, nullptr);
  });
}

shosa_status shosa_graph_format(shosa_context* context, shosa_graph graph, const char* kept_name, shosa_buffer* out,
                                shosa_buffer* kept) {
  return call(context, "shosa_graph_format", [&](Call& c) {
    c.clear_if_given(kept);
    c.clear(out);
    const auto* object = c.find<GraphObject>(graph);
    if ((kept_name == nullptr) != (kept == nullptr))
      c.fail(SHOSA_BAD_ARGUMENT, "kept_name and kept, expected both or neither");
    if (c.failed()) return;
    if (kept == nullptr) {
      documents::KeptClips said;
      said.clips = object->clips;
      return c.give_bytes(out, documents::format_graph(*object->graph, said));
    }
    const std::vector<documents::ClipReference> references(object->clips.begin(), object->clips.end());
    const FolderObject nowhere;  // clips in memory have no file that could change
    const auto keeping =
        c.take(documents::keep_graph_clips(*object->graph, references, nowhere, *object->set, kept_name));
    if (!keeping) return;
    c.give_bytes(kept, keeping->bytes);
    c.give_bytes(out, documents::format_graph(*object->graph, keeping->said));
    if (c.failed() && *kept != 0) context->handles.remove(std::exchange(*kept, 0));
  });
}

shosa_status shosa_graph_get_info(shosa_context* context, shosa_graph graph, shosa_graph_info* out) {
  return call(context, "shosa_graph_get_info", [&](Call& c) {
    const auto* object = c.find<GraphObject>(graph);
    if (c.failed()) return;
    shosa_graph_info info = SHOSA_GRAPH_INFO_INIT;
    info.node_count = static_cast<std::uint32_t>(object->graph->node_count());
    info.link_count = static_cast<std::uint32_t>(object->graph->link_count());
    info.clip_count = static_cast<std::uint32_t>(object->graph->clips().size());
    c.write(out, info, "shosa_graph_info");
  });
}

shosa_status shosa_graph_plan(shosa_context* context, shosa_graph graph, const char* from, const char* to,
                              int32_t hurry, shosa_buffer* out) {
  return call(context, "shosa_graph_plan", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<GraphObject>(graph);
    const std::string begin = c.text(from, "from"), end = c.text(to, "to");
    c.number(hurry, "hurry", graph::kNoHurry, graph::kMaxHurry);
    if (c.failed()) return;
    const auto first = begin_node(c, *object->graph, begin);
    if (!first) return;
    auto targets = c.take(graph::find_nodes(*object->graph, end));
    if (!targets) return;
    graph::Planner planner(*object->graph);
    const auto plan = c.take(Result<graph::Plan>(planner.plan(*first, {.targets = *targets, .hurry = hurry})));
    if (plan) c.give_bytes(out, documents::plan_report(*object->graph, *plan));
  });
}
