#include <algorithm>
#include <optional>

#include "demo/graph_picture.h"
#include "graph_options.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/documents/graph_play.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/draw/plot.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"

namespace shosa::cli {

using namespace shosa::graph;

namespace {

/// Where a way begins: a name that several nodes have means the one with the lowest id.
Result<NodeIndex> begin_of(const MotionGraph& graph, const std::string& text) {
  const auto nodes = find_nodes(graph, text);
  if (!nodes) return std::unexpected(nodes.error());
  if (text.contains(',') && graph.node(nodes->front()).name != text) {
    return fail(ErrorCode::not_possible, "'{}' is a list, expected one node's id or name", text.substr(0, 60));
  }
  return nodes->front();
}

Result<Plan> plan_of(const MotionGraph& graph, const GraphOptions& options) {
  const auto from = begin_of(graph, options.from);
  if (!from) return fail(from.error().code, "{}: --from: {}", options.file, from.error().message);
  const auto to = find_nodes(graph, options.to);
  if (!to) return fail(to.error().code, "{}: --to: {}", options.file, to.error().message);
  Planner planner(graph);
  return planner.plan(*from, {.targets = *to, .hurry = options.hurry});
}

/// Speed over the ground, each over nine frames: half a quick step.
draw::Series speeds_of(const analysis::RootMotion& path, int hurry) {
  constexpr std::size_t kSpan = 9;
  draw::Series speed{
      .name = hurry == kNoHurry ? "shortest" : fmt::format("hurry {}", hurry), .times_s = {}, .values = {}};
  for (std::size_t f = kSpan; f < path.places.size(); ++f) {
    const auto &a = path.places[f - kSpan], &b = path.places[f];
    speed.times_s.push_back((static_cast<double>(f) - 0.5 * kSpan) * path.frame_time_s);
    speed.values.push_back(std::hypot(b.x_m - a.x_m, b.z_m - a.z_m) / (kSpan * path.frame_time_s));
  }
  return speed;
}

Result<draw::Canvas> figure_of(const documents::GraphFile& file, const GraphOptions& options, Notes& warnings) {
  const auto from = begin_of(file.graph, options.from);
  if (!from) return fail(from.error().code, "{}: --from: {}", options.file, from.error().message);
  const auto to = find_nodes(file.graph, options.to);
  if (!to) return fail(to.error().code, "{}: --to: {}", options.file, to.error().message);
  const auto opened = documents::open_graph_clips(file, documents::FilesBeside(options.file, options.input));
  if (!opened) return std::unexpected(opened.error());
  warnings.insert(warnings.end(), opened->set.warnings.begin(), opened->set.warnings.end());
  draw::Panel panel{.title = "speed after the command", .unit = "m/s", .series = {}};
  for (const int hurry : options.strip ? std::vector{options.hurry} : options.speeds) {
    const auto way =
        documents::play_way(file.graph, opened->set, *from, {.targets = *to, .hurry = hurry}, options.duration_s);
    if (!way) return std::unexpected(way.error());
    panel.series.push_back(speeds_of(way->path, hurry));
    if (!options.strip) continue;
    auto strip =
        draw::draw_strip(way->clip, opened->set.body_map,
                         {.count = 14, .to_s = options.duration_s, .title = panel.series[0].name, .width_px = 1200.0});
    if (!strip) return std::unexpected(strip.error());
    return std::move(strip->canvas);
  }
  auto plot = draw::draw_plot({.title = "", .panels = {panel}, .panel_height_px = 260.0});
  if (!plot) return std::unexpected(plot.error());
  return std::move(plot->canvas);
}

/// How much of each clip is in the graph, and how well it hangs together with the others.
nlohmann::ordered_json clips_json(const MotionGraph& graph) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < graph.clips().size(); ++c) {
    int nodes = 0, leaving = 0;
    double from_s = 0.0, to_s = 0.0;
    for (NodeIndex n = 0; n < graph.node_count(); ++n) {
      const Node& node = graph.node(n);
      if (node.clip != static_cast<int>(c)) continue;
      from_s = nodes == 0 ? node.time_s : std::min(from_s, node.time_s);
      to_s = std::max(to_s, node.time_s);
      ++nodes;
      for (const LinkIndex l : graph.links_from(n)) leaving += graph.node(graph.link(l).to).clip != node.clip;
    }
    list.push_back(
        {{"clip", graph.clips()[c]}, {"nodes", nodes}, {"covered_s", {from_s, to_s}}, {"links_to_others", leaving}});
  }
  return list;
}

}  // namespace

