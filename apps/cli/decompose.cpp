#include <CLI/CLI.hpp>

#include "add_verb.h"
#include "decompose_joint.h"
#include "shosa/core/angles.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/documents/submovement_play.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

Result<Report> decompose_all(const DecomposeOptions& options, ChosenClip& opened) {
  const analysis::StudiedClip studied = opened.study_standing();
  const Clip& clip = studied.clip();
  submovement::BodyParams params;
  if (options.max_error) params.channel.max_error_m = *options.max_error;
  if (options.min_duration_s) params.channel.min_duration_s = *options.min_duration_s;
  if (options.max_error_deg) params.channel.max_error_rad = *options.max_error_deg / kDegPerRad;
  if (options.shared_timings) params.groups = body::limb_groups(clip.skeleton(), opened.motion.body_map);
  const auto begin = std::chrono::steady_clock::now();
  auto made = submovement::decompose_body(clip, params);
  if (!made) return fail(made.error().code, "{}: {}", options.file, made.error().message);
  const double seconds = seconds_since(begin);
  auto feet = documents::stances_of(studied);
  if (!feet) return fail(feet.error().code, "{}: {}", options.file, feet.error().message);
  made->body.feet = std::move(*feet);
  if (const auto ok = documents::write_submovements(options.out, made->body); !ok) return std::unexpected(ok.error());

  auto list = nlohmann::ordered_json::array();
  const auto add = [&](JointIndex joint, const char* kind, const GoalList& goals) {
    for (std::size_t k = 0; k < goals.rows.size(); ++k) {
      nlohmann::ordered_json entry = {{"joint", clip.skeleton().name(joint)}, {"kind", kind}};
      entry.update(goal_json(goals, k));
      list.push_back(std::move(entry));
    }
  };
  for (std::size_t k = 0; k < made->body.translated.size(); ++k)
    add(made->body.translated[k], "position", goal_list(made->body.translations[k]));
  for (JointIndex j = 0; j < clip.joint_count(); ++j) add(j, "rotation", goal_list(made->body.rotations[j]));
  Report report;
  report.json = {{"submovements", list}};
  report.json.update(nlohmann::ordered_json::parse(documents::decompose_report(*made)));
  report.json.update({{"sample_bytes", clip.sample_bytes()}, {"seconds", seconds}, {"solver", "fast"}});
  report.notes = opened.motion.warnings;
  warn_of_missed_bound(report, made->worst_rotation_rms_rad * kDegPerRad, params.channel.max_error_rad * kDegPerRad,
                       "deg");
  warn_of_missed_bound(report, made->worst_translation_rms_m, params.channel.max_error_m, "m");
  report.text = fmt::format(
      "{}: {} submovements, {} bytes (samples: {}), joints within {:.1f} mm rms, {:.1f} mm at most, {:.0f} ms for "
      "{:.1f} s\n",
      options.out, list.size(), report.json["bytes"].get<std::size_t>(), clip.sample_bytes(),
      1e3 * made->position_rms_m, 1e3 * made->position_max_m, 1e3 * seconds, clip.duration_s());
  return report;
}

Result<Report> decompose(const DecomposeOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  return options.all ? decompose_all(options, *opened) : decompose_joint(options, *opened);
}

// Options that would have no effect are a slip, and so is a submovement file that is called a motion.
void check_usage(const CLI::App& verb, const DecomposeOptions& options) {
  const auto wrong = [](const std::string& what) { throw CLI::ValidationError("decompose", what); };
  const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names) {
      if (verb.count(name) > 0) wrong(fmt::format("{} {}", name, why));
    }
  };
  if (options.all == !options.joint.empty()) wrong("give either --joint or --all");
  if (options.all) {
    if (options.out.empty()) wrong("--all needs -o FILE");
    if (options.solver != "fast") wrong("--all needs --solver fast");
    refuse({"--kind", "--space", "--count", "--min-gap", "--picture"}, "is for a single --joint");
    if (!options.edits.empty()) wrong(options.edits[0].asked + " is for a single --joint, or for shosa goals");
    for (const char* other : {".bvh", ".glb", ".gltf", ".vrma", ".fbx", ".amc", ".asf", ".csv", ".png", ".svg"}) {
      if (options.out.ends_with(other))
        wrong(fmt::format("-o {}: would be a submovement file, expected another ending than {}", options.out, other));
    }
    return;
  }
  refuse({"--shared-timings", "--max-error-deg"}, "is for --all");
  if (options.solver == "fast") refuse({"--count"}, "is for --solver cma_es");
  if (options.solver != "fast") refuse({"--min-gap"}, "is for --solver fast");
  if (options.kind != "position") refuse({"--min-gap"}, "is for --kind position");
  if (options.edits.empty() && !options.out.empty()) wrong("-o OUT takes an edited motion: give an edit");
  if (options.edits.empty()) return;
  const std::string& first = options.edits[0].asked;
  if (options.out.empty()) wrong(first + " needs -o OUT");
  if (options.kind != "position" || options.space != "world") wrong(first + " edits a position in the world");
}

}  // namespace

void add_decompose(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "decompose", "Split a motion into minimum-jerk submovements and their goals", decompose);
  add_clip_file(*verb, options->file, "Motion to split");
  verb->add_option("--joint", options->joint, "Joint or body role");
  verb->add_option("--kind", options->kind, "position or rotation")->check(CLI::IsMember({"position", "rotation"}));
  verb->add_option("--space", options->space, "world or parent")->check(CLI::IsMember({"world", "parent"}));
  verb->add_option("--solver", options->solver, "fast, or the reference cma_es")
      ->check(CLI::IsMember({"fast", "cma_es"}));
  verb->add_option("--max-error", options->max_error, "Allowed root mean square: metres; degrees with --kind rotation")
      ->check(positive_number());
  verb->add_option("--max-error-deg", options->max_error_deg, "With --all: of every joint's rotation (1)")
      ->check(positive_number());
  verb->add_option("--min-duration", options->min_duration_s, "Shortest submovement, seconds (0.1)")
      ->check(CLI::Range(0.02, 2.0));
  verb->add_option("--min-gap", options->min_gap_s,
                   "Least time from the start of one submovement to the next, seconds (0)")
      ->check(CLI::Range(0.0, 2.0));
  verb->add_option("--count", options->count, "cma_es: number of submovements (0: until within the error)")
      ->check(CLI::Range(0, 12));
  verb->add_flag("--all", options->all, "Every joint and the root, into the file -o");
  verb->add_flag("--shared-timings", options->shared_timings, "With --all: one set of timings for each limb");
  add_goal_edits(*verb, options->typed);
  verb->add_option("--picture", options->picture, "Curves and submovements as .png or .svg")->check(picture_file());
  verb->add_option("-o,--output", options->out,
                   "With --all: submovement file, as text where it ends in .json; with edits: motion");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa decompose drink.bvh --joint right_hand --picture hand.png\n"
      "  shosa decompose drink.bvh --joint right_hand --pass 3,-0.2,1.3,0.4 --stretch 4,1.5 -o higher.bvh\n"
      "  shosa decompose drink.bvh --all -o drink.submove");
  verb->parse_complete_callback([options, verb] {
    for (TypedEdit& typed : typed_edits(*verb)) options->edits.push_back(std::move(typed.edit));
    check_usage(*verb, *options);
  });
}

}  // namespace shosa::cli
