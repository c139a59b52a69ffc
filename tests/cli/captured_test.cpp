#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "support/paths.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A walk with a T-pose in front and feet that slide, as a capture may have them.
class CapturedClips : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
    Clip captured(walk.skeleton_ptr(), walk.frame_count() + 1, walk.frame_time_s(), walk.translated());
    for (int f = 0; f < walk.frame_count(); ++f) {
      Pose pose = walk.frame(f);
      pose.set_translation(0, pose.translation(0) + Vec3f(0.0f, 0.0f, 0.002f * static_cast<float>(f)));
      captured.set_frame(f + 1, pose);
    }
    frames_ = walk.frame_count();
    save("walk.bvh", captured);
    write("plan.json", R"({"stride_percent": 90})");
    write("pose.json", R"({"clip": "walk.bvh", "pins": [{"joint": "left_hand"}]})");
    write("score.json", R"({"motions": [{"clip": "walk.bvh"}]})");
  }
  int frames_ = 0;
};

TEST_F(CapturedClips, EveryVerbButInfoAndConvertLeavesOutAnAddedTPoseAndSaysSo) {
  for (const char* verb :
       {"analyze walk.bvh", "metrics walk.bvh", "picture walk.bvh -o out.svg", "pose pose.json -o out.bvh",
        "ranges walk.bvh -o out.json", "fix walk.bvh -o out.bvh", "retarget walk.bvh --onto walk.bvh -o out.bvh",
        "edit walk.bvh -o out.bvh --handle left_hand --end-position 0,1,0.5", "loop walk.bvh -o out.bvh",
        "footsteps walk.bvh plan.json -o out.bvh", "curves walk.bvh -o out.curves",
        "decompose walk.bvh --joint left_hand", "compose score.json -o out.bvh", "graph build walk.bvh -o g.json"}) {
    const Outcome usual = shosa(std::string(verb) + " --json");
    ASSERT_EQ(usual.status, 0) << verb << usual.err;
    EXPECT_THAT(usual.json()["notes"].dump(), HasSubstr("left out 1 frame of T-pose")) << verb;
    EXPECT_THAT(shosa(verb).out, HasSubstr("left out 1 frame of T-pose")) << verb;
    EXPECT_THAT(shosa(std::string(verb) + " --as-captured").out, Not(HasSubstr("left out"))) << verb;
    EXPECT_THAT(shosa(std::string(verb) + " --keep-tpose").out, Not(HasSubstr("left out"))) << verb;
    EXPECT_THAT(shosa(std::string(verb) + " --as-captured --drop-tpose").out, HasSubstr("left out")) << verb;
  }
  EXPECT_EQ(shosa("info walk.bvh --json").json()["frames"], frames_ + 1);
  EXPECT_EQ(shosa("info walk.bvh --drop-tpose --json").json()["frames"], frames_);
  EXPECT_EQ(shosa("convert walk.bvh out.bvh --json").json()["frames"], frames_ + 1);
  EXPECT_EQ(shosa("convert walk.bvh out.bvh --as-captured --json").json()["frames"], frames_ + 1);
  EXPECT_EQ(shosa("convert walk.bvh out.bvh --drop-tpose --json").json()["frames"], frames_);
  // In every format.
  EXPECT_EQ(shosa("convert walk.bvh walk.glb --json").json()["frames"], frames_ + 1);
  EXPECT_THAT(shosa("metrics walk.glb").out, HasSubstr("left out 1 frame of T-pose"));
  EXPECT_EQ(shosa("info walk.glb --drop-tpose --json").json()["frames"], frames_);
}

TEST_F(CapturedClips, SlidingFeetAreKeptWhereAVerbNeedsStandingOnes) {
  for (const char* verb :
       {"retarget walk.bvh --onto walk.bvh -o out.bvh", "loop walk.bvh -o out.bvh",
        "footsteps walk.bvh plan.json -o out.bvh", "compose score.json -o out.bvh", "graph build walk.bvh -o g.json"}) {
    EXPECT_THAT(shosa(verb).out, HasSubstr("feet slide by 0.1")) << verb;
    const Outcome as_captured = shosa(std::string(verb) + " --as-captured");
    EXPECT_EQ(as_captured.status, 0) << verb << as_captured.err;
    EXPECT_THAT(as_captured.out, Not(HasSubstr("feet slide by"))) << verb;
  }
}

TEST_F(CapturedClips, ADocumentSaysItForEachClip) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "as_captured": true}]})");
  const Outcome kept = shosa("compose score.json -o out.bvh --json");
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(kept.json()["frames"], frames_ + 1);
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "as_captured": true, "drop_tpose": true}]})");
  const Outcome dropped = shosa("compose score.json -o out.bvh --json");
  EXPECT_EQ(dropped.json()["frames"], frames_);
  EXPECT_THAT(dropped.json()["notes"].dump(), Not(HasSubstr("feet slide by")));
}

// Somebody who fights and kneels, which no plan of steps suits: what comes out is written, and not passed off as met.
TEST_F(CapturedClips, AFootThatIsNotWhereThePlanHasItIsSaid) {
  const auto clip = real_data_dir() / "cmu-bvh" / "131_01.bvh";
  if (!std::filesystem::exists(clip)) GTEST_SKIP() << "skipped: no real data";
  write("short.json", R"({"stride_percent": 60})");
  const Outcome run = shosa("footsteps '" + clip.string() + "' short.json -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  double worst_m = 0.0;
  for (const auto& step : json["steps"]) worst_m = std::max(worst_m, step["error_m"].get<double>());
  ASSERT_GT(worst_m, 0.01);
  EXPECT_THAT(json["warnings"].dump(), HasSubstr("from its place"));
}

// A jog that is to stop: the foot that comes down turns by more than the toes, which bent by 163 degrees.
TEST_F(CapturedClips, ToesOfAPlayedGraphBendAsToesDo) {
  std::string clips;
  for (const char* name : {"quality/39_05", "quality/16_55", "quality/132_20", "quality/16_22", "cmu-bvh/16_33",
                           "cmu-bvh/104_09", "cmu-bvh/104_06"}) {
    const auto clip = real_data_dir() / (std::string(name) + ".bvh");
    if (!std::filesystem::exists(clip)) GTEST_SKIP() << "skipped: no real data";
    clips += " '" + clip.string() + "'";
  }
  const Outcome built = shosa("graph build" + clips + " -o moves.json --threshold auto");
  ASSERT_EQ(built.status, 0) << built.err;
  for (const char* seed : {"1", "3"}) {
    const Outcome run = shosa(std::string("graph walk moves.json -o wanders.bvh --seconds 20 --seed ") + seed);
    ASSERT_EQ(run.status, 0) << run.err;
    const Outcome quality = shosa("metrics wanders.bvh --json");
    EXPECT_LT(quality.json()["ball_bend_deg"].get<double>(), 90.0) << seed;
    EXPECT_LT(quality.json()["penetration_m"].get<double>(), 0.017) << seed;
  }
}

}  // namespace
}  // namespace shosa::test
