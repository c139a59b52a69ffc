#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "io/asf_amc.h"
#include "io/bvh.h"
#include "io/bvh_text.h"
#include "io/gltf.h"
#include "scenes/scenes.h"
#include "support/gltf_files.h"

// Files that nobody exports by accident: sizes here are such that what once grew with the square of the input would not
// end within the test's time limit.

namespace shosa::io {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string message_of(const Result<MotionFile>& file) {
  return file ? "no error" : file.error().message;
}

TEST(HostileFiles, EqualJointNamesCostNoMoreThanOthers) {
  constexpr int kCount = 100'000;
  std::string text = "HIERARCHY\nROOT a\n{\n";
  for (int i = 1; i < kCount; ++i) text += "JOINT a{}";
  const Result<MotionFile> file = parse_bvh(text + "}", "equal.bvh");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->skeleton->name(kCount - 1), fmt::format("a_{}", kCount));
}

TEST(HostileFiles, AJointNameOfManyWordsCostsNoMoreThanOthers) {
  std::string name;
  for (int i = 0; i < 200'000; ++i) name += i % 2 == 0 ? "Ab" : "Cd";
  const std::string text = "HIERARCHY\nROOT " + name + "LeftFoot\n{\n}\n";
  const Result<MotionFile> file = parse_bvh(text, "long.bvh");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->skeleton->joint_count(), 1);
}

TEST(HostileFiles, DeepJointsAreWrittenInATextThatGrowsWithTheirNumber) {
  constexpr int kDepth = 20'000;
  std::string text = "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n";
  for (int i = 0; i < kDepth; ++i) text += "JOINT b{";
  text += std::string(kDepth + 1, '}') + "\nMOTION\nFrames: 1\nFrame Time: 1\n0\n";
  const Result<MotionFile> file = parse_bvh(text, "deep.bvh", {.unit_m = 1.0});
  ASSERT_TRUE(file) << file.error().message;
  const Result<std::string> written = format_bvh(file->clips.at(0));
  ASSERT_TRUE(written);
  EXPECT_LT(written->size(), 500u * kDepth);
  EXPECT_TRUE(parse_bvh(*written, "again.bvh", {.unit_m = 1.0}));
}

TEST(HostileFiles, FrameTimesThatNoCameraHasNeedARate) {
  const std::string frames = test::legs_line("0 94 0", "0 0 0") + "\n" + test::legs_line("0 94 0", "0 0 0") + "\n";
  const auto text = [&](const std::string& time) {
    return test::kLegsHierarchy + "MOTION\nFrames: 2\nFrame Time: " + time + "\n" + frames;
  };
  for (const std::string time : {"1e-7", "1001", "1e300"}) {
    EXPECT_THAT(message_of(parse_bvh(text(time), "a")), HasSubstr("found frame time")) << time;
    EXPECT_TRUE(parse_bvh(text(time), "a", {.fps_is = 30.0})) << time;
  }
  for (const std::string time : {"1e-6", "1000"}) EXPECT_TRUE(parse_bvh(text(time), "a")) << time;
  for (const double rate : {1e-4, 1e7, 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    for (const ReadOptions& options : {ReadOptions{.fps_is = rate}, ReadOptions{.sample_fps = rate}}) {
      const Result<MotionFile> file = parse_bvh(text("0.1"), "a", options);
      ASSERT_FALSE(file) << rate;
      EXPECT_EQ(file.error().code, ErrorCode::invalid_argument);
      EXPECT_THAT(file.error().message, HasSubstr("expected 0.001 to 1000000"));
    }
  }
}

TEST(HostileFiles, NumbersOfManyDigitsAreReadOrRefused) {
  const auto first_value = [](const std::string& number) {
    const std::string text = test::chain_text("3 Xposition Yposition Zposition", "0", number + " 0 0\n", 1);
    const Result<MotionFile> file = parse_bvh(text, "a", {.unit_m = 1.0, .up = UpAxis::y});
    return file ? static_cast<double>(file->clips.at(0).translation(0, 0).x()) : -1.0;
  };
  EXPECT_EQ(first_value(std::string(400, '9') + "e-5"), -1.0);
  EXPECT_FLOAT_EQ(static_cast<float>(first_value("5" + std::string(400, '0') + "e-400")), 5.0f);
  EXPECT_EQ(first_value("0." + std::string(400, '0') + "5"), 0.0);
  EXPECT_FLOAT_EQ(static_cast<float>(first_value("0." + std::string(400, '0') + "5e401")), 5.0f);
  EXPECT_EQ(first_value("1e99999999999999999999"), -1.0);
  EXPECT_EQ(first_value("1e-99999999999999999999"), 0.0);
}

const std::string kRadiansAsf = R"(:units
  angle rad
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation ORIENTATION 0 0
:bonedata
  begin
    name leg
    direction 0 -1 0
    length 1
    axis AXIS 0 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root leg
  end
)";

std::string radians_asf(std::string orientation, const std::string& axis) {
  std::string text = kRadiansAsf;
  text.replace(text.find("ORIENTATION"), 11, orientation);
  return text.replace(text.find("AXIS"), 4, axis);
}

