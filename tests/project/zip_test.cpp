#include "shosa/project/zip.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <random>

#include "project/raw_zip.h"
#include "shosa/io/files_below.h"
#include "shosa/io/read_text.h"
#include "support/test_folder.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;
using project::unzip_project;
using project::zip_project;
using testing::HasSubstr;

class Zip : public FolderTest {
 protected:
  Zip() { fs::create_directories(folder_ / "in"); }
  std::map<std::string, std::string> files(const std::string& below) const {
    std::map<std::string, std::string> contents;
    for (const fs::path& path : io::files_below(folder_ / below).files)
      contents[path.generic_string()] = *io::read_text(folder_ / below / path);
    return contents;
  }
  /// What unzipping says of a zip; nothing may be there afterwards but the zip.
  std::string refused(const std::vector<RawEntry>& entries) const { return refused_bytes(raw_zip(entries)); }
  std::string refused_bytes(const std::string& bytes) const {
    write("hostile.zip", bytes);
    const auto made = unzip_project(folder_ / "hostile.zip", folder_ / "out");
    EXPECT_FALSE(fs::exists(folder_ / "out"));
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_THAT((std::vector<std::string>{"in", "hostile.zip"}), testing::Contains(entry.path().filename().string()));
    if (made) return "";
    EXPECT_EQ(made.error().code, ErrorCode::bad_file) << made.error().message;
    return made.error().message;
  }
};

TEST_F(Zip, TheProjectComesBackAsItWas) {
  write("in/score.json", "{}");
  write("in/clips/walk.bvh", std::string(100'000, 'x'));
  write("in/empty.bvh", "");
  for (const char* name :
       {"歩く", "прогулка", "περίπατος", "مشي", "चलना", "emoji 🕺", "with space & 'quotes'", "ﬁ-é-e\xcc\x81"})
    write(std::string("in/names/") + name + ".bvh", name);
  write("in/.shosa/index.db", "an index");
  write("in/.git/config", "hidden");
  const auto packed = zip_project(folder_ / "in", folder_ / "p.shosa");
  ASSERT_TRUE(packed.has_value()) << packed.error().message;
  EXPECT_EQ(packed->files, 11);
  EXPECT_LT(fs::file_size(folder_ / "p.shosa"), 10'000u);
  const auto made = unzip_project(folder_ / "p.shosa", folder_ / "out/");
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(files("out"), files("in"));
  EXPECT_FALSE(fs::exists(folder_ / "out/.shosa"));
}

TEST_F(Zip, TheSameContentGivesTheSameBytes) {
  write("in/b.json", "{}");
  write("in/a.json", "[]");
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "1.zip").has_value());
  fs::last_write_time(folder_ / "in/a.json", fs::last_write_time(folder_ / "in/a.json") - std::chrono::hours(99));
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "2.zip").has_value());
  EXPECT_EQ(*io::read_text(folder_ / "1.zip"), *io::read_text(folder_ / "2.zip"));
  // Into itself: an older one is not packed into the new one.
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "in/p.zip").has_value());
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "in/p.zip").has_value());
  EXPECT_EQ(*io::read_text(folder_ / "in/p.zip"), *io::read_text(folder_ / "1.zip"));
}

TEST_F(Zip, NothingFromOutsideIsPacked) {
  write("secret.txt", "secret");
  write("in/a.json", "{}");
  fs::create_symlink("a.json", folder_ / "in/b.json");
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "p.zip").has_value());
  fs::remove(folder_ / "p.zip");
  fs::create_symlink("../secret.txt", folder_ / "in/notes.json");
  const auto packed = zip_project(folder_ / "in", folder_ / "p.zip");
  ASSERT_FALSE(packed.has_value());
  EXPECT_THAT(packed.error().message, HasSubstr("in/notes.json: is a link that leads out"));
  EXPECT_FALSE(fs::exists(folder_ / "p.zip"));
}

TEST_F(Zip, ARealFileOfOthersIsRead) {
  write("p.zip", raw_zip({{.name = "clips/", .attributes = 040755u << 16},
                          {.name = "clips/a.bvh", .content = "abc"},
                          {.name = "b.json", .content = ""}}));
  const auto made = unzip_project(folder_ / "p.zip", folder_ / "out");
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(files("out"), (std::map<std::string, std::string>{{"b.json", ""}, {"clips/a.bvh", "abc"}}));
}

