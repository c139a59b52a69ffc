#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "shosa/io/motion_file.h"

namespace shosa::test {

/// A clip as a motion file, its roles guessed.
inline io::MotionFile as_file(const Clip& clip) {
  io::MotionFile motion;
  motion.skeleton = clip.skeleton_ptr();
  motion.clips = {clip};
  motion.body_map = body::guess_body_map(clip.skeleton());
  return motion;
}

/// A test in an empty folder of its own, which is removed at its end.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    // The process too: a test may run from two builds at once.
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("shosa_" + std::to_string(getpid()) + "_" + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void save(const std::string& name, const Clip& clip) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    ASSERT_TRUE(io::write_motion(folder_ / name, as_file(clip)).has_value()) << name;
  }

  std::filesystem::path folder_;
};

}  // namespace shosa::test