Result<Report> plan_way(const GraphOptions& options) {
  const auto file = documents::read_document(options.file, documents::parse_graph);
  if (!file) return std::unexpected(file.error());
  const MotionGraph& graph = file->graph;
  const auto plan = plan_of(graph, options);
  if (!plan) return std::unexpected(plan.error());

  Report report;
  report.json = nlohmann::ordered_json::parse(documents::plan_report(graph, *plan));
  for (const PlanStep& step : plan->steps) {
    const Link& link = graph.link(step.link);
    report.text += fmt::format("{:8.3f} s  {} -> {}  {:.3f} s  hurry {:3}  weight {:.4f}\n", step.begin_s,
                               graph.node(link.from).id, graph.node(link.to).id, step.time_s, step.hurry, step.weight);
  }
  report.notes = file->warnings;
  report.text += plan->reachable ? fmt::format("{} links, {:.3f} s, weight {:.4f}\n", plan->steps.size(),
                                               plan->duration_s, plan->weight)
                                 : fmt::format("{} cannot be reached from {}\n", options.to, options.from);
  return report;
}

Result<Report> show_graph(const GraphOptions& options) {
  const auto file = documents::read_document(options.file, documents::parse_graph);
  if (!file) return std::unexpected(file.error());
  const auto format = draw::format_of(options.out);
  if (!format) return std::unexpected(format.error());
  Notes warnings = file->warnings;
  std::optional<draw::Canvas> canvas;
  if (options.strip || !options.speeds.empty()) {
    auto figure = figure_of(*file, options, warnings);
    if (!figure) return std::unexpected(figure.error());
    canvas = std::move(*figure);
  } else {
    std::optional<Plan> chosen;
    if (!options.from.empty() && !options.to.empty()) {
      auto plan = plan_of(file->graph, options);
      if (!plan) return std::unexpected(plan.error());
      chosen = std::move(*plan);
    }
    canvas = demo::draw_graph(file->graph, chosen ? &*chosen : nullptr);
  }
  const auto bytes = draw::encode(*canvas, {.format = *format});
  if (!bytes) return std::unexpected(bytes.error());
  if (const auto written = io::write_file_atomically(options.out, *bytes); !written)
    return std::unexpected(written.error());
  Report report;
  report.json = {{"output", options.out},
                 {"nodes", file->graph.node_count()},
                 {"links", file->graph.link_count()},
                 {"links_per_node", file->graph.link_count() / std::max(1.0, 1.0 * file->graph.node_count())},
                 {"clips", clips_json(file->graph)}};
  report.notes = std::move(warnings);
  report.text = fmt::format("{}: {} nodes, {} links, {:.1f} a node\n", options.out, file->graph.node_count(),
                            file->graph.link_count(), report.json["links_per_node"].get<double>());
  for (const auto& clip : report.json["clips"])
    report.text +=
        fmt::format("  {}: {:.2f} to {:.2f} s, {} nodes, {} links to others\n", clip["clip"].get<std::string>(),
                    clip["covered_s"][0].get<double>(), clip["covered_s"][1].get<double>(), clip["nodes"].get<int>(),
                    clip["links_to_others"].get<int>());
  return report;
}

}  // namespace shosa::cli
