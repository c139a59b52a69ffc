#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "input.h"
#include "shosa/shosa.h"
#include "verb.h"

namespace shosa::cli {

namespace {

struct RetargetOptions {
  std::string file, onto, out;
  InputOptions input, onto_input;
  retarget::RetargetParams params;
  bool loose_feet = false;
  bool loose_hands = false;
};

Report make_report(const RetargetOptions& options, const retarget::RetargetResult& result, const Skeleton& source,
                   const Skeleton& target, std::vector<std::string> warnings) {
  Report report;
  nlohmann::ordered_json roles = nlohmann::ordered_json::object();
  for (const retarget::RolePair& pair : result.pairs) {
    roles[std::string(role_name(pair.role))] = {{"source", source.name(pair.source)},
                                                {"target", target.name(pair.target)}};
  }
  report.json = {{"input", options.file},
                 {"output", options.out},
                 {"frames", result.clip.frame_count()},
                 {"fps", result.clip.fps()},
                 {"roles", std::move(roles)},
                 {"scale", result.scale},
                 {"foot_skate_mps", result.quality.foot_skate_mps},
                 {"penetration_m", result.quality.penetration_m},
                 {"stances", result.held_stances},
                 {"touches", result.held_touches},
                 {"max_foot_error_m", result.max_foot_error_m},
                 {"warnings", warnings}};
  report.text += fmt::format(
      "{}: {} frames at {:.6g} fps, {} roles, size {:.3f} of the source\n  foot skate         {:.4f} m/s\n"
      "  penetration        {:.4f} m\n",
      options.out, result.clip.frame_count(), result.clip.fps(), result.pairs.size(), result.scale,
      result.quality.foot_skate_mps, result.quality.penetration_m);
  return report;
}

Result<Report> retarget_clip(const RetargetOptions& options) {
  auto source = open_clip(options.file, options.input);
  if (!source) return std::unexpected(source.error());
  InputOptions onto = options.onto_input;
  onto.as_captured = options.input.as_captured;
  onto.drop_tpose = options.input.drop_tpose;
  auto target = read_input(options.onto, onto);
  if (!target) return std::unexpected(target.error());
  for (std::string& warning : target->warnings) warning = fmt::format("{}: {}", options.onto, warning);

  retarget::RetargetParams params = options.params;
  if (options.loose_feet) params.keep_feet = false;
  if (options.loose_hands) params.keep_hands = false;
  const auto skeleton = source->motion.skeleton;
  auto put = shosa::retarget_clip(std::move(*source), std::move(*target), params);
  if (!put) return fail(put.error().code, "{} onto {}: {}", options.file, options.onto, put.error().message);
  const Report report = make_report(options, put->report, *skeleton, *put->motion.skeleton, put->motion.warnings);

  // The name must not be that of one of the target's own clips, whose other channels would be kept with it.
  put->motion.clips.front().set_name(std::filesystem::path(options.file).stem().string());
  if (const auto written = write_clip(options.out, *put); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_retarget(CLI::App& app, Job& job) {
  auto options = std::make_shared<RetargetOptions>();
  CLI::App* verb = app.add_subcommand("retarget", "Put a motion onto another skeleton, feet on the floor");
  verb->add_option("clip_file", options->file, "Motion to retarget")->required();
  verb->add_option("--onto", options->onto, "File with the target's skeleton; a glTF keeps its meshes")->required();
  verb->add_option("-o,--output", options->out, "Motion to write")->required();
  verb->add_option("--scale", options->params.scale, "Size of the target / size of the source (default: from the legs)")
      ->check(CLI::Range(1e-3, 1e3));
  verb->add_option("--onto-body-map", options->onto_input.body_map,
                   "JSON file that says which joint of the target plays which role");
  verb->add_flag("--loose-feet", options->loose_feet, "Do not hold the feet where they stand");
  verb->add_flag("--loose-hands", options->loose_hands, "Do not hold the hands where they touch");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa retarget walk.bvh --onto character.glb -o walking.glb\n"
      "  shosa retarget walk.bvh --onto other.bvh -o walk_of_other.bvh --json");
  verb->callback([options, &job] { job = [options] { return retarget_clip(*options); }; });
}

}  // namespace shosa::cli
