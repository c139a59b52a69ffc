#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "input.h"
#include "shosa/core/clip_edit.h"
#include "shosa/io/read_text.h"
#include "shosa/submovement/file.h"
#include "verb.h"

namespace shosa::cli {

namespace {

struct RecomposeOptions {
  std::string file, out;
  std::optional<double> fps;
};

/// Joints times frames that memory can bear: three hours of a person at 120 Hz.
constexpr double kMaxSamples = 4e7;

std::optional<int> first_frame_out_of_range(const Clip& clip) {
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      if (!pose.translation(j).allFinite() || !pose.rotation(j).coeffs().allFinite()) return f;
    }
  }
  return std::nullopt;
}

Result<Report> recompose(const RecomposeOptions& options) {
  const auto bytes = io::read_text(options.file);
  if (!bytes) return std::unexpected(bytes.error());
  auto body = submovement::decode(*bytes, options.file);
  if (!body) return std::unexpected(body.error());
  if (options.fps) {
    // A file's frame time is rounded: 0.0083333 s are 1/120.
    const double frames =
        std::floor((body->frame_count - 1) * body->frame_time_s * *options.fps * (1.0 + 1e-5) + 1e-9) + 1.0;
    const double most = std::floor(kMaxSamples / body->skeleton->joint_count());
    if (frames > std::min<double>(kMaxFrames, most))
      return fail(ErrorCode::invalid_argument, "--fps {}: {} frames of {} joints, at most {}", *options.fps, frames,
                  body->skeleton->joint_count(), std::min<double>(kMaxFrames, most));
    body->frame_count = static_cast<int>(frames);
    body->frame_time_s = 1.0 / *options.fps;
  }
  io::MotionFile motion;
  motion.skeleton = body->skeleton;
  motion.clips = {submovement::recompose(*body)};
  if (const auto frame = first_frame_out_of_range(motion.clips[0]))
    return fail(ErrorCode::bad_file, "{}: frame {} is not finite: the submovements sum up to more than a float holds",
                options.file, *frame);
  motion.body_map = body::guess_body_map(*body->skeleton);
  if (const auto ok = io::write_motion(options.out, motion); !ok) return std::unexpected(ok.error());
  Report report;
  report.json = {{"frames", body->frame_count},
                 {"fps", 1.0 / body->frame_time_s},
                 {"submovements", body->submovement_count()},
                 {"bytes", bytes->size()}};
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
