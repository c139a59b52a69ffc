#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/bvh.h"
#include "shosa/core/forward_kinematics.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using testing::Contains;
using testing::HasSubstr;

MotionFile read(const std::string& file) {
  Result<MotionFile> motion = read_bvh(test::real_data_dir() / file);
  EXPECT_TRUE(motion.has_value()) << (motion ? "" : motion.error().message);
  return motion ? *motion : MotionFile{};
}

TEST(BvhRealFiles, AllLoadAndComeBackWithinTwoMicrometres) {
  SHOSA_NEEDS_REAL_DATA();
  const auto files = test::real_files("", ".bvh");
  ASSERT_GT(files.size(), 90u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const Result<MotionFile> source = read_bvh(path);
    ASSERT_TRUE(source.has_value()) << source.error().message;
    ASSERT_EQ(source->clips.size(), 1u);
    const Clip& clip = source->clips[0];
    const Result<std::string> text = format_bvh(clip, source->bvh.get(), source->unit_m);
    ASSERT_TRUE(text.has_value());
    const Result<MotionFile> again = parse_bvh(*text, "again.bvh");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->unit_m, source->unit_m);
    EXPECT_EQ(again->up, UpAxis::y);
    EXPECT_EQ(again->tpose_frames, source->tpose_frames);
    const Clip& copy = again->clips.at(0);
    ASSERT_EQ(copy.frame_count(), clip.frame_count());
    EXPECT_EQ(copy.frame_time_s(), clip.frame_time_s());
    for (std::size_t j = 0; j < source->bvh->joints.size(); ++j) {
      EXPECT_EQ(again->bvh->joints[j].name, source->bvh->joints[j].name);
      EXPECT_EQ(again->bvh->joints[j].channels, source->bvh->joints[j].channels);
    }
    const ClipPositions a = clip_positions(clip);
    const ClipPositions b = clip_positions(copy);
    ASSERT_EQ(a.point_count(), b.point_count());
    double worst_m = 0.0;
    for (int f = 0; f < a.frame_count(); ++f) {
      for (int p = 0; p < a.point_count(); ++p) worst_m = std::max(worst_m, (a.point(f, p) - b.point(f, p)).norm());
    }
    EXPECT_LT(worst_m, 2e-6);
  }
}

TEST(BvhRealFiles, EveryCmuFileIsInItsOddUnitWithATPoseInFront) {
  SHOSA_NEEDS_REAL_DATA();
  const auto files = test::real_files("cmu-bvh", ".bvh");
  ASSERT_GT(files.size(), 70u);
  for (const auto& path : files) {
    const Result<MotionFile> file = read_bvh(path);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->unit_m, 0.0254 / 0.45) << path;
    EXPECT_EQ(file->up, UpAxis::y) << path;
    // In 07_12 a frame that was lost in capture follows.
    EXPECT_EQ(file->tpose_frames, path.stem() == "07_12" ? 2 : 1) << path;
  }
}

TEST(BvhRealFiles, AMotionThatStartsAtOnceLosesNoFrame) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* folder : {"bandai-NC", "dog-labrador", "dog-mann-NC", "other-exporters"}) {
    for (const auto& path : test::real_files(folder, ".bvh")) {
      const Result<MotionFile> file = read_bvh(path);
      ASSERT_TRUE(file.has_value()) << file.error().message;
      // A conversion of a CMU clip, with the T-pose of the others.
      EXPECT_EQ(file->tpose_frames, path.stem() == "pirouette" ? 1 : 0) << path;
    }
  }
  for (const auto& [folder, extension] : {std::pair("gltf", ".glb"), std::pair("gltf", ".gltf"),
                                          std::pair("gltf", ".vrma"), std::pair("cmu-asfamc", ".amc")}) {
    for (const auto& path : test::real_files(folder, extension)) {
      const Result<MotionFile> file = read_motion(path);
      ASSERT_TRUE(file.has_value()) << file.error().message;
      EXPECT_EQ(file->tpose_frames, 0) << path;
    }
  }
}

TEST(BvhRealFiles, LyingBodiesWithoutTheTPoseStillHaveYUp) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string name : {"77_16", "140_01", "140_08", "90_18", "75_17"}) {
    const Result<MotionFile> source =
        read_bvh(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
    ASSERT_TRUE(source.has_value());
    const Result<MotionFile> again =
        parse_bvh(*format_bvh(source->clips.at(0), source->bvh.get(), source->unit_m), name);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->up, UpAxis::y) << name;
    EXPECT_EQ(again->unit_m, source->unit_m) << name;
  }
}

