#include "shosa/segment/curve_clip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/segment/edit_segment.h"
#include "support/real_data.h"

namespace shosa::segment {
namespace {

double largest_error_m(const Clip& a, const Clip& b) {
  const ClipPositions p = clip_positions(a), q = clip_positions(b);
  double worst = 0.0;
  for (int f = 0; f < p.frame_count(); ++f) {
    for (int i = 0; i < p.point_count(); ++i) worst = std::max(worst, (p.point(f, i) - q.point(f, i)).norm());
  }
  return worst;
}

TEST(CurveClip, KeepsItsBoundOnScenes) {
  for (const Clip& clip : {scenes::walk({.duration_s = 2.0}).clip, scenes::dog_walk({.duration_s = 1.5}).clip,
                           scenes::random_clip(scenes::random_tree(20, 4), 90, 4)}) {
    for (const double bound : {0.01, 0.001}) {
      const auto fit = fit_curves(clip, {.max_error_m = bound});
      ASSERT_TRUE(fit.has_value()) << fit.error().message;
      EXPECT_LE(fit->max_error_m, bound);
      const auto back = fit->curves.decode();
      ASSERT_TRUE(back.has_value());
      EXPECT_NEAR(largest_error_m(clip, *back), fit->max_error_m, 1e-6);
      EXPECT_LT(fit->curves.curve_bytes(), fit->raw_bytes);
    }
  }
}

TEST(CurveClip, AStillClipCostsAlmostNothing) {
  const Clip clip(scenes::humanoid(), 600, 1.0 / 60.0);
  const auto fit = fit_curves(clip);
  ASSERT_TRUE(fit.has_value());
  EXPECT_LT(fit->curves.curve_bytes(), 1000u);
}

TEST(CurveClip, SamplesAnywhereWithoutTheRest) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const auto fit = fit_curves(clip);
  ASSERT_TRUE(fit.has_value());
  const Clip all = *fit->curves.decode();
  const auto part = fit->curves.decode(40, 50);
  ASSERT_TRUE(part.has_value());
  for (int f = 0; f <= 10; ++f) {
    const Pose a = all.frame(40 + f), b = part->frame(f);
    EXPECT_TRUE(std::ranges::equal(a.rotation_lanes(), b.rotation_lanes()));
  }
  EXPECT_FALSE(fit->curves.decode(-1, 5).has_value());
  EXPECT_FALSE(fit->curves.decode(5, clip.frame_count()).has_value());
  Pose pose;
  fit->curves.sample(NAN, pose);
  fit->curves.sample(1e9, pose);
  EXPECT_TRUE(std::ranges::equal(pose.rotation_lanes(), all.frame(clip.frame_count() - 1).rotation_lanes()));
}

TEST(CurveClip, GoesThroughBytesUnchanged) {
  const Clip clip = scenes::walk({.duration_s = 1.0}).clip;
  const auto fit = fit_curves(clip);
  ASSERT_TRUE(fit.has_value());
  const std::string bytes = fit->curves.to_bytes();
  const auto again = CurveClip::from_bytes(bytes, "walk.curves");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->to_bytes(), bytes);
  EXPECT_EQ(again->frame_time_s(), clip.frame_time_s());
  EXPECT_EQ(largest_error_m(*again->decode(), *fit->curves.decode()), 0.0);
}

TEST(CurveClip, ReadsACurveWhoseNumbersTakeNoBits) {
  const auto one = Skeleton::create({{.name = "hips"}});
  const auto fit = fit_curves(Clip(std::make_shared<const Skeleton>(*one), 10, 0.1, {0}));
  ASSERT_TRUE(fit.has_value()) << fit.error().message;
  // The file ends with a constant rotation (kind, spacing, 4 floats) and a constant translation of 15 bytes. The
  // rotation becomes a vector curve of three parts (low, step, bits) that turns by its lows.
  std::string bytes = fit->curves.to_bytes();
  bytes[bytes.size() - 15 - 19] = 1;
  std::string parts;
  for (const float low : {0.5f, 0.0f, 0.0f}) {
    parts.append(reinterpret_cast<const char*>(&low), sizeof(low));
    parts.append(5, '\0');
  }
  bytes.insert(bytes.size() - 15, parts);
  const auto read = CurveClip::from_bytes(bytes, "no_bits.curves");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->to_bytes(), bytes);
  Pose pose;
  read->sample(3.5, pose);
  EXPECT_NEAR(pose.rotation(0).angularDistance(Quatf(Eigen::AngleAxisf(0.5f, Vec3f::UnitX()))), 0.0f, 1e-6f);
}

