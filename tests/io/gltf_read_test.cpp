#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "io/gltf_reading.h"
#include "shosa/core/forward_kinematics.h"
#include "support/naive_gltf.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using test::at_rate;
using test::bending_leg;
using test::GltfMaker;
using test::kQuarterTurnZ;
using test::parse;
using testing::Contains;
using testing::HasSubstr;
using Json = nlohmann::json;

GltfMaker scaled_arm(const Json& upper_scale, const Json& armature) {
  GltfMaker maker;
  const int top = maker.node("armature", armature);
  const int root = maker.node("root", {{"translation", {0, 0.5, 0.1}}, {"rotation", {0, 0.6, 0, 0.8}}}, top);
  const int upper = maker.node("upper", {{"translation", {0.1, 0.4, 0}}, {"scale", upper_scale}}, root);
  const int lower = maker.node("lower", {{"translation", {0, 0.3, 0.05}}, {"rotation", {0.6, 0, 0, 0.8}}}, upper);
  maker.node("hand", {{"translation", {0.02, 0.3, 0}}}, lower);
  const int times = maker.floats({0, 0.5, 1}, "SCALAR");
  maker.channel(root, "translation", times, maker.floats({0, 0.5, 0.1, 0.3, 0.6, 0.2, 1, 0.5, 0}, "VEC3"));
  maker.channel(upper, "rotation", times, maker.floats({0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0, 0.8, 0.6}, "VEC4"));
  maker.channel(lower, "rotation", times, maker.floats({0.6, 0, 0, 0.8, 0, 0.6, 0, 0.8, 0, 0, 0, 1}, "VEC4"));
  return maker;
}

/// A chain of `length` units, its end turning.
GltfMaker long_chain(double length) {
  GltfMaker maker;
  const int hips = maker.node("hips");
  const int knee = maker.node("knee", {{"translation", {0, 0.5 * length, 0}}}, hips);
  maker.node("ankle", {{"translation", {0, 0.5 * length, 0}}}, knee);
  maker.channel(knee, "rotation", maker.floats({0, 1}, "SCALAR"), maker.floats(kQuarterTurnZ, "VEC4"));
  return maker;
}

TEST(GltfRead, LinearRotationsTurnAtConstantSpeed) {
  const auto motion = parse(bending_leg());
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->clips.size(), 1u);
  const Clip& clip = motion->clips[0];
  EXPECT_EQ(clip.frame_count(), 25);
  EXPECT_EQ(clip.frame_time_s(), 1.0 / 24.0);
  EXPECT_EQ(clip.name(), "animation_0");
  const JointIndex ankle = motion->skeleton->find("ankle");
  for (int frame = 0; frame < 25; ++frame) {
    const double angle = frame / 24.0 * std::numbers::pi / 2.0;
    const Vec3d expected(0.5 * std::sin(angle), 0.5 - 0.5 * std::cos(angle), 0.0);
    const Vec3d found = forward_kinematics(*motion->skeleton, clip.frame(frame)).positions[ankle];
    EXPECT_LT((found - expected).norm(), 1e-6) << frame;
  }
}

TEST(GltfRead, StepHoldsEachKeyUntilTheNext) {
  const auto motion = parse(bending_leg(1.0f, "STEP"));
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->clips[0];
  EXPECT_FLOAT_EQ(clip.rotation(23, 1).z(), 0.0f);
  EXPECT_FLOAT_EQ(clip.rotation(24, 1).z(), std::sqrt(0.5f));
}

TEST(GltfRead, CubicSplineFollowsItsTangents) {
  GltfMaker maker;
  const int root = maker.node("root");
  maker.node("tip", {{"translation", {0, 1, 0}}}, root);
  // x(t) = t^3 on [0, 2]: values 0 and 8, slopes 0 and 12.
  maker.channel(root, "translation", maker.floats({0, 2}, "SCALAR"),
                maker.floats({0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0}, "VEC3"), "CUBICSPLINE");
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->clips[0];
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    EXPECT_NEAR(clip.translation(frame, 0).x(), std::pow(frame * clip.frame_time_s(), 3), 1e-5) << frame;
  }
}

TEST(GltfRead, NormalisedIntegersAreRotations) {
  GltfMaker maker;
  const int root = maker.node("root");
  maker.node("tip", {{"translation", {0, 1, 0}}}, root);
  const std::vector<std::int16_t> values = {0, 0, 0, 32767, 0, 0, 23170, 23170};
  maker.channel(root, "rotation", maker.floats({0, 1}, "SCALAR"), maker.accessor(values, "VEC4", 5122, true));
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_NEAR(motion->clips[0].rotation(24, 0).z(), std::sqrt(0.5), 1e-6);
}

