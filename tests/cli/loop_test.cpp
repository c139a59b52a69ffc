#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

class LoopVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const auto& [name, clip] : {std::pair{"walk.bvh", scenes::walk({.duration_s = 3.0}).clip},
                                     std::pair{"stand.bvh", scenes::stand().clip}}) {
      save(name, clip);
    }
  }
};

TEST_F(LoopVerb, TenCyclesHaveNoSeam) {
  const Outcome run = shosa("loop walk.bvh -o long.bvh --cycles 10 --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_LE(json["seam_position_m"], 1e-4);
  EXPECT_LE(json["seam_velocity_mps"], 0.01);
  const int n = json["frames_per_cycle"];
  EXPECT_EQ(json["frames"], 10 * n);
  // Seen on the written file: every cycle is the first, moved.
  const auto motion = io::read_motion(path("long.bvh"));
  ASSERT_TRUE(motion.has_value());
  const ClipPositions p = clip_positions(motion->clips[0]);
  ASSERT_EQ(p.frame_count(), 10 * n);
  for (JointIndex j = 0; j < p.joint_count(); ++j) {
    const Vec3d first = p.joint(n, j) - p.joint(0, j), later = p.joint(9 * n, j) - p.joint(8 * n, j);
    EXPECT_NEAR(first.norm(), later.norm(), 1e-3);
  }
}

TEST_F(LoopVerb, SaysThatThereIsNoCycle) {
  expect_refused("loop stand.bvh -o out.bvh", 1, "no cycle");
  // A walk that bends ever farther has strides but no two postures alike.
  Clip bending = scenes::walk({.duration_s = 4.0}).clip;
  const JointIndex spine = bending.skeleton().find("spine");
  for (int f = 0; f < bending.frame_count(); ++f) {
    const Quatf bent(Eigen::AngleAxisf(6.0f * static_cast<float>(f) / bending.frame_count(), Vec3f::UnitX()));
    bending.set_rotation(f, spine, bending.rotation(f, spine) * bent);
  }
  save("bending.bvh", bending);
  EXPECT_THAT(
      shosa("loop bending.bvh -o out.bvh").err,
      testing::AllOf(testing::HasSubstr("no cycle"), testing::ContainsRegex("strides of the [a-z]+ foot: [0-9.]+ to")));
  EXPECT_EQ(shosa("loop walk.bvh -o out.bvh --cycles 0").status, 2);
  EXPECT_EQ(shosa("loop walk.bvh -o out.bvh --from 1").status, 2);
  expect_refused("loop walk.bvh -o out.bvh --cycles 1000000", 1, "more than 1 GB");
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

class CurvesVerb : public ProgramTest {};

TEST_F(CurvesVerb, ThereAndBackWithinTheBound) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  save("walk.bvh", clip);
  const Outcome there = shosa("curves walk.bvh -o walk.curves --max-error 1.2 --json");
  ASSERT_EQ(there.status, 0) << there.err;
  EXPECT_LE(there.json()["max_error_m"], 0.0012);
  EXPECT_LT(there.json()["curve_bytes"], there.json()["raw_bytes"]);
  EXPECT_EQ(there.json()["file_bytes"], std::filesystem::file_size(path("walk.curves")));
  const Outcome back = shosa("curves walk.curves -o back.bvh --json");
  ASSERT_EQ(back.status, 0) << back.err;
  const auto read = io::read_motion(path("back.bvh"));
  ASSERT_TRUE(read.has_value());
  const ClipPositions a = clip_positions(clip), b = clip_positions(read->clips[0]);
  ASSERT_EQ(a.frame_count(), b.frame_count());
  for (int f = 0; f < a.frame_count(); ++f) {
    for (JointIndex j = 0; j < a.joint_count(); ++j) EXPECT_LE((a.joint(f, j) - b.joint(f, j)).norm(), 0.0014);
  }
}

TEST_F(CurvesVerb, RefusesWhatIsNoCurveFile) {
  std::ofstream(path("bad.curves")) << "SHSCURV2 and no more";
  expect_refused("curves bad.curves -o out.bvh", 3, "bad.curves");
  EXPECT_EQ(shosa("curves a.bvh -o b.bvh").status, 2);
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

}  // namespace
}  // namespace shosa::test