TEST(HostileFiles, RadiansThatOverflowInDegreesAreAnErrorWithItsLine) {
  EXPECT_THAT(message_of(parse_asf(radians_asf("1e308", "0"), "a.asf")), HasSubstr("a.asf:7: found 'orientation'"));
  EXPECT_THAT(message_of(parse_asf(radians_asf("0", "1e308"), "a.asf")), HasSubstr("a.asf:13: found 'axis'"));
  const std::string asf = radians_asf("0", "0");
  EXPECT_EQ(message_of(parse_amc(asf, "a.asf", ":RADIANS\n1\nroot 0 0 0 1e9 0 0\nleg 0\n", "a.amc")), "no error");
  EXPECT_THAT(message_of(parse_amc(asf, "a.asf", ":RADIANS\n1\nroot 0 0 0 1e308 0 0\nleg 0\n", "a.amc")),
              HasSubstr("a.amc:3: found '1e308', expected an angle of fewer turns"));
  EXPECT_THAT(message_of(parse_amc(asf, "a.asf", ":RADIANS\n1\nroot 1e300 0 0 0 0 0\nleg 0\n", "a.amc")),
              HasSubstr("a.amc:3: found '1e300', expected a nearer position"));
}

TEST(HostileFiles, ABodyMapOfAnotherSkeletonIsRefusedByEveryReader) {
  ReadOptions options;
  options.body_map.emplace();
  options.body_map->set(body::Role::head, 99);
  const std::string bvh = test::chain_text("1 Xrotation", "0", "1\n", 1);
  test::GltfMaker maker;
  maker.node("hips");
  for (const Result<MotionFile>& file : {parse_bvh(bvh, "a", options), parse_asf(radians_asf("0", "0"), "a", options),
                                         parse_gltf(maker.glb(), "a", {}, options)}) {
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(file.error().message, HasSubstr("the body map gives head joint 99"));
  }
}

TEST(HostileFiles, FilesAndStreamsThatAreTooLargeAreNotReadToTheirEnd) {
  test::GltfFolder folder;
  for (const char* name : {"large.bvh", "large.glb", "large.asf"}) {
    const auto path = folder.path() / name;
    std::ofstream(path) << "HIERARCHY";
    std::filesystem::resize_file(path, std::uintmax_t{5} << 30);
    const Result<MotionFile> file = read_motion(path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::cannot_read);
    EXPECT_THAT(file.error().message, HasSubstr("more than 4096 MiB"));
  }
  EXPECT_THAT(message_of(read_bvh("/dev/zero")), HasSubstr("more than 256 MiB"));
}

#ifndef __SANITIZE_ADDRESS__  // Its allocator ends the process instead of throwing.
TEST(HostileFiles, MemoryThatIsNotThereIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  test::GltfFolder folder;
  const auto path = folder.path() / "large.bvh";
  std::ofstream(path) << "HIERARCHY";
  std::filesystem::resize_file(path, std::uintmax_t{3} << 30);
  const auto read_with_little_memory = [&] {
    const rlimit one_gigabyte = {rlim_t{1} << 30, rlim_t{1} << 30};
    ::setrlimit(RLIMIT_AS, &one_gigabyte);
    const Result<MotionFile> file = read_motion(path);
    std::exit(!file && file.error().message.ends_with("needs more memory than there is") ? 0 : 1);
  };
  EXPECT_EXIT(read_with_little_memory(), testing::ExitedWithCode(0), "");
}
#endif

TEST(HostileFiles, AnAmcOfOneFrameKeepsIt) {
  const ReadOptions options{.drop_tpose = true};
  const Result<MotionFile> amc =
      parse_amc(radians_asf("0", "0"), "a", ":RADIANS\n1\nroot 0 0 0 0 0 0\nleg 0\n", "a.amc", options);
  ASSERT_TRUE(amc) << amc.error().message;
  EXPECT_EQ(amc->clips.at(0).frame_count(), 1);
}

/// A body on fours whose places stand in the channels alone: its rest pose is one point.
std::string posed_on_fours(UpAxis up) {
  struct Part {
    std::string name;
    int depth;
    Vec3d place;
  };
  const std::vector<Part> parts = {
      {"Hips", 0, {0, 50, 0}},       {"LeftUpLeg", 1, {10, -5, 0}},   {"LeftLeg", 2, {0, -20, 0}},
      {"LeftFoot", 3, {0, -20, 0}},  {"RightUpLeg", 1, {-10, -5, 0}}, {"RightLeg", 2, {0, -20, 0}},
      {"RightFoot", 3, {0, -20, 0}}, {"Spine", 1, {0, 0, 40}},        {"Neck", 2, {0, 10, 15}},
      {"Head", 3, {0, 10, 10}},      {"LeftArm", 2, {10, -5, 5}},     {"LeftForeArm", 3, {0, -20, 0}},
      {"LeftHand", 4, {0, -20, 0}},  {"RightArm", 2, {-10, -5, 5}},   {"RightForeArm", 3, {0, -20, 0}},
      {"RightHand", 4, {0, -20, 0}},
  };
  std::string text = "HIERARCHY\n";
  std::string line;
  int open = 0;
  for (const Part& part : parts) {
    for (; open > part.depth; --open) text += "}\n";
    text += fmt::format("{} {}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n",
                        part.depth == 0 ? "ROOT" : "JOINT", part.name);
    ++open;
    const Vec3d& p = part.place;
    line += up == UpAxis::y ? fmt::format("{} {} {} ", p.x(), p.y(), p.z())
                            : fmt::format("{} {} {} ", p.x(), -p.z(), p.y());
  }
  for (; open > 0; --open) text += "}\n";
  return text + "MOTION\nFrames: 2\nFrame Time: 0.1\n" + line + "\n" + line + "\n";
}

TEST(HostileFiles, ThePostureTellsTheKindOfABodyWhicheverAxisIsUp) {
  for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
    const Result<MotionFile> file = parse_bvh(posed_on_fours(up), "fours.bvh", {.up = up});
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->body_map.kind, body::BodyKind::quadruped) << (up == UpAxis::z ? "Z" : "Y");
  }
}

}  // namespace
}  // namespace shosa::io
