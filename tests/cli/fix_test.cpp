#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class FixVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Clip clip = scenes::walk({.duration_s = 2.0}).clip;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const float t = static_cast<float>(f * clip.frame_time_s());
      clip.set_translation(f, 0, clip.translation(f, 0) + Vec3f(0.02f * std::sin(5.0f * t), 0.0f, 0.0f));
    }
    save("slides.bvh", clip);
  }
};

TEST_F(FixVerb, FeetStandInTheFileItWrites) {
  const Outcome run = shosa("fix slides.bvh -o clean.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_LT(json["after"]["foot_skate_mps"].get<double>(), 0.2 * json["before"]["foot_skate_mps"].get<double>());
  EXPECT_LT(json["mean_joint_change_m"].get<double>(), 0.03);
  for (const char* key : {"max_joint_change_m", "max_root_change_m", "max_foot_error_m", "worst_frame"}) {
    EXPECT_TRUE(json[key].is_number()) << key;
  }
  const Outcome written = shosa("metrics clean.bvh --json");
  ASSERT_EQ(written.status, 0);
  EXPECT_LT(written.json()["foot_skate_mps"].get<double>(), 0.01);
}

TEST_F(FixVerb, TellsPeopleBeforeAndAfter) {
  const Outcome run = shosa("fix slides.bvh -o clean.bvh");
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* word : {"foot skate", "penetration", "mean jerk", "before", "after"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
}

TEST_F(FixVerb, StepsOnTheSpotAreRefusedUntilTheyHaveTheirWayBack) {
  ASSERT_EQ(shosa("convert slides.bvh spot.bvh --in-place --root-motion way.csv").status, 0);
  const Outcome run = shosa("fix spot.bvh -o out.bvh");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("steps on the spot"));
  EXPECT_THAT(run.err, HasSubstr("root motion"));
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
  ASSERT_EQ(shosa("convert spot.bvh walks.bvh --with-root-motion way.csv").status, 0);
  EXPECT_EQ(shosa("fix walks.bvh -o out.bvh").status, 0);
}

TEST_F(FixVerb, ABodyWithoutFeetIsRefusedAndNothingIsWritten) {
  write("stick.bvh",
        "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        " JOINT b\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 10 "
        "0\n  }\n"
        " }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n");
  const Outcome run = shosa("fix stick.bvh -o out.bvh");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("stick.bvh"));
  EXPECT_THAT(run.err, HasSubstr("feet"));
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

}  // namespace
}  // namespace shosa::test