TEST(CurveClip, RefusesWhatIsNoSuchFile) {
  const auto fit = fit_curves(scenes::walk({.duration_s = 0.5}).clip);
  const std::string bytes = fit->curves.to_bytes();
  EXPECT_THAT(CurveClip::from_bytes("BVH", "x.curves").error().message, testing::HasSubstr("x.curves: byte 0"));
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_FALSE(CurveClip::from_bytes(std::string_view(bytes).substr(0, size), "cut").has_value()) << size;
  }
  EXPECT_FALSE(CurveClip::from_bytes(bytes + "x", "long").has_value());
  // Any single byte changed is refused or still gives finite postures.
  scenes::Random random(8);
  for (int i = 0; i < 400; ++i) {
    std::string broken = bytes;
    broken[random.index(static_cast<int>(bytes.size()))] = static_cast<char>(random.index(256));
    const auto read = CurveClip::from_bytes(broken, "broken");
    if (!read) continue;
    Pose pose;
    read->sample(3, pose);
    for (const float value : pose.rotation_lanes()) ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(CurveClip, RefusesBoundsThatCannotBeHeld) {
  const Clip clip = scenes::walk({.duration_s = 0.5}).clip;
  EXPECT_FALSE(fit_curves(clip, {.max_error_m = 0.0}).has_value());
  EXPECT_FALSE(fit_curves(clip, {.max_error_m = NAN}).has_value());
  const auto fine = fit_curves(clip, {.max_error_m = 1e-9});
  ASSERT_FALSE(fine.has_value());
  EXPECT_EQ(fine.error().code, ErrorCode::not_possible);
}

TEST(CurveClip, TheSameEditsWorkOnIt) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  const auto fit = fit_curves(clip);
  const Clip decoded = *fit->curves.decode();
  const JointIndex hand = clip.skeleton().find("left_hand");
  const Vec3d goal = clip_positions(clip).joint(60, hand) + Vec3d(0.1, 0.1, 0.1);
  const auto a = edit_segment(analysis::study(clip, map), {.handles = {{hand, goal}}, .to_s = 1.0});
  const auto b = edit_segment(analysis::study(decoded, map), {.handles = {{hand, goal}}, .to_s = 1.0});
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_LT(b->handles[0].end_error_m, 1e-5);
  EXPECT_LT(largest_error_m(a->clip, b->clip), 0.01);
}

// The aim: 10 s of a 31-joint clip at 60 Hz in 44 kB at 1.2 mm, salsas too.
TEST(CurveClipReal, TenSecondsFitInFortyFourKilobytes) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"13_35", "60_10"}) {
    const auto file =
        io::read_motion(test::real_data_dir() / "cmu-bvh" / (std::string(name) + ".bvh"), {.drop_tpose = true});
    ASSERT_TRUE(file.has_value());
    const auto clip = resample(file->clips[0], 60.0);
    ASSERT_TRUE(clip.has_value());
    const auto fit = fit_curves(*clip, {.max_error_m = 0.0012});
    ASSERT_TRUE(fit.has_value()) << fit.error().message;
    EXPECT_LE(fit->max_error_m, 0.0012) << name;
    EXPECT_LE(static_cast<double>(fit->curves.curve_bytes()) * 10.0 / clip->duration_s(), 44e3) << name;
  }
}

}  // namespace
}  // namespace shosa::segment
