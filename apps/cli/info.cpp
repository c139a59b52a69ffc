#include <algorithm>

#include "add_verb.h"
#include "input.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/documents/reports.h"

namespace shosa::cli {

namespace {

using nlohmann::ordered_json;

struct InfoOptions {
  std::string file;
  std::optional<double> at_s;
  std::vector<std::string> joints;
  InputOptions input;
};

// Where joints are at a time of the clip, in the world.
Result<ordered_json> places_json(const InfoOptions& options, const Clip& clip, const body::BodyMap& map,
                                 std::string& text) {
  const Skeleton& skeleton = clip.skeleton();
  const double at_s = options.at_s.value_or(0.0);
  if (at_s < 0.0 || at_s > clip.duration_s())
    return fail(ErrorCode::not_possible, "{}: --at {} s, expected a time from 0 to {:.4f} s", options.file, at_s,
                clip.duration_s());
  std::vector<JointIndex> chosen;
  for (const std::string& name : options.joints) {
    const auto joint = body::resolve_joint(skeleton, map, name);
    if (!joint) return fail(joint.error().code, "{}: {}", options.file, joint.error().message);
    chosen.push_back(*joint);
  }
  for (JointIndex j = 0; options.joints.empty() && j < skeleton.joint_count(); ++j) chosen.push_back(j);
  Pose pose;
  sample(clip, at_s, pose);
  const WorldPose world = forward_kinematics(skeleton, pose);
  ordered_json places = ordered_json::array();
  text += fmt::format("  at {:.4f} s: x, y, z (m)\n", at_s);
  for (const JointIndex j : chosen) {
    const Vec3d& p = world.positions[j];
    const Quatd& q = world.rotations[j];
    places.push_back(
        {{"joint", skeleton.name(j)}, {"position", {p.x(), p.y(), p.z()}}, {"rotation", {q.x(), q.y(), q.z(), q.w()}}});
    text += fmt::format("    {:<24} {:9.4f} {:9.4f} {:9.4f}\n", skeleton.name(j), p.x(), p.y(), p.z());
  }
  return places;
}

Result<Report> info(const InfoOptions& options) {
  auto motion = read_input(options.file, options.input);
  if (!motion) return std::unexpected(motion.error());
  const Skeleton& skeleton = *motion->skeleton;

  std::size_t chosen = 0;
  if (!motion->clips.empty()) {
    const auto found = choose_clip(*motion, options.file, options.input);
    if (!found) return std::unexpected(found.error());
    chosen = *found;
  }
  ordered_json json = ordered_json::parse(documents::info_report(*motion, chosen));
  std::string text = fmt::format("{}: {}, {} joints, {} end sites, {}\n", options.file, motion->format,
                                 skeleton.joint_count(), skeleton.end_sites().size(), json["kind"].get<std::string>());
  text += fmt::format("  unit {:.6g} m, {} up\n", motion->unit_m, motion->up == io::UpAxis::y ? 'Y' : 'Z');

  for (const Clip& clip : motion->clips) {
    text += fmt::format("  clip '{}': {} frames at {:.6g} fps, {:.3f} s\n", clip.name(), clip.frame_count(), clip.fps(),
                        clip.duration_s());
  }
  if (!motion->clips.empty()) {
    const Clip& clip = motion->clips[chosen];
    const analysis::StudiedClip studied = analysis::study(clip, motion->body_map);
    if (const auto& ground = studied.ground()) text += fmt::format("  floor at {:.3f} m\n", ground->height_m);
    if (options.at_s || !options.joints.empty()) {
      auto places = places_json(options, clip, motion->body_map, text);
      if (!places) return std::unexpected(places.error());
      json["at_s"] = options.at_s.value_or(0.0);
      json["places"] = std::move(*places);
    }
    if (studied.needs_feet() && !options.input.fps_is) {
      const auto fall = analysis::check_free_fall(studied);
      if (fall.rate_is_suspect) motion->warnings.push_back(fmt::format("{}: {}", options.file, fall.warning));
    }
  } else if (motion->warnings.empty()) {
    motion->warnings.push_back("holds a skeleton but no motion");
  }

  int roles = 0;
  for (const auto& [role, joint] : json["roles"].items()) {
    text += fmt::format("{}{} = {}", roles % 4 == 0 ? "\n  " : ", ", role, joint.get<std::string>());
    ++roles;
  }
  if (roles > 0) text += "\n";
  std::ranges::copy(motion->body_map.warnings, std::back_inserter(motion->warnings));
  return Report{.json = std::move(json), .text = std::move(text), .notes = std::move(motion->warnings)};
}

}  // namespace

void add_info(CLI::App& app, Job& job) {
  const auto [verb, options] = add_verb(app, job, "info", "Say what is in a motion file", info);
  add_clip_file(*verb, options->file, "File to look into");
  verb->add_option("--at", options->at_s, "Say where joints are at this time, seconds from the clip's start");
  verb->add_option("--joint", options->joints, "Joint or body role that --at tells of (default: all)")
      ->allow_extra_args(false);
  options->input.as_captured = true;
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa info walk.bvh\n"
      "  shosa info walk.bvh --json\n"
      "  shosa info walk.bvh --at 0.5 --joint right_hand\n"
      "  shosa info robot.glb --clip Walking");
}

}  // namespace shosa::cli
