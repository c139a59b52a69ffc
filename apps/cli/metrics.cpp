#include "shosa/analysis/metrics.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "input.h"
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

  Report report;
  report.json = {{"foot_skate_mps", quality.foot_skate_mps},
                 {"penetration_m", quality.penetration_m},
                 {"mean_penetration_m", quality.mean_penetration_m},
                 {"mean_jerk_mps3", quality.mean_jerk_mps3},
                 {"peak_acceleration_mps2", quality.peak_acceleration_mps2}};
  report.text = fmt::format(
      "{}:\n  foot skate         {:.4f} m/s\n  penetration        {:.4f} m\n  mean jerk          {:.1f} m/s^3\n"
      "  peak acceleration  {:.1f} m/s^2\n",
      options.file, quality.foot_skate_mps, quality.penetration_m, quality.mean_jerk_mps3,
      quality.peak_acceleration_mps2);
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
    report.text +=
        fmt::format("  l2p                {:.5f} m\n  l2q                {:.5f}\n  npss               {:.5f}\n",
                    error->l2p_m, error->l2q, error->npss);
  }
  report.json["warnings"] = opened->motion.warnings;
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
