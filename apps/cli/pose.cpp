#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "shosa/documents/pose_script.h"
#include "verb.h"

namespace shosa::cli {

namespace {

std::string joint_name(const Skeleton& skeleton, JointIndex joint) {
  return joint == kNoJoint ? std::string() : skeleton.name(joint);
}

Result<Report> pose(const std::string& script, const std::string& out) {
  auto job = documents::read_pose_script(script);
  if (!job) return std::unexpected(job.error());
  const auto begin = std::chrono::steady_clock::now();
  auto result = posing::edit_motion(job->reference, job->layers);
  if (!result) return fail(result.error().code, "{}: {}", script, result.error().message);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;

  const Skeleton& skeleton = *job->motion.skeleton;
  Report report;
  report.json = {{"frames", result->clip.frame_count()},
                 {"fps", result->clip.fps()},
                 {"max_drag_error_m", result->max_drag_error_m},
                 {"worst_drag", joint_name(skeleton, result->worst_drag)},
                 {"max_pin_error_m", result->max_pin_error_m},
                 {"worst_pin", joint_name(skeleton, result->worst_pin)},
                 {"max_range_violation_deg", result->max_range_violation_deg},
                 {"worst_range", joint_name(skeleton, result->worst_range)},
                 {"max_balance_error_m", result->max_balance_error_m},
                 {"us_per_step", spent.count() / static_cast<double>(std::max(result->steps, 1L))},
                 {"warnings", job->motion.warnings}};
  report.text = fmt::format(
      "{}: {} frames\n  largest drag error  {:.4f} m {}\n  largest pin error   {:.4f} m {}\n  largest range violation "
      "{:.1f} deg {}\n",
      out, result->clip.frame_count(), result->max_drag_error_m, joint_name(skeleton, result->worst_drag),
      result->max_pin_error_m, joint_name(skeleton, result->worst_pin), result->max_range_violation_deg,
      joint_name(skeleton, result->worst_range));
  job->motion.clips = {std::move(result->clip)};
  if (const auto written = io::write_motion(out, job->motion); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_pose(CLI::App& app, Job& job) {
  struct Options {
    std::string script, out;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("pose", "Drag and pin joints of a held posture or a playing clip");
  verb->add_option("script", options->script, "Pose script (JSON, see docs/cli.md)")->required();
  verb->add_option("-o,--output", options->out, "Motion to write")->required();
  verb->footer("Example:\n  shosa pose duck.json -o duck.bvh");
  verb->callback([options, &job] { job = [options] { return pose(options->script, options->out); }; });
}

}  // namespace shosa::cli
