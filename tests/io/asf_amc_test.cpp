#include "io/asf_amc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "io/bvh.h"
#include "shosa/core/forward_kinematics.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string kAsf = R"(# made by hand
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   any text: even begin and end
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name lfemur
     direction 0 -1 0
     length 7
     axis 0 0 20 XYZ
    dof rz rx
    limits (-160.0 20.0)
           (-70.0 70.0)
  end
  begin
     id 2
     name ltibia
     direction 0 -1 0
     length 7.5
     axis 90 0 0 XYZ
    dof ry
  end
  begin
     id 3
     name spine
     direction 0 1 0
     length 3
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root lfemur spine
    lfemur ltibia
  end
)";

const std::string kAmc = R"(#!OML:ASF test
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
lfemur 40 50
ltibia 60
2
ltibia 6
root 1 2 3 1 2 3
lfemur 4 5
)";

Eigen::Matrix3d turn(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * 3.14159265358979323846 / 180.0, Vec3d::Unit(axis)).toRotationMatrix();
}

TEST(AsfAmc, RotationsAreTakenInTheBonesOwnAxes) {
  const Result<MotionFile> file = parse_amc(kAsf, "a.asf", kAmc, "a.amc", {.up = UpAxis::y});
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const Clip& clip = file->clips.at(0);
  ASSERT_EQ(clip.frame_count(), 2);
  EXPECT_EQ(clip.frame_time_s(), 1.0 / 120.0);
  EXPECT_THAT(file->warnings, Contains(HasSubstr("120 frames a second")));
  EXPECT_EQ(file->unit_m, 0.0254 / 0.45);
  const Eigen::Matrix3d root = turn(2, 30) * turn(1, 20) * turn(0, 10);
  const Eigen::Matrix3d femur = turn(2, 20) * turn(0, 50) * turn(2, 40) * turn(2, -20);
  const Eigen::Matrix3d tibia = turn(0, 90) * turn(1, 60) * turn(0, -90);
  const auto got = [&](const std::string& joint) {
    return Eigen::Matrix3d(clip.rotation(0, file->skeleton->find(joint)).toRotationMatrix().cast<double>());
  };
  EXPECT_LT((got("root") - root).norm(), 1e-6);
  EXPECT_LT((got("lfemur") - femur).norm(), 1e-6);
  EXPECT_LT((got("ltibia") - tibia).norm(), 1e-6);
  EXPECT_LT((clip.translation(0, 0) - Vec3f(1, 2, 3) * static_cast<float>(0.0254 / 0.45)).norm(), 1e-6);
  const JointIndex shin = file->skeleton->find("ltibia");
  EXPECT_NEAR(file->skeleton->joint(shin).rest_translation_m.y(), -7 * 0.0254 / 0.45, 1e-6);
  ASSERT_EQ(file->skeleton->end_sites().size(), 2u);
}

TEST(AsfAmc, RadiansAndGivenRatesAreHonoured) {
  std::string amc = kAmc;
  amc.replace(amc.find(":DEGREES"), 8, ":RADIANS");
  const Result<MotionFile> file = parse_amc(kAsf, "a.asf", amc, "a.amc", {.up = UpAxis::y, .fps_is = 60.0});
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->clips.at(0).frame_time_s(), 1.0 / 60.0);
  const Eigen::Matrix3d expected = (turn(0, 90) * Eigen::AngleAxisd(6.0, Vec3d::UnitY()) * turn(0, -90)).eval();
  const JointIndex shin = file->skeleton->find("ltibia");
  EXPECT_LT((file->clips[0].rotation(1, shin).toRotationMatrix().cast<double>() - expected).norm(), 1e-5);
}

TEST(AsfAmc, TheLengthFactorGivesTheUnitUnlessItIsOne) {
  const auto unit_of = [](const std::string& length) {
    std::string asf = kAsf;
    asf.replace(asf.find("length 0.45"), 11, length);
    const Result<MotionFile> file = parse_asf(asf, "a.asf");
    return file ? file->unit_m : 0.0;
  };
  EXPECT_EQ(unit_of("length 0.5"), 0.0508);
  EXPECT_EQ(unit_of("length 1.0"), unit_of(""));
  EXPECT_NE(unit_of("length 1.0"), 0.0254);
}