TEST(GltfRead, SparseAccessorsReplaceElements) {
  GltfMaker maker;
  const int root = maker.node("root");
  maker.node("tip", {{"translation", {0, 1, 0}}}, root);
  const int output = maker.floats({0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3");
  const int indices = maker.view(std::vector<std::uint8_t>{1});
  const int values = maker.view(std::vector<float>{0, 3, 0});
  maker.json["accessors"][output]["sparse"] = {{"count", 1},
                                               {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                                               {"values", {{"bufferView", values}}}};
  maker.channel(root, "translation", maker.floats({0, 1, 2}, "SCALAR"), output);
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_FLOAT_EQ(motion->clips[0].translation(24, 0).y(), 3.0f);
  EXPECT_FLOAT_EQ(motion->clips[0].translation(12, 0).y(), 1.5f);
}

TEST(GltfRead, TimesAreKeptAndHeldBeforeTheFirstKey) {
  GltfMaker maker;
  const int root = maker.node("root");
  maker.node("tip", {{"translation", {0, 1, 0}}}, root);
  maker.channel(root, "translation", maker.floats({0.5, 1}, "SCALAR"), maker.floats({1, 0, 0, 2, 0, 0}, "VEC3"));
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->clips[0];
  EXPECT_EQ(clip.frame_count(), 25);
  EXPECT_FLOAT_EQ(clip.translation(0, 0).x(), 1.0f);
  EXPECT_FLOAT_EQ(clip.translation(12, 0).x(), 1.0f);
  EXPECT_FLOAT_EQ(clip.translation(18, 0).x(), 1.5f);
}

TEST(GltfRead, TheRateHoldsEveryKey) {
  struct Case {
    std::vector<float> times;
    double fps;
    int frames;
    bool warns;
  };
  const std::vector<Case> cases = {
      {{0, 1}, 24, 25, false},
      {{0, 1 / 25.0f, 2 / 25.0f}, 25, 3, false},
      {{0, 1 / 30.0f}, 30, 2, false},
      {{0, 1 / 120.0f, 1 / 60.0f}, 120, 3, false},
      {{0, 0.1f, 0.2f, 0.3f}, 30, 10, false},
      {{0, 1 / 7.0f, 2 / 7.0f, 3 / 7.0f}, 28, 13, false},
      {{0, 1 / 72.0f, 2 / 72.0f}, 72, 3, false},
      {{0, 0.0123f, 0.5f, 0.7771f}, 60, 48, true},
  };
  for (const Case& test : cases) {
    GltfMaker maker;
    const int root = maker.node("root");
    maker.node("tip", {{"translation", {0, 1, 0}}}, root);
    std::vector<float> values;
    for (std::size_t i = 0; i < test.times.size(); ++i) {
      values.insert(values.end(), {static_cast<float>(i), 0, 0});
    }
    maker.channel(root, "translation", maker.floats(test.times, "SCALAR"), maker.floats(values, "VEC3"));
    const auto motion = parse(maker);
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_NEAR(motion->clips[0].fps(), test.fps, 1e-3);
    EXPECT_EQ(motion->clips[0].frame_count(), test.frames) << test.fps;
    EXPECT_EQ(!motion->warnings.empty(), test.warns) << test.fps;
    EXPECT_FLOAT_EQ(motion->clips[0].translation(test.frames - 1, 0).x(), static_cast<float>(test.times.size() - 1));
  }
}

TEST(GltfRead, AnAskedRateIsUsed) {
  const auto motion = parse(bending_leg(), at_rate(50.0));
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->clips[0].frame_count(), 51);
  EXPECT_EQ(motion->clips[0].frame_time_s(), 1.0 / 50.0);
  EXPECT_FALSE(parse(bending_leg(), at_rate(-1.0)));
}

/// Positions of the rigid skeleton equal the file's own node positions, whatever scales stand in between.
void expect_positions_of_file(const GltfMaker& maker, bool expect_warning) {
  test::GltfFolder folder;
  const auto path = folder.path() / "made.glb";
  const std::vector<std::byte> bytes = maker.glb();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto motion = read_gltf(path);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(!motion->warnings.empty(), expect_warning);
  const test::NaiveGltf naive(path);
  const Clip& clip = motion->clips[0];
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    const WorldPose world = forward_kinematics(*motion->skeleton, clip.frame(frame));
    for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
      const int node = naive.find_node(motion->skeleton->name(joint));
      const Vec3d expected = naive.world_from_node(node, 0, frame * clip.frame_time_s()).translation();
      ASSERT_LT((world.positions[joint] - expected).norm(), 2e-6) << frame << " " << motion->skeleton->name(joint);
    }
  }
}

