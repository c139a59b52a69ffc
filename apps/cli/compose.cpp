#include "shosa/blend/compose.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "demo/composition_picture.h"
#include "input.h"
#include "shosa/documents/score_stage.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/read_text.h"
#include "verb.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct ComposeOptions {
  std::string score, out, report, picture;
  std::string method = "optimal";
  std::optional<double> smoothness;
  bool no_bridge = false;
  InputOptions input;
};

// Outputs that would overwrite each other or what they are made of.
Result<void> check_outputs(const ComposeOptions& options, const std::vector<std::string>& clips) {
  const auto canonical = [](const std::string& name) {
    std::error_code error;
    return std::filesystem::weakly_canonical(name, error);
  };
  std::vector<std::string> outputs;
  for (const std::string& name : {options.out, options.report, options.picture}) {
    if (name.empty()) continue;
    for (const std::string& other : outputs) {
      if (canonical(name) == canonical(other))
        return fail(ErrorCode::invalid_argument, "{}: two outputs have this name", name);
    }
    if (canonical(name) == canonical(options.score))
      return fail(ErrorCode::invalid_argument, "{}: is the score, expected another name for an output", name);
    for (const std::string& clip : clips) {
      if (canonical(name) == canonical(clip))
        return fail(ErrorCode::invalid_argument, "{}: is a clip of the score, expected another name for an output",
                    name);
    }
    outputs.push_back(name);
  }
  return {};
}

nlohmann::ordered_json describe(const blend::Join& join, const documents::Stage& stage, double dt, bool planned) {
  const blend::AddReport& report = join.report;
  nlohmann::ordered_json json = {{"from", join.from},
                                 {"to", join.to},
                                 {"from_clip", stage.names[static_cast<std::size_t>(join.from)]},
                                 {"to_clip", stage.names[static_cast<std::size_t>(join.to)]},
                                 {"executed", report.executed},
                                 {"reason", report.reason},
                                 {"earliest_s", report.earliest_s},
                                 {"method", nullptr},
                                 {"bridged", false},
                                 {"at_s", report.at_s},
                                 {"intervals", nlohmann::json::array()}};
  if (!report.executed || !planned) return json;
  json["method"] = method_name(report.plan.by_contacts);
  json["bridged"] = report.plan.choice.method == blend::Method::bridge;
  const auto add = [&](const blend::BlendInterval& interval) {
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

// What of each clip was kept, and where its first frame came to be.
nlohmann::ordered_json describe_motions(const documents::Stage& stage, const blend::Composition& made) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (std::size_t i = 0; i < stage.motions.size(); ++i) {
    const blend::Motion& motion = *stage.motions[i].motion;
    const double dt = motion.clip().frame_time_s();
    nlohmann::ordered_json at = stage.motions[i].at_s.value_or(0.0);
    for (const blend::Join& join : made.joins) {
      if (static_cast<std::size_t>(join.to) != i) continue;
      at = join.report.executed ? nlohmann::ordered_json(join.report.at_s) : nlohmann::ordered_json(nullptr);
    }
    list.push_back({{"clip", stage.names[i]}, {"at_s", at}, {"core", {motion.core.begin * dt, motion.core.end * dt}}});
  }
  return list;
}

Result<Report> compose_score(const ComposeOptions& options) {
  const auto text = io::read_text(options.score);
  if (!text) return std::unexpected(text.error());
  auto score = documents::parse_score(*text, options.score);
  if (!score) return std::unexpected(score.error());
  if (options.smoothness) score->smoothness = *options.smoothness;
  auto staged = documents::read_stage(*score, options.score, options.input);
  if (!staged) return std::unexpected(staged.error());
  documents::Stage& stage = *staged;
  if (const auto ok = check_outputs(options, stage.names); !ok) return std::unexpected(ok.error());

  blend::ComposeParams params;
  params.plan.smoothness = score->smoothness;
  params.plan.bridge = score->bridge && !options.no_bridge;
  params.technique = *blend::find_technique(options.method);
  auto made = blend::compose(stage.motions, params);
  if (!made) return fail(made.error().code, "{}: {}", options.score, made.error().message);

  if (!stage.layers.empty()) {
    for (std::size_t i = 0; i < stage.layers.size(); ++i) stage.layers[i].clip = &stage.layer_clips[i];
    auto layered = blend::apply_layers(made->clip, stage.layers);
    if (!layered) return fail(layered.error().code, "{}: {}", options.score, layered.error().message);
    made->clip = std::move(*layered);
  }
  const double dt = made->clip.frame_time_s();
  const bool planned =
      params.technique == blend::Technique::optimal || params.technique == blend::Technique::constraint;
  Report report;
  report.json = {
      {"output", options.out},   {"technique", options.method},           {"frames", made->clip.frame_count()},
      {"fps", made->clip.fps()}, {"duration_s", made->clip.duration_s()}, {"transitions", nlohmann::json::array()}};
  report.text =
      fmt::format("{}: {} frames, {:.3f} s\n", options.out, made->clip.frame_count(), made->clip.duration_s());
  for (const blend::Join& join : made->joins) {
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
  report.json["motions"] = describe_motions(stage, *made);
  report.json["warnings"] = stage.warnings;
  for (const auto& warning : stage.warnings) report.text += fmt::format("warning: {}\n", warning);

  std::optional<draw::Canvas> picture;
  if (!options.picture.empty()) {
    auto drawn = demo::draw_composition(stage.motions, *made, params);
    if (!drawn) return std::unexpected(drawn.error());
    picture = std::move(*drawn);
  }
  // The motion first: a report of something that could not be written would mislead.
  made->clip.set_name(std::filesystem::path(options.score).stem().string());
  stage.first.clips = {std::move(made->clip)};
  if (const auto written = io::write_motion(options.out, stage.first); !written)
    return std::unexpected(written.error());
  if (picture) {
    if (const auto written = write_picture(options.picture, *picture); !written)
      return std::unexpected(written.error());
  }
  if (!options.report.empty()) {
    const auto written = io::write_file_atomically(options.report, report.json.dump(2) + "\n");
    if (!written) return std::unexpected(written.error());
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
  verb->add_flag("--no-bridge", options->no_bridge, "Gaps between clips as the method has them, without bridging");
  verb->add_option("--report", options->report, "File for the JSON report");
  verb->add_option("--picture", options->picture,
                   "Time line of cores, contacts and blends with the speeds of three techniques, .png or .svg")
      ->check(picture_file());
  add_input_options(*verb, options->input, false);
  verb->footer(
      "Examples:\n"
      "  shosa compose score.json -o dance.bvh\n"
      "  shosa compose score.json -o dance.bvh --method pose --picture dance.png --json");
  verb->callback([options, &job] { job = [options] { return compose_score(*options); }; });
}

}  // namespace shosa::cli
