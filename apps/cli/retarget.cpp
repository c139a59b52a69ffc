#include <algorithm>
#include <filesystem>

#include "add_verb.h"
#include "input.h"
#include "shosa/documents/reports.h"
#include "shosa/shosa.h"

namespace shosa::cli {

namespace {

struct RetargetOptions {
  std::vector<std::string> files;
  std::string onto, out;
  InputOptions input, onto_input;
  retarget::RetargetParams params;
  bool loose_feet = false;
  bool loose_hands = false;
  bool keep_clips = false;
};

std::string clip_text(const std::string& file, const retarget::RetargetResult& result) {
  return fmt::format(
      "{}: {} frames at {:.6g} fps, {} roles, size {:.3f} of the source\n  foot skate         {:.4f} m/s\n"
      "  penetration        {:.4f} m\n",
      file, result.clip.frame_count(), result.clip.fps(), result.pairs.size(), result.scale,
      result.quality.foot_skate_mps, result.quality.penetration_m);
}

// A name that no clip of the file has yet: channels of the target's own clip of that name would be kept with it.
std::string free_name(const std::string& file, const std::vector<std::string>& taken) {
  const std::string stem = std::filesystem::path(file).stem().string();
  std::string name = stem;
  for (int i = 2; std::ranges::find(taken, name) != taken.end(); ++i) name = fmt::format("{}_{}", stem, i);
  return name;
}

Result<io::MotionFile> read_target(const RetargetOptions& options) {
  InputOptions onto = options.onto_input;
  onto.as_captured = options.input.as_captured;
  onto.drop_tpose = options.input.drop_tpose;
  auto target = read_input(options.onto, onto);
  if (!target) return std::unexpected(target.error());
  for (Note& note : target->warnings) note = note.of(options.onto);
  return target;
}

Result<Report> retarget_clips(const RetargetOptions& options) {
  const std::string extension = std::filesystem::path(options.out).extension().string();
  const bool one_only = extension == ".bvh" || extension == ".csv";
  if (one_only && (options.files.size() > 1 || options.keep_clips))
    return fail(ErrorCode::not_possible, "{}: {} holds one clip, expected .glb, .gltf or .vrma for several",
                options.out, extension);
  auto target = read_target(options);
  if (!target) return std::unexpected(target.error());
  const std::vector<Clip> own = target->clips;
  retarget::RetargetParams params = options.params;
  if (options.loose_feet) params.keep_feet = false;
  if (options.loose_hands) params.keep_hands = false;

  io::MotionFile made = *target;
  made.clips.clear();
  std::vector<std::string> names;
  for (const Clip& clip : own) names.push_back(clip.name());
  if (options.keep_clips) made.clips = own;
  auto entries = nlohmann::ordered_json::array();
  Report report;
  for (const std::string& file : options.files) {
    auto source = open_clip(file, options.input);
    if (!source) return std::unexpected(source.error());
    if (source->motion.clips.size() > 1 && !options.input.take)
      made.warnings.push_back(Note::done(fmt::format("{}: {} clips: '{}' was taken (--clip chooses)", file,
                                                     source->motion.clips.size(), source->clip().name())));
    const auto skeleton = source->motion.skeleton;
    io::MotionFile onto = *target;
    onto.warnings.clear();
    auto put = shosa::retarget_clip(std::move(*source), std::move(onto), params);
    if (!put) return fail(put.error().code, "{} onto {}: {}", file, options.onto, put.error().message);
    for (const Note& note : put->motion.warnings)
      made.warnings.push_back(options.files.size() > 1 ? note.of(file) : note);
    put->report.clip.set_name(free_name(file, names));
    names.push_back(put->report.clip.name());
    nlohmann::ordered_json entry = {{"input", file}};
    entry.update(nlohmann::ordered_json::parse(documents::retarget_report(put->report, *skeleton, *target->skeleton)));
    entries.push_back(std::move(entry));
    report.text += clip_text(options.files.size() > 1 ? file : options.out, put->report);
    made.clips.push_back(put->report.clip);
  }
  if (!options.keep_clips && !own.empty() && !one_only)
    made.warnings.push_back(Note::done(fmt::format("{}: {} clip{} of its own left out (--keep-clips keeps them)",
                                                   options.onto, own.size(), own.size() == 1 ? "" : "s")));
  if (const auto written = io::write_motion(options.out, made); !written) return std::unexpected(written.error());

  report.json = entries.front();
  report.json["output"] = options.out;
  report.json["clips"] = std::move(entries);
  report.json["kept_clips"] = options.keep_clips ? own.size() : 0;
  report.notes = made.warnings;
  if (options.files.size() > 1) report.text += fmt::format("{}: {} clips\n", options.out, made.clips.size());
  return report;
}

}  // namespace

void add_retarget(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "retarget", "Put a motion onto another skeleton, feet on the floor", retarget_clips);
  verb->add_option("clip_files", options->files, "Motions to retarget; several go into one .glb, .gltf or .vrma")
      ->required();
  verb->add_option("--onto", options->onto, "File with the target's skeleton; a glTF keeps its meshes")->required();
  add_output(*verb, options->out);
  verb->add_option("--scale", options->params.scale, "Size of the target / size of the source (default: from the legs)")
      ->check(CLI::Range(1e-3, 1e3));
  verb->add_option("--onto-body-map", options->onto_input.body_map,
                   "JSON file that says which joint of the target plays which role");
  verb->add_flag("--loose-feet", options->loose_feet, "Do not hold the feet where they stand");
  verb->add_flag("--loose-hands", options->loose_hands, "Do not hold the hands where they touch");
  verb->add_flag("--keep-clips", options->keep_clips, "Keep the target's own clips beside the new ones");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa retarget walk.bvh --onto character.glb -o walking.glb\n"
      "  shosa retarget walk.bvh run.bvh jump.bvh --onto character.glb -o moves.glb --keep-clips\n"
      "  shosa retarget walk.bvh --onto other.bvh -o walk_of_other.bvh --json");
}

}  // namespace shosa::cli
