#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "io/bvh.h"
#include "io/bvh_text.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::io {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Largest distance between points of the same name, metres.
double worst_distance(const Clip& a, const Clip& b) {
  EXPECT_EQ(a.frame_count(), b.frame_count());
  EXPECT_EQ(a.joint_count(), b.joint_count());
  const ClipPositions pa = clip_positions(a);
  const ClipPositions pb = clip_positions(b);
  double worst = 0.0;
  for (JointIndex j = 0; j < a.joint_count(); ++j) {
    const JointIndex k = b.skeleton().find(a.skeleton().name(j));
    EXPECT_NE(k, kNoJoint) << a.skeleton().name(j);
    for (int f = 0; f < a.frame_count(); ++f) worst = std::max(worst, (pa.joint(f, j) - pb.joint(f, k)).norm());
  }
  return worst;
}

std::vector<std::vector<double>> frame_rows(const std::string& text) {
  std::istringstream lines(text.substr(text.find("Frame Time")));
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    rows.emplace_back();
    double value = 0.0;
    while (words >> value) rows.back().push_back(value);
  }
  return rows;
}

TEST(BvhWrite, RandomTreesComeBackWithinTwoMicrometres) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Clip clip = scenes::random_clip(scenes::random_tree(20, seed), 30, seed);
    for (const double unit_m : {1.0, 0.01, 0.0254 / 0.45}) {
      const Result<std::string> text = format_bvh(clip, nullptr, unit_m);
      ASSERT_TRUE(text.has_value());
      const Result<MotionFile> read = parse_bvh(*text, "tree", {.unit_m = unit_m, .up = UpAxis::y});
      ASSERT_TRUE(read.has_value()) << read.error().message;
      EXPECT_LT(worst_distance(clip, read->clips.at(0)), 2e-6) << "seed " << seed << " unit " << unit_m;
      EXPECT_EQ(read->clips[0].frame_time_s(), clip.frame_time_s());
    }
  }
}

TEST(BvhWrite, AnglesDoNotJumpWhileTheBodyTurnsOnAndOn) {
  const auto skeleton = scenes::chain(3);
  Clip clip(skeleton, 400, 0.01);
  for (int f = 0; f < 400; ++f) {
    const float turn = 0.05f * static_cast<float>(f);
    clip.set_rotation(f, 0, Quatf(Eigen::AngleAxisf(turn, Vec3f::UnitY())));
    clip.set_rotation(f, 1, Quatf(Eigen::AngleAxisf(turn, Vec3f(1, 2, 3).normalized())));
    clip.set_rotation(f, 2, Quatf(Eigen::AngleAxisf(-turn, Vec3f::UnitX())));
  }
  const Result<std::string> text = format_bvh(clip);
  ASSERT_TRUE(text.has_value());
  const auto rows = frame_rows(*text);
  ASSERT_EQ(rows.size(), 400u);
  for (std::size_t f = 1; f < rows.size(); ++f) {
    for (std::size_t c = 3; c < rows[f].size(); ++c) {
      EXPECT_LT(std::abs(rows[f][c] - rows[f - 1][c]), 10.0) << "frame " << f << " column " << c;
    }
  }
  EXPECT_NEAR(rows.back()[4], 0.05 * 399 * 180 / 3.14159265, 0.01);
}