TEST(GltfRead, UniformScaleIsBakedExactly) {
  expect_positions_of_file(scaled_arm({2, 2, 2}, {{"scale", {0.7, 0.7, 0.7}}}), false);
}

TEST(GltfRead, UnmovedMatricesAboveTheRootAreBaked) {
  const Json z_up = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0.1, 0.2, 0.3, 1};
  GltfMaker maker = scaled_arm({1, 1, 1}, {{"matrix", z_up}});
  maker.json["skins"] = {{{"joints", {1, 2, 3, 4}}}};
  expect_positions_of_file(maker, false);
  EXPECT_EQ(parse(maker)->skeleton->find("armature"), kNoJoint);
}

TEST(GltfRead, UnevenScaleKeepsPositionsAndWarns) {
  expect_positions_of_file(scaled_arm({1, 2, 0.5}, Json::object()), true);
  expect_positions_of_file(scaled_arm({-1, 1, 1}, Json::object()), true);
  expect_positions_of_file(scaled_arm({1, 1, 1}, {{"scale", {1.5, 1, 1}}}), true);
}

TEST(GltfRead, MovedAncestorsOfASkinAreJoints) {
  GltfMaker maker = scaled_arm({1, 1, 1}, Json::object());
  maker.json["skins"] = {{{"joints", {2, 3}}}};
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton->joint_count(), 3);
  EXPECT_EQ(motion->skeleton->name(0), "root");
}

TEST(GltfRead, AnimatedScaleIsIgnoredWithAWarning) {
  GltfMaker maker = bending_leg();
  maker.channel(0, "scale", maker.floats({0, 1}, "SCALAR"), maker.floats({1, 1, 1, 2, 2, 2}, "VEC3"));
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_THAT(motion->warnings, Contains(HasSubstr("changes the scale of 1 joints")));
  const auto world = forward_kinematics(*motion->skeleton, motion->clips[0].frame(24));
  EXPECT_NEAR(world.positions[1].y(), 0.5, 1e-6);
}

TEST(GltfRead, SeveralSkeletonsGetOneRoot) {
  GltfMaker maker = bending_leg();
  const int other = maker.node("other", {{"translation", {2, 0, 0}}});
  maker.node("root", {{"translation", {0, 1, 0}}}, other);
  maker.channel(other, "translation", maker.floats({0, 1}, "SCALAR"), maker.floats({2, 0, 0, 3, 0, 0}, "VEC3"));
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_THAT(motion->warnings, Contains(HasSubstr("2 separate skeletons")));
  EXPECT_EQ(motion->skeleton->name(0), "root_2");
  const auto world = forward_kinematics(*motion->skeleton, motion->clips[0].frame(24));
  EXPECT_NEAR(world.positions[motion->skeleton->find("root")].x(), 3.0, 1e-6);
}

TEST(GltfRead, NamesAreMadeUniqueAndKeepTheirLetters) {
  GltfMaker maker;
  const int root = maker.node("腰 · Hüfte");
  maker.node("", {{"translation", {0, 1, 0}}}, root);
  maker.node("arm", {{"translation", {1, 0, 0}}}, root);
  maker.node("arm", {{"translation", {-1, 0, 0}}}, root);
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton->name(0), "腰 · Hüfte");
  EXPECT_EQ(motion->skeleton->name(1), "node_1");
  EXPECT_NE(motion->skeleton->find("arm_2"), kNoJoint);
  EXPECT_THAT(motion->warnings, Contains(HasSubstr("share their name")));
  EXPECT_THAT(motion->warnings, Contains("holds a skeleton but no motion"));
}

TEST(GltfRead, UnitAndUpAreApplied) {
  ReadOptions options;
  options.unit_m = 0.01;
  options.up = UpAxis::z;
  const auto motion = parse(bending_leg(), options);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_LT((motion->skeleton->rest_positions()[0] - Vec3d(0, 0, -0.01)).norm(), 1e-8);
  EXPECT_THAT(motion->warnings, Contains(HasSubstr("--unit m would fit")));
}

