#include "shosa/submovement/body.h"

#include <gmock/gmock.h>

#include "scenes/scenes.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

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
  const auto groups = body::limb_groups(clip.skeleton(), body::guess_body_map(clip.skeleton()));
  const auto made = decompose_body(clip, {.groups = groups});
  ASSERT_TRUE(made.has_value());
  const auto at = [&](const char* name) { return made->body.rotations[clip.skeleton().find(name)]; };
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

// The mirror of the sampled clip is an independent path to the same motion.
TEST(Body, TheMirrorOfItsSubmovementsPlaysTheMirrorOfTheClip) {
  const BodyDecomposition& body = walk_body().body;
  const auto partner = body::mirror_partners(*body.skeleton, body::guess_body_map(*body.skeleton));
  const auto mirrored = mirror(body, partner);
  ASSERT_TRUE(mirrored.has_value()) << mirrored.error().message;
  const auto wanted = shosa::mirror(recompose(body), partner);
  ASSERT_TRUE(wanted.has_value());
  const ClipPositions a = clip_positions(*wanted), b = clip_positions(recompose(*mirrored));
  double most = 0.0, moved = 0.0;
  const ClipPositions before = clip_positions(recompose(body));
  for (int i = 0; i < a.frame_count(); ++i)
    for (JointIndex j = 0; j < a.joint_count(); ++j) {
      most = std::max(most, (a.joint(i, j) - b.joint(i, j)).norm());
      moved = std::max(moved, (before.joint(i, j) - b.joint(i, j)).norm());
    }
  EXPECT_LT(most, 1e-5);
  EXPECT_GT(moved, 0.1);
}

TEST(Body, AMirrorNeedsAPartnerForEveryJoint) {
  const BodyDecomposition& body = walk_body().body;
  auto partner = body::mirror_partners(*body.skeleton, body::guess_body_map(*body.skeleton));
  const auto arm = static_cast<std::size_t>(body.skeleton->find("left_lower_arm"));
  partner[arm] = body.skeleton->find("left_lower_leg");
  const auto bad = mirror(body, partner);
  ASSERT_FALSE(bad.has_value());
  EXPECT_THAT(bad.error().message, HasSubstr("'left_lower_arm'"));
  partner.pop_back();
  EXPECT_FALSE(mirror(body, partner).has_value());
}

TEST(Body, TwiceAsSlowItIsAtTheSamePlacesAtTwiceTheTimes) {
  BodyDecomposition slow = walk_body().body;
  slow.feet = {{.joint = 3, .heel_rest_m = 0.1, .stances = {{.time = {0.5, 1.0}}}}};
  ASSERT_TRUE(retime(slow, 2.0, 0.25).has_value());
  EXPECT_EQ(slow.frame_count, 2 * (walk_body().body.frame_count - 1) + 16);
  EXPECT_EQ(slow.feet[0].stances[0].time.begin_s, 1.25);
  EXPECT_EQ(slow.feet[0].stances[0].time.end_s, 2.25);
  Pose a, b;
  for (const double time_s : {0.0, 0.7, 1.9}) {
    sample(walk_body().body, time_s, a);
    sample(slow, 2.0 * time_s + 0.25, b);
    for (JointIndex j = 0; j < slow.skeleton->joint_count(); ++j) {
      EXPECT_LT(a.rotation(j).angularDistance(b.rotation(j)), 1e-3F);
      EXPECT_LT((a.translation(j) - b.translation(j)).norm(), 1e-5F);
    }
  }
}

TEST(Body, TimesThatLeaveNothingOrTooMuchAreRefused) {
  BodyDecomposition body = walk_body().body;
  for (const auto& [factor, later_s] : {std::pair{0.0, 0.0},
                                        {-1.0, 9.0},
                                        {1.0, -3.0},
                                        {1e9, 0.0},
                                        {1.0, 1e9},
                                        {std::nan(""), 0.0},
                                        {1.0, std::nan("")}})
    EXPECT_FALSE(retime(body, factor, later_s).has_value()) << factor << ", " << later_s;
  EXPECT_EQ(body.frame_count, walk_body().body.frame_count);
}

}  // namespace
}  // namespace shosa::submovement
