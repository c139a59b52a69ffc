#include <gmock/gmock.h>

#include <fstream>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

class RecomposeVerb : public ProgramTest {
 protected:
  /// A second and a half as walk.bvh.
  Clip write_walk() const {
    const Clip walk = scenes::walk({.duration_s = 1.5}).clip;
    save("walk.bvh", walk);
    return walk;
  }
};

TEST_F(RecomposeVerb, ABodyFilePlaysBackAtItsOwnRateAndAtAnother) {
  const Clip walk = write_walk();
  const Outcome split = shosa("decompose walk.bvh --all -o walk.submove --json");
  ASSERT_EQ(split.status, 0) << split.err;
  EXPECT_LT(split.json()["bytes"], split.json()["sample_bytes"]);
  EXPECT_EQ(split.json()["bytes"], file_text(path("walk.submove")).size());

  const Outcome played = shosa("recompose walk.submove -o again.bvh --loose-feet --json");
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_EQ(played.json()["kept_stances"], 0);
  EXPECT_EQ(played.json()["frames"], walk.frame_count());
  EXPECT_EQ(played.json()["submovements"], split.json()["submovements"].size());
  const auto again = io::read_motion(path("again.bvh"));
  ASSERT_TRUE(again.has_value());
  const ClipPositions a = clip_positions(walk), b = clip_positions(again->clips[0]);
  double sum = 0.0;
  for (int i = 0; i < a.frame_count(); ++i)
    for (JointIndex j = 0; j < a.joint_count(); ++j) sum += (a.joint(i, j) - b.joint(i, j)).squaredNorm();
  EXPECT_NEAR(std::sqrt(sum / (a.frame_count() * a.joint_count())), split.json()["rmse"].get<double>(), 1e-3);

  ASSERT_EQ(shosa("recompose walk.submove -o slow.glb --fps 30").status, 0);
  EXPECT_EQ(shosa("info slow.glb --json").json()["frames"], (walk.frame_count() - 1) / 2 + 1);
}

TEST_F(RecomposeVerb, FeetStayWhereTheyStoodUnlessTheyAreLoose) {
  write_walk();
  ASSERT_EQ(shosa("decompose walk.bvh --all -o walk.submove").status, 0);
  const Outcome held = shosa("recompose walk.submove -o held.bvh --json");
  ASSERT_EQ(held.status, 0) << held.err;
  EXPECT_GT(held.json()["kept_stances"], 0);
  EXPECT_LT(held.json()["max_foot_error_m"], 1e-4);
  ASSERT_EQ(shosa("recompose walk.submove -o loose.bvh --loose-feet").status, 0);
  const auto slide = [&](const char* file) {
    return shosa(std::string("metrics ") + file + " --json").json()["foot_skate_mps"].get<double>();
  };
  EXPECT_LT(slide("held.bvh"), 0.01);
  EXPECT_GT(slide("loose.bvh"), 2.0 * slide("held.bvh"));
}

// As files round it: 90 frames of 0.0166666 s end a little before those of 1/60 s.
TEST_F(RecomposeVerb, ARoundedFrameTimeCostsNoFrame) {
  const Clip walk = write_walk();
  std::string text = file_text(path("walk.bvh"));
  const auto at = text.find("Frame Time:");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find('\n', at) - at, "Frame Time: 0.0166666");
  std::ofstream(path("rounded.bvh")) << text;
  ASSERT_EQ(shosa("decompose rounded.bvh --all -o rounded.submove").status, 0);
  const Outcome played = shosa("recompose rounded.submove -o again.bvh --fps 60 --json");
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_EQ(played.json()["frames"], walk.frame_count());
}

TEST_F(RecomposeVerb, AFileThatMakesNoSenseIsNamedWithItsByte) {
  write("bad.submove", "shosubm1 and then nothing");
  expect_refused("recompose bad.submove -o x.bvh", 3, "bad.submove: byte");
  EXPECT_EQ(shosa("recompose nowhere.submove -o x.bvh").status, 3);
  EXPECT_THAT(files(), testing::ElementsAre("bad.submove"));
}

}  // namespace
}  // namespace shosa::test
