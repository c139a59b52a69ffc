#include "shosa/documents/submovement_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "documents/submovement_walk.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::documents {
namespace {

using submovement::BodyDecomposition;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(std::string_view bytes, const char* file = "f.submove") {
  const auto body = parse_submovements(bytes, file);
  return body ? "accepted" : body.error().message;
}

TEST(SubmovementFile, ComesBackAsItWasWritten) {
  const BodyDecomposition& body = walking_submovements();
  const std::string bytes = encode_submovements(body);
  const auto again = parse_submovements(bytes, "walk.submove");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(same_skeleton(*again->skeleton, *body.skeleton));
  EXPECT_EQ(again->frame_count, body.frame_count);
  EXPECT_EQ(again->frame_time_s, body.frame_time_s);
  EXPECT_EQ(again->submovement_count(), body.submovement_count());
  ASSERT_EQ(again->feet.size(), 2u);
  EXPECT_EQ(again->feet[0].stances.size(), body.feet[0].stances.size());
  EXPECT_EQ(encode_submovements(*again), bytes);
}

TEST(SubmovementFile, TheFirstVersionHadNoFeetAndIsStillRead) {
  BodyDecomposition body = walking_submovements();
  body.feet.clear();
  std::string bytes = encode_submovements(body);
  bytes.replace(0, 8, "shosubm1");
  bytes.resize(bytes.size() - 4);  // The number of feet.
  const auto again = parse_submovements(bytes, "old.submove");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(encode_submovements(*again), encode_submovements(body));
}

TEST(SubmovementFile, RefusesARestRotationOfNothing) {
  const BodyDecomposition& body = walking_submovements();
  std::string bytes = encode_submovements(body);
  // Magic, frames, frame time, name, joints, the first joint's name, parent and rest translation.
  const std::size_t at = 8 + 4 + 8 + 4 + body.name.size() + 4 + 4 + body.skeleton->name(0).size() + 4 + 12;
  for (std::size_t i = 0; i < 16; ++i) bytes[at + i] = 0;
  bytes[at + 12] = 1;
  EXPECT_THAT(refusal_of(bytes), HasSubstr("a rotation is zero"));
}

TEST(SubmovementFile, EveryCutAndMostFlipsAreErrorsAndNoneIsWorse) {
  const std::string bytes = encode_submovements(walking_submovements());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40)
    ASSERT_THAT(refusal_of(std::string_view(bytes).substr(0, size)), StartsWith("f.submove: byte")) << size;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(~flipped[at]);
    (void)parse_submovements(flipped, "flipped");
  }
  EXPECT_THAT(refusal_of(bytes + "x"), HasSubstr("more bytes"));
}

TEST(SubmovementText, HoldsTheSameContentToTheLastBit) {
  const std::string bytes = encode_submovements(walking_submovements());
  const auto read = parse_submovements(bytes, "walk.submove");
  ASSERT_TRUE(read.has_value());
  const std::string text = format_submovements(*read);
  const auto again = parse_submovements(text, "walk.json");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(encode_submovements(*again), bytes);
  EXPECT_EQ(format_submovements(*again), text);
}

// What a person edits is a line each, by the names of the joints.
TEST(SubmovementText, IsALineASubmovementUnderTheNameOfItsJoint) {
  const BodyDecomposition& body = walking_submovements();
  const std::string text = format_submovements(body);
  EXPECT_THAT(text, StartsWith("{\"submovements\": 2,"));
  EXPECT_THAT(text, HasSubstr("{\"name\": \"left_upper_arm\", \"parent\": \"left_shoulder\","));
  std::size_t lines = 0;
  for (std::size_t at = text.find("{\"t0_s\""); at != std::string::npos; at = text.find("{\"t0_s\"", at + 1)) {
    EXPECT_EQ(text.substr(at - 7, 7), "\n      ");
    ++lines;
  }
  EXPECT_EQ(lines, static_cast<std::size_t>(body.submovement_count()));
}

TEST(SubmovementText, KeepsNumbersThatAreHardToWrite) {
  BodyDecomposition body = walking_submovements();
  body.name = "a \"walk\"\n\\ \x01";
  body.frame_time_s = 1.0 / 3.0;
  auto& list = body.translations[0].submovements;
  list[0].displacement_m = {-0.0, 1.1754944e-38, 3.4028235e38};
  list.back().displacement_m = {1e-45, 1.0 / 3.0, 16777216.0};
  list[0].t0_s = -1e30;
  const auto again = parse_submovements(format_submovements(body), "hard.json");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->frame_time_s, 1.0 / 3.0);
  EXPECT_EQ(again->name, body.name);
  EXPECT_EQ(encode_submovements(*again), encode_submovements(body));
}

constexpr std::string_view kTwoJoints = R"({"submovements": 2, "name": "two", "frame_count": 3, "frame_time_s": 0.5,
 "joints": [
  {"name": "hips", "parent": null, "rest_translation_m": [0, 1, 0], "rest_rotation": [0, 0, 0, 1],
   "translation": {"start_m": [0, 1, 0], "submovements": [{"t0_s": 0, "tf_s": 1, "displacement_m": [0, 0, 1]}]},
   "rotation": {"start": [0, 0, 0, 1], "submovements": []}},
  {"name": "foot", "parent": "hips", "rest_translation_m": [0, -1, 0], "rest_rotation": [0, 0, 0, 1],
   "rotation": {"start": [0, 0, 0, 1], "submovements": [
      {"t0_s": 0.1, "tf_s": 1, "rotation_rad": [1, 0, 0]},
      {"t0_s": 0.2, "tf_s": 1, "rotation_rad": [0, 1, 0]}]}}],
 "end_sites": [{"name": "tip", "parent": "foot", "offset_m": [0, 0, 0.2]}],
 "feet": [{"joint": "foot", "heel_rest_m": 0.1, "stances": [{"from_s": 0, "to_s": 0.5, "ground_m": 0}]}]})";

