#include "shosa/analysis/metrics.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <numbers>

#include "input.h"
#include "shosa/analysis/body_motion.h"
#include "verb.h"

namespace shosa::cli {

namespace {

struct MetricsOptions {
  std::string file;
  std::string reference;
  InputOptions input;
};

Result<Report> metrics(const MetricsOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const Clip& clip = opened->clip();

  const analysis::StudiedClip studied = opened->study();
  if (const auto feet = studied.needs_feet(); !feet)
    opened->motion.warnings.push_back(fmt::format("{}: {}", options.file, feet.error().message));
  const auto quality = analysis::measure_quality(studied);
  const analysis::BodyMotion body = analysis::observe_body(studied);
  const auto figures = analysis::measure_body(body, 0, clip.frame_count() - 1);
  constexpr double kDegrees = 180.0 / std::numbers::pi;

  Report report;
  report.json = {{"foot_skate_mps", quality.foot_skate_mps},
                 {"penetration_m", quality.penetration_m},
                 {"mean_penetration_m", quality.mean_penetration_m},
                 {"mean_jerk_mps3", quality.mean_jerk_mps3},
                 {"peak_acceleration_mps2", quality.peak_acceleration_mps2},
                 {"com_acceleration_mps2", figures.com_acceleration_mps2},
                 {"com_fall_mps2", figures.com_fall_mps2},
                 {"com_speed_mps", figures.com_speed_mps},
                 {"knee_kink_deg", figures.knee_kink_rad * kDegrees},
                 {"elbow_kink_deg", figures.elbow_kink_rad * kDegrees},
                 {"mean_knee_bend_deg", figures.mean_knee_bend_rad * kDegrees},
                 {"ball_bend_deg", figures.ball_bend_rad * kDegrees},
                 {"plane_flips", figures.plane_flips}};
  report.text = fmt::format(
      "{}:\n  foot skate         {:.4f} m/s\n  penetration        {:.4f} m\n  mean jerk          {:.1f} m/s^3\n"
      "  peak acceleration  {:.1f} m/s^2\n  centre of mass     {:.1f} m/s^2 over the ground, falls with {:.1f}\n"
      "  kinks              knees {:.1f}, elbows {:.1f} degrees in 1/60 s\n"
      "  bend               knees {:.1f} degrees on the mean, ball of the foot {:.1f} at most\n",
      options.file, quality.foot_skate_mps, quality.penetration_m, quality.mean_jerk_mps3,
      quality.peak_acceleration_mps2, figures.com_acceleration_mps2, figures.com_fall_mps2,
      figures.knee_kink_rad * kDegrees, figures.elbow_kink_rad * kDegrees, figures.mean_knee_bend_rad * kDegrees,
      figures.ball_bend_rad * kDegrees);
  if (figures.plane_flips > 0) {
    report.text += fmt::format("  turned over        knees and elbows, {} times\n", figures.plane_flips);
  }
  if (!options.reference.empty()) {
    const auto truth = open_clip(options.reference, options.input);
    if (!truth) return std::unexpected(truth.error());
    const auto error = analysis::compare_with_reference(clip, truth->clip());
    if (!error) {
      return fail(error.error().code, "{} against {}: {}", options.file, options.reference, error.error().message);
    }
    report.json["l2p_m"] = error->l2p_m;
    report.json["l2q"] = error->l2q;
    report.json["npss"] = error->npss;
    const auto change = analysis::compare_bodies(body, analysis::observe_body(truth->study()));
    if (!change) return std::unexpected(change.error());
    report.json["knee_kink_beyond_deg"] = change->knee_kink_rad * kDegrees;
    report.json["elbow_kink_beyond_deg"] = change->elbow_kink_rad * kDegrees;
    report.json["knee_change_deg"] = change->knee_change_rad * kDegrees;
    report.json["mean_knee_change_deg"] = change->mean_knee_change_rad * kDegrees;
    report.text +=
        fmt::format("  l2p                {:.5f} m\n  l2q                {:.5f}\n  npss               {:.5f}\n",
                    error->l2p_m, error->l2q, error->npss);
    report.text += fmt::format(
        "  against it         knees kink {:.1f} degrees more, change by {:.1f}, on the mean by {:.1f}\n",
        change->knee_kink_rad * kDegrees, change->knee_change_rad * kDegrees, change->mean_knee_change_rad * kDegrees);
  }
  report.notes = opened->motion.warnings;
  return report;
}

}  // namespace

void add_metrics(CLI::App& app, Job& job) {
  auto options = std::make_shared<MetricsOptions>();
  CLI::App* verb = app.add_subcommand("metrics", "Measure the quality of a motion, alone or against a reference");
  verb->add_option("clip_file", options->file, "Motion to measure")->required();
  verb->add_option("--reference", options->reference, "The true motion: same joints, frame count and rate");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa metrics walk.bvh\n"
      "  shosa metrics made.bvh --reference captured.bvh --json");
  verb->callback([options, &job] { job = [options] { return metrics(*options); }; });
}

}  // namespace shosa::cli
