#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "io/bvh.h"
#include "io/bvh_text.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::io {
namespace {

using test::chain_text;
using test::kLegsHierarchy;
using test::legs_line;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const ReadOptions kMetres{.unit_m = 1.0, .up = UpAxis::y};

MotionFile parsed(const std::string& text, const ReadOptions& options = kMetres) {
  Result<MotionFile> file = parse_bvh(text, "test.bvh", options);
  EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().message);
  return file ? *file : MotionFile{};
}

/// Active turn about one axis, written out from the definition of a rotation matrix.
Eigen::Matrix3d turn(char axis, double degrees) {
  const double a = degrees * std::numbers::pi / 180.0;
  const double c = std::cos(a);
  const double s = std::sin(a);
  Eigen::Matrix3d m;
  if (axis == 'X') m << 1, 0, 0, 0, c, -s, 0, s, c;
  if (axis == 'Y') m << c, 0, s, 0, 1, 0, -s, 0, c;
  if (axis == 'Z') m << c, -s, 0, s, c, 0, 0, 0, 1;
  return m;
}

std::string legs_text(const std::string& lines, int frames, const std::string& time = "0.01") {
  return kLegsHierarchy + "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: " + time + "\n" + lines;
}

TEST(BvhRead, EveryRotationOrderMultipliesInTheOrderOfItsChannels) {
  const std::vector<double> angles = {25.0, -130.0, 71.5};
  for (std::string order : {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZXZ", "XY", "Z"}) {
    std::string channels = std::to_string(order.size());
    std::string line;
    Eigen::Matrix3d expected = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < order.size(); ++i) {
      channels += std::string(" ") + order[i] + "rotation";
      line += std::to_string(angles[i]) + " ";
      expected = expected * turn(order[i], angles[i]);
    }
    const MotionFile file = parsed(chain_text(channels, "0", line + "\n", 1));
    ASSERT_EQ(file.clips.size(), 1u) << order;
    const Eigen::Matrix3d got = file.clips[0].rotation(0, 0).toRotationMatrix().cast<double>();
    EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 2e-7) << order;
  }
}

TEST(BvhRead, JointsOfOneFileMayHaveDifferentOrdersAndChannelCounts) {
  const MotionFile file = parsed(chain_text("6 Yrotation Xposition Zrotation Zposition Xrotation Yposition",
                                            "3 Xrotation Zrotation Yrotation", "10 1 20 2 30 3 40 50 60\n", 1));
  const Clip& clip = file.clips.at(0);
  const Eigen::Matrix3d root = turn('Y', 10) * turn('Z', 20) * turn('X', 30);
  const Eigen::Matrix3d child = turn('X', 40) * turn('Z', 50) * turn('Y', 60);
  EXPECT_LT((clip.rotation(0, 0).toRotationMatrix().cast<double>() - root).cwiseAbs().maxCoeff(), 2e-7);
  EXPECT_LT((clip.rotation(0, 1).toRotationMatrix().cast<double>() - child).cwiseAbs().maxCoeff(), 2e-7);
  EXPECT_EQ(clip.translation(0, 0), Vec3f(1, 3, 2));
}

TEST(BvhRead, AnglesOfManyTurnsKeepTheirValue) {
  const MotionFile file = parsed(chain_text("1 Zrotation", "1 Xrotation", "3690 -72000090\n", 1));
  const auto angle = [&](JointIndex joint, char axis, double degrees) {
    return (file.clips.at(0).rotation(0, joint).toRotationMatrix().cast<double>() - turn(axis, degrees)).norm();
  };
  EXPECT_LT(angle(0, 'Z', 90), 1e-6);
  EXPECT_LT(angle(1, 'X', -90), 1e-6);
}

TEST(BvhRead, RotationOnlyPositionOnlyAndChannelFreeJointsLoad) {
  const MotionFile file = parsed(chain_text("3 Xposition Yposition Zposition", "0", "1 2 3\n4 5 6\n", 2));
  EXPECT_EQ(file.clips.at(0).translation(1, 0), Vec3f(4, 5, 6));
  EXPECT_TRUE(file.clips.at(0).rotation(1, 0).isApprox(Quatf::Identity()));
  const MotionFile fixed_root = parsed(chain_text("0", "1 Xrotation", "90\n", 1));
  const WorldPose world = forward_kinematics(*fixed_root.skeleton, fixed_root.clips.at(0).frame(0));
  EXPECT_LT((world.end_site(fixed_root.skeleton->end_sites()[0]) - Vec3d(0, 1, 1)).norm(), 1e-6);
}

