#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "library/database.h"
#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"
#include "shosa/io/read_text.h"
#include "shosa/library/find.h"
#include "support/paths.h"

namespace shosa::test {

/// A test with an empty folder for clips.
class LibraryFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("shosa_" + std::to_string(getpid()) + "_" + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void save(const std::string& name, const Clip& clip) const {
    io::MotionFile motion;
    motion.skeleton = clip.skeleton_ptr();
    motion.clips = {clip};
    motion.body_map = body::guess_body_map(clip.skeleton());
    std::filesystem::create_directories((folder_ / name).parent_path());
    ASSERT_TRUE(io::write_motion(folder_ / name, motion).has_value()) << name;
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// Times of change that lie back, so that files are told by them.
  void age(int seconds = 60) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.is_regular_file())
        std::filesystem::last_write_time(entry, entry.last_write_time() - std::chrono::seconds(seconds));
  }
  library::IndexReport index() const {
    const auto report = library::index_folder(folder_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.value_or(library::IndexReport());
  }
  library::Library open() const {
    auto opened = library::Library::open(folder_);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return std::move(*opened);
  }
  std::vector<std::string> found(const library::Filter& filter) const {
    std::vector<std::string> files;
    const auto clips = open().clips(filter);
    EXPECT_TRUE(clips.has_value()) << clips.error().message;
    if (clips)
      for (const auto& clip : *clips) files.push_back(clip.file);
    return files;
  }
  std::filesystem::path index_file() const { return library::usual_index_file(folder_); }

  std::filesystem::path folder_;
};

}  // namespace shosa::test
