#include <algorithm>
#include <chrono>

#include "add_verb.h"
#include "input.h"
#include "library_options.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/shosa.h"

namespace shosa::cli {

namespace {

struct PoseOptions {
  std::string script, out;
  InputOptions input;
  FromLibrary library;
};

std::string joint_at(const Skeleton& skeleton, JointIndex joint, double time_s) {
  return joint == kNoJoint ? std::string() : fmt::format(" {} at {:.3f} s", skeleton.name(joint), time_s);
}

Result<Report> pose(const PoseOptions& options) {
  auto script = documents::read_document(options.script, documents::parse_pose_script);
  if (!script) return std::unexpected(script.error());
  const auto postures = files_from_library(options.library);
  if (!postures) return std::unexpected(postures.error());
  if (!postures->empty()) {
    auto prior = documents::references_beside(options.script, *postures);
    if (!prior) return std::unexpected(prior.error());
    script->prior = std::move(*prior);
    script->use_prior = true;
  }
  auto job = documents::stage(*script, documents::FilesBeside(options.script, options.input), usual_postures());
  if (!job) return std::unexpected(job.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto posed = documents::evaluate(std::move(*job), options.script);
  if (!posed) return std::unexpected(posed.error());
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;

  const posing::MotionEditResult& edited = posed->edited;
  const Skeleton& skeleton = *posed->motion.skeleton;
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::pose_report(edited));
  report.json["us_per_step"] = edited.steps > 0 ? spent.count() / static_cast<double>(edited.steps) : 0.0;
  report.notes = posed->motion.warnings;
  report.text = fmt::format(
      "{}: {} frames\n  largest drag error  {:.4f} m{}\n  largest pin error   {:.4f} m{}\n  largest range violation "
      "{:.1f} deg{}\n",
      options.out, edited.clip.frame_count(), edited.max_drag_error_m,
      joint_at(skeleton, edited.worst_drag, edited.worst_drag_s), edited.max_pin_error_m,
      joint_at(skeleton, edited.worst_pin, edited.worst_pin_s), edited.max_range_violation_deg,
      joint_at(skeleton, edited.worst_range, edited.worst_range_s));
  if (const auto written = io::write_motion(options.out, posed->motion); !written)
    return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_pose(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "pose", "Drag and pin joints of a held posture or a playing clip", pose);
  verb->add_option("script", options->script, "Pose script (JSON, see docs/cli.md)")->required();
  add_output(*verb, options->out);
  add_input_options(*verb, options->input);
  add_from_library(*verb, options->library);
  verb->footer("Example:\n  shosa pose duck.json -o duck.bvh");
}

}  // namespace shosa::cli
