#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

/// Contacts in a file beside the clip, or named.
class ContactsByHand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
    save("stand.bvh", scenes::stand(3.0).clip);
  }
  nlohmann::json left_of(const std::string& arguments) const {
    const Outcome run = shosa("analyze " + arguments + " --json");
    EXPECT_EQ(run.status, 0) << run.err;
    return run.status == 0 ? run.json()["contacts"]["left"] : nlohmann::json();
  }
  const nlohmann::json given_ = {{0.5, 1.25}, {2.0, 2.5}};
};

TEST_F(ContactsByHand, AreReadBesideTheClipAndFromAFile) {
  const auto found = left_of("walk.bvh");
  ASSERT_NE(found, given_);
  write("other.json", R"({"left": [[0.5, 1.25], [2.0, 2.5]]})");
  EXPECT_EQ(left_of("walk.bvh --contacts other.json"), given_);
  write("walk.contacts.json", R"({"left": [[0.5, 1.25], [2.0, 2.5]]})");
  EXPECT_EQ(left_of("walk.bvh"), given_);
  const Outcome said = shosa("analyze walk.bvh");
  EXPECT_THAT(said.out, HasSubstr("note: feet stand as walk.contacts.json says"));
  // Where several clips are read each is named once.
  const Outcome joined = shosa("compose walk.bvh stand.bvh -o joined.bvh");
  EXPECT_THAT(joined.out, HasSubstr("note: walk.bvh: feet stand as walk.contacts.json says"));
  // Of this clip alone.
  EXPECT_NE(left_of("stand.bvh"), given_);
}

TEST_F(ContactsByHand, WhatIsWrittenIsReadBackTheSame) {
  const auto found = left_of("walk.bvh");
  ASSERT_EQ(shosa("analyze walk.bvh --write-contacts walk.contacts.json").status, 0);
  EXPECT_EQ(left_of("walk.bvh"), found);
}

// A foot that is said to stand where it swings is held there: what is asked of `fix` is the side file's word.
TEST_F(ContactsByHand, FixHoldsTheFootWhileTheFileSaysSo) {
  const auto found = left_of("walk.bvh");
  const double lift_s = found[0][1], land_s = found[1][0];
  ASSERT_GT(land_s - lift_s, 0.2);
  const auto way = [&](const char* file, double from_s, double to_s) {
    const auto motion = io::read_motion(path(file));
    EXPECT_TRUE(motion.has_value());
    const Clip& clip = motion->clips[0];
    const ClipPositions positions = clip_positions(clip);
    const JointIndex toes = motion->body_map.joint(body::Role::left_toes);
    const Vec3d step =
        positions.joint(clip.nearest_frame(to_s), toes) - positions.joint(clip.nearest_frame(from_s), toes);
    return std::hypot(step.x(), step.z());
  };
  // Farther than half a foot from where it stood it is another stance.
  const double hold_s = lift_s + 0.06;
  ASSERT_EQ(shosa("fix walk.bvh -o found.bvh").status, 0);
  ASSERT_GT(way("found.bvh", lift_s - 0.1, hold_s), 0.05);
  write("walk.contacts.json",
        fmt::format(R"({{"left": [[0, {}], [{}, {}]]}})", hold_s, land_s, found[1][1].get<double>()));
  ASSERT_EQ(shosa("fix walk.bvh -o given.bvh").status, 0);
  EXPECT_LT(way("given.bvh", lift_s - 0.1, hold_s - 0.02), 0.002);
}

TEST_F(ContactsByHand, DocumentsNameThem) {
  write("left.json", R"({"left": [[0.0, 3.0]], "right": [[0.0, 3.0]]})");
  write("file.json", R"({"motions": [{"clip": "walk.bvh", "contacts": "left.json", "core": [0.5, 1.5]},
      {"clip": "stand.bvh", "core": [1, 2]}]})");
  write("inline.json", R"({"motions": [{"clip": "walk.bvh", "contacts": {"left": [[0.0, 3.0]], "right": [[0.0, 3.0]]},
      "core": [0.5, 1.5]}, {"clip": "stand.bvh", "core": [1, 2]}]})");
  write("none.json",
        R"({"motions": [{"clip": "walk.bvh", "core": [0.5, 1.5]}, {"clip": "stand.bvh", "core": [1, 2]}]})");
  const auto method = [&](const char* score) {
    const Outcome run = shosa(std::string("compose ") + score + " -o out.bvh --json");
    EXPECT_EQ(run.status, 0) << run.err;
    return run.json()["transitions"][0]["method"].get<std::string>();
  };
  // Feet that never leave the ground can only be adapted to; those of a walker swing.
  EXPECT_THAT(method("file.json"), HasSubstr("adaptation"));
  EXPECT_THAT(method("inline.json"), HasSubstr("adaptation"));
  EXPECT_EQ(method("none.json"), "connection");
  write("pose.json", R"({"clip": "walk.bvh", "contacts": {"left": [[5, 6]]}, "drags": []})");
  expect_refused("pose pose.json -o out.bvh", 3, "contacts/left: 5 s to 6 s");
}

TEST_F(ContactsByHand, TheCoreThatTheFileGivesIsTheOneThatComposeKeeps) {
  write("walk.contacts.json", R"({"core": [0.5, 1.25]})");
  EXPECT_EQ(shosa("analyze walk.bvh --json").json()["core"], nlohmann::json({0.5, 1.25}));
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "walk.bvh", "core": [1.5, 2.0]}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto motions = run.json()["motions"];
  EXPECT_NEAR(motions[0]["core"][0].get<double>(), 0.5, 0.02);
  EXPECT_NEAR(motions[0]["core"][1].get<double>(), 1.25, 0.02);
  const double length_s = motions[1]["core"][1].get<double>() - motions[1]["core"][0].get<double>();
  EXPECT_NEAR(length_s, 0.5, 0.02) << "the score's own word goes first";
  write("walk.contacts.json", R"({"core": [0.5, 12]})");
  EXPECT_THAT(shosa("analyze walk.bvh").err,
              HasSubstr("walk.contacts.json: /core: 0.5 s to 12 s, expected an interval"));
}

TEST_F(ContactsByHand, ABodyMapBesideTheClipSaysItsRoles) {
  write("walk.body_map.json", R"({"left_hand": "head"})");
  const auto roles = [&](const std::string& arguments) {
    return shosa("info " + arguments + " --json").json()["roles"];
  };
  EXPECT_EQ(roles("walk.bvh")["left_hand"], "head");
  EXPECT_NE(roles("stand.bvh")["left_hand"], "head");
  EXPECT_THAT(shosa("info walk.bvh").out, HasSubstr("note: walk.bvh: joints have the roles of walk.body_map.json"));
  write("other.json", R"({"left_hand": "left_foot"})");
  EXPECT_EQ(roles("walk.bvh --body-map other.json")["left_hand"], "left_foot") << "the one that is named goes first";
}

TEST_F(ContactsByHand, WhatIsWrongIsNamed) {
  write("walk.contacts.json", R"({"left": [[0.5, 1.25], [1.0, 2.5]]})");
  expect_refused("analyze walk.bvh", 3,
                 "walk.contacts.json: /left/1: [1, 2.5], expected a contact after the one before");
  write("walk.contacts.json", R"({"tail": []})");
  expect_refused("analyze walk.bvh", 3, "walk.contacts.json: /tail: no such foot, expected one of left");
  EXPECT_EQ(shosa("analyze stand.bvh --contacts nowhere.json").status, 3);
}

}  // namespace
}  // namespace shosa::test
