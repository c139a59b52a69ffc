#include "add_verb.h"
#include "input.h"
#include "shosa/documents/reports.h"
#include "shosa/shosa.h"

namespace shosa::cli {

namespace {

struct LoopOptions {
  std::string file, out;
  InputOptions input;
  segment::LoopParams params;
  bool keep_slide = false, level = false, climb = false;
  std::string method = "two_step";
};

Result<Report> loop(const LoopOptions& options) {
  auto source = open_clip(options.file, options.input);
  if (!source) return std::unexpected(source.error());
  segment::LoopParams params = options.params;
  if (options.keep_slide) params.still_feet = false;
  if (options.level) params.rise = segment::LoopRise::level;
  if (options.climb) params.rise = segment::LoopRise::climb;
  if (options.method == "linear") params.method = segment::EditMethod::linear;
  const auto looped = loop_clip(std::move(*source), params);
  if (!looped) return fail(looped.error().code, "{}: {}", options.file, looped.error().message);

  const segment::Loop& made = looped->report;
  const double dt = made.clip.frame_time_s();
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::loop_report(made));
  report.notes = looped->motion.warnings;
  report.text = fmt::format(
      "{}: {} cycles of {} frames, from {:.3f} s of {}\n  seam  {:.4f} mm and {:.4f} m/s at the joint where it is "
      "worst "
      "(before: {:.1f} mm on the mean)\n",
      options.out, options.params.cycles, made.frames_per_cycle, made.first * dt, options.file,
      1e3 * made.seam_position_m, made.seam_velocity_mps, 1e3 * made.distance_m);
  if (const auto written = write_clip(options.out, *looped); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_loop(CLI::App& app, Job& job) {
  const auto [verb, options] = add_verb(app, job, "loop", "Make a seamless cycle out of a cyclic motion", loop);
  add_in_and_out(*verb, options->file, "Motion that holds at least one cycle", options->out);
  verb->add_option("--cycles", options->params.cycles, "How often the cycle is laid end to end")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--from", options->params.from_s, "Begin of the cycle, seconds (default: found)");
  verb->add_option("--to", options->params.to_s, "End of the cycle, seconds (default: found)");
  verb->add_flag("--straight", options->params.straight, "Take the turn of the cycle out: a straight path");
  verb->add_flag("--in-place", options->params.in_place, "Take the way over the ground out");
  CLI::Option* level = verb->add_flag("--level", options->level, "The next cycle starts on the level of this one");
  verb->add_flag("--climb", options->climb, "The next cycle starts higher or lower, as the floor under the feet")
      ->excludes(level);
  verb->add_flag("--keep-slide", options->keep_slide, "Leave the captured slide of standing feet in");
  verb->add_option("--method", options->method, "How the change is spread; linear is the baseline")
      ->check(CLI::IsMember({"two_step", "linear"}))
      ->capture_default_str();
  add_input_options(*verb, options->input);
  verb->footer(
      "Frame k of cycle c is frame k of the first, moved over the ground c times; the cycle's last posture is not "
      "repeated.\n"
      "Without --level and --climb a loop is level, unless the floor rises or falls under every foot, as on stairs.\n\n"
      "Examples:\n"
      "  shosa loop walk.bvh -o cycle.bvh\n"
      "  shosa loop walk.bvh -o long.bvh --cycles 10 --straight");
  verb->parse_complete_callback([options] {
    if (options->params.from_s.has_value() != options->params.to_s.has_value()) {
      throw CLI::ValidationError("--from", "--from and --to go together");
    }
  });
}

}  // namespace shosa::cli
