// How people bend: postures found by where hands and feet are, and edits that take them.

#include "shosa/posing/posture_prior.h"

#include <gmock/gmock.h>

#include "scenes/allocations.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {
namespace {

using testing::HasSubstr;

class PostureOfPeople : public testing::Test {
 protected:
  PostureOfPeople() : stand_(held(120)), map_(body::guess_body_map(stand_.skeleton())) {
    auto prior = PosturePrior::create(stand_.skeleton_ptr(), map_, std::vector{crouch()});
    EXPECT_TRUE(prior.has_value()) << prior.error().message;
    prior_ = std::make_shared<const PosturePrior>(std::move(*prior));
  }
  static Clip held(int frames) {
    const Clip stand = scenes::stand().clip;
    Clip out(stand.skeleton_ptr(), frames, 1.0 / 60.0);
    for (int f = 0; f < frames; ++f) out.set_frame(f, stand.frame(0));
    return out;
  }
  JointIndex joint(const char* name) const { return stand_.skeleton().find(name); }

  /// Down to bent knees, the right arm reaching down in front, the left one hanging.
  Clip crouch() const {
    Clip clip = held(60);
    for (int f = 0; f < clip.frame_count(); ++f) {
      const float share = static_cast<float>(f) / 59.0F;
      const auto bend = [&](const char* name, float angle) {
        clip.set_rotation(f, joint(name),
                          clip.rotation(f, joint(name)) * Quatf(Eigen::AngleAxisf(share * angle, Vec3f::UnitX())));
      };
      bend("hips", 0.5F);
      bend("spine", 0.5F);
      for (const std::string side : {"left_", "right_"}) {
        bend((side + "upper_leg").c_str(), -1.9F);
        bend((side + "lower_leg").c_str(), 2.0F);
        bend((side + "foot").c_str(), -0.6F);
      }
      bend("right_upper_arm", -0.8F);
      Articulation body(clip.skeleton_ptr());
      body.set_pose(clip.frame(f));
      const Vec3d way = stand_foot() - body.world().positions[joint("right_foot")];
      clip.set_translation(f, 0, clip.translation(f, 0) + way.cast<float>());
    }
    return clip;
  }
  Vec3d stand_foot() const { return place(held(1), 0, "right_foot"); }
  Vec3d place(const Clip& clip, int frame, const char* name) const {
    return forward_kinematics(clip.skeleton(), clip.frame(frame)).positions[clip.skeleton().find(name)];
  }
  double knee_deg(const Clip& clip, int frame, const char* name) const {
    return clip.rotation(0, joint(name)).angularDistance(clip.rotation(frame, joint(name))) * 180.0 / M_PI;
  }
  std::vector<PriorGoal> goals(const Vec3d& hand_m, const char* side = "right") const {
    const std::string s = side;
    return {
        {.joint = joint((s + "_hand").c_str()), .position_m = hand_m, .limb_top = joint((s + "_upper_arm").c_str())},
        {.joint = joint("left_foot"), .position_m = place(stand_, 0, "left_foot"), .leads = false},
        {.joint = joint("right_foot"), .position_m = place(stand_, 0, "right_foot"), .leads = false}};
  }
  Articulation standing() const {
    Articulation body(stand_.skeleton_ptr());
    body.set_pose(stand_.frame(0));
    return body;
  }
  MotionEditParams drag_of(const Vec3d& to_m, bool with_prior) const {
    MotionEditParams edit = body_edit(stand_.skeleton(), map_);
    for (const char* foot : {"left_foot", "right_foot"})
      edit.pins.push_back({.joint = joint(foot), .hold_orientation = true});
    edit.drags = {{.joint = joint("right_hand"), .keys = {{0.8, to_m}}, .fade_in_s = 0.7, .fade_out_s = 0.5}};
    if (with_prior) edit.prior = prior_;
    return edit;
  }