TEST(GltfRead, AGiantThatIsABodyInCentimetresIsReadInCentimetres) {
  const auto giant = parse(long_chain(170));
  ASSERT_TRUE(giant) << giant.error().message;
  EXPECT_EQ(giant->unit_m, 0.01);
  EXPECT_NEAR(giant->skeleton->rest_positions()[2].y(), 1.7, 1e-6);
  EXPECT_THAT(giant->warnings, testing::ElementsAre("the body would be 170 m large in metres; centimetres taken "
                                                    "(--unit m keeps metres)"));
  // A house-sized body is none in centimetres, nor is what was asked for or written by ourselves changed.
  EXPECT_EQ(parse(long_chain(20))->unit_m, 1.0);
  EXPECT_EQ(parse(long_chain(2000))->unit_m, 1.0);
  ReadOptions metres;
  metres.unit_m = 1.0;
  EXPECT_NEAR(parse(long_chain(170), metres)->skeleton->rest_positions()[2].y(), 170, 1e-4);
  GltfMaker ours = long_chain(170);
  ours.json["asset"]["generator"] = "Shosa";
  EXPECT_EQ(parse(ours)->unit_m, 1.0);
}

TEST(GltfRead, TheTrueRateWinsOverTheSamplingRate) {
  ReadOptions options = at_rate(60.0);
  options.fps_is = 12.0;
  const auto motion = parse(bending_leg(), options);
  ASSERT_TRUE(motion) << motion.error().message;
  // The file's own 25 frames, played at 12 Hz.
  EXPECT_EQ(motion->clips.at(0).frame_count(), 25);
  EXPECT_DOUBLE_EQ(motion->clips[0].last_time_s(), 2.0);
}

TEST(GltfRead, NodesListedBeforeTheirParentsLoad) {
  GltfMaker maker;
  maker.node("tip", {{"translation", {0, 1, 0}}});
  maker.node("root", {{"translation", {0, 1, 0}}, {"children", {0}}});
  const auto motion = parse(maker);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton->name(0), "root");
}

TEST(GltfRead, ALongClipThatHoldsItsKeysIsRead) {
  // More frames than the promise may ask for, but the file holds a key for every fifth.
  GltfMaker maker;
  const int hips = maker.node("hips", {}), knee = maker.node("knee", {{"translation", {0, -0.5, 0}}}, hips);
  maker.node("ankle", {{"translation", {0, -0.5, 0}}}, knee);
  std::vector<float> times, values;
  for (int k = 0; k <= 70000; ++k) {
    times.push_back(static_cast<float>(k) / 24.0f);
    values.insert(values.end(), kQuarterTurnZ.begin() + 4 * (k % 2), kQuarterTurnZ.begin() + 4 * (k % 2) + 4);
  }
  maker.channel(knee, "rotation", maker.floats(times, "SCALAR"), maker.floats(values, "VEC4"), "LINEAR");
  const auto motion = parse(maker, at_rate(120.0));
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->clips[0].frame_count(), 350001);
}

TEST(GltfRead, RealFilesStandWhereTheSpecificationSays) {
  SHOSA_NEEDS_REAL_DATA();
  int clips = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::real_data_dir() / "gltf")) {
    const auto motion = read_gltf(entry.path());
    ASSERT_TRUE(motion) << motion.error().message;
    const test::NaiveGltf naive(entry.path());
    std::vector<int> nodes;
    for (const Joint& joint : motion->skeleton->joints()) nodes.push_back(naive.find_node(joint.name));
    for (std::size_t c = 0; c < motion->clips.size(); ++c, ++clips) {
      const Clip& clip = motion->clips[c];
      EXPECT_NEAR(clip.last_time_s(), naive.key_times(static_cast<int>(c)).back(), 1e-4) << clip.name();
      double worst = 0.0;
      for (int frame = 0; frame < clip.frame_count(); ++frame) {
        const WorldPose world = forward_kinematics(*motion->skeleton, clip.frame(frame));
        for (std::size_t j = 0; j < nodes.size(); ++j) {
          const auto matrix = naive.world_from_node(nodes[j], static_cast<int>(c), frame * clip.frame_time_s());
          worst = std::max(worst, (world.positions[j] - motion->unit_m * matrix.translation()).norm());
        }
      }
      EXPECT_LT(worst, 1e-5) << entry.path() << " " << clip.name();
    }
  }
  EXPECT_EQ(clips, 22);
}

}  // namespace
}  // namespace shosa::io
