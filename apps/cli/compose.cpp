#include "shosa/blend/compose.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "compose_score.h"
#include "demo/composition_picture.h"
#include "input.h"
#include "shosa/io/atomic_file.h"
#include "shosa/retarget/retarget.h"
#include "verb.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct ComposeOptions {
  std::string score, out, report, picture;
  std::string method = "optimal";
  std::optional<double> smoothness;
};

// The motions of a score, on the skeleton and at the rate of the first.
struct Stage {
  io::MotionFile first;
  std::vector<blending::ScoreMotion> motions;
  std::vector<std::string> names;
  std::vector<std::string> warnings;
};

Result<std::string> read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return fail(ErrorCode::cannot_read, "{}: cannot be read", path);
  return text.str();
}

// Contacts of the score replace those that were found, foot by foot.
Result<std::optional<analysis::FootContacts>> edited_contacts(const ScoreLine& line, const Clip& clip,
                                                              const BodyMap& map) {
  if (line.contacts.empty()) return std::optional<analysis::FootContacts>();
  auto contacts = analysis::find_foot_contacts(clip, map);
  if (!contacts) return std::unexpected(contacts.error());
  for (const auto& [name, intervals] : line.contacts) {
    const auto foot = std::ranges::find(contacts->feet, name, [](const auto& f) { return f.points.name; });
    if (foot == contacts->feet.end()) return fail(ErrorCode::bad_file, "there is no foot '{}'", name);
    foot->joined = foot->heel = foot->toe = intervals;
    if (foot->points.heel < 0) foot->heel.clear();
    if (foot->points.toe < 0) foot->toe.clear();
    foot->stances.clear();
    for (const TimeInterval& interval : intervals) foot->stances.push_back({interval, contacts->ground_m});
  }
  return std::optional(std::move(*contacts));
}

Result<void> add_line(Stage& stage, const Score& score, const ScoreLine& line, const std::string& file) {
  InputOptions input;
  input.clip = line.take;
  input.drop_tpose = true;
  auto opened = open_clip(file, input);
  if (!opened) return std::unexpected(opened.error());
  const auto in_file = [&](const Error& error) { return fail(error.code, "{}: {}", file, error.message); };
  Clip clip = opened->clip();
  BodyMap map = opened->motion.body_map;
  blending::MotionParams params{.core = line.core};
  auto contacts = edited_contacts(line, clip, map);
  if (!contacts) return in_file(contacts.error());
  params.contacts = std::move(*contacts);
  if (stage.motions.empty()) {
    stage.first = std::move(opened->motion);
    stage.first.clips = {clip};
  } else if (!same_skeleton(*stage.first.skeleton, clip.skeleton(), 1e-3)) {
    auto moved = retarget::retarget_motion(clip, map, stage.first.skeleton, stage.first.body_map,
                                           {.target_motion = &stage.first.clips.front()});
    if (!moved) return in_file(moved.error());
    stage.warnings.push_back(fmt::format("{}: retargeted onto the skeleton of {}", file, stage.names.front()));
    clip = std::move(moved->clip);
    map = stage.first.body_map;
    if (!params.contacts) params.contacts = std::move(moved->contacts);
  }
  const double fps = score.fps.value_or(stage.first.clips.front().fps());
  if (std::abs(clip.frame_time_s() * fps - 1.0) > 1e-6) {
    params.fps = fps;
    if (!stage.motions.empty() && !score.fps) {
      stage.warnings.push_back(fmt::format("{}: resampled from {:.6g} to {:.6g} fps", file, clip.fps(), fps));
    }
  }
  auto motion = blending::prepare_motion(clip, map, params);
  if (!motion) return in_file(motion.error());
  for (const auto& warning : (*motion)->warnings) stage.warnings.push_back(fmt::format("{}: {}", file, warning));
  stage.motions.push_back({*motion, line.at_s, line.keep_place});
  stage.names.push_back(file);
  return {};
}

nlohmann::ordered_json describe(const blending::Join& join, const Stage& stage, double dt, bool planned) {
  const blending::AddReport& report = join.report;
  nlohmann::ordered_json json = {{"from", join.from},
                                 {"to", join.to},
                                 {"from_clip", stage.names[static_cast<std::size_t>(join.from)]},
                                 {"to_clip", stage.names[static_cast<std::size_t>(join.to)]},
                                 {"executed", report.executed},
                                 {"reason", report.reason},
                                 {"earliest_s", report.earliest_s},
                                 {"method", nullptr},
                                 {"at_s", report.at_s},
                                 {"intervals", nlohmann::json::array()}};
  if (!report.executed || !planned) return json;
  json["method"] = method_name(report.plan.choice.method);
  const auto add = [&](const blending::BlendInterval& interval) {
    json["intervals"].push_back({{"part", part_name(interval.part)},
                                 {"kind", kind_name(interval.kind)},
                                 {"begin_s", interval.frames.begin * dt},
                                 {"end_s", interval.frames.end * dt}});
  };
  add(report.plan.lower);
  add(report.plan.upper);
  if (report.plan.hold) add(*report.plan.hold);
  if (report.plan.step) add(*report.plan.step);
  return json;
}

