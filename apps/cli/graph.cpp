#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "demo/graph_picture.h"
#include "graph_figures.h"
#include "graph_files.h"
#include "graph_play.h"
#include "input.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/commands_json.h"
#include "shosa/graph/graph_json.h"
#include "shosa/io/atomic_file.h"
#include "verb.h"

namespace shosa::cli {
namespace {

using namespace shosa::graph;

struct GraphOptions {
  std::vector<std::string> clips;
  std::string file, commands, out;
  std::string upper_file, upper_commands;
  std::string from, to;
  int hurry = kNoHurry;
  bool extremal = false, any_feet = false, as_captured = false, strip = false;
  std::vector<int> speeds;
  double duration_s = 3.0;
  PlayOrder order;
  BuildParams build;
  InputOptions input;
};

Result<Report> build(const GraphOptions& options) {
  const auto folder = std::filesystem::absolute(options.out).parent_path();
  std::error_code missing;
  const auto real_folder = std::filesystem::canonical(folder, missing);
  if (missing) {
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}: {}", options.out, folder.string(),
                missing.message());
  }
  std::vector<std::string> names;
  for (const std::string& clip : options.clips) {
    // Folders may be symbolic links, and ".." leads out of what they point to; the clip's own name stays.
    const auto path = std::filesystem::absolute(clip).lexically_normal();
    std::error_code unresolved;
    const auto where = std::filesystem::weakly_canonical(path.parent_path(), unresolved) / path.filename();
    names.push_back((unresolved ? path : where).lexically_proximate(real_folder).generic_string());
  }
  auto opened = open_graph_clips(names, folder, options.input, options.as_captured);
  if (!opened) return std::unexpected(opened.error());
  BuildParams params = options.build;
  params.match.same_feet = !options.any_feet;
  if (options.extremal) params.nodes = NodeChoice::extremal;
  const auto built = build_graph(opened->set, params);
  if (!built) return std::unexpected(built.error());
  if (const auto written = io::write_file_atomically(options.out, format_graph(built->graph)); !written) {
    return std::unexpected(written.error());
  }
  Report report;
  std::vector<std::string> warnings = opened->set.warnings;
  std::set<std::string> left;
  for (const Node& node : built->graph.nodes()) {
    if (node.clip != kNoClip) left.insert(built->graph.clips()[static_cast<std::size_t>(node.clip)]);
  }
  for (const std::string& name : names) {
    if (left.contains(name)) continue;
    warnings.push_back(
        fmt::format("{}: is not in the graph: it cannot be left and reached again below {} m (--threshold)", name,
                    params.match.threshold_m));
  }
  if (left.size() < names.size()) {
    if (const double threshold_m = connecting_threshold_m(opened->set, params); threshold_m > 0.0) {
      warnings.push_back(fmt::format("with --threshold {:.3f} all clips are in the graph", threshold_m));
    } else {
      warnings.push_back("clips that lead from one to the other (a start, a stop) may be missing");
    }
  }
  auto cut = nlohmann::ordered_json::array();
  for (const CutNode& node : built->cut) cut.push_back({{"clip", node.clip}, {"time_s", node.time_s}});
  report.json = {{"nodes", built->graph.node_count()},
                 {"links", built->graph.link_count()},
                 {"links_between", built->links_between},
                 {"matches", built->matches.list.size()},
                 {"pairs", built->matches.pairs},
                 {"compared", built->matches.compared},
                 {"cut", std::move(cut)},
                 {"warnings", warnings}};
  report.text =
      fmt::format("{}: {} nodes, {} links, {} of them change over; {} keyframes cut as dead ends\n", options.out,
                  built->graph.node_count(), built->graph.link_count(), built->links_between, built->cut.size());
  for (const auto& warning : warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

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

Result<Report> plan(const GraphOptions& options) {
  const auto file = open_graph(options.file);
  if (!file) return std::unexpected(file.error());
  const MotionGraph& graph = file->graph;
  const auto plan = plan_of(graph, options);
  if (!plan) return std::unexpected(plan.error());

  Report report;
  auto path = nlohmann::ordered_json::array(), links = path, steps = path;
  for (const NodeIndex node : plan->nodes) path.push_back(graph.node(node).id);
  for (const PlanStep& step : plan->steps) {
    const Link& link = graph.link(step.link);
    links.push_back(link.id);
    steps.push_back({{"link", link.id},
                     {"from", graph.node(link.from).id},
                     {"to", graph.node(link.to).id},
                     {"begin_s", step.begin_s},
                     {"time_s", step.time_s},
                     {"hurry", step.hurry},
                     {"weight", step.weight}});
    report.text += fmt::format("{:8.3f} s  {} -> {}  {:.3f} s  hurry {:3}  weight {:.4f}\n", step.begin_s,
                               graph.node(link.from).id, graph.node(link.to).id, step.time_s, step.hurry, step.weight);
  }
  report.json = {{"path", std::move(path)}, {"links", std::move(links)}};
  report.json["duration_s"] = plan->reachable ? nlohmann::ordered_json(plan->duration_s) : nullptr;
  report.json["weight"] = plan->reachable ? nlohmann::ordered_json(plan->weight) : nullptr;
  report.json["reachable"] = plan->reachable;
  report.json["steps"] = std::move(steps);
  report.json["warnings"] = file->warnings;
  report.text += plan->reachable ? fmt::format("{} links, {:.3f} s, weight {:.4f}\n", plan->steps.size(),
                                               plan->duration_s, plan->weight)
                                 : fmt::format("{} cannot be reached from {}\n", options.to, options.from);
  for (const auto& warning : file->warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

Result<draw::Canvas> figure_of(const GraphFile& file, const GraphOptions& options, std::vector<std::string>& warnings) {
  const auto from = begin_of(file.graph, options.from);
  if (!from) return fail(from.error().code, "{}: --from: {}", options.file, from.error().message);
  const auto to = find_nodes(file.graph, options.to);
  if (!to) return fail(to.error().code, "{}: --to: {}", options.file, to.error().message);
  const auto opened = open_graph_clips(file.graph, options.file, options.input, options.as_captured);
  if (!opened) return std::unexpected(opened.error());
  warnings.insert(warnings.end(), opened->set.warnings.begin(), opened->set.warnings.end());
  const PlayedWay way{*from, *to, options.duration_s};
  return options.strip ? draw_way_strip(file.graph, opened->set, way, options.hurry)
                       : draw_way_speeds(file.graph, opened->set, way, options.speeds);
}

Result<Report> show(const GraphOptions& options) {
  const auto file = open_graph(options.file);
  if (!file) return std::unexpected(file.error());
  const auto format = draw::format_of(options.out);
  if (!format) return std::unexpected(format.error());
  std::vector<std::string> warnings = file->warnings;
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
                 {"warnings", warnings}};
  report.text = fmt::format("{}\n", options.out);
  for (const auto& warning : warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

void add_way(CLI::App& verb, GraphOptions& options, bool required) {
  auto* from = verb.add_option("--from", options.from, "Where the character is: a node's id or name");
  auto* to = verb.add_option("--to", options.to, "What it shall become: ids or names, separated by commas");
  if (required) from->required(), to->required();
  verb.add_option("--hurry", options.hurry, "How hurried, 0 to 100; the shortest time when left out")
      ->transform(whole_number(0, kMaxHurry));
}

void add_clip_options(CLI::App& verb, GraphOptions& options) {
  verb.add_flag("--as-captured", options.as_captured,
                "Leave the clips as they are: do not repair broken samples, do not keep sliding feet");
  add_input_options(verb, options.input);
}

/// One command without a commands file.
void add_order(CLI::App& verb, CLI::Option& commands, PlayOrder& order) {
  const auto add = [&](auto* option) { return option->excludes(&commands); };
  add(verb.add_option("--start", order.start, "Where the character begins: a node's id or name; the first node"));
  auto* to = add(verb.add_option("--to", order.to, "What it is told to become: ids or names, separated by commas"));
  add(verb.add_option("--at", order.at_s, "When it is told, seconds"))
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  auto* hurry = add(verb.add_option("--hurry", order.hurry, "How hurried, 0 to 100; the shortest time when left out"));
  hurry->transform(whole_number(0, kMaxHurry))->needs(to);
  auto* ahead = add(verb.add_option("--ahead", order.ahead_m, "How far ahead the target shall be met, metres"));
  ahead->check(CLI::Range(0.0, 1000.0))->needs(to)->excludes(hurry);
  add(verb.add_option("--reach", order.reach, "Where the target shall be met: X,Z or X,Z,DEGREES about +Y"))
      ->delimiter(',')
      ->check(CLI::Range(-1e6, 1e6))
      ->expected(2, 3)
      ->needs(to)
      ->excludes(hurry)
      ->excludes(ahead);
  add(verb.add_option("--impossible", order.impossible, "Nodes that cannot be taken from then on"));
  add(verb.add_option("--duration", order.duration_s, "How long to play, seconds; until the place is reached, or 2 s"))
      ->check(CLI::Range(0.0, 86400.0));
}

}  // namespace

void add_graph(CLI::App& app, Job& job) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* verb =
      app.add_subcommand("graph", "Motion graphs: link clips where they are alike, plan with a hurry value, play");
  verb->require_subcommand(1);

  CLI::App* building = verb->add_subcommand("build", "Find links between clips and write a graph");
  building->add_option("clips", options->clips, "Motions; those of other bodies are retargeted onto that of the first")
      ->required();
  building->add_option("-o,--output", options->out, "Graph to write, .json")->required();
  building
      ->add_option("--threshold", options->build.match.threshold_m,
                   "Largest distance of two postures that are linked, metres")
      ->check(positive_number())
      ->capture_default_str();
  building->add_option("--window", options->build.match.window_s, "Length of the motion that is compared, seconds")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  building->add_option("--node-step", options->build.node_step_s, "A keyframe each so many seconds")
      ->check(positive_number())
      ->capture_default_str();
  building->add_flag("--extremal", options->extremal, "Keyframes where the posture changes fastest or slowest instead");
  building
      ->add_option("--calm", options->build.calm_hurry,
                   "Hurry value of links that play a clip on; 0: they weigh their time alone")
      ->transform(whole_number(0, kMaxHurry))
      ->capture_default_str();
  building
      ->add_option("--most", options->build.most_hurry,
                   "Hurry value of the largest change of speed; above it more hurry is hardly ever slower")
      ->transform(whole_number(1, kMaxHurry))
      ->capture_default_str();
  building->add_flag("--any-feet", options->any_feet, "Link also where other feet stand");
  add_clip_options(*building, *options);
  building->callback([options, &job] { job = [options] { return build(*options); }; });

  CLI::App* planning = verb->add_subcommand("plan", "The way from one node to others, explained link by link");
  planning->add_option("graph_file", options->file, "Graph, .json")->required();
  add_way(*planning, *options, true);
  planning->callback([options, &job] { job = [options] { return plan(*options); }; });

  CLI::App* playing = verb->add_subcommand("play", "Play a graph under commands and write the motion");
  playing->add_option("graph_file", options->file, "Graph, .json")->required();
  auto* commands = playing->add_option("commands_file", options->commands, "Commands, .json");
  playing->add_option("-o,--output", options->out, "Motion to write")->required();
  add_order(*playing, *commands, options->order);
  auto* upper =
      playing->add_option("--upper-graph", options->upper_file, "Graph that the upper body follows on its own, .json");
  playing->add_option("--upper-commands", options->upper_commands, "Commands for the upper body, .json")->needs(upper);
  upper->needs("--upper-commands");
  add_clip_options(*playing, *options);
  playing->callback([options, &job] {
    if (options->commands.empty() && options->order.to.empty() && options->order.impossible.empty()) {
      throw CLI::ValidationError("commands_file", "is needed, or --to, or --impossible");
    }
    if (options->order.reach.size() == 3 && std::abs(options->order.reach[2]) > 360.0) {
      throw CLI::ValidationError("--reach", fmt::format("{} degrees, expected -360 to 360", options->order.reach[2]));
    }
    job = [options] {
      return play_graph({options->file, options->commands, script_of(options->order)},
                        {options->upper_file, options->upper_commands, {}}, options->out, options->input,
                        options->as_captured);
    };
  });

  CLI::App* showing = verb->add_subcommand("show", "Draw a graph, and the way through it, as SVG or PNG");
  showing->add_option("graph_file", options->file, "Graph, .json")->required();
  showing->add_option("-o,--output", options->out, "Picture to write, .svg or .png")->required();
  add_way(*showing, *options, false);
  auto* strip = showing->add_flag("--strip", options->strip, "Postures on the way instead of the graph");
  strip->needs("--from")->needs("--to");
  showing
      ->add_option("--speeds", options->speeds, "Speed over time for these hurry values instead, separated by commas")
      ->delimiter(',')
      ->transform(whole_number(0, kMaxHurry))
      ->excludes(strip)
      ->needs("--from")
      ->needs("--to");
  showing->add_option("--duration", options->duration_s, "Seconds that --strip and --speeds show")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  add_clip_options(*showing, *options);
  showing->callback([options, &job] { job = [options] { return show(*options); }; });
  verb->footer(
      "Examples:\n"
      "  shosa graph build walk.bvh run.bvh -o moves.json\n"
      "  shosa graph plan moves.json --from 0 --to run --hurry 70\n"
      "  shosa graph play moves.json commands.json -o played.bvh\n"
      "  shosa graph play moves.json -o stopped.bvh --to stand --ahead 1\n"
      "  shosa graph show moves.json -o moves.svg --from 0 --to run --hurry 70");
}

}  // namespace shosa::cli
