#include "shosa/submovement/body.h"

#include <gmock/gmock.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/submovement/file.h"

namespace shosa::submovement {
namespace {

using testing::HasSubstr;

const BodyResult& walk_body() {
  static const BodyResult result = *decompose_body(scenes::walk({.duration_s = 2.0}).clip);
  return result;
}

TEST(Body, AWalkPlaysBackNearTheOriginal) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const BodyResult& made = walk_body();
  const Clip again = recompose(made.body);
  ASSERT_EQ(again.frame_count(), clip.frame_count());
  EXPECT_EQ(again.frame_time_s(), clip.frame_time_s());
  EXPECT_LT(made.position_rms_m, 0.012);
  EXPECT_LT(made.worst_translation_rms_m, 0.0031);
  // The figure in the result is the one measured from outside.
  const ClipPositions a = clip_positions(clip), b = clip_positions(again);
  double sum = 0.0;
  for (int i = 0; i < clip.frame_count(); ++i)
    for (JointIndex j = 0; j < clip.joint_count(); ++j) sum += (a.joint(i, j) - b.joint(i, j)).squaredNorm();
  EXPECT_NEAR(std::sqrt(sum / (clip.frame_count() * clip.joint_count())), made.position_rms_m, 1e-9);
}

TEST(Body, SharedTimingsAreTheSameForAWholeLimb) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const auto groups = limb_groups(clip.skeleton(), body::guess_body_map(clip.skeleton()));
  const auto made = decompose_body(clip, {.groups = groups});
  ASSERT_TRUE(made.has_value());
  const auto at = [&](const char* name) {
    return made->body.rotations[static_cast<std::size_t>(clip.skeleton().find(name))];
  };
  const RotationModel thigh = at("left_upper_leg"), shank = at("left_lower_leg"), arm = at("left_upper_arm");
  ASSERT_EQ(thigh.submovements.size(), shank.submovements.size());
  ASSERT_FALSE(thigh.submovements.empty());
  for (std::size_t k = 0; k < thigh.submovements.size(); ++k)
    EXPECT_EQ(thigh.submovements[k].t0_s, shank.submovements[k].t0_s);
  EXPECT_TRUE(arm.submovements.empty() || arm.submovements[0].t0_s != thigh.submovements[0].t0_s);
  EXPECT_LT(made->position_rms_m, 0.04);
}

TEST(Body, SamplingAtAFrameIsTheFrame) {
  const BodyResult& made = walk_body();
  const Clip clip = recompose(made.body);
  Pose pose;
  sample(made.body, 30 * clip.frame_time_s(), pose);
  const Pose frame = clip.frame(30);
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    EXPECT_LT(pose.rotation(j).angularDistance(frame.rotation(j)), 1e-3F);
    EXPECT_LT((pose.translation(j) - frame.translation(j)).norm(), 1e-5F);
  }
}

TEST(Body, RefusesNotANumberAndGroupsThatDoNotFit) {
  Clip clip = scenes::stand(0.5).clip;
  EXPECT_FALSE(decompose_body(clip, {.groups = {1, 2}}).has_value());
  EXPECT_FALSE(decompose_body(clip, {.channel = {.solver = Solver::cma_es}}).has_value());
  clip.set_translation(3, 0, Vec3f(std::nanf(""), 0, 0));
  const auto bad = decompose_body(clip);
  ASSERT_FALSE(bad.has_value());
  EXPECT_THAT(bad.error().message, HasSubstr("frame 3"));
}

TEST(SubmovementFile, ComesBackAsItWasWritten) {
  const BodyDecomposition& body = walk_body().body;
  const std::string bytes = encode(body);
  const auto again = decode(bytes, "walk.submove");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(same_skeleton(*again->skeleton, *body.skeleton));
  EXPECT_EQ(again->frame_count, body.frame_count);
  EXPECT_EQ(again->frame_time_s, body.frame_time_s);
  EXPECT_EQ(again->submovement_count(), body.submovement_count());
  EXPECT_EQ(encode(*again), bytes);
}

TEST(SubmovementFile, RefusesARestRotationOfNothing) {
  const BodyDecomposition& body = walk_body().body;
  std::string bytes = encode(body);
  // Magic, frames, frame time, name, joints, the first joint's name, parent and rest translation.
  const std::size_t at = 8 + 4 + 8 + 4 + body.name.size() + 4 + 4 + body.skeleton->name(0).size() + 4 + 12;
  for (std::size_t i = 0; i < 16; ++i) bytes[at + i] = 0;
  bytes[at + 12] = 1;
  const auto again = decode(bytes, "nothing.submove");
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("a rotation is zero"));
}

TEST(SubmovementFile, EveryCutAndMostFlipsAreErrorsAndNoneIsWorse) {
  const std::string bytes = encode(walk_body().body);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40) {
    const auto cut = decode(std::string_view(bytes).substr(0, size), "cut.submove");
    ASSERT_FALSE(cut.has_value()) << size;
    EXPECT_THAT(cut.error().message, HasSubstr("cut.submove"));
  }
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(~flipped[at]);
    (void)decode(flipped, "flipped");
  }
  EXPECT_FALSE(decode(bytes + "x", "long").has_value());
}

}  // namespace
}  // namespace shosa::submovement
