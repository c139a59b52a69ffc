
#include "add_verb.h"
#include "input.h"
#include "shosa/core/angles.h"
#include "shosa/documents/reports.h"

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

  const analysis::StudiedClip studied = opened->study();
  std::optional<analysis::StudiedClip> truth;
  if (!options.reference.empty()) {
    const auto reference = open_clip(options.reference, options.input);
    if (!reference) return std::unexpected(reference.error());
    truth = reference->study();
  }
  const auto measured = documents::measure(studied, truth ? &*truth : nullptr);
  if (!measured) {
    return fail(measured.error().code, "{} against {}: {}", options.file, options.reference, measured.error().message);
  }
  for (const Note& warning : measured->warnings) opened->motion.warnings.push_back(warning.of(options.file));
  const auto& [quality, figures, error, change, warnings] = *measured;

  Report report;
  report.json = nlohmann::ordered_json::parse(documents::measures_report(*measured));
  report.text = fmt::format(
      "{}:\n  foot skate         {:.4f} m/s\n  penetration        {:.4f} m\n  mean jerk          {:.1f} m/s^3\n"
      "  peak acceleration  {:.1f} m/s^2\n  centre of mass     {:.1f} m/s^2 over the ground, falls with {:.1f}\n"
      "  kinks              knees {:.1f}, elbows {:.1f} degrees in 1/60 s\n"
      "  bend               knees {:.1f} degrees on the mean, ball of the foot {:.1f} at most\n",
      options.file, quality.foot_skate_mps, quality.penetration_m, quality.mean_jerk_mps3,
      quality.peak_acceleration_mps2, figures.com_acceleration_mps2, figures.com_fall_mps2,
      figures.knee_kink_rad * kDegPerRad, figures.elbow_kink_rad * kDegPerRad, figures.mean_knee_bend_rad * kDegPerRad,
      figures.ball_bend_rad * kDegPerRad);
  if (figures.plane_flips > 0) {
    report.text += fmt::format("  turned over        knees and elbows, {} times\n", figures.plane_flips);
  }
  if (error && change) {
    report.text +=
        fmt::format("  l2p                {:.5f} m\n  l2q                {:.5f}\n  npss               {:.5f}\n",
                    error->l2p_m, error->l2q, error->npss);
    report.text +=
        fmt::format("  against it         knees kink {:.1f} degrees more, change by {:.1f}, on the mean by {:.1f}\n",
                    change->knee_kink_rad * kDegPerRad, change->knee_change_rad * kDegPerRad,
                    change->mean_knee_change_rad * kDegPerRad);
  }
  report.notes = opened->motion.warnings;
  return report;
}

}  // namespace

void add_metrics(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "metrics", "Measure the quality of a motion, alone or against a reference", metrics);
  add_clip_file(*verb, options->file, "Motion to measure");
  verb->add_option("--reference", options->reference, "The true motion: same joints, frame count and rate");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa metrics walk.bvh\n"
      "  shosa metrics made.bvh --reference captured.bvh --json");
}

}  // namespace shosa::cli
