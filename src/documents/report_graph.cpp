// Graphs as they were built, planned and played, as JSON.

#include "documents/report_text.h"
#include "shosa/core/angles.h"
#include "shosa/documents/reports.h"

namespace shosa::documents {
namespace {

ReportJson commands_json(const std::vector<PlayedCommand>& commands) {
  ReportJson list = ReportJson::array();
  for (const PlayedCommand& command : commands) {
    ReportJson& entry = list.emplace_back();
    entry = {{"told_s", command.told_s}, {"at_s", nullptr}, {"reached", command.reached}};
    if (command.at_s) entry["at_s"] = *command.at_s;
    if (command.superseded) entry["superseded"] = true;
    if (!command.at_s) entry["unfinished"] = true;
    if (!command.met) continue;
    entry["place_m"] = {command.met->place.x_m, command.met->place.z_m};
    entry["wanted_m"] = {command.met->wanted.x_m, command.met->wanted.z_m};
    entry["heading_deg"] = command.met->place.heading_rad * kDegPerRad;
    entry["error_m"] = command.met->error_m;
    entry["heading_error_deg"] = command.met->heading_error_deg;
    entry["hurry"] = command.met->hurry;
    entry["stride"] = command.met->stride;
  }
  return list;
}

}  // namespace

std::string play_report(const PlayedGraph& played, const graph::MotionGraph& graph, bool with_upper) {
  const Clip& clip = played.motion.clips.front();
  ReportJson path = ReportJson::array();
  for (const auto& turn : played.path) {
    const graph::Node& node = graph.node(graph.find_node(turn.to));
    path.push_back({{"at_s", turn.at_s},
                    {"to", turn.to},
                    {"name", node.name},
                    {"clip", graph.clips()[node.clip]},
                    {"clip_time_s", node.time_s}});
  }
  ReportJson json = {{"frames", clip.frame_count()},
                     {"fps", clip.fps()},
                     {"path", std::move(path)},
                     {"commands", commands_json(played.commands)}};
  if (with_upper) json["upper_commands"] = commands_json(played.upper_commands);
  return report_text(json);
}

std::string link_report(const graph::LinkedGaits& linked, const graph::MotionSet& set) {
  ReportJson loops = ReportJson::array();
  for (std::size_t i = 0; i < linked.loops.size(); ++i) {
    const graph::GaitLoop& loop = linked.loops[i];
    loops.push_back({{"clip", set.clips[i].name},
                     {"begin_s", loop.time.begin_s},
                     {"end_s", loop.time.end_s},
                     {"speed_mps", loop.speed_mps},
                     {"cycle", loop.is_cycle}});
  }
  return report_text(
      {{"nodes", linked.graph.node_count()}, {"links", linked.graph.link_count()}, {"loops", std::move(loops)}});
}

std::string build_report(const graph::BuiltGraph& built, double threshold_m) {
  ReportJson cut = ReportJson::array();
  for (const graph::CutNode& node : built.cut) cut.push_back({{"clip", node.clip}, {"time_s", node.time_s}});
  return report_text({{"nodes", built.graph.node_count()},
                      {"links", built.graph.link_count()},
                      {"links_between", built.links_between},
                      {"threshold_m", threshold_m},
                      {"matches", built.matches.list.size()},
                      {"pairs", built.matches.pairs},
                      {"compared", built.matches.compared},
                      {"cut", std::move(cut)}});
}

std::string plan_report(const graph::MotionGraph& graph, const graph::Plan& plan) {
  ReportJson path = ReportJson::array(), links = path, steps = path;
  for (const graph::NodeIndex node : plan.nodes) path.push_back(graph.node(node).id);
  for (const graph::PlanStep& step : plan.steps) {
    const graph::Link& link = graph.link(step.link);
    links.push_back(link.id);
    steps.push_back({{"link", link.id},
                     {"from", graph.node(link.from).id},
                     {"to", graph.node(link.to).id},
                     {"begin_s", step.begin_s},
                     {"time_s", step.time_s},
                     {"hurry", step.hurry},
                     {"weight", step.weight}});
  }
  ReportJson json = {{"path", std::move(path)}, {"links", std::move(links)}};
  json["duration_s"] = plan.reachable ? ReportJson(plan.duration_s) : nullptr;
  json["weight"] = plan.reachable ? ReportJson(plan.weight) : nullptr;
  json["reachable"] = plan.reachable;
  json["steps"] = std::move(steps);
  return report_text(json);
}

}  // namespace shosa::documents
