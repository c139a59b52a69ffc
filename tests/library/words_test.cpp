#include <gmock/gmock.h>

#include "library/clip_words.h"
#include "library/library_folder.h"

namespace shosa::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Words = LibraryFolder;

TEST(NameWords, CutsHumpsAndNumbers) {
  EXPECT_EQ(library::name_words("walk"), "walk");
  EXPECT_EQ(library::name_words("HappyGoLuckWalk"), "HappyGoLuckWalk Happy Go Luck Walk");
  EXPECT_EQ(library::name_words("BVHFile_02turn90"), "BVHFile_02turn90 BVH File 02 turn 90");
}

TEST_F(Words, ComeFromFileFolderAndReadme) {
  const Clip clip = scenes::stand(0.3).clip;
  save("happy/StartWalk.bvh", clip);
  save("sad/02_01.bvh", clip);
  save("other/02_01.bvh", clip);
  write("README.md",
        "# Clips\n\n### sad\n\n| file | what |\n|---|---|\n| 02_01.bvh | limping slowly |\n\n### notes\n\n| "
        "[StartWalk](x) | "
        "*energetic* |\n");
  index();
  EXPECT_THAT(found({.words = "start walk"}), ElementsAre("happy/StartWalk.bvh"));
  EXPECT_THAT(found({.words = "HAPPY"}), ElementsAre("happy/StartWalk.bvh"));
  EXPECT_THAT(found({.words = "energ"}), ElementsAre("happy/StartWalk.bvh"));
  // By stem; the heading keeps the row from the file of the same name elsewhere.
  EXPECT_THAT(found({.words = "limps slow"}), ElementsAre("sad/02_01.bvh"));
  EXPECT_THAT(found({.words = "02"}), UnorderedElementsAre("sad/02_01.bvh", "other/02_01.bvh"));
  EXPECT_THAT(found({.words = "walk limp"}), IsEmpty());

  // A README that changes is noticed, though no clip did.
  age();
  write("README.md", "| 02_01 | crawl |\n");
  EXPECT_EQ(index().read, 0);
  EXPECT_THAT(found({.words = "limp"}), IsEmpty());
  EXPECT_THAT(found({.words = "crawling"}), UnorderedElementsAre("sad/02_01.bvh", "other/02_01.bvh"));
}

TEST_F(Words, NamesOfAnyScriptAndSqlInNamesAreJustNames) {
  const Clip clip = scenes::stand(0.3).clip;
  const std::vector<std::string> names = {
      "歩く.bvh",       "прогулка.bvh",  "περίπατος.bvh",  "مشي.bvh",  "a'); DROP TABLE clips;--.bvh",
      "\"quoted\".bvh", "per%cent_.bvh", "emoji 🕺.bvh", "Café.bvh", "NEAR AND OR.bvh",
      "col:text*.bvh"};
  for (const std::string& name : names) save(name, clip);
  EXPECT_EQ(index().clips, static_cast<int>(names.size()));
  EXPECT_EQ(index().clips, static_cast<int>(names.size()));
  EXPECT_THAT(found({.words = "歩く"}), ElementsAre("歩く.bvh"));
  EXPECT_THAT(found({.words = "ПРОГУЛКА"}), ElementsAre("прогулка.bvh"));
  EXPECT_THAT(found({.words = "cafe"}), ElementsAre("Café.bvh"));
  EXPECT_THAT(found({.words = "drop table"}), ElementsAre("a'); DROP TABLE clips;--.bvh"));
  EXPECT_THAT(found({.words = "'); DROP"}), ElementsAre("a'); DROP TABLE clips;--.bvh"));
  EXPECT_THAT(found({.words = "\"quoted\""}), ElementsAre("\"quoted\".bvh"));
  EXPECT_THAT(found({.words = "near and or"}), ElementsAre("NEAR AND OR.bvh"));
  EXPECT_THAT(found({.words = "col:text*"}), ElementsAre("col:text*.bvh"));
  for (const std::string& name : names) EXPECT_THAT(found({.file = name}), ElementsAre(name));
}

TEST_F(Words, FactsAreBounds) {
  save("slow.bvh", scenes::walk({.duration_s = 3.0, .speed_mps = 0.8}).clip);
  save("left.bvh", scenes::walk({.duration_s = 5.0, .turn_rad_per_m = 0.4}).clip);
  save("right.bvh", scenes::walk({.duration_s = 5.0, .turn_rad_per_m = -0.4}).clip);
  save("run.bvh", scenes::run().clip);
  save("dog.bvh", scenes::dog_walk().clip);
  save("stand.bvh", scenes::stand().clip);
  index();
  using library::Range;
  EXPECT_THAT(found({.speed_mps = Range{2.5, {}}}), ElementsAre("run.bvh"));
  EXPECT_THAT(found({.speed_mps = Range{0.6, 1.0}}), UnorderedElementsAre("slow.bvh", "dog.bvh"));
  EXPECT_THAT(found({.turn_deg = Range{30.0, {}}}), ElementsAre("left.bvh"));
  EXPECT_THAT(found({.turn_deg = Range{{}, -30.0}}), ElementsAre("right.bvh"));
  EXPECT_THAT(found({.flight = true}), ElementsAre("run.bvh"));
  EXPECT_THAT(found({.kind = body::BodyKind::quadruped}), ElementsAre("dog.bvh"));
  EXPECT_THAT(found({.length_s = Range{4.9, {}}, .cycle = true}), UnorderedElementsAre("left.bvh", "right.bvh"));
}

}  // namespace
}  // namespace shosa::test
