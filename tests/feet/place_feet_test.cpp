#include "shosa/feet/place_feet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::feet {
namespace {

using testing::HasSubstr;

/// What stands in the motion, as a plan without any wish of its own.
StancePlan stances_of(const Clip& clip, const body::BodyMap& map, const CapturedStanceParams& params = {}) {
  const analysis::StudiedClip studied = analysis::study(clip, map);
  return *captured_stances(clip, studied.positions(), studied.contacts(), params);
}

int ball_of(const FootPlan& foot) {
  return foot.points.toe >= 0 ? foot.points.toe : foot.points.joint;
}

class PlaceFeet : public testing::Test {
 protected:
  // The walk with its root led astray: every foot slides, and sinks into the floor at times.
  static Clip astray(const Clip& clip) {
    Clip out = clip;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const float t = static_cast<float>(f * clip.frame_time_s());
      const Vec3f off(0.03f * std::sin(5.0f * t), 0.012f * std::sin(7.0f * t), 0.04f * std::sin(3.0f * t));
      out.set_translation(f, 0, clip.translation(f, 0) + off);
    }
    return out;
  }
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  body::BodyMap map_ = body::guess_body_map(walk_.skeleton());
  StancePlan plan_ = stances_of(walk_, map_);
  Clip slid_ = astray(walk_);
  JointIndex joint(const char* name) const { return walk_.skeleton().find(name); }
};

TEST_F(PlaceFeet, APlanThatTheMotionObeysChangesNoBit) {
  // Someone who stands: balls and flat feet exactly where they are.
  Clip stand(walk_.skeleton_ptr(), 60, 1.0 / 60.0);
  Pose pose = Pose::rest(stand.skeleton());
  for (const char* knee : {"left_lower_leg", "right_lower_leg"}) {
    pose.set_rotation(joint(knee), Quatf(Eigen::AngleAxisf(0.3f, Vec3f::UnitX())));
  }
  for (int f = 0; f < 60; ++f) stand.set_frame(f, pose);
  StancePlan plan = stances_of(stand, map_);
  ASSERT_FALSE(plan.feet[0].stances.empty());
  const auto placed = place_feet(stand, map_, plan);
  ASSERT_TRUE(placed.has_value()) << placed.error().message;
  EXPECT_EQ(placed->max_joint_change_m, 0.0);
  EXPECT_EQ(placed->report.iterations, 0);
}

TEST_F(PlaceFeet, AStanceThatIsMovedIsMetAndTheRestOfTheClipStays) {
  StancePlan plan = plan_;
  // One stance in the middle goes 4 cm to the side.
  FootPlan& foot = plan.feet[0];
  const auto stance = std::find_if(foot.stances.begin(), foot.stances.end(),
                                   [](const Stance& s) { return s.ball_m && s.first > 40 && !s.rises; });
  ASSERT_NE(stance, foot.stances.end());
  *stance->ball_m += Vec3d(0.04, 0.0, 0.0);
  const auto moved = place_feet(walk_, map_, plan), same = place_feet(walk_, map_, plan_);
  ASSERT_TRUE(moved.has_value() && same.has_value());
  const ClipPositions a = clip_positions(moved->clip), b = clip_positions(same->clip);
  for (int f = stance->first; f <= stance->last; ++f) {
    EXPECT_LT((a.point(f, ball_of(foot)) - *stance->ball_m).norm(), 1e-5) << f;
  }
  // A second away nobody knows of it.
  for (int f = stance->last + 60; f < walk_.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) EXPECT_LT((a.joint(f, j) - b.joint(f, j)).norm(), 1e-3);
  }
}

TEST_F(PlaceFeet, FeetThatSlidStandWhereThePlanSaysAndNoneIsBelowTheGround) {
  const auto placed = place_feet(slid_, map_, plan_);
  ASSERT_TRUE(placed.has_value()) << placed.error().message;
  EXPECT_LT(placed->max_foot_error_m, 1e-4);
  const ClipPositions before = clip_positions(slid_), after = clip_positions(placed->clip);
  double deepest_before = 0.0, deepest = 0.0;
  for (const FootPlan& foot : plan_.feet) {
    for (const Stance& stance : foot.stances) {
      for (int f = stance.first; f <= stance.last && stance.ball_m && !stance.rises; ++f) {
        EXPECT_LT((after.point(f, foot.points.toe) - *stance.ball_m).norm(), 1e-4) << f;
      }
    }
    for (int f = 0; f < slid_.frame_count(); ++f) {
      for (const int point : {foot.points.heel, foot.points.toe, foot.points.tip}) {
        const double ground = foot.ground_m[f];
        deepest = std::max(deepest, ground - after.point(f, point).y());
        deepest_before = std::max(deepest_before, ground - before.point(f, point).y());
      }
    }
  }
  EXPECT_GT(deepest_before, 0.01);
  EXPECT_LT(deepest, 1e-3);
}

TEST_F(PlaceFeet, AFlatFootDoesNotTurn) {
  const auto placed = place_feet(slid_, map_, plan_);
  ASSERT_TRUE(placed.has_value());
  const FootPlan& foot = plan_.feet[0];
  int flats = 0;
  for (const Stance& stance : foot.stances) {
    for (int f = stance.first; f <= stance.last && stance.rotation; ++f, ++flats) {
      const WorldPose world = forward_kinematics(placed->clip.skeleton(), placed->clip.frame(f));
      EXPECT_LT(world.rotations[foot.points.joint].angularDistance(*stance.rotation), 1e-4);
    }
  }
  EXPECT_GT(flats, 10);
}

