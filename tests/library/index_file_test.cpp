// The index as a file: versions, and files that somebody else made.
#include <gmock/gmock.h>

#include <random>

#include "library/library_folder.h"

namespace shosa::test {
namespace {

using library::Database;
using library::Library;
using testing::HasSubstr;

using IndexFile = LibraryFolder;

TEST_F(IndexFile, ANewerVersionIsRefusedAndLeftAsItIs) {
  save("a.bvh", scenes::walk().clip);
  index();
  {
    auto database = Database::open(index_file(), Database::Access::write);
    ASSERT_TRUE(database->execute("PRAGMA user_version = 3").has_value());
  }
  const auto again = library::index_folder(folder_);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::bad_file);
  EXPECT_THAT(again.error().message, HasSubstr("version 3"));
  const auto opened = Library::open(folder_);
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, HasSubstr("reads up to 2"));
  EXPECT_TRUE(library::index_folder(folder_, {.rebuild = true}).has_value());
}

TEST_F(IndexFile, TheFirstVersionIsBroughtUpToDate) {
  save("a.bvh", scenes::walk().clip);
  age();
  std::filesystem::create_directories(index_file().parent_path());
  {
    // As the first version had it.
    auto database = Database::open(index_file(), Database::Access::write);
    ASSERT_TRUE(
        database
            ->execute(
                "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, bytes "
                "INTEGER NOT "
                "NULL, hash TEXT NOT NULL, companions TEXT NOT NULL, problem TEXT NOT NULL);"
                "CREATE TABLE clips(id INTEGER PRIMARY KEY, file INTEGER NOT NULL, take INTEGER NOT NULL, name TEXT "
                "NOT NULL, "
                "kind TEXT NOT NULL, frames INTEGER NOT NULL, fps REAL NOT NULL);"
                "CREATE VIRTUAL TABLE words USING fts5(text);"
                "INSERT INTO files VALUES (1, 'a.bvh', '1:1', 1, 'x', '', ''), (2, 'gone.bvh', '1:1', 1, 'y', '', '');"
                "INSERT INTO clips VALUES (1, 1, 0, '', 'humanoid', 1, 1.0); INSERT INTO words(rowid, text) VALUES (1, "
                "'old');"
                "PRAGMA application_id = 1936224115; PRAGMA user_version = 1")
            .has_value());
  }
  EXPECT_THAT(Library::open(folder_).error().message, HasSubstr("shosa library index brings it up to 2"));
  const library::IndexReport report = index();
  EXPECT_EQ(report.read, 1);
  EXPECT_EQ(report.removed, 1);
  EXPECT_TRUE(library::check_index(folder_)->empty());
  EXPECT_EQ(open().clips()->front().facts.frames, scenes::walk().clip.frame_count());
}

TEST_F(IndexFile, WhatIsNoIndexIsNotTouched) {
  save("a.bvh", scenes::walk().clip);
  write(".shosa/index.db",
        "my diary, which nobody shall write into, long enough to be a header of SQLite: " + std::string(900, 'x'));
  const std::string before = *io::read_text(index_file());
  EXPECT_FALSE(library::index_folder(folder_).has_value());
  EXPECT_EQ(*io::read_text(index_file()), before);
  std::filesystem::remove(index_file());
  {
    auto other = Database::open(index_file(), Database::Access::write);
    ASSERT_TRUE(other->execute("CREATE TABLE diary(day TEXT)").has_value());
  }
  // Another program's database keeps its journal as it did.
  const std::string diary = *io::read_text(index_file());
  EXPECT_FALSE(library::index_folder(folder_).has_value());
  EXPECT_EQ(*io::read_text(index_file()), diary);
}

TEST_F(IndexFile, TablesThatAreNotOursAreRefused) {
  save("a.bvh", scenes::walk().clip);
  for (const char* added :
       {"CREATE TABLE more(x)", "CREATE TRIGGER t AFTER DELETE ON files BEGIN DELETE FROM clips; END",
        "CREATE VIEW v AS SELECT 1", "DROP TABLE frames"}) {
    ASSERT_TRUE(library::index_folder(folder_, {.rebuild = true}).has_value());
    {
      auto database = Database::open(index_file(), Database::Access::write);
      ASSERT_TRUE(database->execute(added).has_value()) << added;
    }
    EXPECT_FALSE(Library::open(folder_).has_value()) << added;
    EXPECT_FALSE(library::index_folder(folder_).has_value()) << added;
  }
}

TEST_F(IndexFile, ValuesThatNoIndexHasAreErrors) {
  save("a.bvh", scenes::walk().clip);
  for (const char* change :
       {"UPDATE files SET path = '../../etc/passwd'", "UPDATE files SET path = '/etc/passwd'",
        "UPDATE clips SET frames = -1", "UPDATE clips SET fps = 0", "UPDATE clips SET kind = 'cat'",
        "UPDATE clips SET details = '{'", "UPDATE clips SET details = '{}'",
        "UPDATE clips SET details = replace(hex(zeroblob(2000)), '0', '[')", "UPDATE clips SET strip = x'00'",
        "UPDATE clips SET scale = 'x'"}) {
    ASSERT_TRUE(library::index_folder(folder_, {.rebuild = true}).has_value());
    {
      auto database = Database::open(index_file(), Database::Access::write);
      ASSERT_TRUE(database->execute(change).has_value()) << change;
    }
    const auto clips = open().clips();
    ASSERT_FALSE(clips.has_value()) << change;
    EXPECT_EQ(clips.error().code, ErrorCode::bad_file);
  }
  for (const char* change :
       {"UPDATE frames SET features = x'0102'", "UPDATE frames SET features = zeroblob(0)",
        "UPDATE frames SET features = zeroblob(6400)", "DELETE FROM frames", "DELETE FROM words"}) {
    ASSERT_TRUE(library::index_folder(folder_, {.rebuild = true}).has_value());
    {
      auto database = Database::open(index_file(), Database::Access::write);
      ASSERT_TRUE(database->execute(change).has_value()) << change;
    }
    EXPECT_FALSE(library::check_index(folder_)->empty()) << change;
  }
}

TEST_F(IndexFile, TruncatedAndScrambledFilesNeverCrash) {
  save("a.bvh", scenes::walk({.duration_s = 1.0}).clip);
  save("b.bvh", scenes::jump().clip);
  index();
  const std::string whole = *io::read_text(index_file());
  const unsigned seed = 24;
  std::mt19937 random(seed);
  const auto use = [&] {
    (void)library::check_index(folder_);
    if (const auto opened = Library::open(folder_)) {
      (void)opened->clips({.words = "walk"});
      (void)opened->broken();
      if (const auto example = library::read_example(*opened, "a.bvh@0.5")) (void)library::find_like(*opened, *example);
    }
    (void)library::index_folder(folder_);
  };
  for (int round = 0; round < 150; ++round) {
    std::string broken = whole;
    if (round % 3 == 0) {
      broken.resize(random() % whole.size());
    } else {
      for (unsigned i = 0; i < 1 + round % 40u; ++i) broken[random() % broken.size()] = static_cast<char>(random());
    }
    for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(index_file().string() + part);
    write(".shosa/index.db", broken);
    SCOPED_TRACE(fmt::format("seed {}, round {}", seed, round));
    use();
    ASSERT_TRUE(library::index_folder(folder_, {.rebuild = true}).has_value());
  }
}

}  // namespace
}  // namespace shosa::test