TEST(AsfAmc, AnAsfAloneIsASkeleton) {
  const Result<MotionFile> file = parse_asf(kAsf, "a.asf");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->format, "asf");
  EXPECT_TRUE(file->clips.empty());
  EXPECT_EQ(file->skeleton->joint_count(), 4);
}

TEST(AsfAmc, AMotionInMemoryTakesTheTextOfItsSkeleton) {
  const Result<MotionFile> file = parse_motion(kAmc, "a.amc", {.up = UpAxis::y, .asf_text = kAsf});
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->format, "amc");
  EXPECT_EQ(file->clips.size(), 1U);
  const Result<MotionFile> alone = parse_motion(kAmc, "a.amc");
  ASSERT_FALSE(alone.has_value());
  EXPECT_THAT(alone.error().message, testing::HasSubstr("the skeleton of a.amc"));
}

std::string amc_error(const std::string& asf, const std::string& amc) {
  const Result<MotionFile> file = parse_amc(asf, "a.asf", amc, "a.amc");
  if (file) return "no error";
  EXPECT_EQ(file.error().code, ErrorCode::bad_file);
  return file.error().message;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

TEST(AsfAmc, ErrorsNameFileLineAndWhatWasExpected) {
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "lfemur 40 50", "lfemur 40")),
              HasSubstr("a.amc:6: found 'lfemur', expected 2 values after it, not 1"));
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "ltibia 60", "rtibia 60")),
              HasSubstr("a.amc:7: found 'rtibia', expected a bone"));
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "ltibia 60\n", "")), HasSubstr("expected bone 'ltibia' in frame 1"));
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "ltibia 60", "ltibia nan")), HasSubstr("a.amc:7: found 'nan'"));
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "ltibia 60", "ltibia 6,5")), HasSubstr("a.amc:7: found '6,5'"));
  EXPECT_THAT(amc_error(kAsf, with(kAmc, "ltibia 6\n", "ltibia 6\nltibia 6\n")), HasSubstr("each bone once a frame"));
  EXPECT_THAT(amc_error(with(kAsf, "lfemur ltibia", "lfemur lfoot"), kAmc), HasSubstr("a.asf:44: found 'lfoot'"));
  EXPECT_THAT(amc_error(with(kAsf, "    lfemur ltibia\n", ""), kAmc), HasSubstr("bone 'ltibia' is not in :hierarchy"));
  EXPECT_THAT(amc_error(with(kAsf, "lfemur ltibia", "ltibia lfemur"), kAmc), HasSubstr("each bone below one parent"));
  EXPECT_THAT(amc_error(with(kAsf, "dof ry", "dof rw"), kAmc), HasSubstr("found 'rw', expected tx"));
  EXPECT_THAT(
      amc_error(with(kAsf, "root lfemur spine\n    lfemur ltibia", "root spine\n    lfemur ltibia\n    ltibia lfemur"),
                kAmc),
      HasSubstr("hang in a circle"));
}

TEST(AsfAmc, TextsCutAnywhereGiveAnErrorOrAResult) {
  for (std::size_t size = 0; size <= kAsf.size(); ++size) {
    const auto file = parse_amc(kAsf.substr(0, size), "a.asf", kAmc, "a.amc");
    if (!file) {
      EXPECT_EQ(file.error().code, ErrorCode::bad_file);
    }
  }
  for (std::size_t size = 0; size <= kAmc.size(); ++size) {
    const auto file = parse_amc(kAsf, "a.asf", kAmc.substr(0, size), "a.amc");
    if (!file) {
      EXPECT_EQ(file.error().code, ErrorCode::bad_file);
    }
  }
}

