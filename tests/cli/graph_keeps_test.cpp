#include <gmock/gmock.h>

#include <filesystem>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"

namespace shosa::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A graph of a walk whose feet slide and of another.
class GraphKeeps : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Clip walk = scenes::walk({.duration_s = 3.0}).clip;
    for (int f = 0; f < walk.frame_count(); ++f) {
      walk.set_translation(f, 0, walk.translation(f, 0) + Vec3f(0.0f, 0.0f, 0.002f * static_cast<float>(f)));
    }
    save("walk.bvh", walk);
    save("other.bvh", scenes::walk({.duration_s = 2.0}).clip);
    const Outcome built = shosa("graph build walk.bvh other.bvh -o g.json --json");
    ASSERT_EQ(built.status, 0) << built.err;
    EXPECT_EQ(built.json()["kept"], "g.json.clips");
    ASSERT_TRUE(std::filesystem::exists(path("g.json.clips")));
  }
  Outcome play(const std::string& graph, const std::string& out, const std::string& options = "") const {
    return shosa("graph play " + graph + " --to 5 --duration 2 -o " + out + options);
  }
};

TEST_F(GraphKeeps, PlaysTheVerySamplesThatItsLinksWereFoundOn) {
  const Outcome kept = play("g.json", "kept.bvh");
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(kept.out, AllOf(HasSubstr("feet slide by"), Not(HasSubstr("again"))));
  // Without them they are cleaned again by the same recipe, and that is said.
  std::filesystem::rename(path("g.json.clips"), path("moved"));
  const Outcome again = play("g.json", "again.bvh");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("g.json.clips: cannot be opened"), HasSubstr("cleaned again"),
                               Not(HasSubstr("build the graph again"))));
  EXPECT_EQ(file_text(path("again.bvh")), file_text(path("kept.bvh")));
  // As they are when they were written with another graph.
  write("g.json.clips", "something else");
  const Outcome wrong = play("g.json", "wrong.bvh");
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("g.json.clips: was not written with this graph"), HasSubstr("expected")));
  EXPECT_EQ(file_text(path("wrong.bvh")), file_text(path("kept.bvh")));
}

TEST_F(GraphKeeps, AClipThatHasChangedIsNotPlayed) {
  save("other.bvh", scenes::walk({.duration_s = 2.5}).clip);
  const Outcome changed = play("g.json", "out.bvh");
  EXPECT_EQ(changed.status, 3);
  EXPECT_THAT(changed.err, AllOf(HasSubstr("g.json: other.bvh: "), HasSubstr("(hash "), HasSubstr(", expected "),
                                 HasSubstr("build the graph again")));
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
  std::filesystem::remove(path("other.bvh"));
  const Outcome missing = play("g.json", "out.bvh");
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("g.json: node "), HasSubstr("other.bvh: cannot be opened")));
  // It can still be planned.
  EXPECT_EQ(shosa("graph plan g.json --from 0 --to 5").status, 0);
}

TEST_F(GraphKeeps, ClipsAreReadAsWhenItWasBuilt) {
  EXPECT_EQ(play("g.json", "out.bvh", " --as-captured").status, 3);
  EXPECT_EQ(play("g.json", "out.bvh", " --unit auto").status, 0);
  write("map.json", R"({"left_hand": "left_hand"})");
  std::filesystem::create_directory(path("graphs"));
  ASSERT_EQ(
      shosa("graph build walk.bvh other.bvh -o graphs/slow.json --fps-is 30 --as-captured --body-map map.json").status,
      0);
  const Outcome slow = play("graphs/slow.json", "slow.bvh");
  ASSERT_EQ(slow.status, 0) << slow.err;
  EXPECT_THAT(
      file_text(path("graphs/slow.json")),
      HasSubstr(R"({"clip": "../walk.bvh", "as_captured": true, "fps_is": 30, "body_map": "../map.json", "hash": )"));
  EXPECT_EQ(play("graphs/slow.json", "out.bvh", " --fps-is 30 --as-captured").status, 0);
  EXPECT_EQ(play("graphs/slow.json", "out.bvh", " --fps-is 60").status, 0) << "the graph's own word counts";
  write("map.json", R"({"left_hand": "right_hand"})");
  EXPECT_EQ(play("graphs/slow.json", "out.bvh").status, 3);
}

TEST_F(GraphKeeps, AFolderMayBeMoved) {
  std::filesystem::create_directory(path("elsewhere"));
  ASSERT_EQ(play("g.json", "before.bvh").status, 0);
  for (const char* file : {"g.json", "g.json.clips", "walk.bvh", "other.bvh"})
    std::filesystem::rename(path(file), path(std::string("elsewhere/") + file));
  const Outcome moved = play("elsewhere/g.json", "after.bvh");
  ASSERT_EQ(moved.status, 0) << moved.err;
  EXPECT_THAT(moved.out, Not(HasSubstr("again")));
  EXPECT_EQ(file_text(path("after.bvh")), file_text(path("before.bvh")));
}

TEST_F(GraphKeeps, AGraphThatDoesNotSayIsReadAsTheOptionsSay) {
  auto graph = nlohmann::json::parse(file_text(path("g.json")));
  graph.erase("clips");
  graph.erase("kept");
  write("old.json", graph.dump());
  ASSERT_EQ(play("g.json", "kept.bvh").status, 0);
  ASSERT_EQ(play("old.json", "old.bvh").status, 0);
  EXPECT_EQ(file_text(path("old.bvh")), file_text(path("kept.bvh")));
  EXPECT_EQ(play("old.json", "out.bvh", " --as-captured").status, 0);
}

TEST_F(GraphKeeps, ANodeThatWasTypedWronglyIsNamedWithTheGraph) {
  EXPECT_EQ(shosa("graph play g.json --to nobody -o out.bvh").err,
            "shosa: g.json: no node is named 'nobody'; there are: other, walk\n");
}

}  // namespace
}  // namespace shosa::test
