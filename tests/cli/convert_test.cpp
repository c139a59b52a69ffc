#include <gmock/gmock.h>

#include <csignal>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class Convert : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", walk_);
  }
  // Largest distance of joints of the same name, over the frames both have.
  double largest_distance(const Clip& a, const Clip& b) const {
    const ClipPositions first = clip_positions(a), second = clip_positions(b);
    double largest = 0.0;
    for (JointIndex j = 0; j < a.joint_count(); ++j) {
      const JointIndex other = b.skeleton().find(a.skeleton().name(j));
      EXPECT_NE(other, kNoJoint) << a.skeleton().name(j);
      if (other == kNoJoint) continue;
      for (int f = 0; f < std::min(a.frame_count(), b.frame_count()); ++f) {
        largest = std::max(largest, (first.joint(f, j) - second.joint(f, other)).norm());
      }
    }
    return largest;
  }
  Clip walk_ = scenes::walk({.duration_s = 1.5, .turn_rad_per_m = 0.2}).clip;
};

TEST_F(Convert, EveryFormatGivesTheSameMotion) {
  for (const char* name : {"out.bvh", "out.glb", "out.gltf"}) {
    const Outcome run = shosa(std::string("convert walk.bvh ") + name + " --json");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["frames"], walk_.frame_count());
    EXPECT_NEAR(run.json()["fps"], 60.0, 1e-6);
    const auto again = io::read_motion(path(name));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_EQ(again->clips[0].frame_count(), walk_.frame_count());
    EXPECT_EQ(again->clips[0].frame_time_s(), walk_.frame_time_s()) << name;
    EXPECT_LT(largest_distance(walk_, again->clips[0]), 1e-4) << name;
  }
}

TEST_F(Convert, CsvHoldsWorldPositionsInMetres) {
  ASSERT_EQ(shosa("convert walk.bvh out.csv").status, 0);
  std::istringstream lines(file_text(path("out.csv")));
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_THAT(header, testing::StartsWith("frame,time_s,hips.x,hips.y,hips.z,"));
  double frame, time, x, y, z;
  ASSERT_EQ(std::sscanf(first.c_str(), "%lf,%lf,%lf,%lf,%lf", &frame, &time, &x, &y, &z), 5);
  EXPECT_LT((Vec3d(x, y, z) - clip_positions(walk_).joint(0, 0)).norm(), 1e-5);
}

TEST_F(Convert, CutsAndResamples) {
  const auto json = shosa("convert walk.bvh out.bvh --from 0.5 --to 1.0 --fps 30 --json").json();
  EXPECT_EQ(json["frames"], 16);
  EXPECT_NEAR(json["fps"], 30.0, 1e-9);
}

TEST_F(Convert, MirrorTwiceIsTheSameMotion) {
  ASSERT_EQ(shosa("convert walk.bvh once.glb --mirror").status, 0);
  ASSERT_EQ(shosa("convert once.glb twice.glb --mirror").status, 0);
  const auto twice = io::read_motion(path("twice.glb"));
  EXPECT_LT(largest_distance(walk_, twice->clips[0]), 1e-4);
  const auto once = io::read_motion(path("once.glb"));
  EXPECT_GT(largest_distance(walk_, once->clips[0]), 0.05);
}

TEST_F(Convert, InPlaceStaysWhereItBegan) {
  ASSERT_EQ(shosa("convert walk.bvh out.glb --in-place").status, 0);
  const auto still = io::read_motion(path("out.glb"));
  const ClipPositions positions = clip_positions(still->clips[0]);
  const Vec3d moved = positions.joint(positions.frame_count() - 1, 0) - positions.joint(0, 0);
  EXPECT_LT(std::hypot(moved.x(), moved.z()), 0.1);
  EXPECT_GT((clip_positions(walk_).joint(80, 0) - clip_positions(walk_).joint(0, 0)).norm(), 1.0);
}

TEST_F(Convert, WritesInTheUnitThatIsAskedFor) {
  ASSERT_EQ(shosa("convert walk.bvh metres.bvh --out-unit m").status, 0);
  EXPECT_DOUBLE_EQ(shosa("info metres.bvh --json").json()["unit_m"], 1.0);
  ASSERT_EQ(shosa("convert walk.bvh cm.bvh --out-unit cm").status, 0);
  EXPECT_DOUBLE_EQ(shosa("info cm.bvh --json").json()["unit_m"], 0.01);
}