TEST(SubmovementText, CanBeWrittenByHand) {
  const auto body = parse_submovements(kTwoJoints, "two.json");
  ASSERT_TRUE(body.has_value()) << body.error().message;
  EXPECT_EQ(body->submovement_count(), 3);
  EXPECT_NEAR(goal_m(body->translations[0], 0).z(), 1.0, 1e-12);
  EXPECT_EQ(body->feet[0].joint, 1);
}

TEST(SubmovementText, ErrorsNameFilePlaceWhatWasFoundAndWhatWasExpected) {
  struct Case {
    std::string_view from, to, said;
  };
  for (const auto& [from, to, said] : {
           Case{"\"submovements\": 2,", "\"submovements\": 3,", "f.json: /submovements: 3, expected 2, the version"},
           Case{"\"tf_s\": 1, \"disp", "\"tf_s\": -1, \"disp",
                "f.json: /joints/0/translation/submovements/0: an object, expected t0_s before tf_s"},
           Case{"\"t0_s\": 0.2", "\"t0_s\": 0.05",
                "f.json: /joints/1/rotation/submovements/1: an object, expected submovements in the order"},
           Case{"[1, 0, 0]", "[1, 0]", "/joints/1/rotation/submovements/0/rotation_rad: [1, 0], expected [x, y, z]"},
           Case{"[1, 0, 0]", "[1, \"x\", 0]", "rotation_rad/1: \"x\", expected a number"},
           Case{"[1, 0, 0]", "[1, 1e39, 0]", "rotation_rad/1: 1e+39, expected a number up to 3.4e38"},
           Case{"\"parent\": \"hips\"", "\"parent\": \"hip\"",
                "f.json: /joints/1/parent: \"hip\", expected the name of a joint before this"},
           Case{"\"parent\": \"hips\"", "\"parent\": null", "f.json: /joints: "},
           Case{"\"joint\": \"foot\"", "\"joint\": \"hand\"", "f.json: /feet/0/joint: \"hand\", expected the name"},
           Case{"\"from_s\": 0,", "\"from_s\": 0.7,",
                "/feet/0/stances/0: an object, expected from_s no later than to_s"},
           Case{"\"start\": [0, 0, 0, 1], \"submovements\": []", "\"start\": [0, 0, 0, 0], \"submovements\": []",
                "f.json: /joints/0/rotation/start: [0, 0, 0, 0], expected a rotation [x, y, z, w] that is not 0"},
           Case{"\"frame_count\": 3", "\"frame_count\": 0", "f.json: /frame_count: 0, expected"},
           Case{"\"frame_count\": 3", "\"frame_count\": 2147483648", "f.json: /frame_count: 2147483648, expected"},
           Case{"\"heel_rest_m\"", "\"heel\"",
                "f.json: /feet/0/heel: unknown key, expected one of joint, heel_rest_m, stances"},
       }) {
    std::string text(kTwoJoints);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    EXPECT_THAT(refusal_of(text, "f.json"), HasSubstr(said)) << to;
  }
}

TEST(SubmovementText, EveryCutIsAnErrorThatNamesTheFile) {
  for (std::size_t size = 1; size < kTwoJoints.size(); ++size)
    ASSERT_THAT(refusal_of(kTwoJoints.substr(0, size), "cut.json"), StartsWith("cut.json")) << size;
}

TEST(SubmovementFile, TheEndingChoosesTheForm) {
  const auto folder = std::filesystem::temp_directory_path() / "shosa_submovement_file_test";
  std::filesystem::create_directories(folder);
  const auto start_of = [&](const char* name) {
    EXPECT_TRUE(write_submovements((folder / name).string(), walking_submovements()).has_value());
    std::string start(8, ' ');
    std::ifstream(folder / name).read(start.data(), 8);
    return start;
  };
  EXPECT_EQ(start_of("walk.submove"), "shosubm2");
  EXPECT_EQ(start_of("walk.submove.json"), "{\"submov");
  std::filesystem::remove_all(folder);
}

TEST(SubmovementFile, ACapturedWalkIsATenthOfItsSamplesAndPlaysBackTheSame) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = io::read_motion(shosa::test::real_data_dir() / "cmu-bvh" / "02_01.bvh", {.drop_tpose = true});
  if (!motion) GTEST_SKIP() << "skipped: no 02_01.bvh";
  const auto made = submovement::decompose_body(motion->clips[0]);
  ASSERT_TRUE(made.has_value());
  const std::string bytes = encode_submovements(made->body);
  EXPECT_LT(bytes.size() * 10, motion->clips[0].sample_bytes());
  const auto again = parse_submovements(bytes, "walk");
  ASSERT_TRUE(again.has_value());
  const ClipPositions a = clip_positions(recompose(made->body)), b = clip_positions(recompose(*again));
  for (int i = 0; i < a.frame_count(); i += 7)
    for (JointIndex j = 0; j < a.joint_count(); ++j) EXPECT_LT((a.joint(i, j) - b.joint(i, j)).norm(), 1e-4);
}

}  // namespace
}  // namespace shosa::documents
