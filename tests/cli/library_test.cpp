#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class LibraryVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::filesystem::create_directories(path("clips/sub"));
    save("clips/walk.bvh", scenes::walk({.duration_s = 4.0}).clip);
    save("clips/walk_fast.bvh", scenes::walk({.duration_s = 4.0, .speed_mps = 1.6}).clip);
    save("clips/sub/run.bvh", scenes::run().clip);
    write("clips/README.md", "| run.bvh | quick escape |\n");
  }
};

TEST_F(LibraryVerb, IndexesListsShowsFindsAndChecks) {
  const Outcome made = shosa("library index clips --json");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json()["clips"], 3);
  EXPECT_THAT(made.json()["broken"], IsEmpty());

  const auto listed = shosa("library list clips --json").json()["clips"];
  ASSERT_EQ(listed.size(), 3u);
  EXPECT_EQ(listed[0]["file"], "sub/run.bvh");
  EXPECT_EQ(listed[0]["kind"], "humanoid");
  EXPECT_EQ(listed[0]["frames"], scenes::run().clip.frame_count());
  EXPECT_NEAR(listed[0]["fps"].get<double>(), 60.0, 1e-3);
  EXPECT_THAT(listed[0]["words"].get<std::string>(), HasSubstr("escape"));

  const auto shown = shosa("library show clips walk.bvh --json").json()["clips"][0];
  EXPECT_EQ(shown["cycle"]["found"], true);
  EXPECT_GE(shown["contacts"]["left"].size(), 3u);

  EXPECT_EQ(shosa("library find clips --words 'quick esc' --json").json()["matches"][0]["file"], "sub/run.bvh");
  EXPECT_EQ(shosa("library find clips --speed 1.5:2 --json").json()["matches"].size(), 1u);
  const auto like = shosa("library find clips --like clips/walk.bvh@2 --json").json()["matches"];
  ASSERT_EQ(like.size(), 2u);
  EXPECT_EQ(like[0]["file"], "walk_fast.bvh");
  EXPECT_GT(like[0]["distance"].get<double>(), 0.0);
  EXPECT_GT(like[0]["time_s"].get<double>(), 0.0);
  ASSERT_EQ(shosa("library find clips --follows walk.bvh --picture sheet.png").status, 0);
  EXPECT_THAT(file_text(path("sheet.png")), HasSubstr("PNG"));
  write("pose.json", R"({"joints": [{"joint": "hips", "position": [0, 0.9, 0]}]})");
  EXPECT_EQ(shosa("library find clips --pose pose.json --json").json()["matches"].size(), 3u);

  EXPECT_EQ(shosa("library check clips").status, 0);
  std::filesystem::remove(path("clips/walk.bvh"));
  const Outcome stale = shosa("library check clips --json");
  EXPECT_EQ(stale.status, 1);
  EXPECT_EQ(stale.json()["problems"][0]["file"], "walk.bvh");
}

TEST_F(LibraryVerb, SaysWhatIsWrong) {
  EXPECT_EQ(shosa("library list clips").status, 3);
  EXPECT_THAT(shosa("library list clips").err, HasSubstr("shosa library index makes it"));
  EXPECT_EQ(shosa("library index nowhere").status, 3);
  ASSERT_EQ(shosa("library index clips").status, 0);
  for (const char* options : {"--kind cat", "--speed x", "--speed 2:1", "--speed inf:", "--turn up",
                              "--length :", "--limit 0", "--like a --pose b"}) {
    EXPECT_EQ(shosa(std::string("library find clips ") + options).status, 2) << options;
  }
  EXPECT_EQ(shosa("library find clips --like walk.bvh@99").status, 1);
  EXPECT_EQ(shosa("library show clips other.bvh").status, 1);
  write("clips/.shosa/index.db", "no database, but long enough to be taken for one? " + std::string(2000, '.'));
  EXPECT_EQ(shosa("library list clips").status, 3);
  EXPECT_EQ(shosa("library index clips").status, 3);
  EXPECT_EQ(shosa("library index clips --rebuild").status, 0);
}

TEST_F(LibraryVerb, StandsForClipsInOtherVerbs) {
  ASSERT_EQ(shosa("library index clips").status, 0);
  const Outcome composed = shosa("compose --from-library clips --words walk -o both.bvh --json");
  ASSERT_EQ(composed.status, 0) << composed.err;
  EXPECT_EQ(composed.json()["transitions"].size(), 1u);
  const Outcome graph = shosa("graph build --from-library clips --speed 1: --threshold 1 -o g.json --json");
  ASSERT_EQ(graph.status, 0) << graph.err;
  write("reach.json", R"({"clip": "clips/walk.bvh", "at_s": 1, "duration_s": 0.2, "fps": 30,
    "drags": [{"joint": "right_hand", "keys": [[0, [0, 1, 1]], [0.2, [0, 1, 1.2]]]}]})");
  const Outcome posed = shosa("pose reach.json -o reach.bvh --from-library clips --words walk");
  EXPECT_EQ(posed.status, 0) << posed.err;
  EXPECT_EQ(shosa("compose --from-library clips --words nothing -o x.bvh").status, 1);
  EXPECT_EQ(shosa("compose --from-library clips --words run -o x.bvh").status, 1);
  EXPECT_EQ(shosa("compose -o x.bvh").status, 2);
  expect_refused("compose --words walk clips/walk.bvh clips/run.bvh -o x.bvh", 2, "--from-library");
  EXPECT_EQ(shosa("graph build -o x.json").status, 2);
}

}  // namespace
}  // namespace shosa::test