TEST_F(Convert, ManyFilesGoIntoAFolderAndFailuresAreNamed) {
  write("bad.bvh", "HIERARCHY\nROOT\n");
  std::filesystem::copy(path("walk.bvh"), path("second.bvh"));
  expect_refused("convert walk.bvh bad.bvh second.bvh made --format glb", 3, "bad.bvh:");
  EXPECT_TRUE(std::filesystem::exists(path("made/walk.glb")));
  EXPECT_TRUE(std::filesystem::exists(path("made/second.glb")));
  EXPECT_FALSE(std::filesystem::exists(path("made/bad.glb")));
}

TEST_F(Convert, TwoInputsNeverMeetInOneFile) {
  ASSERT_EQ(shosa("convert walk.bvh walk.glb").status, 0);
  expect_refused("convert walk.bvh walk.glb made --format csv", 1, "walk.bvh and walk.glb would both become");
  EXPECT_FALSE(std::filesystem::exists(path("made/walk.csv")));
  EXPECT_EQ(shosa("convert walk.bvh . --format bvh").status, 1);
}

TEST_F(Convert, ShowsNoProgressBarInAPipe) {
  const Outcome run = shosa("convert walk.bvh made --format glb");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
}

TEST_F(Convert, OverwritesItsInputOnlyWhenTold) {
  const int frames = shosa("info walk.bvh --json").json()["frames"];
  ASSERT_NE(frames, 31);
  expect_refused("convert walk.bvh walk.bvh --from 0 --to 0.5", 1, "--overwrite");
  EXPECT_EQ(shosa("info walk.bvh --json").json()["frames"], frames);
  ASSERT_EQ(shosa("convert walk.bvh walk.bvh --from 0 --to 0.5 --overwrite").status, 0);
  EXPECT_EQ(shosa("info walk.bvh --json").json()["frames"], 31);
}

TEST_F(Convert, ThePathOverTheGroundIsTakenOutAndPutBack) {
  ASSERT_EQ(shosa("convert walk.bvh spot.bvh --in-place --root-motion path.csv").status, 0);
  const auto spot = io::read_motion(path("spot.bvh"));
  ASSERT_TRUE(spot.has_value());
  const ClipPositions still = clip_positions(spot->clips[0]);
  for (int f = 0; f < still.frame_count(); ++f)
    EXPECT_LT(std::hypot(still.joint(f, 0).x(), still.joint(f, 0).z()), 1e-4);
  EXPECT_THAT(file_text(path("path.csv")), testing::StartsWith("frame,time_s,x_m,z_m,heading_deg\n0,0,"));
  ASSERT_EQ(shosa("convert spot.bvh again.bvh --with-root-motion path.csv").status, 0);
  const auto again = io::read_motion(path("again.bvh"));
  ASSERT_TRUE(again.has_value());
  EXPECT_LT(largest_distance(walk_, again->clips[0]), 2e-4);
}

TEST_F(Convert, APathThatDoesNotFitIsRefused) {
  ASSERT_EQ(shosa("convert walk.bvh spot.bvh --in-place --root-motion path.csv").status, 0);
  const Outcome rows = shosa("convert spot.bvh out.bvh --to 0.5 --with-root-motion path.csv");
  EXPECT_EQ(rows.status, 1);
  EXPECT_THAT(rows.err, HasSubstr("the root motion has 91 places, the clip 31 frames"));
  expect_refused("convert spot.bvh out.bvh --fps 30 --with-root-motion path.csv", 1,
                 "60 rows a second, the clip has 30 frames");
  write("bad.csv", "frame,time_s,x_m,z_m,heading_deg\n0,0,0,0,0\n1,0.1,zero,0,0\n");
  expect_refused("convert spot.bvh out.bvh --with-root-motion bad.csv", 3,
                 "bad.csv:3: '1,0.1,zero,0,0', expected five numbers");
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

}  // namespace
}  // namespace shosa::test
