// The demo as its users call it: the whole of it once, one figure, and captured clips.

#include <gmock/gmock.h>

#include "cli/run_shosa.h"

namespace shosa::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Demo : public ProgramTest {};

TEST_F(Demo, MakesEveryFigureAndSaysThatEachIsOk) {
  const Outcome run = shosa("demo -o out --json");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["figures"].size(), 22u);
  for (const auto& figure : json["figures"]) {
    EXPECT_TRUE(figure["ok"].get<bool>()) << figure.dump(1);
    EXPECT_FALSE(figure["checks"].empty()) << figure["id"];
  }
  const auto made = files();
  for (const char* name : {"report.html", "walk.bvh", "run.bvh", "stairs.bvh", "jump.bvh", "dog_walk.bvh", "walk.glb",
                           "duck.json", "stairs.json", "score.json", "000-fig-6.glb", "piece.bvh", "piece.glb"})
    EXPECT_THAT(made, Contains(name));
  EXPECT_THAT(file_text(path("out/report.html")), HasSubstr("004-fig-13"));
}

TEST_F(Demo, MakesTheSameBitsEachTime) {
  EXPECT_EQ(shosa("demo --figure 000-fig-7 --figure 002-fig-10 -o a").status, 0);
  EXPECT_EQ(shosa("demo --figure 000-fig-7 --figure 002-fig-10 -o b").status, 0);
  for (const char* name : {"000-fig-7.bvh", "000-fig-7.glb", "002-fig-10.bvh", "002-fig-10.png", "report.html"})
    EXPECT_TRUE(file_text(path(std::string("a/") + name)) == file_text(path(std::string("b/") + name))) << name;
}

TEST_F(Demo, NamesTheFiguresWhereOneIsNotThere) {
  const Outcome run = shosa("demo --figure 000-fig-1 -o out");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("000-fig-6"));
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_EQ(shosa("demo -o ''").status, 2);
}

TEST_F(Demo, FromAFolderOfClipsSaysWhatCouldNotBeMadeAndWhy) {
  ASSERT_EQ(shosa("demo --figure 002-fig-9 -o made").status, 0);
  std::filesystem::create_directories(path("captured"));
  std::filesystem::copy(path("made/walk.bvh"), path("captured/a_walk.bvh"));
  std::ofstream(path("captured/broken_run.bvh")) << "HIERARCHY\nROOT hips\n{\n";
  std::ofstream(path("captured/zzz.bvh")) << "no motion\n";
  // The walk is cut off in the middle of a frame: it is used, and that is said.
  const std::string whole = file_text(path("captured/a_walk.bvh"));
  std::ofstream(path("captured/a_walk.bvh")) << whole.substr(0, whole.size() - 200);
  const Outcome run = shosa("demo --real captured -o out --json");
  const auto json = run.json();
  ASSERT_EQ(json["not_used"].size(), 2u);
  EXPECT_EQ(json["not_used"][0]["file"], "broken_run.bvh");
  EXPECT_EQ(json["not_used"][1]["file"], "zzz.bvh");
  std::string warned;
  for (const auto& one : json["warnings"]) warned += one.get<std::string>() + "\n";
  EXPECT_THAT(warned, AllOf(HasSubstr("a_walk.bvh: "), HasSubstr("cut off")));
  EXPECT_THAT(json["not_used"][0]["reason"].get<std::string>(), HasSubstr("broken_run.bvh:"));
  EXPECT_EQ(json["parts"]["walk_normal"], "a_walk.bvh");
  std::vector<std::string> made, lacking;
  for (const auto& figure : json["figures"]) made.push_back(figure["id"]);
  for (const auto& figure : json["not_made"]) {
    lacking.push_back(figure["id"]);
    EXPECT_THAT(figure["reason"].get<std::string>(), Not(IsEmpty()));
  }
  EXPECT_THAT(made, Contains("002-fig-9"));
  EXPECT_THAT(lacking, Contains("004-fig-13"));
  EXPECT_EQ(made.size() + lacking.size(), 22u);
  std::filesystem::create_directories(path("empty"));
  const Outcome nothing = shosa("demo --real empty -o none --json");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.json()["not_made"].size(), 22u);
  EXPECT_THAT(nothing.err, HasSubstr("no figure could be made"));
  EXPECT_FALSE(std::filesystem::exists(path("none")));
  const Outcome inside = shosa("demo --real captured -o captured/out");
  EXPECT_EQ(inside.status, 1);
  EXPECT_FALSE(std::filesystem::exists(path("captured/out")));
  EXPECT_EQ(shosa("demo --real nowhere -o out").status, 3);
}

}  // namespace
}  // namespace shosa::test
