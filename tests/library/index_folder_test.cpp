#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "library/library_folder.h"

namespace shosa::test {
namespace {

using library::check_index;
using library::Library;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using IndexFolder = LibraryFolder;

TEST_F(IndexFolder, KnowsOfAClipWhatItWasMadeFrom) {
  const scenes::Scene walk = scenes::walk({.duration_s = 4.0, .speed_mps = 1.25, .turn_rad_per_m = 0.3});
  save("walk.bvh", walk.clip);
  save("jump.bvh", scenes::jump({.flight_s = 0.45}).clip);
  save("dog.bvh", scenes::dog_walk().clip);
  EXPECT_EQ(index().clips, 3);
  const auto clips = open().clips();
  ASSERT_TRUE(clips.has_value());
  ASSERT_EQ(clips->size(), 3u);
  const library::ClipFacts &dog = (*clips)[0].facts, &jump = (*clips)[1].facts, &walked = (*clips)[2].facts;
  EXPECT_EQ(dog.kind, body::BodyKind::quadruped);
  EXPECT_EQ(walked.kind, body::BodyKind::humanoid);
  EXPECT_EQ(walked.frames, walk.clip.frame_count());
  EXPECT_NEAR(walked.fps, 60.0, 1e-3);
  EXPECT_NEAR(walked.root_speed_mps, 1.25, 0.05);
  // 4 s at 1.25 m/s, 0.3 rad a metre to the left.
  EXPECT_NEAR(walked.turn_deg, 4.0 * 1.25 * 0.3 * 180.0 / 3.14159, 8.0);
  EXPECT_NEAR(walked.cycle.length_s(), 1.04, 0.03);
  EXPECT_THAT(walked.flights, IsEmpty());
  ASSERT_EQ(jump.flights.size(), 1u);
  EXPECT_NEAR(jump.flights[0].length_s(), 0.45, 0.05);
  ASSERT_EQ(walked.contacts.size(), 2u);
  const scenes::FootPlan& left = walk.feet[0].foot == "left_foot" ? walk.feet[0] : walk.feet[1];
  ASSERT_GE(walked.contacts[0].intervals.size(), 3u);
  EXPECT_EQ(walked.contacts[0].name, "left");
  EXPECT_NEAR(walked.contacts[0].intervals[1].begin_s, left.standing[1].begin_s, 0.05);
}

TEST_F(IndexFolder, ReadsOnlyWhatChangedAndForgetsWhatIsGone) {
  save("a.bvh", scenes::walk().clip);
  save("b.bvh", scenes::run().clip);
  save("c.bvh", scenes::jump().clip);
  age();
  EXPECT_EQ(index().read, 3);
  const library::IndexReport again = index();
  EXPECT_EQ(again.read, 0);
  EXPECT_EQ(again.unchanged, 3);

  // Another time, the same content: looked at, not studied again.
  std::filesystem::last_write_time(folder_ / "a.bvh",
                                   std::filesystem::last_write_time(folder_ / "a.bvh") - std::chrono::hours(1));
  EXPECT_EQ(index().read, 0);
  save("b.bvh", scenes::stand().clip);
  std::filesystem::remove(folder_ / "c.bvh");
  const library::IndexReport changed = index();
  EXPECT_EQ(changed.read, 1);
  EXPECT_EQ(changed.removed, 1);
  EXPECT_EQ(changed.clips, 2);
  EXPECT_NEAR(open().clips({.file = "b.bvh"})->front().facts.root_speed_mps, 0.0, 0.05);
}

TEST_F(IndexFolder, NoticesAChangeThatKeptSizeAndTimeOfAFreshFile) {
  save("a.bvh", scenes::walk().clip);
  index();
  const std::string text = *io::read_text(folder_ / "a.bvh");
  const auto time = std::filesystem::last_write_time(folder_ / "a.bvh");
  // One digit of the last frame.
  std::string other = text;
  const auto digit = other.find_last_of("0123456789");
  other[digit] = other[digit] == '1' ? '2' : '1';
  write("a.bvh", other);
  std::filesystem::last_write_time(folder_ / "a.bvh", time);
  EXPECT_EQ(index().read, 1);
}

TEST_F(IndexFolder, GoesOnPastBrokenFilesAndListsThem) {
  save("good.bvh", scenes::walk().clip);
  write("bad.bvh", "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0");
  write("empty.bvh", "");
  write("noise.glb", std::string(1000, '\x7f'));
  const library::IndexReport report = index();
  EXPECT_EQ(report.clips, 1);
  ASSERT_EQ(report.broken.size(), 3u);
  EXPECT_EQ(report.broken[0].file, "bad.bvh");
  EXPECT_THAT(report.broken[0].problem, HasSubstr("bad.bvh:4"));
  EXPECT_EQ(check_index(folder_)->size(), 3u);
  age();
  // Broken files are not read again either.
  index();
  EXPECT_EQ(index().read, 0);
}

TEST_F(IndexFolder, AnSkeletonThatChangesMakesItsMotionsReadAgain) {
  const std::string asf = *io::read_text(source_dir() / "fuzz/corpus/asf/small.asf");
  write("s.asf", asf);
  write("m.amc", *io::read_text(source_dir() / "fuzz/corpus/amc/two_frames.amc"));
  age();
  EXPECT_EQ(index().read, 1);
  EXPECT_EQ(index().read, 0);
  write("s.asf", asf + "\n");
  EXPECT_EQ(index().read, 1);
}

TEST_F(IndexFolder, TheSecondOfTwoIndexersIsTold) {
  save("a.bvh", scenes::walk().clip);
  index();
  const int lock = ::open((index_file().string() + ".lock").c_str(), O_RDWR);
  ASSERT_GE(lock, 0);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const auto second = library::index_folder(folder_);
  ::close(lock);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::not_possible);
  EXPECT_THAT(second.error().message, HasSubstr("another program"));
  EXPECT_TRUE(library::index_folder(folder_).has_value());
}

TEST_F(IndexFolder, CheckSaysWhatIsNewChangedAndGone) {
  save("a.bvh", scenes::walk().clip);
  save("b.bvh", scenes::walk().clip);
  save("c.bvh", scenes::walk().clip);
  age();
  index();
  EXPECT_THAT(*check_index(folder_), IsEmpty());
  std::filesystem::remove(folder_ / "a.bvh");
  save("b.bvh", scenes::stand().clip);
  save("d.bvh", scenes::stand().clip);
  const auto problems = check_index(folder_);
  ASSERT_TRUE(problems.has_value());
  ASSERT_EQ(problems->size(), 3u);
  EXPECT_THAT((*problems)[0].file + (*problems)[0].message, HasSubstr("b.bvhhas changed"));
  EXPECT_THAT((*problems)[1].file + (*problems)[1].message, HasSubstr("d.bvhis not in the index"));
  EXPECT_THAT((*problems)[2].file + (*problems)[2].message, HasSubstr("a.bvhis in the index and not"));
}

TEST_F(IndexFolder, AnIndexElsewhereLeavesTheFolderAlone) {
  save("clips/a.bvh", scenes::walk().clip);
  const auto made = library::index_folder(folder_ / "clips", {.index_file = folder_ / "elsewhere.db"});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "clips/.shosa"));
  EXPECT_TRUE(Library::open(folder_ / "clips", folder_ / "elsewhere.db").has_value());
}

}  // namespace
}  // namespace shosa::test
