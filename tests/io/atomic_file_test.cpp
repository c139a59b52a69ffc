#include "shosa/io/atomic_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace shosa::io {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("shosa_atomic_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(AtomicFile, ReplacesTheWholeContentAndLeavesNothingElse) {
  const fs::path path = folder_ / "a.txt";
  ASSERT_TRUE(write_file_atomically(path, std::string(100'000, 'x')).has_value());
  ASSERT_TRUE(write_file_atomically(path, "short").has_value());
  EXPECT_EQ(content(path), "short");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(AtomicFile, KeepsTheRightsOfTheFileItReplaces) {
  const fs::path path = folder_ / "a.txt";
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  ASSERT_TRUE(write_file_atomically(path, "new").has_value());
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(AtomicFile, FollowsALink) {
  std::ofstream(folder_ / "real.txt") << "old";
  fs::create_symlink("real.txt", folder_ / "link.txt");
  ASSERT_TRUE(write_file_atomically(folder_ / "link.txt", "new").has_value());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(content(folder_ / "real.txt"), "new");
}

TEST_F(AtomicFile, FollowsALinkWhoseTargetIsNotThereYet) {
  fs::create_directories(folder_ / "below");
  fs::create_symlink("below/real.txt", folder_ / "link.txt");
  ASSERT_TRUE(write_file_atomically(folder_ / "link.txt", "new").has_value());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(content(folder_ / "below" / "real.txt"), "new");
  fs::create_symlink("ring.txt", folder_ / "ring.txt");
  EXPECT_FALSE(write_file_atomically(folder_ / "ring.txt", "x").has_value());
}

TEST_F(AtomicFile, ANewFileHasTheRightsThatTheMaskAllows) {
  std::ofstream(folder_ / "plain.txt") << "x";
  ASSERT_TRUE(write_file_atomically(folder_ / "a.txt", "x").has_value());
  EXPECT_EQ(fs::status(folder_ / "a.txt").permissions(), fs::status(folder_ / "plain.txt").permissions());
}

TEST_F(AtomicFile, TakesTheLongestNamesThereAre) {
  const fs::path path = folder_ / std::string(255, 'x');
  ASSERT_TRUE(write_file_atomically(path, "first").has_value());
  ASSERT_TRUE(write_file_atomically(path, "second").has_value());
  EXPECT_EQ(content(path), "second");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(AtomicFile, FailsWithoutATraceWhereItCannotWrite) {
  const Result<void> no_folder = write_file_atomically(folder_ / "none" / "a.txt", "x");
  ASSERT_FALSE(no_folder.has_value());
  EXPECT_EQ(no_folder.error().code, ErrorCode::cannot_write);
  fs::create_directories(folder_ / "is_a_folder");
  EXPECT_FALSE(write_file_atomically(folder_ / "is_a_folder", "x").has_value());
  EXPECT_EQ(file_count(), 1u);
}

}  // namespace
}  // namespace shosa::io