TEST(BvhWrite, EveryOrderHoldsTheLockOfItsMiddleAxis) {
  for (const std::string order : {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"}) {
    std::string channels = "3";
    for (const char axis : order) channels += std::string(" ") + axis + "rotation";
    std::string lines;
    for (int f = 0; f <= 40; ++f) {
      lines += std::to_string(20 + f) + " " + std::to_string(70 + f) + " " + std::to_string(3 * f) + " 0 0 0\n";
    }
    for (const std::string middle : {"90", "-90", "89.99999", "-90.00001"}) {
      lines += "33 " + middle + " -47 0 0 0\n";
    }
    const std::string text = test::chain_text(channels, "3 Zrotation Xrotation Yrotation", lines, 45);
    const Result<MotionFile> source = parse_bvh(text, "lock", {.unit_m = 1.0, .up = UpAxis::y});
    ASSERT_TRUE(source.has_value());
    const Result<std::string> written = format_bvh(source->clips.at(0), source->bvh.get(), 1.0);
    ASSERT_TRUE(written.has_value());
    EXPECT_THAT(*written, HasSubstr("CHANNELS " + channels + "\n"));
    const Result<MotionFile> read = parse_bvh(*written, "again", {.unit_m = 1.0, .up = UpAxis::y});
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_LT(worst_distance(source->clips[0], read->clips.at(0)), 2e-6) << order;
  }
}

TEST(BvhWrite, ChannelsOfTheSourceAreKept) {
  const std::string text = test::chain_text("6 Yrotation Xposition Zrotation Zposition Xrotation Yposition",
                                            "1 Yrotation", "10 1 20 2 30 3 45\n-10 1 20 2 30 3 -45\n", 2);
  const Result<MotionFile> source = parse_bvh(text, "a", {.unit_m = 1.0, .up = UpAxis::y});
  ASSERT_TRUE(source.has_value());
  const std::string written = *format_bvh(source->clips.at(0), source->bvh.get(), 1.0);
  EXPECT_THAT(written, HasSubstr("CHANNELS 6 Yrotation Xposition Zrotation Zposition Xrotation Yposition\n"));
  EXPECT_THAT(written, HasSubstr("CHANNELS 1 Yrotation\n"));
  EXPECT_THAT(frame_rows(written)[1], testing::Pointwise(testing::DoubleNear(1e-5), {-10, 1, 20, 2, 30, 3, -45}));
}

TEST(BvhWrite, ChannelsThatCannotHoldTheMotionAreWidened) {
  const std::string text = test::chain_text("1 Yposition", "1 Yrotation", "1 45\n1 -45\n", 2);
  Result<MotionFile> source = parse_bvh(text, "a", {.unit_m = 1.0, .up = UpAxis::y});
  ASSERT_TRUE(source.has_value());
  Clip& clip = source->clips.at(0);
  clip.set_rotation(1, 1, Quatf(Eigen::AngleAxisf(0.5f, Vec3f(1, 1, 0).normalized())));
  clip.set_translation(1, 0, Vec3f(1, 2, 3));
  const std::string written = *format_bvh(clip, source->bvh.get(), 1.0);
  EXPECT_THAT(written, HasSubstr("CHANNELS 3 Xposition Yposition Zposition\n"));
  EXPECT_THAT(written, HasSubstr("CHANNELS 3 Zrotation Yrotation Xrotation\n"));
  const Result<MotionFile> read = parse_bvh(written, "b", {.unit_m = 1.0, .up = UpAxis::y});
  ASSERT_TRUE(read.has_value());
  EXPECT_LT(worst_distance(clip, read->clips.at(0)), 2e-6);
}

TEST(BvhWrite, WithoutALayoutTheRootMovesAndOthersOnlyTurn) {
  Clip clip(scenes::chain(3), 2, 1.0 / 3.0, {0, 2});
  const std::string text = *format_bvh(clip);
  EXPECT_THAT(text, HasSubstr("CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"));
  EXPECT_THAT(text, HasSubstr("CHANNELS 3 Zrotation Yrotation Xrotation\n"));
  EXPECT_EQ(frame_rows(text)[0].size(), 15u);
  EXPECT_THAT(text, HasSubstr("Frame Time: 0.3333333333333333\n"));
}

TEST(BvhWrite, TheRestPoseBecomesTheZeroPose) {
  const Quatf tilt(Eigen::AngleAxisf(1.1f, Vec3f(1, 2, -1).normalized()));
  auto skeleton = Skeleton::create({{"a", kNoJoint, Vec3f(0, 1, 0), tilt},
                                    {"b", 0, Vec3f(0.3f, 0, 0), tilt},
                                    {"c", 1, Vec3f(0.2f, 0.1f, 0), Quatf::Identity()}},
                                   {{"c_end", 2, Vec3f(0, 0, 0.1f)}});
  ASSERT_TRUE(skeleton.has_value());
  const auto shared = std::make_shared<const Skeleton>(std::move(*skeleton));
  const Clip clip = scenes::random_clip(shared, 10, 7);
  const Result<MotionFile> read = parse_bvh(*format_bvh(clip), "a", {.unit_m = 0.01, .up = UpAxis::y});
  ASSERT_TRUE(read.has_value());
  EXPECT_LT(worst_distance(clip, read->clips.at(0)), 2e-6);
  for (JointIndex j = 1; j < 3; ++j) {
    const auto i = static_cast<std::size_t>(j);
    EXPECT_LT((shared->rest_positions()[i] - shared->rest_positions()[0] - read->skeleton->rest_positions()[i] +
               read->skeleton->rest_positions()[0])
                  .norm(),
              1e-6);
  }
}

TEST(BvhWrite, PositionsAReaderCouldMistakeAreWrittenSoThatItCannot) {
  // The joint rests 1 m from its parent and moves close to it: read naively, these positions look like additions.
  Clip clip(scenes::chain(3, 1.0), 3, 0.1, {0, 1});
  for (int f = 0; f < 3; ++f) {
    clip.set_translation(f, 0, Vec3f(0, 0.1f, 0.05f * static_cast<float>(f)));
    clip.set_translation(f, 1, Vec3f(0, 0.01f * static_cast<float>(f + 1), 0));
  }
  const Result<MotionFile> read = parse_bvh(*format_bvh(clip, nullptr, 1.0), "a", {.unit_m = 1.0, .up = UpAxis::y});
  ASSERT_TRUE(read.has_value());
  EXPECT_LT(worst_distance(clip, read->clips.at(0)), 1e-6);
}

TEST(BvhWrite, NamesThatWouldBreakTheFileAreMended) {
  auto skeleton = Skeleton::create({{"hips {1}\n", kNoJoint, Vec3f::Zero(), Quatf::Identity()}});
  ASSERT_TRUE(skeleton.has_value());
  const Clip clip(std::make_shared<const Skeleton>(std::move(*skeleton)), 1, 0.1);
  const Result<MotionFile> read = parse_bvh(*format_bvh(clip), "a");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->skeleton->name(0), "hips _1__");
}

TEST(BvhWrite, BadUnitsAndMissingMotionAreRefused) {
  const Clip clip(scenes::chain(2), 1, 0.1);
  for (const double unit_m : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(format_bvh(clip, nullptr, unit_m).error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(write_motion("never.bvh", MotionFile{}).error().code, ErrorCode::not_possible);
}

}  // namespace
}  // namespace shosa::io
