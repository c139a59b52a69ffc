#include "demo/real_cast.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "demo/real_clips.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/retarget/retarget.h"

namespace shosa::demo {

namespace {

/// How a part is looked for: words that a file must and must not have, and what its clip must do. The clip with the
/// least `rank` plays it.
struct Search {
  const char* part;
  std::vector<std::string> any, without;
  std::function<bool(const RealClip&)> fits;
  std::function<double(const RealClip&)> rank;
  const char* wanted;  ///< For people.
};

/// Files by whose names no part is looked for, and which are read all the same to say whether they can be.
constexpr int kOthers = 300;

double longest_first(const RealClip& clip) {
  return -clip.clip().duration_s();
}

/// Those whose head is highest over the ground in the first frame: an actor on guard stands too.
double upright_first(const RealClip& clip) {
  const WorldPose world = forward_kinematics(clip.clip().skeleton(), clip.clip().frame(0));
  const JointIndex head = clip.body_map().joint(body::Role::head);
  return head == kNoJoint ? 0.0 : -world.positions[head].y();
}

/// Not a T-pose, which says how a skeleton was set up and not how somebody stands.
bool arms_hang(const RealClip& clip) {
  const WorldPose world = forward_kinematics(clip.clip().skeleton(), clip.clip().frame(0));
  const auto height = [&](body::Role role) {
    const JointIndex joint = clip.body_map().joint(role);
    return joint == kNoJoint ? 0.0 : world.positions[joint].y();
  };
  return std::max(height(body::Role::left_hand), height(body::Role::right_hand)) <
         0.5 * (height(body::Role::hips) + height(body::Role::left_upper_arm));
}

bool same_joints(const Clip& a, const Clip& b) {
  const Skeleton &one = a.skeleton(), &other = b.skeleton();
  if (one.joint_count() != other.joint_count()) return false;
  for (JointIndex j = 0; j < one.joint_count(); ++j) {
    if (other.find(one.joint(j).name) == kNoJoint) return false;
  }
  return true;
}

std::vector<Search> searches() {
  const std::vector<std::string> odd = {"back",  "turn", "veer",  "limp", "stair", "step",       "terrain",
                                        "slope", "jump", "sad",   "old",  "left",  "right",      "stop",
                                        "start", "pick", "punch", "kick", "dog",   "on-the-spot"};
  const auto walks = [](const RealClip& c) {
    return c.body_map().kind == body::BodyKind::humanoid && c.cyclic && !c.flies && c.turn_rad < 0.4 &&
           c.speed_mps > 0.5;
  };
  const auto runs = [](const RealClip& c) {
    return c.body_map().kind == body::BodyKind::humanoid && c.speed_mps > 1.8 && c.turn_rad < 0.5;
  };
  const auto human = [](const RealClip& c) { return c.body_map().kind == body::BodyKind::humanoid; };
  const auto near = [](double mps) { return [mps](const RealClip& c) { return std::abs(c.speed_mps - mps); }; };
  const auto stands = [](const RealClip& c) {
    return c.body_map().kind == body::BodyKind::humanoid && c.speed_mps < 0.15 && c.clip().duration_s() > 1.0 &&
           arms_hang(c);
  };
  const auto fights = [](const RealClip& c) {
    return c.body_map().kind == body::BodyKind::humanoid && c.clip().duration_s() < 9.0;
  };
  return {
      {"walk_normal", {"walk"}, odd, walks, near(1.3), "a straight walk with a cycle"},
      {"walk_slow", {"walk"}, odd, walks, [](const RealClip& c) { return c.speed_mps; }, "a slow straight walk"},
      {"walk_fast", {"walk"}, odd, walks, [](const RealClip& c) { return -c.speed_mps; }, "a fast straight walk"},
      {"run_slow", {"run", "jog"}, odd, runs, [](const RealClip& c) { return c.speed_mps; }, "a straight run"},
      {"run_fast", {"run", "jog"}, odd, runs, [](const RealClip& c) { return -c.speed_mps; }, "a fast straight run"},
      {"idle", {"idle", "standing", "static"}, {"getting"}, stands, upright_first, "someone who stands for a second"},
      {"step_down",
       {"down"},
       {"sit", "lay", "get"},
       [human](const RealClip& c) { return human(c) && c.drop_m > 0.08; },
       [](const RealClip& c) { return c.clip().duration_s(); },
       "a step down of 8 cm or more"},
      {"raise_hand",
       {"drink", "wave", "raise", "wash", "reach"},
       {},
       [human](const RealClip& c) { return human(c) && c.hand_rise_m > 0.35; },
       [](const RealClip& c) { return c.clip().duration_s(); },
       "a right hand that rises by 35 cm"},
      {"guard", {"guard", "boxing", "ready pose"}, {"laying"}, fights, longest_first, "someone on guard"},
      {"punch_left", {"punch"}, {"kick", "walk"}, fights, longest_first, "a punch"},
      {"punch_right", {"punch"}, {"kick", "walk"}, fights, longest_first, "a punch"},
      {"kick",
       {"kick"},
       {"soccer", "punch"},
       fights,
       [](const RealClip& c) { return c.clip().duration_s(); },
       "a kick"},
      {"dodge", {"dodge", "duck", "evade"}, {}, human, longest_first, "a dodge"},
      {"hiphop_two_step", {"hip", "salsa", "charleston"}, {}, human, longest_first, "a dance"},
      {"hiphop_rock", {"charleston", "hip"}, {}, human, longest_first, "another dance"},
      {"noh_point", {"noh"}, {}, human, longest_first, "a Noh pattern"},
      {"noh_open", {"noh"}, {}, human, longest_first, "a Noh pattern"},
  };
}

}  // namespace

Result<Cast> real_cast(const std::filesystem::path& folder) {
  auto clips = RealClips::open(folder);
  if (!clips) return std::unexpected(clips.error());
  Cast cast;
  cast.captured = true;
  const RealClip* body = nullptr;  // The walk's: all others are brought onto it.
  // Clips of the walk's own kind of body first: a motion that was brought over from another is second hand.
  const auto foreign = [&](const RealClip& clip) { return body != nullptr && !same_joints(body->clip(), clip.clip()); };
  for (const Search& search : searches()) {
    const RealClip* best = nullptr;
    const auto files = clips->with_words(search.any, search.without);
    for (const std::string& file : files) {
      const RealClip* clip = clips->get(file);
      if (clip == nullptr || !search.fits(*clip)) continue;
      if (best == nullptr ||
          std::pair(foreign(*clip), search.rank(*clip)) < std::pair(foreign(*best), search.rank(*best)))
        best = clip;
    }
    if (best == nullptr) {
      cast.set_missing(search.part,
                       fmt::format("{} was looked for among {} clips by name", search.wanted, files.size()));
      continue;
    }
    if (body == nullptr) body = best;
    Clip clip = best->clip();
    body::BodyMap map = best->body_map();
    if (!same_skeleton(body->clip().skeleton(), clip.skeleton(), 1e-3)) {
      auto moved = retarget::retarget_motion(best->studied, body->clip().skeleton_ptr(), body->body_map(),
                                             {.target_motion = body->studied});
      if (!moved) {
        cast.set_missing(search.part, fmt::format("{}: {}", best->file, moved.error().message));
        continue;
      }
      clip = std::move(moved->clip);
      map = body->body_map();
    }
    if (!best->warnings.empty()) cast.warnings[best->file] = best->warnings;
    clip.set_name(search.part);
    cast.set(search.part, {analysis::study(std::move(clip), std::move(map)), {}, best->file});
  }
  for (const char* part : {"start", "stop"})
    cast.set_missing(part, "where a captured walk starts and stops is not looked for");
  for (const char* part : {"dog_stand", "dog_lie_down", "dog_drop"})
    cast.set_missing(part, "what captured dogs do is not looked for");
  for (const char* part : {"wave", "bow", "jump", "pick_up", "stand_up", "sit_down"})
    cast.set_missing(part, "it is not looked for among captured clips");
  clips->check_others(kOthers);
  cast.unusable = clips->unusable();
  return cast;
}

}  // namespace shosa::demo