TEST_F(PlaceFeet, JointsOutsideTheLegsKeepTheirRotationsToTheBit) {
  const auto placed = place_feet(slid_, map_, plan_);
  ASSERT_TRUE(placed.has_value());
  for (JointIndex j = 0; j < slid_.joint_count(); ++j) {
    const std::string& name = slid_.skeleton().name(j);
    if (name.find("leg") != std::string::npos || name.find("foot") != std::string::npos ||
        name.find("toes") != std::string::npos) {
      continue;
    }
    for (int f = 0; f < slid_.frame_count(); ++f) {
      ASSERT_EQ(placed->clip.rotation(f, j).coeffs(), slid_.rotation(f, j).coeffs()) << name << " in frame " << f;
    }
  }
}

// Raised by 5 cm above the ground it is to stand on: the body must come down, and no knee turn inside out.
TEST_F(PlaceFeet, LegsThatCannotReachBringTheRootDownAndKneesNeverBendBackwards) {
  Clip high = walk_;
  for (int f = 0; f < walk_.frame_count(); ++f) {
    high.set_translation(f, 0, walk_.translation(f, 0) + Vec3f(0.0f, 0.05f, 0.0f));
  }
  const auto placed = place_feet(high, map_, plan_);
  ASSERT_TRUE(placed.has_value()) << placed.error().message;
  EXPECT_LT(placed->max_foot_error_m, 1e-3);
  const ClipPositions after = clip_positions(placed->clip);
  for (int f = 0; f < high.frame_count(); ++f) {
    for (const char* side : {"left", "right"}) {
      const auto at = [&](const char* part) { return after.joint(f, joint((std::string(side) + part).c_str())); };
      const Vec3d thigh = at("_lower_leg") - at("_upper_leg"), shank = at("_foot") - at("_lower_leg");
      const Vec3d toe = at("_toes") - at("_foot");
      // A knee bends one way and the ankle the other.
      EXPECT_LT(thigh.cross(shank).dot(shank.cross(toe)), 1e-4) << side << " in frame " << f;
    }
  }
}

TEST_F(PlaceFeet, ALevelledFootStandsOnItsGround) {
  const StancePlan level = stances_of(slid_, map_, {.level = true});
  const auto contacts = analysis::study(slid_, map_).contacts();
  const auto placed = place_feet(slid_, map_, level);
  ASSERT_TRUE(placed.has_value());
  const ClipPositions after = clip_positions(placed->clip);
  for (std::size_t i = 0; i < level.feet.size(); ++i) {
    for (const Stance& stance : level.feet[i].stances) {
      if (!stance.ball_m || stance.rises) continue;
      const auto f = static_cast<std::size_t>((stance.first + stance.last) / 2);
      EXPECT_NEAR(after.point(static_cast<int>(f), level.feet[i].points.toe).y(),
                  level.feet[i].ground_m[f] + contacts.feet[i].toe_rest_m, 1e-4);
    }
  }
}

TEST_F(PlaceFeet, TheSameInputGivesTheSameBits) {
  const auto a = place_feet(slid_, map_, plan_), b = place_feet(slid_, map_, plan_);
  ASSERT_TRUE(a.has_value() && b.has_value());
  for (int f = 0; f < slid_.frame_count(); ++f) {
    for (JointIndex j = 0; j < slid_.joint_count(); ++j) {
      ASSERT_EQ(a->clip.rotation(f, j).coeffs(), b->clip.rotation(f, j).coeffs());
    }
  }
}

TEST_F(PlaceFeet, AClipOfFewFramesIsPlacedToo) {
  for (const int frames : {1, 2, 3, 4}) {
    Clip brief(slid_.skeleton_ptr(), frames, slid_.frame_time_s());
    for (int f = 0; f < frames; ++f) brief.set_frame(f, slid_.frame(20 + f));
    EXPECT_TRUE(place_feet(brief, map_, stances_of(brief, map_)).has_value()) << frames;
  }
}

TEST_F(PlaceFeet, WrongPlansAndParametersAreRefusedByName) {
  PlaceFeetParams params;
  params.scales.root_m = 0.0;
  EXPECT_THAT(place_feet(slid_, map_, plan_, params).error().message, HasSubstr("scale of 0"));
  params = {};
  params.max_steps = 0;
  EXPECT_THAT(place_feet(slid_, map_, plan_, params).error().message, HasSubstr("0 steps"));
  EXPECT_THAT(place_feet(slid_, map_, {}).error().message, HasSubstr("0 feet"));
  StancePlan late = plan_;
  late.feet[1].stances.push_back({.first = 170, .last = 400});
  EXPECT_THAT(place_feet(slid_, map_, late).error().message, HasSubstr("right foot from frame 170 to 400"));
  StancePlan loose = plan_;
  loose.feet[0].points.limb = joint("right_upper_leg");
  EXPECT_THAT(place_feet(slid_, map_, loose).error().message, HasSubstr("left foot does not hang on its leg"));
}

TEST_F(PlaceFeet, ADogStandsOnFourFeet) {
  const Clip dog = scenes::dog_walk({.duration_s = 2.0}).clip;
  const body::BodyMap map = body::guess_body_map(dog.skeleton());
  const StancePlan plan = stances_of(dog, map);
  ASSERT_EQ(plan.feet.size(), 4u);
  const auto placed = place_feet(astray(dog), map, plan);
  ASSERT_TRUE(placed.has_value()) << placed.error().message;
  EXPECT_LT(placed->max_foot_error_m, 1e-3);
}

}  // namespace
}  // namespace shosa::feet
