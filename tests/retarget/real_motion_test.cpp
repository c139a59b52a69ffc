// Captured motions on captured skeletons and on characters: what must hold of feet.

#include <gmock/gmock.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/retarget/retarget.h"
#include "support/real_data.h"

namespace shosa::retarget {
namespace {

constexpr double kMaxSlide_mps = 0.01;
constexpr double kMaxPenetration_m = 0.01;

struct Body {
  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap map;
  std::optional<analysis::StudiedClip> motion;
};

Body read_body(const std::string& path) {
  auto file = io::read_motion(test::real_data_dir() / path);
  if (!file) throw std::runtime_error(file.error().message);
  Body body{file->skeleton, file->body_map, {}};
  if (!file->clips.empty()) body.motion = analysis::study(file->clips.front(), file->body_map);
  return body;
}

io::MotionFile read_clip(const std::string& path) {
  auto file = io::read_motion(test::real_data_dir() / path, {.drop_tpose = true});
  if (!file) throw std::runtime_error(file.error().message);
  return std::move(*file);
}

// A walk each of every kind, runs, stairs, fights and dances.
const std::vector<std::string>& clips() {
  static const std::vector<std::string> list = {"02_01", "16_15",  "16_17",  "111_01", "77_24", "09_01",
                                                "16_41", "13_35",  "113_19", "83_08",  "75_09", "02_05",
                                                "79_08", "135_07", "05_02",  "49_18",  "61_10", "49_06"};
  return list;
}

RetargetResult onto_file(const io::MotionFile& source, const Body& body, const RetargetParams& params) {
  auto result = retarget_motion(analysis::study(source.clips[0], source.body_map), body.skeleton, body.map, params);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void feet_hold_on(const Body& body) {
  for (const std::string& name : clips()) {
    SCOPED_TRACE(name);
    const io::MotionFile source = read_clip("cmu-bvh/" + name + ".bvh");
    const RetargetResult kept = onto_file(source, body, {.target_motion = body.motion});
    EXPECT_GT(kept.held_stances, 0);
    EXPECT_LE(kept.quality.foot_skate_mps, kMaxSlide_mps);
    EXPECT_LE(kept.quality.penetration_m, kMaxPenetration_m);
  }
}

TEST(RetargetRealMotion, FeetHoldOnCesiumMan) {
  SHOSA_NEEDS_REAL_DATA();
  feet_hold_on(read_body("gltf/CesiumMan.glb"));
}

TEST(RetargetRealMotion, FeetHoldOnTheRobotWhoseFeetHangOnTheRoot) {
  SHOSA_NEEDS_REAL_DATA();
  feet_hold_on(read_body("gltf/RobotExpressive.glb"));
}

TEST(RetargetRealMotion, FeetHoldOnASkeletonWhoseRestPoseIsNoPosture) {
  SHOSA_NEEDS_REAL_DATA();
  feet_hold_on(read_body("bandai-NC/dataset-1_walk_normal_001.bvh"));
}

TEST(RetargetRealMotion, FeetHoldOnTheHumanoidThatShips) {
  SHOSA_NEEDS_REAL_DATA();
  feet_hold_on({scenes::humanoid(), body::guess_body_map(*scenes::humanoid()), {}});
}

// Arms longer than legs: a robot that reaches down would reach through the floor.
TEST(RetargetRealMotion, HandsOfTheRobotStayAboveTheFloor) {
  SHOSA_NEEDS_REAL_DATA();
  const Body robot = read_body("gltf/RobotExpressive.glb");
  double deepest_free = 0.0;
  for (const char* name : {"26_09", "13_11", "69_68", "49_06", "111_17", "02_01"}) {
    SCOPED_TRACE(name);
    const io::MotionFile source = read_clip(std::string("cmu-bvh/") + name + ".bvh");
    const auto deepest = [&](const RetargetResult& result) {
      const ClipPositions at = clip_positions(result.clip);
      double lowest = 0.0;
      for (const char* finger : {"Index2", "Middle2", "Ring2", "Ring1", "Thumb2"}) {
        for (const char* side : {".L", ".R"}) {
          const JointIndex joint = robot.skeleton->find(std::string(finger) + side);
          for (int f = 0; f < at.frame_count(); ++f)
            lowest = std::min(lowest, at.joint(f, joint).y() - result.contacts.ground_m);
        }
      }
      return -lowest;
    };
    EXPECT_LE(deepest(onto_file(source, robot, {.target_motion = robot.motion})), kMaxPenetration_m);
    deepest_free =
        std::max(deepest_free, deepest(onto_file(source, robot, {.keep_hands = false, .target_motion = robot.motion})));
  }
  EXPECT_GT(deepest_free, 0.5) << "without the lift hands go deep, so the bound above says something";
}

TEST(RetargetRealMotion, TurnsAloneComeBackAsTheyWere) {
  SHOSA_NEEDS_REAL_DATA();
  const Body bandai = read_body("bandai-NC/dataset-1_walk_normal_001.bvh");
  for (const char* name : {"02_01", "16_17", "49_06", "05_02"}) {
    SCOPED_TRACE(name);
    const io::MotionFile source = read_clip(std::string("cmu-bvh/") + name + ".bvh");
    const Clip& clip = source.clips[0];
    const RetargetResult there =
        onto_file(source, bandai, {.keep_feet = false, .keep_hands = false, .target_motion = bandai.motion});
    const auto back = retarget_motion(analysis::study(there.clip, bandai.map), source.skeleton, source.body_map,
                                      {.keep_feet = false,
                                       .keep_hands = false,
                                       .target_motion = analysis::study(clip, source.body_map),
                                       .source_motion = bandai.motion});
    ASSERT_TRUE(back.has_value());
    EXPECT_NEAR(there.scale * back->scale, 1.0, 1e-6);
    for (const body::Role role :
         {body::Role::hips, body::Role::left_upper_leg, body::Role::left_lower_leg, body::Role::left_foot,
          body::Role::right_upper_arm, body::Role::right_lower_arm, body::Role::right_hand}) {
      const JointIndex joint = source.body_map.joint(role);
      double largest = 0.0;
      for (int f = 0; f < clip.frame_count(); ++f)
        largest = std::max(largest,
                           static_cast<double>(clip.rotation(f, joint).angularDistance(back->clip.rotation(f, joint))));
      EXPECT_LT(largest, 0.01) << role_name(role);
    }
  }
}

TEST(RetargetRealMotion, ThereAndBackWithFeetHeldStaysNear) {
  SHOSA_NEEDS_REAL_DATA();
  const Body bandai = read_body("bandai-NC/dataset-1_walk_normal_001.bvh");
  for (const char* name : {"02_01", "16_15", "16_17", "09_01", "13_35", "79_08", "49_18"}) {
    SCOPED_TRACE(name);
    const io::MotionFile source = read_clip(std::string("cmu-bvh/") + name + ".bvh");
    const Clip& clip = source.clips[0];
    const RetargetResult there = onto_file(source, bandai, {.target_motion = bandai.motion});
    const auto back =
        retarget_motion(analysis::study(there.clip, bandai.map), source.skeleton, source.body_map,
                        {.target_motion = analysis::study(clip, source.body_map), .source_motion = bandai.motion});
    ASSERT_TRUE(back.has_value());
    EXPECT_LE(back->quality.foot_skate_mps, kMaxSlide_mps);
    EXPECT_LE(back->quality.penetration_m, kMaxPenetration_m);

    // Heights are those of the target's ground, so the mean rise is taken out.
    const ClipPositions p = clip_positions(clip), q = clip_positions(back->clip);
    const JointIndex hips = source.body_map.joint(body::Role::hips);
    double rise = 0.0;
    for (int f = 0; f < p.frame_count(); ++f) rise += (q.joint(f, hips).y() - p.joint(f, hips).y()) / p.frame_count();
    double sum = 0.0;
    int count = 0;
    for (int f = 0; f < p.frame_count(); ++f) {
      for (const RolePair& pair : back->pairs) {
        sum += (q.joint(f, pair.target) - p.joint(f, pair.target) - Vec3d(0.0, rise, 0.0)).norm();
        ++count;
      }
    }
    EXPECT_LT(sum / count, 0.05);
  }
}

TEST(RetargetRealMotion, ADogWalksAsAnotherDog) {
  SHOSA_NEEDS_REAL_DATA();
  const Body mann = read_body("dog-mann-NC/D1_007_KAN01_001.bvh");
  const io::MotionFile labrador = read_clip("dog-labrador/dog_quad_walkrun_007.bvh");
  const RetargetResult result = onto_file(labrador, mann, {.target_motion = mann.motion});
  EXPECT_EQ(result.contacts.feet.size(), 4u);
  EXPECT_LE(result.quality.foot_skate_mps, kMaxSlide_mps);
  EXPECT_LE(result.quality.penetration_m, kMaxPenetration_m);
}

}  // namespace
}  // namespace shosa::retarget
