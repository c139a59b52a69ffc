#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "demo/graph_picture.h"
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
  std::string from, to;
  int hurry = kNoHurry;
  bool extremal = false, any_feet = false;
  BuildParams build;
  InputOptions input;
};

Result<std::string> text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) return fail(ErrorCode::cannot_read, "{}: cannot be read", path);
  return text.str();
}

Result<GraphFile> open_graph(const std::string& path) {
  const auto text = text_of(path);
  if (!text) return std::unexpected(text.error());
  return parse_graph(*text, path);
}

/// The clips, each under the name that the graph has for it.
struct Opened {
  MotionSet set;
  io::MotionFile first;  ///< For writing back in its form.
};
Result<Opened> open_set(const std::vector<std::string>& names, const std::filesystem::path& folder,
                        const InputOptions& input) {
  std::vector<NamedClip> clips;
  std::optional<io::MotionFile> first;
  for (const std::string& name : names) {
    const std::filesystem::path path =
        std::filesystem::path(name).is_absolute() ? std::filesystem::path(name) : folder / name;
    auto opened = open_clip(path.string(), input);
    if (!opened) return std::unexpected(opened.error());
    clips.push_back({name, opened->clip()});
    if (!first) first = std::move(opened->motion);
  }
  if (!first) return fail(ErrorCode::not_possible, "the graph has no clips: it can be planned, not played");
  auto set = make_motion_set(std::move(clips), first->body_map);
  if (!set) return std::unexpected(set.error());
  return Opened{std::move(*set), std::move(*first)};
}

Result<Report> build(const GraphOptions& options) {
  const auto folder = std::filesystem::absolute(options.out).parent_path();
  std::vector<std::string> names;
  for (const std::string& clip : options.clips) {
    names.push_back(std::filesystem::absolute(clip).lexically_normal().lexically_proximate(folder).generic_string());
  }
  auto opened = open_set(names, folder, options.input);
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
  auto cut = nlohmann::ordered_json::array();
  for (const CutNode& node : built->cut) cut.push_back({{"clip", node.clip}, {"time_s", node.time_s}});
  report.json = {{"nodes", built->graph.node_count()},
                 {"links", built->graph.link_count()},
                 {"links_between", built->links_between},
                 {"matches", built->matches.list.size()},
                 {"pairs", built->matches.pairs},
                 {"compared", built->matches.compared},
                 {"cut", std::move(cut)},
                 {"warnings", opened->set.warnings}};
  report.text =
      fmt::format("{}: {} nodes, {} links, {} of them change over; {} keyframes cut as dead ends\n", options.out,
                  built->graph.node_count(), built->graph.link_count(), built->links_between, built->cut.size());
  for (const auto& warning : opened->set.warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

Result<std::vector<NodeIndex>> node_list(const MotionGraph& graph, const std::string& text) {
  std::vector<NodeIndex> all;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto nodes = find_nodes(graph, part);
    if (!nodes) return nodes;
    all.insert(all.end(), nodes->begin(), nodes->end());
  }
  if (all.empty()) return fail(ErrorCode::not_possible, "no node is named ''");
  return all;
}

Result<Plan> plan_of(const MotionGraph& graph, const GraphOptions& options) {
  const auto from = node_list(graph, options.from);
  if (!from) return fail(from.error().code, "{}: --from: {}", options.file, from.error().message);
  const auto to = node_list(graph, options.to);
  if (!to) return fail(to.error().code, "{}: --to: {}", options.file, to.error().message);
  Planner planner(graph);
  return planner.plan(from->front(), {.targets = *to, .hurry = options.hurry});
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
  return report;
}

Result<Report> play(const GraphOptions& options) {
  const auto file = open_graph(options.file);
  if (!file) return std::unexpected(file.error());
  const auto text = text_of(options.commands);
  if (!text) return std::unexpected(text.error());
  const auto script = parse_play_script(*text, options.commands, file->graph);
  if (!script) return std::unexpected(script.error());
  auto opened = open_set(file->graph.clips(), std::filesystem::absolute(options.file).parent_path(), options.input);
  if (!opened) return std::unexpected(opened.error());
  auto player = Player::create(file->graph, opened->set, script->start, script->params);
  if (!player) return fail(player.error().code, "{}: {}", options.file, player.error().message);

  const int frames = std::max(1, static_cast<int>(std::lround(script->duration_s / script->params.frame_time_s)) + 1);
  Clip clip(opened->set.skeleton, frames, script->params.frame_time_s, opened->set.clips.front().clip.translated());
  clip.set_name("graph");
  auto path = nlohmann::ordered_json::array(), reached = path;
  Pose pose;
  std::size_t next = 0;
  LinkIndex link = kNoLink;
  bool on_the_way = false;
  for (int f = 0; f < frames; ++f) {
    const double now_s = f * script->params.frame_time_s;
    for (; next < script->commands.size() && script->commands[next].at_s <= now_s + 1e-9; ++next) {
      const TimedCommand& timed = script->commands[next];
      for (const NodeIndex node : timed.impossible) {
        if (const auto done = player->declare_impossible(node); !done) return std::unexpected(done.error());
      }
      if (timed.command.targets.empty()) continue;
      if (const auto done = player->command(timed.command); !done) return std::unexpected(done.error());
      on_the_way = true;
    }
    player->step(pose);
    clip.set_frame(f, pose);
    if (player->state().link != link) {
      link = player->state().link;
      path.push_back({{"at_s", now_s}, {"to", file->graph.node(player->next_node()).id}});
    }
    if (on_the_way && !player->state().commanded) {
      on_the_way = false;
      reached.push_back({{"at_s", now_s}, {"reached", !player->state().unreachable}});
    }
  }
  opened->first.clips = {std::move(clip)};
  if (const auto written = io::write_motion(options.out, opened->first); !written)
    return std::unexpected(written.error());
  Report report;
  report.json = {{"frames", frames},
                 {"fps", 1.0 / script->params.frame_time_s},
                 {"path", std::move(path)},
                 {"commands", std::move(reached)},
                 {"warnings", opened->set.warnings}};
  report.text = fmt::format("{}: {} frames, {} links played\n", options.out, frames, report.json["path"].size());
  return report;
}

Result<Report> show(const GraphOptions& options) {
  const auto file = open_graph(options.file);
  if (!file) return std::unexpected(file.error());
  std::optional<Plan> chosen;
  if (!options.from.empty() && !options.to.empty()) {
    auto plan = plan_of(file->graph, options);
    if (!plan) return std::unexpected(plan.error());
    chosen = std::move(*plan);
  }
  const auto format = draw::format_of(options.out);
  if (!format) return std::unexpected(format.error());
  const auto bytes = draw::encode(demo::draw_graph(file->graph, chosen ? &*chosen : nullptr), {.format = *format});
  if (!bytes) return std::unexpected(bytes.error());
  if (const auto written = io::write_file_atomically(options.out, *bytes); !written)
    return std::unexpected(written.error());
  Report report;
  report.json = {{"output", options.out},
                 {"nodes", file->graph.node_count()},
                 {"links", file->graph.link_count()},
                 {"warnings", file->warnings}};
  report.text = fmt::format("{}\n", options.out);
  return report;
}

void add_way(CLI::App& verb, GraphOptions& options, bool required) {
  auto* from = verb.add_option("--from", options.from, "Where the character is: a node's id or name");
  auto* to = verb.add_option("--to", options.to, "What it shall become: ids or names, separated by commas");
  if (required) from->required(), to->required();
  verb.add_option("--hurry", options.hurry, "How hurried, 0 to 100; the shortest time when left out")
      ->check(CLI::Range(0, kMaxHurry));
}

}  // namespace