TEST(BvhRead, PositionsNearTheOffsetReplaceItAndPositionsNearZeroAreAdded) {
  const std::string six = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
  const MotionFile replaced = parsed(chain_text("0", six, "0 1.1 0 0 0 0\n0 1.3 0 0 0 0\n", 2));
  EXPECT_EQ(replaced.clips.at(0).translation(1, 1), Vec3f(0, 1.3f, 0));
  EXPECT_EQ(replaced.bvh->others, PositionConvention::replaces_offset);
  EXPECT_THAT(replaced.warnings, Contains(HasSubstr("other joints replace their OFFSET")));
  const MotionFile added = parsed(chain_text("0", six, "0 0.1 0 0 0 0\n0 0.3 0 0 0 0\n", 2));
  EXPECT_EQ(added.clips.at(0).translation(1, 1), Vec3f(0, 1.3f, 0));
  EXPECT_EQ(added.bvh->others, PositionConvention::added_to_offset);
  EXPECT_THAT(added.warnings, Contains(HasSubstr("other joints are added to their OFFSET")));
}

TEST(BvhRead, RootPositionsAreAddedWhereThatPutsTheFeetOnTheFloor) {
  std::string hierarchy = kLegsHierarchy;
  hierarchy.replace(hierarchy.find("OFFSET 0 0 0"), 12, "OFFSET 0 94 0");
  const auto read = [&](const std::string& height) {
    return parsed(hierarchy + "MOTION\nFrames: 1\nFrame Time: 0.01\n" + legs_line("0 " + height + " 0", "0 0 0") +
                  "\n");
  };
  const MotionFile added = read("1");
  EXPECT_EQ(added.bvh->root, PositionConvention::added_to_offset);
  EXPECT_EQ(added.clips.at(0).translation(0, 0), Vec3f(0, 95, 0));
  const MotionFile replaced = read("93");
  EXPECT_EQ(replaced.bvh->root, PositionConvention::replaces_offset);
  EXPECT_EQ(replaced.clips.at(0).translation(0, 0), Vec3f(0, 93, 0));
}

TEST(BvhRead, TranslationsThatNeverLeaveTheOffsetGoIntoTheRestPose) {
  const std::string six = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
  const MotionFile still = parsed(chain_text("0", six, "0 1.000003 0 0 0 0\n0 1.000003 0 5 0 0\n", 2));
  EXPECT_FALSE(still.clips.at(0).is_translated(1));
  EXPECT_EQ(still.skeleton->joint(1).rest_translation_m.y(), 1.000003f);
  const MotionFile moving = parsed(chain_text("0", six, "0 1.00003 0 0 0 0\n0 1 0 5 0 0\n", 2));
  EXPECT_TRUE(moving.clips.at(0).is_translated(1));
}

