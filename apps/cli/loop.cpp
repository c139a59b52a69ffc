#include "shosa/segment/loop.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "input.h"
#include "verb.h"

namespace shosa::cli {

namespace {

struct LoopOptions {
  std::string file, out;
  InputOptions input;
  std::optional<double> from_s, to_s;
  int cycles = 1;
  bool straight = false, in_place = false, keep_slide = false;
  std::string method = "two_step";
};

Result<Report> loop(const LoopOptions& options) {
  auto source = open_clip(options.file, options.input);
  if (!source) return std::unexpected(source.error());
  segment::LoopParams params{.from_s = options.from_s, .to_s = options.to_s, .cycles = options.cycles};
  params.straight = options.straight;
  params.in_place = options.in_place;
  params.still_feet = !options.keep_slide;
  if (options.method == "linear") params.method = segment::EditMethod::linear;
  auto result = segment::make_loop(source->study_standing(), params);
  if (!result) return fail(result.error().code, "{}: {}", options.file, result.error().message);

  const double dt = source->clip().frame_time_s();
  auto warnings = source->motion.warnings;
  warnings.insert(warnings.end(), result->warnings.begin(), result->warnings.end());
  const Vec3d& shift = result->per_cycle.shift_m;
  const double turn_deg = result->per_cycle.turn_rad * 57.29577951308232;
  Report report;
  report.json = {{"seam_position_m", result->seam_position_m},
                 {"seam_velocity_mps", result->seam_velocity_mps},
                 {"cycles", options.cycles},
                 {"frames", result->clip.frame_count()},
                 {"frames_per_cycle", result->frames_per_cycle},
                 {"fps", result->clip.fps()},
                 {"begin_s", result->first * dt},
                 {"end_s", (result->first + result->frames_per_cycle) * dt},
                 {"ends_apart_m", result->distance_m},
                 {"turn_per_cycle_deg", turn_deg},
                 {"shift_per_cycle_m", {shift.x(), shift.y(), shift.z()}},
                 {"warnings", warnings}};
  report.text = fmt::format(
      "{}: {} cycles of {} frames, from {:.3f} s of {}\n  seam  {:.4f} mm and {:.4f} m/s at the joint where it is "
      "worst "
      "(before: {:.1f} mm on the mean)\n",
      options.out, options.cycles, result->frames_per_cycle, result->first * dt, options.file,
      1e3 * result->seam_position_m, result->seam_velocity_mps, 1e3 * result->distance_m);
  source->motion.clips = {std::move(result->clip)};
  if (const auto written = io::write_motion(options.out, source->motion); !written) {
    return std::unexpected(written.error());
  }
  return report;
}

}  // namespace

void add_loop(CLI::App& app, Job& job) {
  auto options = std::make_shared<LoopOptions>();
  CLI::App* verb = app.add_subcommand("loop", "Make a seamless cycle out of a cyclic motion");
  verb->add_option("clip_file", options->file, "Motion that holds at least one cycle")->required();
  verb->add_option("-o,--output", options->out, "Motion to write")->required();
  verb->add_option("--cycles", options->cycles, "How often the cycle is laid end to end")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--from", options->from_s, "Begin of the cycle, seconds (default: found)");
  verb->add_option("--to", options->to_s, "End of the cycle, seconds (default: found)");
  verb->add_flag("--straight", options->straight, "Take the turn of the cycle out: a straight path");
  verb->add_flag("--in-place", options->in_place, "Take the way over the ground out");
  verb->add_flag("--keep-slide", options->keep_slide, "Leave the captured slide of standing feet in");
  verb->add_option("--method", options->method, "How the change is spread; linear is the baseline")
      ->check(CLI::IsMember({"two_step", "linear"}))
      ->capture_default_str();
  add_input_options(*verb, options->input);
  verb->footer(
      "Frame k of cycle c is frame k of the first, moved over the ground c times; the cycle's last posture is not "
      "repeated.\n\n"
      "Examples:\n"
      "  shosa loop walk.bvh -o cycle.bvh\n"
      "  shosa loop walk.bvh -o long.bvh --cycles 10 --straight");
  verb->callback([options, &job] {
    if (options->from_s.has_value() != options->to_s.has_value()) {
      throw CLI::ValidationError("--from", "--from and --to go together");
    }
    job = [options] { return loop(*options); };
  });
}

}  // namespace shosa::cli
