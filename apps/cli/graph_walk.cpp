#include <algorithm>
#include <optional>
#include <random>

#include "graph_options.h"
#include "outputs.h"
#include "shosa/draw/strip.h"
#include "shosa/shosa.h"
#include "write_picture.h"

namespace shosa::cli {

using namespace shosa::graph;

namespace {

/// What is played before and after a link that is shown.
constexpr double kAround_s = 0.6;

/// The keyframe of the same clip about so long before, along what plays on.
NodeIndex before(const MotionGraph& graph, NodeIndex node, double time_s) {
  while (time_s > 0.0) {
    const auto entering = graph.links_to(node);
    const auto on = std::find_if(entering.begin(), entering.end(), [&](LinkIndex l) { return plays_on(graph, l); });
    if (on == entering.end()) break;
    time_s -= graph.link(*on).time_s;
    node = graph.link(*on).from;
  }
  return node;
}

nlohmann::ordered_json links_json(const MotionGraph& graph, std::span<const LinkIndex> links, double begin_s) {
  auto path = nlohmann::ordered_json::array();
  for (const LinkIndex l : links) {
    const Link& link = graph.link(l);
    const Node& to = graph.node(link.to);
    path.push_back({{"at_s", begin_s},
                    {"link", link.id},
                    {"to", to.id},
                    {"name", to.name},
                    {"clip", to.clip == kNoClip ? "" : graph.clips()[to.clip]},
                    {"clip_time_s", to.time_s}});
    begin_s += link.time_s;
  }
  return path;
}

/// Plays links after the one that is under way, and writes the motion.
Result<Report> record(GraphPlayer& player, const std::vector<LinkIndex>& links, double duration_s,
                      const GraphOptions& options) {
  const double begin_s = player.player().until_next_s();
  if (const auto ok = player.player().follow(links); !ok) return std::unexpected(ok.error());
  auto clip = player.record(duration_s);
  if (!clip) return fail(clip.error().code, "{}: {}", options.file, clip.error().message);
  std::vector<Output> outputs = {{options.out, [&] { return write_clip(options.out, *clip); }}};
  std::optional<draw::Strip> strip;
  if (!options.picture.empty()) {
    auto drawn = draw::draw_strip(clip->clip(), clip->motion.body_map, {.count = 14});
    if (!drawn) return std::unexpected(drawn.error());
    strip = std::move(*drawn);
    outputs.push_back({options.picture, [&] { return write_picture(options.picture, strip->canvas); }});
  }
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  Report report;
  report.json = {{"frames", clip->clip().frame_count()},
                 {"fps", clip->clip().fps()},
                 {"path", links_json(player.linked().file.graph, links, begin_s)}};
  report.notes = clip->motion.warnings;
  report.text = fmt::format("{}: {} frames, {} links\n", options.out, clip->clip().frame_count(), links.size());
  return report;
}

}  // namespace

Result<Report> walk_graph(const GraphOptions& options) {
  const auto linked = read_graph(options.file, options.input);
  if (!linked) return std::unexpected(linked.error());
  auto player = shosa::play_graph(*linked, options.order.start);
  if (!player) return std::unexpected(player.error());
  const MotionGraph& graph = (*linked)->file.graph;
  std::mt19937_64 random(options.seed);
  std::vector<LinkIndex> links;
  NodeIndex at = player->player().next_node();
  // A link of no time takes some of the time all the same, so that the way ends.
  for (double left_s = options.seconds; left_s > 0.0;) {
    const auto leaving = graph.links_from(at);
    links.push_back(leaving[random() % leaving.size()]);
    left_s -= std::max(1e-3, graph.link(links.back()).time_s);
    at = graph.link(links.back()).to;
  }
  return record(*player, links, options.seconds, options);
}

Result<Report> preview_link(const GraphOptions& options) {
  const auto linked = read_graph(options.file, options.input);
  if (!linked) return std::unexpected(linked.error());
  const MotionGraph& graph = (*linked)->file.graph;
  const LinkIndex shown = graph.find_link(options.link);
  if (shown == kNoLink) return fail(ErrorCode::not_possible, "{}: no link {}", options.file, options.link);
  const Link& link = graph.link(shown);
  auto player = shosa::play_graph(*linked, std::to_string(graph.node(before(graph, link.from, kAround_s)).id));
  if (!player) return std::unexpected(player.error());

  const auto way = Planner(graph).plan(player->player().next_node(), {.targets = {link.from}});
  if (!way) return std::unexpected(way.error());
  if (!way->reachable)
    return fail(ErrorCode::not_possible, "{}: link {} cannot be reached from where its clip is", options.file,
                options.link);
  std::vector<LinkIndex> links;
  for (const PlanStep& step : way->steps) links.push_back(step.link);
  links.push_back(shown);
  const double begin_s = player->player().until_next_s() + way->duration_s;
  auto report = record(*player, links, begin_s + link.time_s + kAround_s, options);
  if (!report) return report;
  report->json["link"] = link.id;
  report->json["begin_s"] = begin_s;
  report->json["end_s"] = begin_s + link.time_s;
  report->text += fmt::format("link {} from {:.3f} to {:.3f} s\n", link.id, begin_s, begin_s + link.time_s);
  return report;
}

}  // namespace shosa::cli
