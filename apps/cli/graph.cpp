#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "graph_options.h"
#include "library_options.h"
#include "shosa/core/angles.h"
#include "write_picture.h"

namespace shosa::cli {
namespace {

using namespace shosa::graph;

void add_way(CLI::App& verb, GraphOptions& options, bool required) {
  auto* from = verb.add_option("--from", options.from, "Where the character is: a node's id or name");
  auto* to = verb.add_option("--to", options.to, "What it shall become: ids or names, separated by commas");
  if (required) from->required(), to->required();
  verb.add_option("--hurry", options.hurry, "How hurried, 0 to 100; the shortest time when left out")
      ->transform(whole_number(0, kMaxHurry));
}

void add_clip_options(CLI::App& verb, GraphOptions& options) {
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

documents::PlayScript script_of(const PlayOrder& order) {
  documents::PlayScript script;
  script.start = order.start;
  script.duration_s = order.duration_s;
  documents::PlayCommand& command = script.commands.emplace_back();
  command.at_s = order.at_s;
  if (!order.to.empty()) command.to = {order.to};
  if (!order.impossible.empty()) command.impossible = {order.impossible};
  command.hurry = order.hurry;
  command.ahead_m = order.ahead_m;
  command.heading_matters = order.reach.size() == 3;
  if (order.reach.size() >= 2) {
    const double heading_deg = command.heading_matters ? order.reach[2] : 0.0;
    command.place = {order.reach[0], order.reach[1], heading_deg * kRadPerDeg};
  }
  return script;
}

}  // namespace

void add_graph(CLI::App& app, Job& job) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* verb =
      app.add_subcommand("graph", "Motion graphs: link clips where they are alike, plan with a hurry value, play");
  verb->require_subcommand(1);

  CLI::App* building = verb->add_subcommand("build", "Find links between clips and write a graph");
  building->add_option("clips", options->clips, "Motions; those of other bodies are retargeted onto that of the first");
  add_output(*building, options->out, "Graph to write, .json");
  building
      ->add_option("--threshold", options->threshold,
                   fmt::format("Largest distance of two postures that are linked, metres [{}]; auto: the least from "
                               "there on with which as many clips as can be are in the graph",
                               options->build.match.threshold_m))
      ->check(positive_number() | CLI::IsMember({"auto"}));
  building->add_option("--name", options->names, "What the nodes of a clip are called: run=16_35.bvh (its file's name)")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
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
  auto from = std::make_shared<FromLibrary>();
  add_from_library(*building, *from);
  building->callback([options, from, &job] {
    if (options->clips.empty() && from->folder.empty())
      throw CLI::ValidationError("clips", "are needed, or --from-library");
    if (!options->threshold.empty() && options->threshold != "auto")
      options->build.match.threshold_m = std::stod(options->threshold);
    job = [options, from]() -> Result<Report> {
      const auto more = files_from_library(*from);
      if (!more) return std::unexpected(more.error());
      options->clips.insert(options->clips.end(), more->begin(), more->end());
      return build_graph_file(*options);
    };
  });

  CLI::App* planning = verb->add_subcommand("plan", "The way from one node to others, explained link by link");
  planning->add_option("graph_file", options->file, "Graph, .json")->required();
  add_way(*planning, *options, true);
  planning->callback([options, &job] { job = [options] { return plan_way(*options); }; });

  CLI::App* playing = verb->add_subcommand("play", "Play a graph under commands and write the motion");
  playing->add_option("graph_file", options->file, "Graph, .json")->required();
  auto* commands = playing->add_option("commands_file", options->commands, "Commands, .json");
  add_output(*playing, options->out);
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
                        {options->upper_file, options->upper_commands, {}}, options->out, options->input);
    };
  });

  CLI::App* walking = verb->add_subcommand("walk", "Play a graph along links taken at random and write the motion");
  walking->add_option("graph_file", options->file, "Graph, .json")->required();
  add_output(*walking, options->out);
  walking->add_option("--seconds", options->seconds, "How long")->check(CLI::Range(0.1, 3600.0))->capture_default_str();
  walking->add_option("--seed", options->seed, "Another number, another way")->capture_default_str();
  walking->add_option("--start", options->order.start, "Where it begins: a node's id or name; the first node");
  add_clip_options(*walking, *options);
  walking->callback([options, &job] { job = [options] { return walk_graph(*options); }; });

  CLI::App* previewing = verb->add_subcommand("preview", "Write one change-over, and what is before and after it");
  previewing->add_option("graph_file", options->file, "Graph, .json")->required();
  previewing->add_option("link", options->link, "Id of the link")->required();
  add_output(*previewing, options->out);
  previewing->add_option("--picture", options->picture, "Also its postures, .png or .svg")->check(picture_file());
  add_clip_options(*previewing, *options);
  previewing->callback([options, &job] { job = [options] { return preview_link(*options); }; });

  CLI::App* showing = verb->add_subcommand("show", "Draw a graph, and the way through it, as SVG or PNG");
  showing->add_option("graph_file", options->file, "Graph, .json")->required();
  add_output(*showing, options->out, "Picture to write, .svg or .png");
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
  showing->callback([options, &job] { job = [options] { return show_graph(*options); }; });
  verb->footer(
      "Examples:\n"
      "  shosa graph build walk.bvh run.bvh -o moves.json\n"
      "  shosa graph build 16_15.bvh 16_35.bvh --name walk=16_15.bvh --name run=16_35.bvh --threshold auto -o "
      "moves.json\n"
      "  shosa graph plan moves.json --from 0 --to run --hurry 70\n"
      "  shosa graph play moves.json commands.json -o played.bvh\n"
      "  shosa graph play moves.json -o stopped.bvh --to stand --ahead 1\n"
      "  shosa graph walk moves.json -o wanders.bvh --seconds 30 --seed 7\n"
      "  shosa graph preview moves.json 12 -o link.bvh --picture link.png\n"
      "  shosa graph show moves.json -o moves.svg --from 0 --to run --hurry 70");
}

}  // namespace shosa::cli
