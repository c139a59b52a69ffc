#include "demo/manual_files.h"

#include "shosa/io/atomic_file.h"
#include "shosa/io/motion_file.h"
#include "shosa/segment/footsteps.h"

namespace shosa::demo {

namespace {

constexpr std::string_view kDuckScript = R"({"clip": "walk.bvh",
 "pins": [{"joint": "left_foot"}, {"joint": "left_toes"}, {"joint": "right_foot"}, {"joint": "right_toes"}],
 "drags": [{"joint": "head", "relative": true, "keys": [[0.8, [0, 0, 0]], [1.4, [0, -0.2, 0]], [2.0, [0, 0, 0]]]}]}
)";

constexpr std::string_view kStairsPlan = R"({"stairs": {"rise_m": 0.15, "tread_m": 0.3, "count": 4}}
)";

constexpr std::string_view kScore = R"({"smoothness": 0.5, "motions": [
  {"clip": "walk.bvh", "core": [0.9, 2.2], "at": 0.0},
  {"clip": "run.bvh", "core": [1.0, 2.4], "at": "auto"},
  {"clip": "jump.bvh"}]}
)";

constexpr std::string_view kClimbScript = R"({"clips": {"stand": "idle.bvh", "walk": "walk.bvh", "run": "run.bvh"},
 "ground": {"stairs": {"at": [0, 2], "rise_m": 0.17, "tread_m": 0.3, "count": 5}}, "duration_s": 14,
 "commands": [{"at_s": 0, "place_m": [0, 6], "heading_deg": 90},
              {"at_s": 2, "reach": "right_hand", "keys": [{"time_s": 2, "position": [-0.35, 1.45, 2.1]},
                                                          {"time_s": 4, "position": [-0.35, 1.95, 3.4]},
                                                          {"time_s": 5.5, "position": [-0.35, 2.25, 5.1]}], "until_s": 5.5},
              {"at_s": 11, "push_mps": [0.5, 0, 0]}]}
)";

Result<void> write_clip(const std::filesystem::path& folder, const std::string& name, const Clip& clip,
                        const body::BodyMap& map) {
  io::MotionFile motion;
  motion.skeleton = clip.skeleton_ptr();
  motion.clips = {clip};
  motion.clips[0].set_name(name);
  motion.body_map = map;
  for (const char* ending : {".bvh", ".glb"}) {
    if (const auto written = io::write_motion(folder / (name + ending), motion); !written) return written;
  }
  return {};
}

}  // namespace

Result<void> write_manual_files(const std::filesystem::path& folder, const Cast& cast) {
  for (const auto& [name, part] : {std::pair{"idle", "idle"},
                                   {"walk", "walk_normal"},
                                   {"run", "run_slow"},
                                   {"jump", "jump"},
                                   {"dog_walk", "dog_walk"}}) {
    const auto motion = cast.find(part);
    if (!motion) return std::unexpected(motion.error());
    if (const auto written = write_clip(folder, name, (*motion)->clip(), (*motion)->body_map()); !written)
      return written;
  }
  const auto walk = cast.find("walk_fast");
  if (!walk) return std::unexpected(walk.error());
  const auto source = segment::footstep_source((*walk)->studied);
  if (!source) return std::unexpected(source.error());
  const auto plan = segment::stairs_plan(*source, {.rise_m = 0.15, .tread_m = 0.4});
  if (!plan) return std::unexpected(plan.error());
  const auto stairs = segment::walk_footsteps(*plan);
  if (!stairs) return std::unexpected(stairs.error());
  if (const auto written = write_clip(folder, "stairs", stairs->clip, (*walk)->body_map()); !written) return written;
  for (const auto& [name, text] : {std::pair{"duck.json", kDuckScript},
                                   {"stairs.json", kStairsPlan},
                                   {"score.json", kScore},
                                   {"climb.json", kClimbScript}}) {
    if (const auto written = io::write_file_atomically(folder / name, text); !written) return written;
  }
  return {};
}

}  // namespace shosa::demo