TEST(BvhRead, LineEndsTabsBlankLinesAndCaseDoNotMatter) {
  const std::string plain = legs_text(legs_line("0 94 0", "1 2 3") + "\n" + legs_line("1 94 0", "4 5 6") + "\n", 2);
  const MotionFile expected = parsed(plain);
  const auto replace_all = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size())) {
      text.replace(i, from.size(), to);
    }
    return text;
  };
  std::string mixed = plain;
  for (std::size_t i = 0, n = 0; i < mixed.size(); ++i) {
    if (mixed[i] == '\n' && ++n % 3 == 0)
      mixed.replace(i++, 1, "\r\n");
    else if (mixed[i] == '\n' && n % 3 == 1)
      mixed[i] = '\r';
  }
  std::string lower = plain;
  for (const std::string word : {"HIERARCHY", "ROOT", "OFFSET", "CHANNELS", "JOINT", "MOTION"}) {
    std::string small = word;
    for (char& c : small) c = static_cast<char>(c | 0x20);
    lower = replace_all(lower, word, small);
  }
  lower = replace_all(replace_all(lower, "Frames", "FRAMES"), "Frame Time", "frame time");
  lower = replace_all(replace_all(lower, "End Site", "END site"), "rotation", "ROTATION");
  for (const std::string& text : {
           replace_all(plain, "\n", "\r\n"),
           replace_all(plain, "\n", "\r"),
           mixed,
           replace_all(plain, " ", "\t"),
           replace_all(plain, "\n", "\n\n \t\n"),
           replace_all(plain, "\n{", " {"),
           "\xEF\xBB\xBF" + plain,
           plain.substr(0, plain.size() - 1),
           plain + "\n\n  \n",
           replace_all(plain, "Frames: 2", "Frames:\t2"),
           replace_all(plain, "Frames: 2", "Frames : 2"),
           lower,
       }) {
    const MotionFile file = parsed(text);
    ASSERT_EQ(file.clips.size(), 1u) << text.substr(0, 200);
    ASSERT_EQ(file.clips[0].frame_count(), 2);
    for (int frame = 0; frame < 2; ++frame) {
      for (JointIndex j = 0; j < 7; ++j) {
        EXPECT_EQ(file.clips[0].rotation(frame, j).coeffs(), expected.clips[0].rotation(frame, j).coeffs());
        EXPECT_EQ(file.clips[0].translation(frame, j), expected.clips[0].translation(frame, j));
      }
    }
  }
}

TEST(BvhRead, NumbersAreReadInAnyNotation) {
  const MotionFile file =
      parsed(chain_text("3 Xposition Yposition Zposition", "3 Zrotation Xrotation Yrotation",
                        "-.5 +2. 1.25e+1 9e-007 12345678901234567890e-20 0.1234567890123456789012\n", 1));
  EXPECT_EQ(file.clips.at(0).translation(0, 0), Vec3f(-0.5f, 2.0f, 12.5f));
  const double x = 0.12345678901234567890 * std::numbers::pi / 360.0;
  EXPECT_NEAR(file.clips.at(0).rotation(0, 1).x(), x, 1e-9);
}

TEST(BvhRead, FrameTimeIsTheDoubleOfItsText) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{{".0083", .0083},
                                                                               {"0.00833333", 0.00833333},
                                                                               {"8.3333e-3", 8.3333e-3},
                                                                               {"0.041666666666666664", 1.0 / 24}}) {
    EXPECT_EQ(parsed(legs_text(legs_line("0 94 0", "0 0 0"), 1, text)).clips.at(0).frame_time_s(), value);
  }
  ReadOptions options = kMetres;
  options.fps_is = 60.0;
  EXPECT_EQ(parsed(legs_text(legs_line("0 94 0", "0 0 0"), 1), options).clips.at(0).frame_time_s(), 1.0 / 60.0);
}

TEST(BvhRead, NamesKeepNamespacesAndSpacesAndBecomeUnique) {
  std::string text = chain_text("0", "1 Xrotation", "5\n", 1);
  text.replace(text.find("ROOT a"), 6, "ROOT mixamorig:Left Hip  ");
  EXPECT_EQ(parsed(text).skeleton->name(0), "mixamorig:Left Hip");
  text = chain_text("0", "1 Xrotation", "5\n", 1);
  text.replace(text.find("JOINT b"), 7, "JOINT a");
  const MotionFile file = parsed(text);
  EXPECT_EQ(file.skeleton->name(0), "a");
  EXPECT_EQ(file.skeleton->name(1), "a_2");
  EXPECT_EQ(file.skeleton->end_sites()[0].name, "a_2_end");
  EXPECT_THAT(file.warnings, Contains(HasSubstr("'a' became 'a_2'")));
}

TEST(BvhRead, EndSitesMayBeMissingAndBonesMayHaveNoLength) {
  const MotionFile file = parsed(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n}\nMOTION\n"
      "Frames: 1\nFrame Time: 0.1\n5\n");
  EXPECT_EQ(file.skeleton->joint_count(), 2);
  EXPECT_TRUE(file.skeleton->end_sites().empty());
}