Result<Report> compose_score(const ComposeOptions& options) {
  const auto text = read_text(options.score);
  if (!text) return std::unexpected(text.error());
  auto score = parse_score(*text, options.score);
  if (!score) return std::unexpected(score.error());
  if (options.smoothness) score->smoothness = *options.smoothness;
  Stage stage;
  for (const ScoreLine& line : score->motions) {
    const auto file = (std::filesystem::path(options.score).parent_path() / line.clip).string();
    if (const auto added = add_line(stage, *score, line, file); !added) return std::unexpected(added.error());
  }

  blending::ComposeParams params;
  params.plan.smoothness = score->smoothness;
  params.technique = *blending::find_technique(options.method);
  auto made = blending::compose(stage.motions, params);
  if (!made) return fail(made.error().code, "{}: {}", options.score, made.error().message);

  const double dt = made->clip.frame_time_s();
  const bool planned =
      params.technique == blending::Technique::optimal || params.technique == blending::Technique::constraint;
  Report report;
  report.json = {
      {"output", options.out},   {"technique", options.method},           {"frames", made->clip.frame_count()},
      {"fps", made->clip.fps()}, {"duration_s", made->clip.duration_s()}, {"transitions", nlohmann::json::array()}};
  report.text =
      fmt::format("{}: {} frames, {:.3f} s\n", options.out, made->clip.frame_count(), made->clip.duration_s());
  for (const blending::Join& join : made->joins) {
    report.json["transitions"].push_back(describe(join, stage, dt, planned));
    const auto& name = stage.names[static_cast<std::size_t>(join.to)];
    if (!join.report.executed) {
      stage.warnings.push_back(fmt::format("{}: not executed: {}; possible from {:.3f} s on", name, join.report.reason,
                                           join.report.earliest_s));
    } else {
      report.text += fmt::format("  {:.3f} s  {:24} {}\n", join.report.at_s,
                                 planned ? method_name(join.report.plan.choice.method) : options.method, name);
    }
  }
  report.json["warnings"] = stage.warnings;
  for (const auto& warning : stage.warnings) report.text += fmt::format("warning: {}\n", warning);

  if (!options.picture.empty()) {
    const auto drawn = demo::draw_composition(stage.motions, *made, params);
    if (!drawn) return std::unexpected(drawn.error());
    if (const auto written = write_picture(options.picture, *drawn); !written) return std::unexpected(written.error());
  }
  if (!options.report.empty()) {
    const auto written = io::write_file_atomically(options.report, report.json.dump(2) + "\n");
    if (!written) return std::unexpected(written.error());
  }
  made->clip.set_name(std::filesystem::path(options.score).stem().string());
  stage.first.clips = {std::move(made->clip)};
  if (const auto written = io::write_motion(options.out, stage.first); !written) {
    return std::unexpected(written.error());
  }
  return report;
}

}  // namespace

void add_compose(CLI::App& app, Job& job) {
  auto options = std::make_shared<ComposeOptions>();
  CLI::App* verb = app.add_subcommand("compose", "Join motions into one, as a score says");
  verb->add_option("score_file", options->score, "Score to play, .json")->required();
  verb->add_option("-o,--output", options->out, "Motion to write")->required();
  verb->add_option("--method", options->method, "optimal, or what it is compared with")
      ->check(CLI::IsMember({"optimal", "constraint", "pose", "inertial", "dead"}))
      ->capture_default_str();
  verb->add_option("--smoothness", options->smoothness, "0 is fast, 1 is smooth; instead of the score's")
      ->check(CLI::Range(0.0, 1.0));
  verb->add_option("--report", options->report, "File for the JSON report");
  verb->add_option("--picture", options->picture,
                   "Time line of cores, contacts and blends with the speeds of three techniques, .png or .svg");
  verb->footer(
      "Examples:\n"
      "  shosa compose score.json -o dance.bvh\n"
      "  shosa compose score.json -o dance.bvh --method pose --picture dance.png --json");
  verb->callback([options, &job] { job = [options] { return compose_score(*options); }; });
}

}  // namespace shosa::cli
