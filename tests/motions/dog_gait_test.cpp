#include <gtest/gtest.h>

#include "motions/measure.h"
#include "shosa/analysis/studied_clip.h"

// Hildebrand, J. Mammalogy 49 (1968) 206-223: a walk keeps each foot down for more than half of the cycle, in lateral
// sequence; a trot sets diagonal feet down together.

namespace shosa {
namespace {

using test::shipped;

double first_after(const std::vector<double>& times, double time_s) {
  for (const double t : times) {
    if (t > time_s) return t;
  }
  return -1.0;
}

/// When a foot lands after the left hind foot did, as a share of the cycle.
double phase(const motions::Motion& motion, const char* foot) {
  const auto contacts = test::contacts_of(motion);
  const double hind = first_after(test::strikes_of(contacts, "hind_left"), 0.3);
  const double other = first_after(test::strikes_of(contacts, foot), hind - 0.04);
  return (other - hind) / motion.cycle_s;
}

TEST(DogGait, WalkIsALateralSequenceThatAlwaysStands) {
  const auto& walk = shipped("dog_walk");
  EXPECT_NEAR(phase(walk, "front_left"), 0.25, 0.06);
  EXPECT_NEAR(phase(walk, "hind_right"), 0.50, 0.06);
  EXPECT_NEAR(phase(walk, "front_right"), 0.75, 0.06);
  EXPECT_TRUE(analysis::flight_intervals(test::contacts_of(walk), {0.0, walk.clip.last_time_s()}, 0.03).empty());
}

TEST(DogGait, TrotSetsDiagonalFeetDownTogetherAndFlies) {
  const auto& trot = shipped("dog_trot");
  EXPECT_NEAR(phase(trot, "front_right"), 0.0, 0.08);
  EXPECT_NEAR(phase(trot, "hind_right"), 0.5, 0.08);
  EXPECT_NEAR(phase(trot, "front_left"), 0.5, 0.08);
  EXPECT_FALSE(trot.flights.empty());
  const auto root = analysis::study(trot.clip, trot.body_map).root();
  EXPECT_NEAR(analysis::root_speed_mps(root), 2.1, 0.1);
}

TEST(DogLying, HindLegsGoFirstInLieDownAndTogetherWithTheFrontInDrop) {
  const auto half_down_s = [](const motions::Motion& motion, const char* joint) {
    const ClipPositions positions = clip_positions(motion.clip);
    const JointIndex j = motion.clip.skeleton().find(joint);
    const double top = positions.joint(0, j).y(), bottom = positions.joint(motion.clip.frame_count() - 1, j).y();
    EXPECT_LT(bottom, 0.7 * top) << joint;
    for (int f = 0; f < motion.clip.frame_count(); ++f) {
      if (positions.joint(f, j).y() < 0.5 * (top + bottom)) return f * motion.clip.frame_time_s();
    }
    return -1.0;
  };
  const auto& lie = shipped("dog_lie_down");
  EXPECT_GT(half_down_s(lie, "neck") - half_down_s(lie, "hips"), 0.8);
  const auto& drop = shipped("dog_drop");
  EXPECT_LT(std::abs(half_down_s(drop, "neck") - half_down_s(drop, "hips")), 0.1);
}

TEST(DogLying, ChestAndBellyAreOnTheFloorWithElbowsAndHocksBesideThem) {
  for (const char* name : {"dog_lie_down", "dog_drop", "dog_get_up"}) {
    const auto& motion = shipped(name);
    const ClipPositions positions = clip_positions(motion.clip);
    const int lying = std::string(name) == "dog_get_up" ? 0 : motion.clip.frame_count() - 1;
    const auto height = [&](const char* joint) {
      return positions.joint(lying, motion.clip.skeleton().find(joint)).y();
    };
    // Half the depth of the trunk as it is drawn: 9.4, 11.3 and 13.1 cm (draw: barrel of a quadruped).
    EXPECT_NEAR(height("hips") - 0.094, 0.0, 0.022) << name;
    EXPECT_NEAR(height("spine") - 0.113, 0.0, 0.025) << name;
    EXPECT_NEAR(height("chest") - 0.131, 0.0, 0.022) << name;
    for (const char* joint : {"left_lower_arm", "right_lower_arm", "left_lower_leg", "right_lower_leg", "left_foot"}) {
      EXPECT_GT(height(joint), 0.01) << name << ' ' << joint;
      EXPECT_LT(height(joint), 0.09) << name << ' ' << joint;
    }
  }
}

TEST(DogLying, NoJointJumps) {
  for (const char* name : {"dog_lie_down", "dog_drop", "dog_get_up"}) {
    const ClipPositions positions = clip_positions(shipped(name).clip);
    for (int f = 1; f + 1 < positions.frame_count(); ++f) {
      for (JointIndex j = 0; j < positions.joint_count(); ++j) {
        const Vec3d second = positions.joint(f - 1, j) - 2.0 * positions.joint(f, j) + positions.joint(f + 1, j);
        EXPECT_LT(second.norm(), 0.02) << name << " joint " << j << " frame " << f;
      }
    }
  }
}

TEST(DogLying, NothingIsBelowTheFloor) {
  for (const char* name : {"dog_lie_down", "dog_drop", "dog_get_up"}) {
    const ClipPositions positions = clip_positions(shipped(name).clip);
    for (int f = 0; f < positions.frame_count(); ++f) {
      for (const Vec3d& point : positions.frame(f)) ASSERT_GT(point.y(), -0.005) << name << " frame " << f;
    }
  }
}

}  // namespace
}  // namespace shosa
