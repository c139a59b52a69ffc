#include <CLI/CLI.hpp>
#include <memory>

#include "decompose_joint.h"
#include "shosa/io/atomic_file.h"
#include "shosa/submovement/file.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

Result<Report> decompose_all(const DecomposeOptions& options, const ChosenClip& opened) {
  const Clip& clip = opened.clip();
  submovement::BodyParams params;
  if (options.max_error) params.channel.max_error_m = *options.max_error;
  if (options.max_error_deg) params.channel.max_error_rad = *options.max_error_deg / kDegrees;
  if (options.shared_timings) params.groups = submovement::limb_groups(clip.skeleton(), opened.motion.body_map);
  const auto begin = std::chrono::steady_clock::now();
  const auto made = submovement::decompose_body(clip, params);
  if (!made) return fail(made.error().code, "{}: {}", options.file, made.error().message);
  const double seconds = seconds_since(begin);
  const std::string bytes = submovement::encode(made->body);
  if (const auto ok = io::write_file_atomically(options.out, bytes); !ok) return std::unexpected(ok.error());

  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto add = [&](JointIndex joint, const char* kind, double t0, double tf, const char* key, const Vec3d& move) {
    list.push_back(
        {{"joint", clip.skeleton().name(joint)}, {"kind", kind}, {"t0", t0}, {"tf", tf}, {key, vector_json(move)}});
  };
  for (std::size_t k = 0; k < made->body.translated.size(); ++k)
    for (const auto& s : made->body.translations[k].submovements)
      add(made->body.translated[k], "position", s.t0_s, s.tf_s, "displacement", s.displacement_m);
  for (JointIndex j = 0; j < clip.joint_count(); ++j)
    for (const auto& s : made->body.rotations[static_cast<std::size_t>(j)].submovements)
      add(j, "rotation", s.t0_s, s.tf_s, "rotation_deg", s.rotation_rad * kDegrees);
  Report report;
  report.json = {{"submovements", list},
                 {"rmse", made->position_rms_m},
                 {"max_error", made->position_max_m},
                 {"worst_rotation_rms_deg", made->worst_rotation_rms_rad * kDegrees},
                 {"worst_joint", clip.skeleton().name(std::max(made->worst_rotation, 0))},
                 {"bytes", bytes.size()},
                 {"sample_bytes", clip.sample_bytes()},
                 {"seconds", seconds},
                 {"solver", "fast"},
                 {"evaluations", made->evaluations},
                 {"warnings", opened.motion.warnings}};
  warn_of_missed_bound(report, made->worst_rotation_rms_rad * kDegrees, params.channel.max_error_rad * kDegrees, "deg");
  warn_of_missed_bound(report, made->worst_translation_rms_m, params.channel.max_error_m, "m");
  report.text = fmt::format(
      "{}: {} submovements, {} bytes (samples: {}), joints within {:.1f} mm rms, {:.1f} mm at most, {:.0f} ms for "
      "{:.1f} s\n",
      options.out, list.size(), bytes.size(), clip.sample_bytes(), 1e3 * made->position_rms_m,
      1e3 * made->position_max_m, 1e3 * seconds, clip.duration_s());
  return report;
}

Result<Report> decompose(const DecomposeOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  auto report = options.all ? decompose_all(options, *opened) : decompose_joint(options, *opened);
  if (!report) return report;
  return report;
}

constexpr std::initializer_list<const char*> kEdits = {"--move-goal", "--set-timing", "--insert", "--remove",
                                                       "--merge"};

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
    refuse({"--kind", "--space", "--count", "--picture"}, "is for a single --joint");
    refuse(kEdits, "is for a single --joint");
    for (const char* other : {".bvh", ".glb", ".gltf", ".vrma", ".fbx", ".amc", ".asf", ".csv", ".png", ".svg"}) {
      if (options.out.ends_with(other))
        wrong(fmt::format("-o {}: would be a submovement file, expected another ending than {}", options.out, other));
    }
    return;
  }
  refuse({"--shared-timings", "--max-error-deg"}, "is for --all");
  if (options.solver == "fast") refuse({"--count"}, "is for --solver cma_es");
  std::vector<std::string> edits;
  for (const char* name : kEdits)
    if (verb.count(name) > 0) edits.push_back(name);
  const std::string all = fmt::format("{}", fmt::join(kEdits, ", "));
  if (edits.size() > 1) wrong(fmt::format("{} and {}: one edit at a time", edits[0], edits[1]));
  if (edits.empty() && !options.out.empty()) wrong(fmt::format("-o OUT takes an edited motion: give one of {}", all));
  if (edits.empty()) return;
  if (options.out.empty()) wrong(fmt::format("{} needs -o OUT", edits[0]));
  if (options.kind != "position" || options.space != "world")
    wrong(fmt::format("{} edits a position in the world", edits[0]));
}

}  // namespace

void add_decompose(CLI::App& app, Job& job) {
  auto options = std::make_shared<DecomposeOptions>();
  CLI::App* verb = app.add_subcommand("decompose", "Split a motion into minimum-jerk submovements and their goals");
  verb->add_option("clip_file", options->file, "Motion to split")->required();
  verb->add_option("--joint", options->joint, "Joint or body role");
  verb->add_option("--kind", options->kind, "position or rotation")->check(CLI::IsMember({"position", "rotation"}));
  verb->add_option("--space", options->space, "world or parent")->check(CLI::IsMember({"world", "parent"}));
  verb->add_option("--solver", options->solver, "fast, or the reference cma_es")
      ->check(CLI::IsMember({"fast", "cma_es"}));
  verb->add_option("--max-error", options->max_error, "Allowed root mean square: metres; degrees with --kind rotation")
      ->check(positive_number());
  verb->add_option("--max-error-deg", options->max_error_deg, "With --all: of every joint's rotation (1)")
      ->check(positive_number());
  verb->add_option("--count", options->count, "cma_es: number of submovements (0: until within the error)")
      ->check(CLI::Range(0, 12));
  verb->add_flag("--all", options->all, "Every joint and the root, into the file -o");
  verb->add_flag("--shared-timings", options->shared_timings, "With --all: one set of timings for each limb");
  SubmovementEdit& edit = options->edit;
  verb->add_option("--move-goal", edit.move_goal,
                   "K,X,Y,Z: move the goal of submovement K; the body follows, written to -o")
      ->delimiter(',')
      ->expected(4);
  verb->add_option("--set-timing", edit.set_timing, "K,T0,TF: submovement K lasts from T0 to TF; likewise")
      ->delimiter(',')
      ->expected(3);
  verb->add_option("--insert", edit.insert,
                   "T0,TF,X,Y,Z: a new submovement by X,Y,Z, from which the next comes back; likewise")
      ->delimiter(',')
      ->expected(5);
  verb->add_option("--remove", edit.remove, "K: leave submovement K out; likewise");
  verb->add_option("--merge", edit.merge, "K: make K and the next a single submovement; likewise");
  verb->add_option("--picture", options->picture, "Curves and submovements as .png or .svg")->check(picture_file());
  verb->add_option("-o,--output", options->out, "With --all: submovement file; with an edit: motion");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa decompose drink.bvh --joint right_hand --picture hand.png\n"
      "  shosa decompose drink.bvh --joint right_hand --move-goal 3,-0.2,1.3,0.4 -o higher.bvh\n"
      "  shosa decompose drink.bvh --all -o drink.submove");
  verb->callback([options, verb, &job] {
    check_usage(*verb, *options);
    job = [options] { return decompose(*options); };
  });
}

}  // namespace shosa::cli
