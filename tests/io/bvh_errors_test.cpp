#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/bvh.h"
#include "io/bvh_text.h"

namespace shosa::io {
namespace {

using test::chain_text;
using test::kLegsHierarchy;
using test::legs_line;
using testing::HasSubstr;

std::string message_of(const std::string& text, const ReadOptions& options = {}) {
  const Result<MotionFile> file = parse_bvh(text, "bad.bvh", options);
  if (file) return "no error";
  EXPECT_EQ(file.error().code, ErrorCode::bad_file);
  return file.error().message;
}

std::string legs_text(const std::string& lines) {
  return kLegsHierarchy + "MOTION\nFrames: 3\nFrame Time: 0.01\n" + lines;
}

TEST(BvhErrors, NameTheLineWhatWasFoundAndWhatWasExpected) {
  EXPECT_THAT(message_of(""), HasSubstr("bad.bvh:1: found the end of the file, expected HIERARCHY"));
  EXPECT_THAT(message_of("\n\nBIERARCHY\n"), HasSubstr("bad.bvh:3: found 'BIERARCHY', expected HIERARCHY"));
  EXPECT_THAT(message_of("HIERARCHY\nJOINT a {"), HasSubstr(":2: found 'JOINT', expected ROOT"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\nOFFSET 0 0 0"), HasSubstr(":3: found 'OFFSET', expected '{'"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nOFFSET 0 x 0"), HasSubstr(":4: found 'x', expected an OFFSET number"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nCHANNELS 2 Xrotation Wrotation"),
              HasSubstr(":4: found 'Wrotation', expected a channel"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n"), HasSubstr(":5: found 'MOTION'"));
  EXPECT_THAT(message_of(kLegsHierarchy + "MOTION\nFrame Time: 0.1"), HasSubstr("found 'Frame', expected Frames:"));
}

TEST(BvhErrors, FrameLinesOfTheWrongLengthSayHowManyValues) {
  const std::string good = legs_line("0 94 0", "0 0 0") + "\n";
  EXPECT_THAT(message_of(legs_text(good + "1 2 3\n" + good)), HasSubstr("bad.bvh:49: found 3 values, expected 24"));
  EXPECT_THAT(message_of(legs_text(good + good.substr(0, good.size() - 1) + " 7\n" + good)),
              HasSubstr(":49: found 25 values, expected 24"));
  EXPECT_THAT(message_of(legs_text("1 2 3\n")), HasSubstr("found 3 values, expected 24"));
}

TEST(BvhErrors, OfManyBadLinesTheSameOneIsAlwaysToldOf) {
  std::string lines;
  for (int i = 0; i < 2000; ++i) lines += i >= 777 ? "1 2\n" : legs_line("0 94 0", "0 0 0") + "\n";
  // Some lines are read ahead of the others, so the one told of need not be the first; but it is always the same.
  const std::string message = message_of(legs_text(lines));
  EXPECT_THAT(message, HasSubstr("found 2 values, expected 24"));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(message_of(legs_text(lines)), message);
}

TEST(BvhErrors, DecimalCommasNanAndInfinityAreRejected) {
  const std::string good = legs_line("0 94 0", "0 0 0") + "\n";
  for (const std::string bad : {"1,5", "nan", "NaN", "inf", "-inf", "1e999", "0x10", "1.2.3", "--1", "1e", "-", "."}) {
    const std::string text = legs_text(good + legs_line("0 " + bad + " 0", "0 0 0") + "\n" + good);
    EXPECT_THAT(message_of(text), HasSubstr(":49: found '" + bad + "', expected a")) << bad;
  }
  EXPECT_THAT(message_of(legs_text(legs_line("0 1,5 0", "0 0 0"))), HasSubstr("decimal commas are not read"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nOFFSET 0,5 1 2"), HasSubstr("decimal commas are not read"));
  EXPECT_THAT(message_of(kLegsHierarchy + "MOTION\nFrames: 1\nFrame Time: 0,01\n"),
              HasSubstr("decimal commas are not read"));
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nOFFSET nan 1 2"), HasSubstr("found 'nan'"));
}

TEST(BvhErrors, NumbersTooSmallForADoubleAreZero) {
  const Result<MotionFile> file = parse_bvh(chain_text("3 Xposition Yposition Zposition", "0", "1e-400 0 1e-4000\n", 1),
                                            "a", {.unit_m = 1.0, .up = UpAxis::y});
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->clips.at(0).translation(0, 0).isZero());
}

TEST(BvhErrors, PositionsThatNoWorldHoldsAreRejected) {
  const std::string good = legs_line("0 94 0", "0 0 0") + "\n";
  const std::string far = legs_text(good + legs_line("0 1e100 0", "0 0 0") + "\n" + good);
  EXPECT_THAT(message_of(far), HasSubstr("bad.bvh:49: found a position farther than"));
}

TEST(BvhErrors, FrameTimesThatAreNotPositiveNeedARate) {
  const std::string frames = legs_line("0 94 0", "0 0 0") + "\n" + legs_line("0 94 0", "0 0 0") + "\n";
  const auto text = [&](const std::string& time) {
    return kLegsHierarchy + "MOTION\nFrames: 2\nFrame Time: " + time + "\n" + frames;
  };
  for (const std::string time : {"0", "-0.1", "1e-320"}) {
    EXPECT_THAT(message_of(text(time)), HasSubstr(":47: found frame time")) << time;
    EXPECT_EQ(message_of(text(time), {.fps_is = 30.0}), "no error");
  }
  const Result<MotionFile> bad_rate = parse_bvh(text("0.1"), "a", {.fps_is = -1.0});
  ASSERT_FALSE(bad_rate.has_value());
  EXPECT_EQ(bad_rate.error().code, ErrorCode::invalid_argument);
}

TEST(BvhErrors, ASecondRootIsRefusedPlainly) {
  const std::string twice = kLegsHierarchy + kLegsHierarchy.substr(kLegsHierarchy.find("ROOT")) + "MOTION\n";
  EXPECT_THAT(message_of(twice), HasSubstr("several ROOTs"));
}

TEST(BvhErrors, PromisesOfTheHeaderAllocateNothing) {
  EXPECT_THAT(message_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1000000 Xrotation\n"),
              HasSubstr("expected a number of channels from 0 to 9"));
  const std::string line = legs_line("0 94 0", "0 0 0") + "\n";
  EXPECT_EQ(message_of(kLegsHierarchy + "MOTION\nFrames: 1000000000\nFrame Time: 0.01\n" + line), "no error");
  EXPECT_THAT(message_of(kLegsHierarchy + "MOTION\nFrames: -1\nFrame Time: 0.01\n"), HasSubstr("found '-1'"));
  EXPECT_THAT(message_of(kLegsHierarchy + "MOTION\nFrames: 1e300\nFrame Time: 0.01\n"), HasSubstr("found '1e300'"));
}

TEST(BvhErrors, ManyJointsInFramesOfOneValueAreRefused) {
  std::string text = "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n";
  for (int i = 0; i < 20000; ++i) text += "JOINT " + std::to_string(i) + "\n{\n}\n";
  text += "}\nMOTION\nFrames: 1\nFrame Time: 1\n";
  for (int i = 0; i < 20000; ++i) text += "0\n";
  EXPECT_THAT(message_of(text), HasSubstr("20001 joints in 20000 frames"));
}

TEST(BvhErrors, DepthCostsNoStack) {
  std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n";
  constexpr int kDepth = 20000;
  for (int i = 0; i < kDepth; ++i) text += "JOINT " + std::to_string(i) + "{OFFSET 0 0.001 0\n";
  for (int i = 0; i <= kDepth; ++i) text += "}";
  const Result<MotionFile> file = parse_bvh(text + "\nMOTION\nFrames: 1\nFrame Time: 1\n5\n", "deep", {.unit_m = 1.0});
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->skeleton->joint_count(), kDepth + 1);
  EXPECT_TRUE(format_bvh(file->clips.at(0)).has_value());
}

TEST(BvhErrors, ATextCutAnywhereGivesAnErrorOrAResult) {
  const std::string whole = legs_text(legs_line("0 94 0", "1 2.5 -3e1") + "\n" + legs_line("0 94 0", "4 5 6") + "\n");
  int errors = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Result<MotionFile> file = parse_bvh(std::string_view(whole).substr(0, size), "cut.bvh");
    if (file) {
      EXPECT_NE(file->skeleton, nullptr);
    } else {
      ++errors;
      EXPECT_EQ(file.error().code, ErrorCode::bad_file);
      EXPECT_THAT(file.error().message, HasSubstr("cut.bvh:"));
    }
  }
  EXPECT_GT(errors, 500);
}

TEST(BvhErrors, AByteChangedAnywhereGivesAnErrorOrAResult) {
  const std::string whole = legs_text(legs_line("0 94 0", "1 2.5 -3e1") + "\n" + legs_line("0 94 0", "4 5 6") + "\n");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char c : {'\0', '{', '}', '9', '-', '\n', '\xff'}) {
      std::string changed = whole;
      changed[i] = c;
      const Result<MotionFile> file = parse_bvh(changed, "changed.bvh");
      if (!file) {
        EXPECT_EQ(file.error().code, ErrorCode::bad_file);
      }
    }
  }
}

TEST(BvhErrors, FilesThatAreNotThereCannotBeRead) {
  const Result<MotionFile> missing = read_bvh("no/such/file.bvh");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::cannot_read);
  const Result<MotionFile> folder = read_bvh(std::filesystem::temp_directory_path());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::cannot_read);
}

}  // namespace
}  // namespace shosa::io