TEST(BvhRealFiles, UnitAndUpAxisOfOtherExportersAreFound) {
  SHOSA_NEEDS_REAL_DATA();
  struct Expected {
    std::string file;
    double unit_m;
    UpAxis up;
  };
  for (const Expected& expected : std::vector<Expected>{
           {"other-exporters/pirouette.bvh", 0.01, UpAxis::y},
           {"other-exporters/makehuman_walk1.bvh", 0.1, UpAxis::z},
           {"other-exporters/makehuman_tpose.bvh", 0.1, UpAxis::z},
           {"other-exporters/makehuman_face-poseunits.bvh", 0.1, UpAxis::z},
           {"other-exporters/bvhtoolbox_walk01.bvh", 0.01, UpAxis::y},
           {"other-exporters/Boxing_Toes.bvh", 0.01, UpAxis::y},
           {"other-exporters/pfnn_hierarchy.bvh", 1.0, UpAxis::y},
           {"other-exporters/bvhio_example.bvh", 0.0254, UpAxis::y},
           {"other-exporters/animdraw_cmu1_jumping_jacks.bvh", 0.0254 / 0.45, UpAxis::y},
       }) {
    const MotionFile file = read(expected.file);
    EXPECT_EQ(file.unit_m, expected.unit_m) << expected.file;
    EXPECT_EQ(file.up, expected.up) << expected.file;
  }
  const MotionFile dab = read("other-exporters/animdraw_fair1_dab.bvh");
  EXPECT_EQ(dab.up, UpAxis::z);
  EXPECT_THAT(dab.warnings, Contains(HasSubstr("unit is doubtful")));
  int files = 0;
  for (const std::string folder : {"dog-labrador", "dog-mann-NC", "bandai-NC"}) {
    for (const auto& path : test::real_files(folder, ".bvh")) {
      const Result<MotionFile> file = read_bvh(path);
      ASSERT_TRUE(file.has_value());
      EXPECT_EQ(file->unit_m, 0.01) << path;
      EXPECT_EQ(file->up, UpAxis::y) << path;
      ++files;
    }
  }
  EXPECT_GE(files, 14);
}

TEST(BvhRealFiles, PositionConventionsAreTold) {
  SHOSA_NEEDS_REAL_DATA();
  using enum PositionConvention;
  EXPECT_EQ(read("other-exporters/makehuman_tpose.bvh").bvh->others, added_to_offset);
  EXPECT_EQ(read("other-exporters/makehuman_walk1.bvh").bvh->root, added_to_offset);
  EXPECT_EQ(read("other-exporters/bvhtoolbox_walk01.bvh").bvh->root, replaces_offset);
  EXPECT_EQ(read("dog-labrador/dog_jump_002.bvh").bvh->root, replaces_offset);
  EXPECT_EQ(read("dog-labrador/dog_jump_002.bvh").bvh->others, replaces_offset);
  EXPECT_EQ(read("dog-mann-NC/D1_001_KAN01_001.bvh").bvh->root, replaces_offset);
  EXPECT_EQ(read("bandai-NC/dataset-1_walk_normal_001.bvh").bvh->others, replaces_offset);
}

TEST(BvhRealFiles, AWrongFrameCountIsWarnedOf) {
  SHOSA_NEEDS_REAL_DATA();
  const MotionFile boxing = read("other-exporters/Boxing_Toes.bvh");
  EXPECT_EQ(boxing.clips.at(0).frame_count(), 3070);
  EXPECT_THAT(boxing.warnings, Contains(HasSubstr("says 3069 frames, the file holds 3070")));
}

TEST(BvhRealFiles, WalkersStandOnTheFloor) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string file :
       {"cmu-bvh/02_01.bvh", "other-exporters/makehuman_walk1.bvh", "other-exporters/bvhtoolbox_walk01.bvh",
        "bandai-NC/dataset-1_walk_normal_001.bvh", "other-exporters/Boxing_Toes.bvh"}) {
    const MotionFile motion = read(file);
    const ClipPositions positions = clip_positions(motion.clips.at(0));
    double low = 1e9;
    double high = -1e9;
    for (int p = 0; p < positions.point_count(); ++p) {
      low = std::min(low, positions.point(positions.frame_count() / 2, p).y());
      high = std::max(high, positions.point(positions.frame_count() / 2, p).y());
    }
    EXPECT_NEAR(low, 0.0, 0.1) << file;
    EXPECT_GT(high, 1.25) << file;
    EXPECT_LT(high, 1.95) << file;
  }
}

}  // namespace
}  // namespace shosa::io
