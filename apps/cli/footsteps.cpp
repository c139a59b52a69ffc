#include "add_verb.h"
#include "input.h"
#include "outputs.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/io/atomic_file.h"

namespace shosa::cli {

namespace {

struct FootstepOptions {
  std::string file, plan, out, write_plan;
  InputOptions input;
  double clearance_m = 0.03;
};

Result<Report> footsteps(const FootstepOptions& options) {
  auto source = open_clip(options.file, options.input);
  if (!source) return std::unexpected(source.error());
  const auto plan = documents::read_document(options.plan, documents::parse_footstep_plan);
  if (!plan) return std::unexpected(plan.error());
  auto made = documents::evaluate(*plan, source->study_standing(), options.clearance_m);
  if (!made) return std::unexpected(made.error());
  segment::Footsteps& result = made->walked;

  auto warnings = source->motion.warnings;
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::footsteps_report(result));
  double worst = 0.0, slide = 0.0;
  for (const auto& step : result.steps) {
    worst = std::max(worst, step.error_m);
    slide = std::max(slide, step.slide_mps);
  }
  report.notes = std::move(warnings);
  report.text = fmt::format(
      "{}: {} steps, {} frames\n  landing error   {:.3f} mm at most\n  slide           {:.4f} m/s at most\n  soles in "
      "ground {:.1f} mm at most\n",
      options.out, result.steps.size(), result.clip.frame_count(), 1e3 * worst, slide, 1e3 * result.max_penetration_m);
  source->motion.clips = {std::move(result.clip)};
  std::vector<Output> outputs = {{options.out, [&] { return io::write_motion(options.out, source->motion); }}};
  if (!options.write_plan.empty())
    outputs.push_back({options.write_plan, [&] { return io::write_file_atomically(options.write_plan, made->text); }});
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_footsteps(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "footsteps", "Let a walk land where a plan says: strides, stairs, slopes", footsteps);
  add_clip_file(*verb, options->file, "A walk");
  verb->add_option("plan", options->plan, "Plan (JSON, see docs/cli.md)")->required();
  add_output(*verb, options->out);
  verb->add_option("--clearance", options->clearance_m, "Of a swinging foot over the ground, metres")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb->add_option("--write-plan", options->write_plan, "Also write what was walked: steps and terrain");
  add_input_options(*verb, options->input);
  verb->footer(
      "Plans: {\"steps\": [{\"foot\": \"left\", \"position\": [x, y, z], \"heading_deg\": 0}, ...]}, "
      "{\"stride_percent\": 70},\n"
      "{\"stairs\": {\"rise_m\": 0.15, \"tread_m\": 0.3, \"count\": 4}}, {\"slope_percent\": 10}, {\"rough\": "
      "{\"amplitude_m\": 0.05}}.\n\n"
      "Example:\n  shosa footsteps walk.bvh plan.json -o stairs.bvh");
}

}  // namespace shosa::cli
