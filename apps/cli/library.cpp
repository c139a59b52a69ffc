#include "shosa/library/library.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "library_options.h"
#include "progress.h"
#include "said_of.h"
#include "shosa/body/kind_name.h"

namespace shosa::cli {

namespace {

using nlohmann::ordered_json;

struct LibraryOptions {
  std::string folder, index, clip;
  library::FilterText filter;
  bool rebuild = false, contents = false;
};

ordered_json spans_json(const std::vector<TimeInterval>& list) {
  ordered_json json = ordered_json::array();
  for (const TimeInterval& interval : list) json.push_back({interval.begin_s, interval.end_s});
  return json;
}

Result<Report> index_library(const LibraryOptions& options) {
  library::IndexParams params{.index_file = options.index, .rebuild = options.rebuild};
  params.progress = [](std::size_t done, std::size_t total, const std::string& file) {
    Progress(total).show(done, file);
  };
  const auto made = library::index_folder(options.folder, params);
  if (!made) return std::unexpected(made.error());
  Report report;
  ordered_json broken = ordered_json::array();
  for (const library::BrokenFile& file : made->broken) {
    broken.push_back({{"file", file.file}, {"problem", file.problem}});
    report.notes.push_back(file.problem);
  }
  report.json = {{"index", made->index_file},  {"files", made->files},         {"clips", made->clips},
                 {"read", made->read},         {"unchanged", made->unchanged}, {"removed", made->removed},
                 {"broken", std::move(broken)}};
  report.text =
      fmt::format("{}: {} clips in {} files; {} read, {} unchanged, {} removed, {} broken\n", made->index_file,
                  made->clips, made->files, made->read, made->unchanged, made->removed, made->broken.size());
  return report;
}

Result<Report> list_library(const LibraryOptions& options) {
  const auto filter = library::parse_filter(options.filter);
  if (!filter) return std::unexpected(filter.error());
  const auto opened = library::Library::open(options.folder, options.index);
  if (!opened) return std::unexpected(opened.error());
  const auto clips = opened->clips(*filter);
  if (!clips) return std::unexpected(clips.error());
  Report report;
  report.json = {{"clips", ordered_json::array()}};
  for (const library::LibraryClip& clip : *clips) {
    report.json["clips"].push_back(describe_clip(clip));
    report.text += clip_line(clip);
  }
  report.text += fmt::format("{} clips\n", clips->size());
  return report;
}

Result<Report> show_library(const LibraryOptions& options) {
  const auto opened = library::Library::open(options.folder, options.index);
  if (!opened) return std::unexpected(opened.error());
  const auto clips = opened->clips({.file = options.clip});
  if (!clips) return std::unexpected(clips.error());
  if (clips->empty())
    return fail(ErrorCode::not_possible, "{}: is not in the index; shosa library list names what is", options.clip);
  Report report;
  report.json = {{"clips", ordered_json::array()}};
  for (const library::LibraryClip& clip : *clips) {
    const library::ClipFacts& facts = clip.facts;
    ordered_json json = describe_clip(clip);
    json["unit_m"] = facts.unit_m;
    json["hash"] = clip.hash;
    json["core"] = {facts.core.begin_s, facts.core.end_s};
    json["cycle"] = {{"found", facts.has_cycle()}, {"begin_s", facts.cycle.begin_s}, {"end_s", facts.cycle.end_s}};
    json["flights"] = spans_json(facts.flights);
    json["contacts"] = ordered_json::object();
    for (const library::NamedIntervals& foot : facts.contacts) json["contacts"][foot.name] = spans_json(foot.intervals);
    json["foot_skate_mps"] = facts.foot_skate_mps;
    json["penetration_m"] = facts.penetration_m;
    json["mean_jerk_mps3"] = facts.mean_jerk_mps3;
    json["peak_acceleration_mps2"] = facts.peak_acceleration_mps2;
    json["strip"] = facts.strip;
    report.json["clips"].push_back(std::move(json));
    report.text += fmt::format(
        "{}{}: {}, {} joints, {} frames at {:.6g} Hz, {:.3f} s\n  words {}\n  speed {:.3f} m/s, turns {:.0f} degrees, "
        "{} flights\n  core {:.3f}-{:.3f} s, {}\n  foot skate {:.4f} m/s, penetration {:.4f} m, jerk {:.1f} m/s^3\n",
        clip.file, facts.name.empty() ? "" : " (" + facts.name + ")", body::kind_name(facts.kind), facts.joints,
        facts.frames, facts.fps, facts.duration_s, clip.words, facts.root_speed_mps, facts.turn_deg,
        facts.flights.size(), facts.core.begin_s, facts.core.end_s,
        facts.has_cycle() ? fmt::format("cycle {:.3f}-{:.3f} s", facts.cycle.begin_s, facts.cycle.end_s) : "no cycle",
        facts.foot_skate_mps, facts.penetration_m, facts.mean_jerk_mps3);
    for (const std::string& warning : facts.warnings) report.notes.push_back(warning);
  }
  return report;
}

Result<Report> check_library(const LibraryOptions& options) {
  const auto problems = library::check_index(options.folder, options.index, options.contents);
  if (!problems) return std::unexpected(problems.error());
  Report report;
  report.json = {{"problems", ordered_json::array()}};
  for (const library::IndexProblem& problem : *problems) {
    report.json["problems"].push_back({{"file", problem.file}, {"message", problem.message}});
    report.text += said_of(problem.file, problem.message) + "\n";
  }
  if (problems->empty()) report.text = "the index is whole and up to date\n";
  if (!problems->empty()) report.failure = options.folder + ": " + counted(problems->size(), "problem");
  return report;
}

}  // namespace

nlohmann::ordered_json describe_clip(const library::LibraryClip& clip) {
  const library::ClipFacts& facts = clip.facts;
  return {{"file", clip.file},
          {"take", clip.take},
          {"name", facts.name},
          {"kind", body::kind_name(facts.kind)},
          {"joints", facts.joints},
          {"frames", facts.frames},
          {"fps", facts.fps},
          {"duration_s", facts.duration_s},
          {"words", clip.words},
          {"root_speed_mps", facts.root_speed_mps},
          {"turn_deg", facts.turn_deg},
          {"flight_s", facts.flight_s()},
          {"cycle_s", facts.cycle.length_s()}};
}

std::string take_name(const std::string& file, int take) {
  return take > 0 ? fmt::format("{} take {}", file, take) : file;
}

std::string clip_line(const library::LibraryClip& clip) {
  const library::ClipFacts& facts = clip.facts;
  return fmt::format("{:40} {:>9} {:7.2f} s {:6.2f} m/s {:>6.0f} deg  {}{}\n", take_name(clip.file, clip.take),
                     body::kind_name(facts.kind), facts.duration_s, facts.root_speed_mps, facts.turn_deg,
                     facts.has_cycle() ? "cycle " : "", facts.flights.empty() ? "" : "flight");
}

void add_library(CLI::App& app, Job& job) {
  CLI::App* verb = app.add_subcommand("library", "Index a folder of clips, and find motions in it");
  verb->require_subcommand(1);
  auto options = std::make_shared<LibraryOptions>();
  auto found = std::make_shared<FindOptions>();
  const auto add = [&](const char* name, const char* what, auto work) {
    CLI::App* part = verb->add_subcommand(name, what);
    part->add_option("folder", options->folder, "Folder of clips")->required();
    part->add_option("--index", options->index, "Index file (default: .shosa/index.db in the folder)");
    part->callback([options, &job, work] { job = [options, work] { return work(*options); }; });
    return part;
  };
  add("index", "Make the index, or bring it up to date", index_library)
      ->add_flag("--rebuild", options->rebuild, "Begin with an empty index");
  add_library_filter(*add("list", "Name the clips of an index", list_library), options->filter);
  add("show", "All that is known of a clip", show_library)
      ->add_option("clip_file", options->clip, "File in the index, as list names it")
      ->required();
  add("check", "Compare an index with its folder", check_library)
      ->add_flag("--contents", options->contents, "Read every file, not only its size and time");
  CLI::App* find = verb->add_subcommand("find", "Find clips by words, by facts, or by example");
  add_find_options(*find, *found);
  find->callback([found, &job] { job = [found] { return find_in_library(*found); }; });
  verb->footer(
      "Examples:\n"
      "  shosa library index clips\n"
      "  shosa library find clips --words \"walk slow\" --speed 1.2:1.8\n"
      "  shosa library find clips --like walk.bvh@1.2 --picture sheet.png");
}

}  // namespace shosa::cli
