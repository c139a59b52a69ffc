#include "add_verb.h"
#include "input.h"
#include "shosa/documents/body_map.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/documents/submovement_play.h"

namespace shosa::cli {

namespace {

struct RecomposeOptions {
  std::string file, out, body_map;
  documents::PlaySubmovementsParams play;
};

Result<Report> recompose(const RecomposeOptions& options) {
  const auto body = documents::read_document(options.file, documents::parse_submovements);
  if (!body) return std::unexpected(body.error());
  io::MotionFile motion;
  motion.skeleton = body->skeleton;
  motion.body_map = body::guess_body_map(*body->skeleton);
  if (!options.body_map.empty()) {
    const auto document = documents::read_document(options.body_map, documents::parse_body_map);
    if (!document) return std::unexpected(document.error());
    const auto map = documents::evaluate(*document, *body->skeleton, motion.body_map);
    if (!map) return std::unexpected(map.error());
    motion.body_map = *map;
  }
  auto played = documents::evaluate(*body, motion.body_map, options.play);
  if (!played) return fail(played.error().code, "{}: {}", options.file, played.error().message);
  motion.clips = {played->clip};
  const Clip& clip = motion.clips[0];
  if (const auto ok = io::write_motion(options.out, motion); !ok) return std::unexpected(ok.error());
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::recompose_report(*body, *played));
  report.notes = played->warnings;
  report.text = fmt::format("{}: {} frames at {:.6g} fps from {} submovements\n", options.out, clip.frame_count(),
                            clip.fps(), body->submovement_count());
  if (played->kept_stances > 0)
    report.text += fmt::format("  feet kept in {} stances: {:.1f} mm off at most, joints moved by {:.1f} mm at most\n",
                               played->kept_stances, 1e3 * played->max_foot_error_m, 1e3 * played->max_joint_change_m);
  return report;
}

}  // namespace

void add_recompose(CLI::App& app, Job& job) {
  const auto [verb, options] = add_verb(app, job, "recompose", "Play a submovement file back as a motion", recompose);
  verb->add_option("file", options->file, "What decompose --all or goals wrote")->required();
  add_output(*verb, options->out);
  verb->add_option("--fps", options->play.fps, "Rate of the motion (that of the clip)")->check(positive_number());
  verb->add_flag_callback(
      "--loose-feet", [options] { options->play.keep_feet = false; }, "Do not hold the feet where they stood");
  verb->add_option("--body-map", options->body_map, "Roles of joints, as a JSON file (guessed)");
  verb->footer("Example:\n  shosa recompose drink.submove -o drink.bvh --fps 30");
}

}  // namespace shosa::cli
