#include <CLI/CLI.hpp>
#include <memory>

#include "input.h"
#include "shosa/analysis/core_interval.h"
#include "shosa/analysis/cycle.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/analysis/on_the_spot.h"
#include "verb.h"

namespace shosa::cli {

namespace {

using nlohmann::ordered_json;

struct AnalyzeOptions {
  std::string file;
  InputOptions input;
};

ordered_json intervals_json(const std::vector<TimeInterval>& intervals) {
  ordered_json list = ordered_json::array();
  for (const TimeInterval& interval : intervals) list.push_back({interval.begin_s, interval.end_s});
  return list;
}

std::string intervals_text(const std::vector<TimeInterval>& intervals) {
  std::string text;
  for (const TimeInterval& interval : intervals)
    text += fmt::format(" {:.3f}-{:.3f}", interval.begin_s, interval.end_s);
  return text.empty() ? " none" : text;
}

// Hind feet of a quadruped stand for left and right, so that every body has the two.
ordered_json contacts_json(const analysis::FootContacts& contacts) {
  ordered_json json = {{"left", ordered_json::array()}, {"right", ordered_json::array()}};
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    json[foot.points.name] = intervals_json(foot.joined);
    json[foot.points.name + "_heel"] = intervals_json(foot.heel);
    json[foot.points.name + "_toes"] = intervals_json(foot.toe);
    if (foot.points.name == "hind_left") json["left"] = json[foot.points.name];
    if (foot.points.name == "hind_right") json["right"] = json[foot.points.name];
  }
  return json;
}

Result<Report> analyze(const AnalyzeOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const Clip& clip = opened->clip();
  const analysis::StudiedClip studied = opened->study();
  const analysis::FootContacts& contacts = studied.contacts();

  // A body without feet still has a speed and a core.
  if (const auto feet = studied.needs_feet(); !feet)
    opened->motion.warnings.push_back(fmt::format("{}: {}", options.file, feet.error().message));
  const auto cycle = analysis::find_cycle(studied);
  if (!cycle) return std::unexpected(cycle.error());
  const auto core = analysis::suggest_core(studied, *cycle);
  if (!core) return std::unexpected(core.error());
  const double speed = analysis::root_speed_mps(studied.root());
  const auto flights = contacts.feet.empty()
                           ? std::vector<TimeInterval>{}
                           : analysis::flight_intervals(contacts, {0.0, clip.last_time_s()}, 1.5 * clip.frame_time_s());
  if (!contacts.feet.empty() && !options.input.fps_is) {
    const auto fall = analysis::check_free_fall(studied);
    if (fall.rate_is_suspect) opened->motion.warnings.push_back(fmt::format("{}: {}", options.file, fall.warning));
  }

  if (analysis::moves_on_the_spot(studied)) {
    opened->motion.warnings.push_back(fmt::format(
        "{}: the body steps on the spot; contacts, flights and cycle need feet that stand still", options.file));
  }

  Report report;
  report.json = {{"contacts", contacts_json(contacts)},
                 {"core", {core->time.begin_s, core->time.end_s}},
                 {"root_speed_mps", speed},
                 {"cycle", {{"found", cycle->found}, {"begin_s", cycle->begin_s}, {"end_s", cycle->end_s}}},
                 {"flights", intervals_json(flights)},
                 {"ground_m", contacts.ground_m}};
  report.notes = std::move(opened->motion.warnings);
  report.text = fmt::format("{}: {} frames, {:.3f} s\n", options.file, clip.frame_count(), clip.duration_s());
  for (const auto& foot : contacts.feet) {
    report.text += fmt::format("  {} stands{}\n", foot.points.name, intervals_text(foot.joined));
  }
  report.text += fmt::format("  flight{}\n  core {:.3f}-{:.3f} s\n  root speed {:.3f} m/s\n", intervals_text(flights),
                             core->time.begin_s, core->time.end_s, speed);
  report.text += cycle->found ? fmt::format("  cycle {:.3f}-{:.3f} s\n", cycle->begin_s, cycle->end_s) : "  no cycle\n";
  return report;
}

}  // namespace

void add_analyze(CLI::App& app, Job& job) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* verb = app.add_subcommand("analyze", "Find foot contacts, core interval, root speed and cycle");
  verb->add_option("clip_file", options->file, "Motion to analyse")->required();
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa analyze walk.bvh\n"
      "  shosa analyze 02_01.bvh --as-captured --json");
  verb->callback([options, &job] { job = [options] { return analyze(*options); }; });
}

}  // namespace shosa::cli
