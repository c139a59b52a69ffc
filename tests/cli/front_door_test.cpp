#include "cli/run_shosa.h"
#include "motions/motions.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/shosa.h"

namespace shosa {
namespace {

// What the front door makes is what the command line writes, bit by bit.
class FrontDoor : public test::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* name : {"idle", "walk_normal", "run_slow", "start", "stop"}) {
      const auto motion = motions::make(name);
      ASSERT_TRUE(motion.has_value());
      save(std::string(name) + ".bvh", motion->clip);
    }
  }
  MotionClip read(const std::string& name) const {
    auto clip = read_clip(path(name));
    if (!clip) throw std::runtime_error(clip.error().message);
    return std::move(*clip);
  }
  /// Writes what the door made, runs the program, and compares their files.
  template <class Made>
  void expect_same(const Made& made, const std::string& command) {
    ASSERT_TRUE(made.has_value()) << made.error().message;
    ASSERT_TRUE(write_clip(path("door.bvh"), *made).has_value());
    const test::Outcome run = shosa(command);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_GT(made->clip().frame_count(), 20);
    EXPECT_TRUE(test::file_text(path("door.bvh")) == test::file_text(path("program.bvh"))) << command;
  }
};

TEST_F(FrontDoor, ReadsAndWritesAsConvertDoes) {
  const Result<MotionClip> clip = read_clip(path("walk_normal.bvh"));
  expect_same(clip, "convert walk_normal.bvh program.bvh");
}

TEST_F(FrontDoor, ReadsTheSameFromMemory) {
  const auto clip = parse_clip(test::file_text(path("walk_normal.bvh")), "walk.bvh");
  ASSERT_TRUE(clip.has_value()) << clip.error().message;
  ASSERT_TRUE(write_clip(path("door.bvh"), *clip).has_value());
  ASSERT_TRUE(write_clip(path("file.bvh"), read("walk_normal.bvh")).has_value());
  EXPECT_TRUE(test::file_text(path("door.bvh")) == test::file_text(path("file.bvh")));
  const auto unknown = parse_clip("", "walk.txt");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("'.txt'"), std::string::npos) << unknown.error().message;
}

TEST_F(FrontDoor, FixesAsTheProgramDoes) {
  save("slides.bvh", scenes::walk({.duration_s = 3.0}).clip);
  const auto fixed = fix_clip(read("slides.bvh"));
  expect_same(fixed, "fix slides.bvh -o program.bvh");
  EXPECT_LT(fixed->report.after.foot_skate_mps, 0.01);
}

TEST_F(FrontDoor, LoopsAsTheProgramDoes) {
  expect_same(loop_clip(read("walk_normal.bvh")), "loop walk_normal.bvh -o program.bvh");
  expect_same(loop_clip(read("walk_normal.bvh"), {.cycles = 3, .straight = true}),
              "loop walk_normal.bvh --cycles 3 --straight -o program.bvh");
}

TEST_F(FrontDoor, JoinsAsTheProgramDoes) {
  const auto joined = join_clips({read("walk_normal.bvh"), read("stop.bvh"), read("idle.bvh")});
  expect_same(joined, "compose walk_normal.bvh stop.bvh idle.bvh -o program.bvh");
  EXPECT_EQ(joined->report.joins.size(), 2u);
  expect_same(join_clips({read("walk_normal.bvh"), read("run_slow.bvh")}, 0.9),
              "compose walk_normal.bvh run_slow.bvh --smoothness 0.9 -o program.bvh");
}

TEST_F(FrontDoor, DragsAsTheProgramDoesWithTheFeetKept) {
  write("drag.json", R"({"clip": "walk_normal.bvh", "keep_feet": true,
    "drags": [{"joint": "right_hand", "keys": [[0.4, [-0.3, 1.6, 0.9]], [0.9, [-0.3, 1.7, 1.3]]]}]})");
  const auto dragged =
      drag_joint(read("walk_normal.bvh"), "right_hand", {{0.4, Vec3d(-0.3, 1.6, 0.9)}, {0.9, Vec3d(-0.3, 1.7, 1.3)}});
  expect_same(dragged, "pose drag.json -o program.bvh");
  EXPECT_LT(dragged->report.max_drag_error_m, 0.05);
  const auto nobody = drag_joint(read("walk_normal.bvh"), "tail", {{0.4, Vec3d::Zero()}});
  ASSERT_FALSE(nobody.has_value());
  EXPECT_NE(nobody.error().message.find("tail"), std::string::npos) << nobody.error().message;
}

TEST_F(FrontDoor, RetargetsAsTheProgramDoes) {
  write("other.bvh", test::small_bvh());
  auto other = read_body(path("other.bvh"));
  ASSERT_TRUE(other.has_value()) << other.error().message;
  expect_same(retarget_clip(read("walk_normal.bvh"), *other),
              "retarget walk_normal.bvh --onto other.bvh -o program.bvh");
}

TEST_F(FrontDoor, BuildsAndPlaysAGraphAsTheProgramDoes) {
  const std::vector<std::string> names = {"idle.bvh", "start.bvh", "walk_normal.bvh", "stop.bvh"};
  std::vector<std::string> files;
  std::string listed;
  for (const std::string& name : names) files.push_back(path(name)), listed += name + " ";
  const test::Outcome build = shosa("graph build " + listed + "-o graph.json --json");
  ASSERT_EQ(build.status, 0) << build.err;
  const auto graph = build_graph(files);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  EXPECT_EQ((*graph)->file.graph.link_count(), build.json()["links"].get<int>());

  const test::Outcome play =
      shosa("graph play graph.json --start idle --to walk_normal --hurry 80 --at 1 --duration 5 -o played.bvh");
  ASSERT_EQ(play.status, 0) << play.err;
  const ClipPositions theirs = clip_positions(read("played.bvh").clip());
  const auto as_read = read_graph(path("graph.json"));
  ASSERT_TRUE(as_read.has_value()) << as_read.error().message;
  for (const auto& linked : {*graph, *as_read}) {
    auto player = play_graph(linked, "idle");
    ASSERT_TRUE(player.has_value()) << player.error().message;
    const auto before = player->record(1.0);
    ASSERT_TRUE(before.has_value() && player->go_to("walk_normal", 80).has_value());
    const auto after = player->record(4.0);
    ASSERT_TRUE(after.has_value());
    int frame = 0;
    for (const MotionClip& part : {*before, *after}) {
      const ClipPositions ours = clip_positions(part.clip());
      for (int f = 0; f < ours.frame_count(); ++f, ++frame) {
        for (JointIndex j = 0; j < ours.joint_count(); ++j)
          ASSERT_LT((ours.joint(f, j) - theirs.joint(frame, j)).norm(), 1e-6) << frame;
      }
    }
    EXPECT_EQ(frame, 300);
    EXPECT_FALSE(player->go_to("fly").has_value());
    EXPECT_FALSE(player->record(-1.0).has_value());
  }
}

}  // namespace
}  // namespace shosa
