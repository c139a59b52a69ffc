#include <fstream>
#include <memory>
#include <sstream>

#include "input.h"
#include "shosa/core/clip_edit.h"
#include "shosa/submovement/file.h"
#include "verb.h"

namespace shosa::cli {

namespace {

struct RecomposeOptions {
  std::string file, out;
  std::optional<double> fps;
};

Result<Report> recompose(const RecomposeOptions& options) {
  std::ifstream in(options.file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) return fail(ErrorCode::cannot_read, "{}: cannot be read", options.file);
  auto body = submovement::decode(bytes.str(), options.file);
  if (!body) return std::unexpected(body.error());
  if (options.fps) {
    const double frames = std::floor((body->frame_count - 1) * body->frame_time_s * *options.fps + 1e-9) + 1.0;
    if (frames > kMaxFrames)
      return fail(ErrorCode::invalid_argument, "--fps {}: {} frames, at most {}", *options.fps, frames, kMaxFrames);
    body->frame_count = static_cast<int>(frames);
    body->frame_time_s = 1.0 / *options.fps;
  }
  io::MotionFile motion;
  motion.skeleton = body->skeleton;
  motion.clips = {submovement::recompose(*body)};
  motion.body_map = guess_body_map(*body->skeleton);
  if (const auto ok = io::write_motion(options.out, motion); !ok) return std::unexpected(ok.error());
  Report report;
  report.json = {{"frames", body->frame_count},
                 {"fps", 1.0 / body->frame_time_s},
                 {"submovements", body->submovement_count()},
                 {"bytes", bytes.str().size()}};
  report.text = fmt::format("{}: {} frames at {:.6g} fps from {} submovements\n", options.out, body->frame_count,
                            1.0 / body->frame_time_s, body->submovement_count());
  return report;
}

}  // namespace

void add_recompose(CLI::App& app, Job& job) {
  auto options = std::make_shared<RecomposeOptions>();
  CLI::App* verb = app.add_subcommand("recompose", "Play a submovement file back as a motion");
  verb->add_option("file", options->file, "What decompose --all wrote")->required();
  verb->add_option("-o,--output", options->out, "Motion to write")->required();
  verb->add_option("--fps", options->fps, "Rate of the motion (that of the clip)")->check(positive_number());
  verb->footer("Example:\n  shosa recompose drink.submove -o drink.bvh --fps 30");
  verb->callback([options, &job] { job = [options] { return recompose(*options); }; });
}

}  // namespace shosa::cli