TEST(AsfAmc, TheSkeletonIsFoundBesideTheMotion) {
  const auto folder = std::filesystem::temp_directory_path() / "shosa_asf_amc_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto put = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; };
  put("35_01.amc", kAmc);
  const Result<MotionFile> none = read_amc(folder / "35_01.amc");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::cannot_read);
  EXPECT_THAT(none.error().message, HasSubstr("expected 35.asf"));
  put("only.asf", kAsf);
  const auto guessed = read_amc(folder / "35_01.amc");
  ASSERT_TRUE(guessed.has_value());
  EXPECT_THAT(guessed->warnings.back().text, HasSubstr("its skeleton is only.asf's"));
  put("other.asf", "no skeleton");
  EXPECT_FALSE(read_amc(folder / "35_01.amc").has_value());
  EXPECT_TRUE(read_amc(folder / "35_01.amc", {.asf = folder / "only.asf"}).has_value());
  put("35.asf", kAsf);
  const auto named = read_amc(folder / "35_01.amc");
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->warnings.size() + 1, guessed->warnings.size());
  std::filesystem::remove_all(folder);
}

/// The BVH files were converted from the AMC files by a third party, with 4 decimals. Bones with several children
/// (thorax, wrists) lost their length there, so what hangs on them lies closer by exactly that bone; the turns are the
/// same.
TEST(AsfAmc, MotionsEqualTheirBvhTwins) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string name : {"35_01", "49_18", "49_19"}) {
    const Result<MotionFile> amc = read_amc(test::real_data_dir() / "cmu-asfamc" / (name + ".amc"));
    const Result<MotionFile> bvh = read_bvh(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
    ASSERT_TRUE(amc.has_value()) << amc.error().message;
    ASSERT_TRUE(bvh.has_value()) << bvh.error().message;
    EXPECT_EQ(amc->unit_m, bvh->unit_m);
    ASSERT_EQ(amc->clips.at(0).frame_count(), bvh->clips.at(0).frame_count());
    const Skeleton& skeleton = *amc->skeleton;
    const JointIndex thorax = skeleton.find("thorax");
    const Vec3d lost = skeleton.joint(skeleton.find("lowerneck")).rest_translation_m.cast<double>();
    double worst_m = 0.0;
    for (int f = 0; f < amc->clips[0].frame_count(); ++f) {
      const WorldPose a = forward_kinematics(skeleton, amc->clips[0].frame(f));
      const WorldPose b = forward_kinematics(*bvh->skeleton, bvh->clips[0].frame(f));
      const auto distance = [&](const std::string& bone, const std::string& joint, const Vec3d& shift) {
        const auto i = static_cast<std::size_t>(skeleton.find(bone));
        const auto j = static_cast<std::size_t>(bvh->skeleton->find(joint));
        return (a.positions.at(i) - shift - b.positions.at(j)).norm();
      };
      const Vec3d above = a.rotations[thorax] * lost;
      for (const auto& [bone, joint] : std::vector<std::pair<std::string, std::string>>{{"root", "Hips"},
                                                                                        {"lfemur", "LeftUpLeg"},
                                                                                        {"ltibia", "LeftLeg"},
                                                                                        {"lfoot", "LeftFoot"},
                                                                                        {"ltoes", "LeftToeBase"},
                                                                                        {"rfemur", "RightUpLeg"},
                                                                                        {"rtibia", "RightLeg"},
                                                                                        {"rfoot", "RightFoot"},
                                                                                        {"rtoes", "RightToeBase"},
                                                                                        {"upperback", "Spine"},
                                                                                        {"thorax", "Spine1"}}) {
        worst_m = std::max(worst_m, distance(bone, joint, Vec3d::Zero()));
      }
      for (const auto& [bone, joint] : std::vector<std::pair<std::string, std::string>>{{"upperneck", "Neck1"},
                                                                                        {"head", "Head"},
                                                                                        {"lhumerus", "LeftArm"},
                                                                                        {"lradius", "LeftForeArm"},
                                                                                        {"lwrist", "LeftHand"},
                                                                                        {"rhumerus", "RightArm"},
                                                                                        {"rradius", "RightForeArm"},
                                                                                        {"rwrist", "RightHand"}}) {
        worst_m = std::max(worst_m, distance(bone, joint, above));
      }
    }
    EXPECT_LT(worst_m, 2e-5) << name;
  }
}

}  // namespace
}  // namespace shosa::io
