#include "shosa/io/motion_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "io/bvh_text.h"
#include "scenes/scenes.h"
#include "shosa/io/read_text.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using testing::HasSubstr;

TEST(MotionFileDispatch, UnknownExtensionsAreNamed) {
  const Result<MotionFile> read = read_motion("walk.c3d");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::cannot_read);
  EXPECT_THAT(read.error().message, HasSubstr("extension '.c3d' is not known, expected .bvh"));
  const Result<void> written = write_motion("walk.amc", {});
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(written.error().message, HasSubstr("extension '.amc' cannot be written"));
}

TEST(MotionFileDispatch, ExtensionsCountInAnyCase) {
  const auto path = std::filesystem::temp_directory_path() / "shosa_motion_file_test.BVH";
  MotionFile motion;
  motion.clips.push_back(scenes::random_clip(scenes::humanoid(), 5, 1));
  motion.skeleton = motion.clips[0].skeleton_ptr();
  ASSERT_TRUE(write_motion(path, motion).has_value());
  const Result<MotionFile> read = read_motion(path);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->format, "bvh");
  EXPECT_EQ(read->unit_m, 0.01);
  EXPECT_EQ(read->clips.at(0).frame_count(), 5);
  EXPECT_EQ(read->clips[0].name(), "shosa_motion_file_test");
  std::filesystem::remove(path);
}

TEST(MotionFileDispatch, FormattedBytesAreThoseOfTheWrittenFile) {
  MotionFile motion;
  motion.clips.push_back(scenes::random_clip(scenes::humanoid(), 5, 1));
  motion.skeleton = motion.clips[0].skeleton_ptr();
  motion.body_map = body::guess_body_map(*motion.skeleton);
  for (const std::string extension : {".bvh", ".csv", ".glb", ".gltf", ".vrma"}) {
    const auto path = std::filesystem::temp_directory_path() / ("shosa_formatted_bytes" + extension);
    ASSERT_TRUE(write_motion(path, motion).has_value());
    const auto read = read_text(path), formatted = format_motion(motion, "x" + extension);
    ASSERT_TRUE(read && formatted) << extension;
    EXPECT_TRUE(*read == *formatted) << extension;
    std::filesystem::remove(path);
  }
  EXPECT_THAT(format_motion(motion, "x.fbx").error().message, HasSubstr("'.fbx' cannot be written"));
}

TEST(MotionFileDispatch, EveryTextFormatOfTheRealDataLoads) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string extension : {".asf", ".amc"}) {
    for (const auto& path : test::real_files("", extension)) {
      const Result<MotionFile> file = read_motion(path);
      ASSERT_TRUE(file.has_value()) << file.error().message;
      EXPECT_EQ("." + file->format, extension);
      EXPECT_EQ(file->clips.size(), extension == ".amc" ? 1u : 0u);
    }
  }
}

}  // namespace
}  // namespace shosa::io
