#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"

namespace shosa::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GoalsVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", scenes::walk({.duration_s = 1.5}).clip);
    ASSERT_EQ(shosa("decompose walk.bvh --all -o walk.submove").status, 0);
  }
  nlohmann::json goals_of(const std::string& file, const std::string& joint) const {
    const Outcome run = shosa(fmt::format("goals {} --joint {} --json", file, joint));
    EXPECT_EQ(run.status, 0) << run.err;
    return run.json()["submovements"];
  }
};

TEST_F(GoalsVerb, ListsWhereEverySubmovementTakesItsJoint) {
  const Outcome all = shosa("goals walk.submove --json");
  ASSERT_EQ(all.status, 0) << all.err;
  std::set<std::string> kinds;
  const auto list = all.json()["submovements"];
  for (const auto& s : list) {
    EXPECT_EQ(s["goal"].size(), 3u);
    EXPECT_EQ(s["passes"].size(), 3u);
    kinds.insert(s["kind"]);
  }
  EXPECT_THAT(kinds, ElementsAre("position", "rotation"));
  // The goals of displacements add up.
  const auto hips = goals_of("walk.submove", "hips");
  ASSERT_GT(hips.size(), 1u);
  for (std::size_t k = 1; k < hips.size(); ++k) {
    EXPECT_EQ(hips[k]["k"], k);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(hips[k]["goal"][c].get<double>(),
                  hips[k - 1]["goal"][c].get<double>() + hips[k]["displacement"][c].get<double>(), 1e-9);
  }
  EXPECT_THAT(shosa("goals walk.submove --joint right_lower_arm").out, HasSubstr("goal x, y, z (deg)"));
}

TEST_F(GoalsVerb, TextAndBytesAreTheSameMotion) {
  ASSERT_EQ(shosa("goals walk.submove -o walk.json").status, 0);
  ASSERT_EQ(shosa("goals walk.json -o again.submove").status, 0);
  EXPECT_EQ(file_text(path("again.submove")), file_text(path("walk.submove")));
  ASSERT_EQ(shosa("decompose walk.bvh --all -o direct.json").status, 0);
  EXPECT_EQ(file_text(path("direct.json")), file_text(path("walk.json")));
  ASSERT_EQ(shosa("recompose walk.submove -o a.bvh").status, 0);
  ASSERT_EQ(shosa("recompose walk.json -o b.bvh").status, 0);
  EXPECT_EQ(file_text(path("a.bvh")), file_text(path("b.bvh")));
}

TEST_F(GoalsVerb, MakesSeveralEditsOfSeveralJointsInOneCall) {
  const auto hips = goals_of("walk.submove", "hips"), arm = goals_of("walk.submove", "right_upper_arm");
  ASSERT_GT(arm.size(), 1u);
  const Outcome run = shosa(
      "goals walk.submove --joint hips --move-goal-by 0,0.1,0,0 --joint right_upper_arm --move-goal 0,10,20,30 "
      "--shift 1,-0.02 -o edited.submove --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto edits = run.json()["edits"];
  ASSERT_EQ(edits.size(), 3u);
  EXPECT_EQ(edits[0]["joint"], hips[0]["joint"]);
  EXPECT_EQ(edits[1]["edit"], "--move-goal 0,10,20,30");
  EXPECT_EQ(edits[2]["submovement"], 1);
  const auto moved = goals_of("edited.submove", "hips"), turned = goals_of("edited.submove", "right_upper_arm");
  EXPECT_NEAR(moved[0]["goal"][0].get<double>(), hips[0]["goal"][0].get<double>() + 0.1, 1e-5);
  EXPECT_NEAR(moved[1]["goal"][0].get<double>(), hips[1]["goal"][0].get<double>(), 1e-5);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(turned[0]["goal"][c].get<double>(), 10.0 * (c + 1.0), 1e-3);
  EXPECT_NEAR(turned[1]["t0"].get<double>(), arm[1]["t0"].get<double>() - 0.02, 1e-5);
  EXPECT_EQ(shosa("recompose edited.submove -o edited.bvh").status, 0);
}

TEST_F(GoalsVerb, StretchesAndMirrorsTheWholeBody) {
  const int frames = shosa("goals walk.submove --json").json()["frames"];
  const Outcome slow = shosa("goals walk.submove --stretch 2 --mirror -o slow.submove --json");
  ASSERT_EQ(slow.status, 0) << slow.err;
  EXPECT_EQ(slow.json()["frames"], 2 * (frames - 1) + 1);
  const auto left = goals_of("walk.submove", "left_lower_leg"), right = goals_of("slow.submove", "right_lower_leg");
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t k = 0; k < left.size(); ++k)
    EXPECT_NEAR(right[k]["tf"].get<double>(), 2.0 * left[k]["tf"].get<double>(), 1e-5);
  ASSERT_EQ(shosa("recompose slow.submove -o slow.bvh").status, 0);
}

TEST_F(GoalsVerb, SaysWhatIsWrongAndWritesNothing) {
  for (const char* usage :
       {"--move-goal 0,1,1,1 --joint hips -o x.submove", "--joint hips --move-goal 0,1,1,1", "--mirror",
        "--kind rotation", "--joint hips --move-goal 0,1,1 -o x.submove", "--joint hips --shift 0.5,0.1 -o x.submove",
        "--joint hips --stretch 0,0 -o x.submove", "--joint hips --remove -1 -o x.submove",
        "--joint hips --insert 0,1,nan,0,0 -o x.submove", "--joint hips --kind place"})
    EXPECT_EQ(shosa(std::string("goals walk.submove ") + usage).status, 2) << usage;
  for (const auto& [edit, said] :
       {std::pair{"--joint hips --remove 99", "walk.submove: hips: --remove 99: submovement 99 is not there"},
        {"--joint head --kind position --remove 0", "does not move in its parent's frame"},
        {"--joint nobody --remove 0", "nobody"},
        {"--joint hips --remove 0 --joint right_upper_arm --set-timing 0,2,1", "its start must lie before its end"},
        {"--shift -9", "walk.submove: --shift -9: "}}) {
    const Outcome run = shosa(std::string("goals walk.submove -o x.submove ") + edit);
    EXPECT_EQ(run.status, 1) << edit;
    EXPECT_THAT(run.err, HasSubstr(said));
  }
  write("bad.json", R"({"submovements": 2, "name": 7})");
  const Outcome bad = shosa("goals bad.json");
  EXPECT_EQ(bad.status, 3);
  EXPECT_THAT(bad.err, HasSubstr("bad.json: /name: 7, expected a text"));
  EXPECT_THAT(files(), ElementsAre("bad.json", "walk.bvh", "walk.submove"));
}

TEST_F(GoalsVerb, ASubmovementShorterThanPeopleMoveIsWarnedOf) {
  const Outcome run = shosa("goals walk.submove --joint hips --stretch 0,0.01 -o x.submove --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.json()["warnings"].dump(), HasSubstr("is very short"));
}

}  // namespace
}  // namespace shosa::test