void add_graph(CLI::App& app, Job& job) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* verb =
      app.add_subcommand("graph", "Motion graphs: link clips where they are alike, plan with a hurry value, play");
  verb->require_subcommand(1);

  CLI::App* building = verb->add_subcommand("build", "Find links between clips and write a graph");
  building->add_option("clips", options->clips, "Motions on one skeleton")->required();
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
  building->add_flag("--any-feet", options->any_feet, "Link also where other feet stand");
  add_input_options(*building, options->input);
  building->callback([options, &job] { job = [options] { return build(*options); }; });

  CLI::App* planning = verb->add_subcommand("plan", "The way from one node to others, explained link by link");
  planning->add_option("graph_file", options->file, "Graph, .json")->required();
  add_way(*planning, *options, true);
  planning->callback([options, &job] { job = [options] { return plan(*options); }; });

  CLI::App* playing = verb->add_subcommand("play", "Play a graph under commands and write the motion");
  playing->add_option("graph_file", options->file, "Graph, .json")->required();
  playing->add_option("commands_file", options->commands, "Commands, .json")->required();
  playing->add_option("-o,--output", options->out, "Motion to write")->required();
  add_input_options(*playing, options->input);
  playing->callback([options, &job] { job = [options] { return play(*options); }; });

  CLI::App* showing = verb->add_subcommand("show", "Draw a graph, and the way through it, as SVG or PNG");
  showing->add_option("graph_file", options->file, "Graph, .json")->required();
  showing->add_option("-o,--output", options->out, "Picture to write, .svg or .png")->required();
  add_way(*showing, *options, false);
  showing->callback([options, &job] { job = [options] { return show(*options); }; });
  verb->footer(
      "Examples:\n"
      "  shosa graph build walk.bvh run.bvh -o moves.json\n"
      "  shosa graph plan moves.json --from 0 --to run --hurry 70\n"
      "  shosa graph play moves.json commands.json -o played.bvh\n"
      "  shosa graph show moves.json -o moves.svg --from 0 --to run --hurry 70");
}

}  // namespace shosa::cli
