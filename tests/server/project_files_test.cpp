// The files behind the door, without HTTP.
#include "project_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "shosa/io/content_hash.h"
#include "shosa/io/read_text.h"
#include "support/test_folder.h"
#include "watcher.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;
using server::ProjectFiles;
using server::Seen;
using testing::ElementsAre;

/// 200 where it was done.
template <class T>
int status(const server::Answer<T>& answer) {
  return answer ? 200 : answer.error().status;
}

class Files : public FolderTest {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "project/clips");
    write("secret.txt", "secret");
    write("project/score.json", "{}");
    write("project/.hidden", "h");
  }
  std::string text(const std::string& name) const { return io::read_text(folder_ / "project" / name).value_or("?"); }
};

TEST_F(Files, NoPathLeadsOutOfTheProject) {
  fs::create_symlink(folder_ / "secret.txt", folder_ / "project/link.txt");
  fs::create_symlink(folder_, folder_ / "project/up");
  fs::create_symlink(folder_ / "new.txt", folder_ / "project/dangling.txt");
  fs::create_symlink(folder_ / "project/.hidden", folder_ / "project/peek.txt");
  fs::create_symlink("score.json", folder_ / "project/inside.json");
  ProjectFiles files(folder_ / "project", false);
  for (const char* path : {"../secret.txt",
                           "clips/../../secret.txt",
                           "..",
                           ".",
                           "",
                           "/etc/passwd",
                           "clips//x",
                           "./score.json",
                           "..\\secret.txt",
                           ".hidden",
                           ".shosa/index.db",
                           "link.txt",
                           "up/secret.txt",
                           "up/new.txt",
                           "dangling.txt",
                           "peek.txt",
                           "C:/x",
                           "clips/",
                           "a\nb",
                           "bad\xff"}) {
    EXPECT_EQ(status(files.read(path)), 400) << path;
    EXPECT_EQ(status(files.write(path, "mine", Seen{.nothing = true})), 400) << path;
  }
  EXPECT_EQ(files.read(std::string("score.json\0x", 12)).error().status, 400);
  EXPECT_EQ(io::read_text(folder_ / "secret.txt"), "secret");
  EXPECT_FALSE(fs::exists(folder_ / "new.txt"));
  EXPECT_EQ(files.read("inside.json")->bytes, "{}");
  std::vector<std::string> listed;
  for (const auto& file : files.list()) listed.push_back(file.path);
  EXPECT_THAT(listed, ElementsAre("inside.json", "score.json"));
}

TEST_F(Files, AreReplacedOnlyByWhoHasSeenThem) {
  ProjectFiles files(folder_ / "project", false);
  const std::string before = files.read("score.json")->hash;
  EXPECT_EQ(files.write("score.json", "x", {}).error().status, 428);
  EXPECT_EQ(files.write("score.json", "x", {.nothing = true}).error().status, 409);
  EXPECT_EQ(files.write("score.json", "x", {.hash = "another"}).error().hash, before);
  EXPECT_EQ(text("score.json"), "{}");
  const auto after = files.write("score.json", "[]", {.hash = before});
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(text("score.json"), "[]");
  EXPECT_EQ(*after, io::content_hash("[]"));
  // The second of two who saw the same is told.
  EXPECT_EQ(files.write("score.json", "late", {.hash = before}).error().status, 409);
  EXPECT_EQ(files.write("gone.json", "x", {.hash = before}).error().status, 409);
  EXPECT_TRUE(files.write("deep/new.json", "n", {.nothing = true}).has_value());
  EXPECT_EQ(text("deep/new.json"), "n");
}

TEST_F(Files, AreRenamedNeverOverOthersAndRemovedIntoTheTrash) {
  ProjectFiles files(folder_ / "project", false);
  ASSERT_TRUE(files.write("b.json", "b", {.nothing = true}).has_value());
  const Seen seen{.hash = files.read("score.json")->hash};
  EXPECT_EQ(files.rename("score.json", "b.json", seen).error().status, 409);
  EXPECT_EQ(files.rename("score.json", "../b.json", seen).error().status, 400);
  EXPECT_EQ(text("b.json"), "b");
  ASSERT_TRUE(files.rename("score.json", "sub/c.json", seen).has_value());
  EXPECT_EQ(text("sub/c.json"), "{}");
  EXPECT_EQ(files.read("score.json").error().status, 404);
  EXPECT_EQ(files.remove("sub/c.json", {.hash = "x"}).error().status, 409);
  const auto trash = files.remove("sub/c.json", seen);
  ASSERT_TRUE(trash.has_value());
  EXPECT_EQ(text(*trash), "{}");
  EXPECT_TRUE(trash->starts_with(".shosa/trash/"));
}

TEST_F(Files, OfAProjectForReadingStayAsTheyAre) {
  ProjectFiles files(folder_ / "project", true);
  const Seen seen{.hash = files.read("score.json")->hash};
  EXPECT_EQ(files.write("score.json", "x", seen).error().status, 403);
  EXPECT_EQ(files.rename("score.json", "b.json", seen).error().status, 403);
  EXPECT_EQ(files.remove("score.json", seen).error().status, 403);
  EXPECT_EQ(text("score.json"), "{}");
}

TEST_F(Files, ThatChangeAreNoticed) {
  const ProjectFiles files(folder_ / "project", true);
  server::Watcher watcher(files);
  std::size_t seen = watcher.latest();
  // The watcher has looked once before it is asked to notice anything.
  EXPECT_TRUE(watcher.wait_for(seen, std::chrono::milliseconds(700)).empty());
  std::ofstream(folder_ / "project/clips/new.bvh") << "x";
  const auto changes = watcher.wait_for(seen, std::chrono::seconds(30));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path, "clips/new.bvh");
  EXPECT_STREQ(changes[0].what, "added");
  fs::remove(folder_ / "project/score.json");
  EXPECT_STREQ(watcher.wait_for(seen, std::chrono::seconds(30)).at(0).what, "removed");
  watcher.end();
  EXPECT_TRUE(watcher.wait_for(seen, std::chrono::hours(1)).empty());
}

}  // namespace
}  // namespace shosa::test
