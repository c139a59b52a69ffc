#include <cmath>
#include <limits>

#include "c_api.h"
#include "motions/motions.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"

namespace shosa {
namespace {

using test::CApi;
using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(CApi, AClipWrittenToBytesReadsBack) {
  const shosa_clip walk = motion("walk_normal");
  for (const std::string name : {"walk.bvh", "walk.glb", "walk.gltf", "walk.vrma"}) {
    shosa_buffer bytes = 0;
    ASSERT_TRUE(ok(shosa_clip_format(context, walk, name.c_str(), &bytes)));
    const std::string file = text(bytes);
    shosa_clip read = 0;
    ASSERT_TRUE(ok(shosa_clip_parse(context, file.data(), file.size(), name.c_str(), nullptr, &read))) << name;
    EXPECT_EQ(info(read).frame_count, info(walk).frame_count) << name;
    EXPECT_EQ(name.substr(5), info(read).format);
    const uint32_t frames = info(walk).frame_count, points = info(walk).joint_count + info(walk).end_site_count;
    if (info(read).joint_count + info(read).end_site_count != points) continue;  // a .vrma holds the bones alone
    std::vector<float> a(3 * frames * points), b(a.size());
    ASSERT_TRUE(ok(shosa_clip_positions(context, walk, 0, frames, a.data(), points)));
    ASSERT_TRUE(ok(shosa_clip_positions(context, read, 0, frames, b.data(), points)));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4) << name;
  }
}

TEST_F(CApi, BrokenBytesAreRefusedWithThePlace) {
  shosa_clip clip = 77;
  const std::string broken = "HIERARCHY\nROOT a\n{\n  OFFSET 0 0 zero\n";
  EXPECT_EQ(shosa_clip_parse(context, broken.data(), broken.size(), "a.bvh", nullptr, &clip), SHOSA_BAD_FILE);
  EXPECT_EQ(clip, 0U);
  EXPECT_THAT(error(), HasSubstr("a.bvh:4"));
  EXPECT_EQ(shosa_clip_parse(context, "x", 1, "a.c3d", nullptr, &clip), SHOSA_CANNOT_READ);
  EXPECT_EQ(shosa_clip_read(context, "/nowhere/a.bvh", nullptr, &clip), SHOSA_CANNOT_READ);
  shosa_buffer bytes = 0;
  EXPECT_EQ(shosa_clip_format(context, motion("idle"), "a.fbx", &bytes), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_clip_write(context, motion("idle"), "/nowhere/a.bvh"), SHOSA_CANNOT_WRITE);
  EXPECT_EQ(shosa_clip_make(context, "fly", &clip), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("walk_normal"));
}

TEST_F(CApi, PosturesAreThoseOfTheLibrary) {
  const auto walk = motions::make("walk_normal");
  const shosa_clip clip = motion("walk_normal");
  const Skeleton& skeleton = walk->clip.skeleton();
  Pose pose;
  sample(walk->clip, 0.4321, pose);
  const auto joints = static_cast<uint32_t>(skeleton.joint_count());
  std::vector<float> rotations(4 * joints), translations(3 * joints), matrices(16 * joints);
  ASSERT_TRUE(ok(shosa_clip_sample(context, clip, 0.4321, rotations.data(), translations.data(), joints)));
  ASSERT_TRUE(ok(shosa_clip_matrices(context, clip, 0.4321, matrices.data(), joints)));
  const WorldPose world = forward_kinematics(skeleton, pose);
  for (uint32_t j = 0; j < joints; ++j) {
    const auto joint = static_cast<JointIndex>(j);
    EXPECT_EQ(Eigen::Vector4f(rotations.data() + 4 * j), pose.rotation(joint).coeffs());
    EXPECT_EQ(Vec3f(translations.data() + 3 * j), pose.translation(joint));
    const Eigen::Matrix4f matrix(matrices.data() + 16 * j);
    EXPECT_LT((matrix.block<3, 1>(0, 3).cast<double>() - world.positions[joint]).norm(), 1e-5);
    EXPECT_LT((matrix.block<3, 3>(0, 0).cast<double>() - world.rotations[joint].toRotationMatrix()).norm(), 1e-5);
  }
}

TEST_F(CApi, WrongSizesAndNumbersAreRefused) {
  const shosa_clip clip = motion("idle");
  float values[4] = {};
  const double nan = std::nan("");
  EXPECT_EQ(shosa_clip_sample(context, clip, 0.0, values, nullptr, 1), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("joint_count is 1"));
  EXPECT_EQ(shosa_clip_sample(context, clip, nan, nullptr, nullptr, info(clip).joint_count), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("time_s is nan"));
  EXPECT_EQ(shosa_clip_frames(context, clip, 1, UINT32_MAX, nullptr, nullptr, info(clip).joint_count),
            SHOSA_BAD_ARGUMENT);
  shosa_clip out = 0;
  EXPECT_EQ(shosa_clip_cut(context, clip, nan, 1.0, &out), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_clip_resample(context, clip, 0.0, &out), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_clip_cut(context, clip, 1e6, 1e7, &out), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, JointsAreFoundByNameAndRole) {
  const shosa_clip clip = motion("idle");
  int32_t by_role = -1, by_name = -1;
  ASSERT_TRUE(ok(shosa_joint_find(context, clip, "right_hand", &by_role)));
  shosa_joint_info hand = SHOSA_JOINT_INFO_INIT;
  ASSERT_TRUE(ok(shosa_joint_get_info(context, clip, static_cast<uint32_t>(by_role), &hand)));
  EXPECT_STREQ(hand.role, "right_hand");
  ASSERT_TRUE(ok(shosa_joint_find(context, clip, hand.name, &by_name)));
  EXPECT_EQ(by_role, by_name);
  std::vector<int32_t> parents(info(clip).joint_count);
  ASSERT_TRUE(ok(shosa_joint_parents(context, clip, parents.data(), info(clip).joint_count)));
  EXPECT_EQ(parents[0], -1);
  EXPECT_EQ(parents[static_cast<std::size_t>(by_role)], hand.parent);
  EXPECT_EQ(shosa_joint_find(context, clip, "right_wing", &by_name), SHOSA_NOT_POSSIBLE);
  EXPECT_EQ(by_name, -1);
  EXPECT_EQ(shosa_joint_get_info(context, clip, 1000, &hand), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, AClipIsMadeFromArrays) {
  const char* names[] = {"root", "arm", "tip"};
  const int32_t parents[] = {-1, 0, 1};
  const float rest[] = {0, 1, 0, 1, 0, 0, 0.5F, 0, 0};
  shosa_clip clip = 0;
  ASSERT_TRUE(ok(shosa_clip_create(context, 3, names, parents, rest, nullptr, 2, 0.1, &clip)));
  // The arm turns by a quarter about +Z in frame 1; the root moves by 2 m.
  const float half = std::sqrt(0.5F);
  const float rotations[] = {0, 0, 0, 1, 0, 0, 3 * half, 3 * half, 0, 0, 0, 1};
  const float translations[] = {0, 1, 2, 9, 9, 9, 9, 9, 9};
  ASSERT_TRUE(ok(shosa_clip_set_frames(context, clip, 1, 1, rotations, translations, 3)));
  float positions[18] = {};
  ASSERT_TRUE(ok(shosa_clip_positions(context, clip, 0, 2, positions, 3)));
  const float expected[] = {0, 1, 0, 1, 1, 0, 1.5F, 1, 0, 0, 1, 2, 1, 1, 2, 1, 1.5F, 2};
  for (int i = 0; i < 18; ++i) EXPECT_NEAR(positions[i], expected[i], 1e-6) << i;

  const float none[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(shosa_clip_set_frames(context, clip, 0, 1, none, nullptr, 3), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("joint 1 has length 0"));
  const float bad[] = {0, kNan, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(shosa_clip_set_frames(context, clip, 0, 1, nullptr, bad, 3), SHOSA_BAD_ARGUMENT);
  const int32_t loop[] = {-1, 2, 1};
  EXPECT_EQ(shosa_clip_create(context, 3, names, loop, rest, nullptr, 2, 0.1, &clip), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_clip_create(context, 3, names, parents, rest, nullptr, UINT32_MAX, 0.1, &clip), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, CopiesAreIndependent) {
  const shosa_clip idle = motion("idle");
  shosa_clip copy = 0;
  ASSERT_TRUE(ok(shosa_clip_copy(context, idle, &copy)));
  const std::vector<float> before = rotations(idle, 0.0);
  std::vector<float> other(before.size(), 0.5F);
  ASSERT_TRUE(ok(shosa_clip_set_frames(context, copy, 0, 1, other.data(), nullptr, info(copy).joint_count)));
  EXPECT_EQ(rotations(idle, 0.0), before);
  EXPECT_NE(rotations(copy, 0.0), before);
}

TEST_F(CApi, CutResampledAndMirrored) {
  const shosa_clip walk = motion("walk_normal");
  shosa_clip part = 0, slow = 0, mirrored = 0, back = 0;
  ASSERT_TRUE(ok(shosa_clip_cut(context, walk, 0.5, 1.0, &part)));
  EXPECT_EQ(info(part).frame_count, 31U);
  EXPECT_EQ(rotations(part, 0.25), rotations(walk, 0.75));
  ASSERT_TRUE(ok(shosa_clip_resample(context, walk, 30.0, &slow)));
  EXPECT_DOUBLE_EQ(info(slow).frame_time_s, 1.0 / 30.0);
  ASSERT_TRUE(ok(shosa_clip_mirror(context, walk, &mirrored)));
  ASSERT_TRUE(ok(shosa_clip_mirror(context, mirrored, &back)));
  const std::vector<float> a = rotations(walk, 0.3), b = rotations(back, 0.3), c = rotations(mirrored, 0.3);
  EXPECT_NE(a, c);
  for (std::size_t j = 0; j < a.size(); j += 4)
    EXPECT_NEAR(std::abs(Eigen::Vector4f(&a[j]).dot(Eigen::Vector4f(&b[j]))), 1.0, 1e-5);
}

TEST_F(CApi, StudiesSayTheSameAsTheMotionsPlan) {
  const auto planned = motions::make("walk_normal");
  const shosa_clip walk = motion("walk_normal");
  shosa_buffer analysis = 0, measures = 0, against = 0;
  ASSERT_TRUE(ok(shosa_clip_analyze(context, walk, &analysis)));
  const auto found = json(analysis);
  EXPECT_TRUE(found["cycle"]["found"].get<bool>());
  EXPECT_NEAR(found["cycle"]["end_s"].get<double>() - found["cycle"]["begin_s"].get<double>(), planned->cycle_s, 0.04);
  for (const char* key : {"contacts", "core", "root_speed_mps", "flights", "warnings", "notes"})
    EXPECT_TRUE(found.contains(key)) << key;
  ASSERT_TRUE(ok(shosa_clip_measure(context, walk, 0, &measures)));
  EXPECT_LT(json(measures)["foot_skate_mps"].get<double>(), 0.05);
  EXPECT_FALSE(json(measures).contains("l2p_m"));
  ASSERT_TRUE(ok(shosa_clip_measure(context, walk, walk, &against)));
  EXPECT_EQ(json(against)["l2p_m"].get<double>(), 0.0);

  uint32_t feet = 0;
  const char* name = nullptr;
  ASSERT_TRUE(ok(shosa_foot_count(context, walk, &feet)));
  ASSERT_EQ(feet, 2U);
  ASSERT_TRUE(ok(shosa_foot_name(context, walk, 0, &name)));
  EXPECT_STREQ(name, "left");
  std::vector<uint8_t> bits(info(walk).frame_count);
  ASSERT_TRUE(ok(shosa_clip_contacts(context, walk, bits.data(), info(walk).frame_count)));
  // Each foot stands in the middle of each contact of the report, and not in the middle between two.
  const auto left = found["contacts"]["left"];
  for (std::size_t i = 0; i + 1 < left.size(); ++i) {
    const double middle = 0.5 * (left[i][0].get<double>() + left[i][1].get<double>());
    const double between = 0.5 * (left[i][1].get<double>() + left[i + 1][0].get<double>());
    EXPECT_EQ(bits[static_cast<std::size_t>(std::lround(middle * 60.0))] & 1, 1);
    EXPECT_EQ(bits[static_cast<std::size_t>(std::lround(between * 60.0))] & 1, 0);
  }
  std::vector<double> path(3 * info(walk).frame_count);
  ASSERT_TRUE(ok(shosa_clip_root_motion(context, walk, path.data(), info(walk).frame_count)));
  const double way = std::hypot(path[path.size() - 3] - path[0], path[path.size() - 2] - path[1]);
  EXPECT_NEAR(way / info(walk).duration_s, found["root_speed_mps"].get<double>(), 0.1);
}

TEST_F(CApi, DescribesAFileAsTheCommandLineDoes) {
  shosa_buffer said_of_it = 0;
  ASSERT_TRUE(ok(shosa_clip_describe(context, motion("idle"), &said_of_it)));
  const auto found = json(said_of_it);
  for (const char* key :
       {"format", "joint_count", "joints", "frames", "fps", "duration_s", "unit_m", "up", "roles", "clips", "warnings"})
    EXPECT_TRUE(found.contains(key)) << key;
  EXPECT_EQ(found["joints"].size(), info(motion("idle")).joint_count);
}

TEST_F(CApi, ABodyMapChangesRoles) {
  const shosa_clip clip = motion("idle");
  int32_t hand = -1;
  shosa_joint_info joint = SHOSA_JOINT_INFO_INIT;
  ASSERT_TRUE(ok(shosa_joint_find(context, clip, "right_hand", &hand)));
  ASSERT_TRUE(ok(shosa_clip_set_body_map(context, clip, R"({"right_hand": null})")));
  ASSERT_TRUE(ok(shosa_joint_get_info(context, clip, static_cast<uint32_t>(hand), &joint)));
  EXPECT_EQ(joint.role, nullptr);
  EXPECT_EQ(shosa_clip_set_body_map(context, clip, R"({"third_hand": "x"})"), SHOSA_BAD_FILE);
}

TEST_F(CApi, ContactsAndCoreByHandAreKeptThroughCutsAndMirrors) {
  const shosa_clip clip = motion("walk_normal");
  const auto study = [&](shosa_clip of) {
    shosa_buffer found = 0;
    EXPECT_TRUE(ok(shosa_clip_analyze(context, of, &found)));
    return json(found);
  };
  const auto before = study(clip);
  ASSERT_TRUE(ok(shosa_clip_set_contacts(context, clip, R"({"left": [[0.25, 0.75]], "core": [0.5, 1]})")));
  const auto after = study(clip);
  EXPECT_EQ(after["contacts"]["left"].dump(), "[[0.25,0.75]]");
  EXPECT_EQ(after["contacts"]["right"], before["contacts"]["right"]);
  EXPECT_EQ(after["core"].dump(), "[0.5,1.0]");

  shosa_clip part = 0, other = 0;
  ASSERT_TRUE(ok(shosa_clip_cut(context, clip, 0.5, 1.5, &part)));
  EXPECT_EQ(study(part)["contacts"]["left"].size(), 1u);
  EXPECT_NEAR(study(part)["contacts"]["left"][0][1].get<double>(), 0.25, 0.02);
  EXPECT_NEAR(study(part)["core"][1].get<double>(), 0.5, 0.02);
  ASSERT_TRUE(ok(shosa_clip_mirror(context, clip, &other)));
  EXPECT_EQ(study(other)["contacts"]["right"], after["contacts"]["left"]);

  EXPECT_EQ(shosa_clip_set_contacts(context, clip, R"({"tail": [[0, 1]]})"), SHOSA_BAD_FILE);
  EXPECT_EQ(shosa_clip_set_contacts(context, clip, R"({"core": [0.5, 1000]})"), SHOSA_BAD_FILE);
  EXPECT_EQ(study(clip), after) << "what is refused changes nothing";
  ASSERT_TRUE(ok(shosa_clip_set_contacts(context, clip, "{}")));
  EXPECT_EQ(study(clip), before);
}

}  // namespace
}  // namespace shosa
