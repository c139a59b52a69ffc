#include <filesystem>

#include "add_verb.h"
#include "input.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/read_text.h"
#include "shosa/segment/curve_clip.h"

namespace shosa::cli {

namespace {

struct CurveOptions {
  std::string in, out;
  InputOptions input;
  double max_error_mm = 1.0;
};

bool is_curves(const std::string& path) {
  return std::filesystem::path(path).extension() == ".curves";
}

Result<Report> from_curves(const CurveOptions& options) {
  const auto bytes = io::read_text(options.in);
  if (!bytes) return std::unexpected(bytes.error());
  const auto curves = segment::CurveClip::from_bytes(*bytes, options.in);
  if (!curves) return std::unexpected(curves.error());
  auto clip = curves->decode();
  if (!clip) return fail(clip.error().code, "{}: {}", options.in, clip.error().message);
  io::MotionFile motion;
  motion.skeleton = curves->skeleton();
  motion.body_map = body::guess_body_map(*motion.skeleton);
  Report report;
  report.json = {{"frames", clip->frame_count()}, {"fps", clip->fps()}, {"curve_bytes", curves->curve_bytes()}};
  report.text = fmt::format("{}: {} frames at {:.6g} fps\n", options.out, clip->frame_count(), clip->fps());
  motion.clips = {std::move(*clip)};
  if (const auto written = io::write_motion(options.out, motion); !written) return std::unexpected(written.error());
  return report;
}

Result<Report> to_curves(const CurveOptions& options) {
  const auto source = open_clip(options.in, options.input);
  if (!source) return std::unexpected(source.error());
  const auto fit = segment::fit_curves(source->clip(), {.max_error_m = 1e-3 * options.max_error_mm});
  if (!fit) return fail(fit.error().code, "{}: {}", options.in, fit.error().message);
  const std::string bytes = fit->curves.to_bytes();
  if (const auto saved = io::write_file_atomically(options.out, bytes); !saved) return std::unexpected(saved.error());
  const double seconds = source->clip().duration_s();
  Report report;
  report.json = {{"frames", fit->curves.frame_count()},
                 {"fps", source->clip().fps()},
                 {"max_error_m", fit->max_error_m},
                 {"curve_bytes", fit->curves.curve_bytes()},
                 {"file_bytes", bytes.size()},
                 {"raw_bytes", fit->raw_bytes},
                 {"bytes_per_s", static_cast<double>(fit->curves.curve_bytes()) / seconds}};
  report.notes = source->motion.warnings;
  report.text = fmt::format(
      "{}: {} bytes ({:.1f} % of the samples), no joint off by more than {:.2f} mm\n", options.out, bytes.size(),
      100.0 * static_cast<double>(bytes.size()) / static_cast<double>(fit->raw_bytes), 1e3 * fit->max_error_m);
  return report;
}

Result<Report> curves(const CurveOptions& options) {
  return is_curves(options.in) ? from_curves(options) : to_curves(options);
}

}  // namespace

void add_curves(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "curves", "Hold a motion as fitted curves (.curves), or read one back", curves);
  verb->add_option("in", options->in, "A motion, or a .curves file")->required();
  add_output(*verb, options->out, "A .curves file, or a motion");
  verb->add_option("--max-error", options->max_error_mm, "Largest error of any joint, millimetres")
      ->check(positive_number())
      ->capture_default_str();
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n  shosa curves walk.bvh -o walk.curves --max-error 1.2\n  shosa curves walk.curves -o walk.bvh");
  verb->parse_complete_callback([options] {
    if (is_curves(options->in) == is_curves(options->out)) {
      throw CLI::ValidationError("curves", "expected a motion and a .curves file, in either order");
    }
  });
}

}  // namespace shosa::cli
