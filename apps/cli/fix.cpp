#include "add_verb.h"
#include "input.h"
#include "shosa/documents/reports.h"
#include "shosa/shosa.h"

namespace shosa::cli {

namespace {

struct FixOptions {
  std::string file, out;
  InputOptions input;
  feet::CapturedStanceParams stances;
};

Result<Report> fix(const FixOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const auto fixed = fix_clip(std::move(*opened), options.stances);
  if (!fixed) return fail(fixed.error().code, "{}: {}", options.file, fixed.error().message);
  const auto& [placed, before, after] = fixed->report;
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::fix_report(placed, before, after));
  report.text = fmt::format(
      "{}: {} frames      before     after\n  foot skate         {:8.4f}  {:8.4f} m/s\n  penetration        {:8.4f}  "
      "{:8.4f} m\n  mean jerk          {:8.1f}  {:8.1f} m/s^3\n  peak acceleration  {:8.1f}  {:8.1f} m/s^2\n"
      "  joints moved by {:.4f} m on average, {:.4f} m at most; a standing foot misses its place by {:.4f} m at most\n",
      options.out, placed.clip.frame_count(), before.foot_skate_mps, after.foot_skate_mps, before.penetration_m,
      after.penetration_m, before.mean_jerk_mps3, after.mean_jerk_mps3, before.peak_acceleration_mps2,
      after.peak_acceleration_mps2, placed.mean_joint_change_m, placed.max_joint_change_m, placed.max_foot_error_m);
  report.notes = fixed->motion.warnings;

  if (const auto written = write_clip(options.out, *fixed); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_fix(CLI::App& app, Job& job) {
  const auto [verb, options] = add_verb(app, job, "fix", "Take foot slide and floor penetration out of a motion", fix);
  add_in_and_out(*verb, options->file, "Motion to clean up", options->out);
  verb->add_flag("--level", options->stances.level, "Put every stance exactly on its ground");
  add_input_options(*verb, options->input);
  verb->footer("Example:\n  shosa fix walk.bvh -o clean.bvh");
}

}  // namespace shosa::cli