TEST(BvhRead, WrongFrameCountsAreWarnedOfAndTheLinesThatAreThereAreUsed) {
  const std::string line = legs_line("0 94 0", "0 0 0") + "\n";
  for (const int declared : {1, 3, 1'000'000'000}) {
    const MotionFile file = parsed(legs_text(line + line, declared));
    EXPECT_EQ(file.clips.at(0).frame_count(), 2);
    EXPECT_THAT(file.warnings, Contains(HasSubstr("the file holds 2")));
  }
  EXPECT_THAT(parsed(legs_text(line + line, 2)).warnings, Not(Contains(HasSubstr("holds"))));
}

TEST(BvhRead, AnUnfinishedLastLineAndTextAfterTheFramesAreLeftOut) {
  const std::string line = legs_line("0 94 0", "0 0 0") + "\n";
  const MotionFile cut = parsed(legs_text(line + line + "0 94 0 1 2", 3));
  EXPECT_EQ(cut.clips.at(0).frame_count(), 2);
  EXPECT_THAT(cut.warnings, Contains(HasSubstr("cut off (5 of 24 values)")));
  const MotionFile more = parsed(legs_text(line + line + "the end\n", 2));
  EXPECT_EQ(more.clips.at(0).frame_count(), 2);
  EXPECT_THAT(more.warnings, Contains(HasSubstr("text after the last frame")));
}

TEST(BvhRead, FilesWithoutMotionGiveTheSkeletonAndAWarning) {
  for (const std::string& text : {kLegsHierarchy, legs_text("", 0), legs_text("", 5), chain_text("0", "0", "", 10)}) {
    const MotionFile file = parsed(text);
    EXPECT_TRUE(file.clips.empty());
    ASSERT_NE(file.skeleton, nullptr);
    EXPECT_THAT(file.warnings, Not(IsEmpty()));
  }
}

TEST(BvhRead, AnAddedTPoseIsFlaggedAndDroppedOnDemand) {
  const std::string tpose = legs_line("0 94 0", "0 0 0") + "\n";
  std::string moving;
  for (int i = 0; i < 5; ++i) moving += legs_line("0 90 0", std::to_string(30.5 + i) + " 12.25 -20.7") + "\n";
  const MotionFile kept = parsed(legs_text(tpose + moving, 6));
  EXPECT_EQ(kept.tpose_frames, 1);
  EXPECT_EQ(kept.clips.at(0).frame_count(), 6);
  EXPECT_THAT(kept.warnings, Contains(HasSubstr("T-pose")));
  ReadOptions options = kMetres;
  options.drop_tpose = true;
  const MotionFile dropped = parsed(legs_text(tpose + moving, 6), options);
  EXPECT_EQ(dropped.clips.at(0).frame_count(), 5);
  EXPECT_EQ(dropped.clips[0].rotation(0, 3).coeffs(), kept.clips[0].rotation(1, 3).coeffs());
}

TEST(BvhRead, AMotionThatStartsFromRestIsNoTPose) {
  std::string smooth;
  for (int i = 0; i < 6; ++i) smooth += legs_line("0 94 0", std::to_string(3.3 * i) + " 0 0") + "\n";
  EXPECT_EQ(parsed(legs_text(smooth, 6)).tpose_frames, 0);
}

TEST(BvhRead, ZUpBodiesAreTurnedUprightAtTheRoot) {
  const std::string text =
      chain_text("6 Xposition Yposition Zposition Xrotation Yrotation Zrotation", "0", "1 2 3 0 0 0\n", 1, "0 0 1");
  const MotionFile file = parsed(text, {.unit_m = 0.5, .up = UpAxis::z});
  const WorldPose world = forward_kinematics(*file.skeleton, file.clips.at(0).frame(0));
  EXPECT_LT((world.positions[0] - Vec3d(0.5, 1.5, -1.0)).norm(), 1e-6);
  EXPECT_LT((world.positions[1] - Vec3d(0.5, 2.0, -1.0)).norm(), 1e-6);
  EXPECT_LT((file.skeleton->rest_positions()[1] - Vec3d(0, 0.5, 0)).norm(), 1e-6);
}

}  // namespace
}  // namespace shosa::io
