#include "shosa/io/files_below.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "support/test_folder.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

using FilesBelow = FolderTest;

TEST_F(FilesBelow, AreSortedAndWithoutWhatIsHidden) {
  for (const char* name : {"b/c.bvh", "a.bvh", "b/a/x.json", ".git/config", "b/.hidden", ".shosa/index.db"})
    write(name, "x");
  const io::FilesBelow found = io::files_below(folder_);
  EXPECT_THAT(found.files, ElementsAre("a.bvh", "b/a/x.json", "b/c.bvh"));
  EXPECT_THAT(found.closed, IsEmpty());
  EXPECT_THAT(found.outside, IsEmpty());
}

TEST_F(FilesBelow, SayWhichLinksLeadOutside) {
  write("secret.txt", "s");
  write("in/a.json", "a");
  fs::create_symlink("a.json", folder_ / "in/inside.json");
  fs::create_symlink("../secret.txt", folder_ / "in/outside.json");
  fs::create_symlink("..", folder_ / "in/up");
  fs::create_symlink("nowhere", folder_ / "in/dangling");
  const io::FilesBelow found = io::files_below(folder_ / "in");
  EXPECT_THAT(found.files, ElementsAre("a.json", "inside.json", "outside.json"));
  EXPECT_THAT(found.outside, ElementsAre("outside.json"));
}

TEST_F(FilesBelow, SayWhichFoldersCannotBeRead) {
  write("a/x.bvh", "x");
  write("b/y.bvh", "y");
  write("c/z.bvh", "z");
  fs::permissions(folder_ / "b", fs::perms::none);
  // Everything can be read by root: as somebody else.
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const io::FilesBelow found = io::files_below(folder_);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  fs::permissions(folder_ / "b", fs::perms::owner_all);
  EXPECT_THAT(found.files, ElementsAre("a/x.bvh", "c/z.bvh"));
  EXPECT_THAT(found.closed, ElementsAre("b"));
}

}  // namespace
}  // namespace shosa::test