TEST_F(Zip, NamesThatLeadElsewhereAreRefused) {
  for (const char* name :
       {"../out.bvh", "a/../../b.bvh", "..", "/etc/passwd", "a/..", "./a", "a//b", "C:/a", "c:\\a", "a\\..\\b",
        ".shosa/index.db", "a/.hidden/b", "line\nbreak", "\x1b[31m", "bad\xff\xfe", "\xc0\xaf", "\xed\xa0\x80"})
    EXPECT_THAT(refused({{.name = "fine.bvh", .content = "x"}, {.name = name, .content = "x"}}),
                HasSubstr("hostile.zip: "))
        << name;
  EXPECT_THAT(refused({{.name = "", .content = "x"}}), HasSubstr("is no name"));
  EXPECT_THAT(refused({{.name = std::string(300, 'a'), .content = "x"}}), HasSubstr("too long"));
}

TEST_F(Zip, DuplicatesLinksAndLiesAreRefused) {
  EXPECT_NE(refused({{.name = "a", .content = "1"}, {.name = "a", .content = "2"}}), "");
  EXPECT_THAT(refused({{.name = "a", .content = "1"}, {.name = "a/b", .content = "2"}}),
              HasSubstr("a file and a folder"));
  EXPECT_THAT(refused({{.name = "a", .content = "/etc", .attributes = 0120777u << 16}}),
              HasSubstr("is a link or no file"));
  EXPECT_THAT(refused({{.name = "a", .content = "x", .attributes = 010644u << 16}}), HasSubstr("is a link or no file"));
  EXPECT_NE(refused({{.name = "a", .content = "secret", .flags = 1}}), "");
  EXPECT_NE(refused({{.name = "a", .content = "x", .method = 12}}), "");
  EXPECT_NE(refused({{.name = "a", .content = "some text", .wrong_checksum = true}}), "");
  EXPECT_NE(refused({{.name = "a", .content = "some text", .said_bytes = 5}}), "");
  EXPECT_NE(refused({{.name = "a", .content = "some text", .said_bytes = 500}}), "");
  EXPECT_THAT(refused({{.name = "a", .content = "x", .method = 8, .said_bytes = 0x7fffffff}}),
              HasSubstr("no project packs like that"));
}

TEST_F(Zip, BombsAreRefusedBeforeTheyAreUnpacked) {
  write("in/zeros.bvh", std::string(64 << 20, '0'));
  ASSERT_TRUE(zip_project(folder_ / "in", folder_ / "hostile.zip").has_value());
  EXPECT_THAT(refused_bytes(*io::read_text(folder_ / "hostile.zip")), HasSubstr("no project packs like that"));
}

TEST_F(Zip, TenThousandEntriesAreFineAndAMillionAreNot) {
  std::vector<RawEntry> entries;
  for (int i = 0; i < 10'000; ++i) entries.push_back({.name = fmt::format("clips/{}.json", i), .content = "{}"});
  const std::string bytes = raw_zip(entries);
  EXPECT_EQ(project::list_zip(bytes, "p.zip")->size(), 10'000u);
  EXPECT_THAT(project::list_zip(bytes, "p.zip", {.entries = 9999}).error().message, HasSubstr("10000 entries"));
}

TEST_F(Zip, AFolderWithSomethingInItIsNotTouched) {
  write("p.zip", raw_zip({{.name = "a", .content = "1"}}));
  write("out/mine.txt", "mine");
  const auto made = unzip_project(folder_ / "p.zip", folder_ / "out");
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::cannot_write);
  EXPECT_EQ(files("out"), (std::map<std::string, std::string>{{"mine.txt", "mine"}}));
  EXPECT_EQ(unzip_project(folder_ / "none.zip", folder_ / "o").error().code, ErrorCode::cannot_read);
  EXPECT_FALSE(zip_project(folder_ / "nowhere", folder_ / "x.zip").has_value());
}

TEST_F(Zip, TruncatedAndScrambledZipsNeverCrash) {
  const std::string whole = raw_zip({{.name = "clips/", .attributes = 040755u << 16},
                                     {.name = "clips/a.bvh", .content = std::string(300, 'a')},
                                     {.name = "b.json", .content = "{}"}});
  const unsigned seed = 7;
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = whole;
    if (round % 4 == 0)
      bytes.resize(random() % whole.size());
    else
      for (int i = 0; i <= round % 8; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    SCOPED_TRACE(fmt::format("seed {}, round {}", seed, round));
    write("hostile.zip", bytes);
    const auto made = unzip_project(folder_ / "hostile.zip", folder_ / "out");
    for (const auto& entry : fs::directory_iterator(folder_))
      ASSERT_FALSE(entry.path().filename().string().starts_with(".shosa-unzip")) << "left behind";
    fs::remove_all(folder_ / "out");
  }
}

}  // namespace
}  // namespace shosa::test