  Clip stand_;
  body::BodyMap map_;
  std::shared_ptr<const PosturePrior> prior_;
};

TEST_F(PostureOfPeople, AHandLedToTheFloorBendsTheKneesAndComesHome) {
  const Vec3d floor = place(crouch(), 59, "right_hand");
  const auto with = edit_motion(stand_, drag_of(floor, true)), without = edit_motion(stand_, drag_of(floor, false));
  ASSERT_TRUE(with && without);
  const int there = stand_.nearest_frame(0.8);
  EXPECT_LT((place(with->clip, there, "right_hand") - floor).norm(), 1e-3);
  EXPECT_LT(with->max_pin_error_m, 1e-3);
  double error[2] = {0.0, 0.0};
  for (const char* name : {"hips", "spine", "head", "left_lower_leg", "right_lower_leg", "right_lower_arm"}) {
    const Vec3d people = place(crouch(), 59, name);
    error[0] += (place(without->clip, there, name) - people).norm() / 6.0;
    error[1] += (place(with->clip, there, name) - people).norm() / 6.0;
  }
  EXPECT_GT(error[0], 0.15);
  EXPECT_LT(error[1], 0.05);
  EXPECT_LT(knee_deg(without->clip, there, "left_lower_leg"), 40.0);
  EXPECT_GT(knee_deg(with->clip, there, "left_lower_leg"), 80.0);
  for (JointIndex j = 0; j < stand_.joint_count(); ++j)
    EXPECT_EQ(with->clip.rotation(119, j).coeffs(), stand_.rotation(119, j).coeffs()) << stand_.skeleton().name(j);
}

TEST_F(PostureOfPeople, WithinTheArmsReachItHasNoSay) {
  const Vec3d near = place(stand_, 0, "right_upper_arm") + Vec3d(0.0, -0.2, 0.3);
  const auto with = edit_motion(stand_, drag_of(near, true)), without = edit_motion(stand_, drag_of(near, false));
  ASSERT_TRUE(with && without);
  for (int f = 0; f < stand_.frame_count(); ++f)
    for (JointIndex j = 0; j < stand_.joint_count(); ++j)
      ASSERT_EQ(with->clip.rotation(f, j).coeffs(), without->clip.rotation(f, j).coeffs()) << f;
  PostureLookup lookup(prior_);
  EXPECT_EQ(lookup.find(standing(), goals(near)), 0.0);
}

TEST_F(PostureOfPeople, TheOtherHandFindsTheSamePostureInTheMirror) {
  const Vec3d low = place(crouch(), 45, "right_hand");
  PostureLookup lookup(prior_);
  const double right = lookup.find(standing(), goals(low));
  const Vec3d hips = lookup.posture().world().positions[joint("hips")];
  const double left = lookup.find(standing(), goals(Vec3d(-low.x(), low.y(), low.z()), "left"));
  EXPECT_GT(right, 0.2);
  EXPECT_NEAR(left, right, 1e-3);
  EXPECT_NEAR(lookup.posture().world().positions[joint("hips")].y(), hips.y(), 1e-3);
}

TEST_F(PostureOfPeople, ThePostureFollowsTheGoalWithoutJumpsAndWithoutMemory) {
  const Vec3d from = place(stand_, 0, "right_hand"), to = place(crouch(), 59, "right_hand");
  const Articulation body = standing();
  PostureLookup lookup(prior_);
  std::vector<PriorGoal> asked = goals(to);
  (void)lookup.find(body, asked);
  WorldPose last = body.world();
  const long before = scenes::allocations();
  constexpr int kSteps = 1000;  // 0.7 mm each
  double largest_m = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    asked[0].position_m = from + (static_cast<double>(i) / kSteps) * (to - from);
    const double share = lookup.find(body, asked);
    const WorldPose& now = share > 0.0 ? lookup.posture().world() : body.world();
    for (std::size_t j = 0; j < now.positions.size(); ++j)
      largest_m = std::max(largest_m, (now.positions[j] - last.positions[j]).norm());
    for (std::size_t j = 0; j < now.positions.size(); ++j) last.positions[j] = now.positions[j];
  }
  EXPECT_EQ(scenes::allocations() - before, 0);
  EXPECT_GT(largest_m, 1e-4);
  EXPECT_LT(largest_m, 0.01);
}

TEST_F(PostureOfPeople, RefusesWhatItCannotUse) {
  const Clip walk = scenes::dog_walk().clip;
  EXPECT_THAT(PosturePrior::create(stand_.skeleton_ptr(), map_, std::vector{walk}).error().message,
              HasSubstr("another skeleton"));
  EXPECT_THAT(PosturePrior::create(stand_.skeleton_ptr(), {}, std::vector{stand_}).error().message,
              HasSubstr("without hips or feet"));
  EXPECT_THAT(PosturePrior::create(stand_.skeleton_ptr(), map_, {}).error().message, HasSubstr("no posture"));
  Clip lying = held(1);
  lying.set_rotation(0, 0, Quatf(Eigen::AngleAxisf(static_cast<float>(M_PI) / 2.0F, Vec3f::UnitX())));
  EXPECT_THAT(PosturePrior::create(stand_.skeleton_ptr(), map_, std::vector{lying}).error().message,
              HasSubstr("no posture"));
}

}  // namespace
}  // namespace shosa::posing
