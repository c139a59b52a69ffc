#include "motions/motions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "motions/measure.h"
#include "shosa/analysis/metrics.h"
#include "shosa/posing/human_ranges.h"

namespace shosa {
namespace {

using motions::Motion;
using test::shipped;

class Shipped : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Shipped, testing::ValuesIn(motions::names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(Shipped, FeetNeitherSlideNorSink) {
  const Motion& motion = shipped(GetParam());
  // Noh's steps slide by intent, a few millimetres above the floor: there the plan says when a foot stands.
  const auto contacts = test::slides(motion) ? test::planned_contacts(motion) : test::contacts_of(motion);
  const auto quality = analysis::measure_quality(*analysis::study(motion.clip, motion.body_map, contacts));
  EXPECT_LE(quality.foot_skate_mps, test::slides(motion) ? 0.0001 : 0.01);
  EXPECT_LE(quality.penetration_m, 0.005);
  // Feet that stand with their heels up, too: every stance has the ground of the soles, 1 cm below the toe tips.
  if (motion.body_map.kind != body::BodyKind::humanoid || GetParam().starts_with("step_")) return;
  for (const auto& foot : test::contacts_of(motion).feet) {
    for (const auto& stance : foot.stances) EXPECT_NEAR(stance.ground_m, 0.01, 0.003) << foot.points.name;
  }
}

TEST_P(Shipped, PlannedFeetAreStillAndOnTheGround) {
  const Motion& motion = shipped(GetParam());
  const ClipPositions positions = clip_positions(motion.clip);
  const Skeleton& skeleton = motion.clip.skeleton();
  for (const auto& plan : motion.feet) {
    int point =
        skeleton.find(plan.foot.ends_with("_foot") ? plan.foot.substr(0, plan.foot.size() - 4) + "toes" : plan.foot);
    if (plan.foot.ends_with("_hand")) {
      for (std::size_t i = 0; i < skeleton.end_sites().size(); ++i) {
        if (skeleton.end_sites()[i].name == plan.foot + "_end") point = skeleton.joint_count() + static_cast<int>(i);
      }
    }
    for (const TimeInterval& time : plan.toes) {
      const int first = static_cast<int>(std::ceil(time.begin_s / motion.clip.frame_time_s() - 1e-6));
      const int last = static_cast<int>(std::floor(time.end_s / motion.clip.frame_time_s() + 1e-6));
      for (int f = first; f <= last; ++f) {
        EXPECT_LT((positions.point(f, point) - positions.point(first, point)).norm(), 1e-3)
            << plan.foot << " at " << f * motion.clip.frame_time_s() << " s";
      }
    }
  }
}

TEST_P(Shipped, KeepsHumanRanges) {
  const Motion& motion = shipped(GetParam());
  if (test::is_dog(motion)) GTEST_SKIP() << "ranges are a human's";
  const auto ranges = posing::human_ranges(motion.clip.skeleton(), motion.body_map);
  ASSERT_TRUE(ranges.has_value());
  for (const auto& range : *ranges) {
    double worst_deg = 0.0, at_s = 0.0;
    for (int f = 0; f < motion.clip.frame_count(); ++f) {
      const auto nearest = range.range.nearest(motion.clip.rotation(f, range.joint).cast<double>());
      const double deg = nearest.correction_rad.norm() * 180.0 / M_PI;
      if (deg > worst_deg) worst_deg = deg, at_s = f * motion.clip.frame_time_s();
    }
    EXPECT_LE(worst_deg, 1.0) << motion.clip.skeleton().name(range.joint) << " at " << at_s << " s";
  }
}

TEST_P(Shipped, NoJointJumps) {
  const Motion& motion = shipped(GetParam());
  const double dt = motion.clip.frame_time_s();
  for (JointIndex j = 0; j < motion.clip.joint_count(); ++j) {
    Vec3d rate_before = Vec3d::Zero();
    for (int f = 1; f < motion.clip.frame_count(); ++f) {
      const Quatd turn =
          (motion.clip.rotation(f - 1, j).conjugate() * motion.clip.rotation(f, j)).cast<double>().normalized();
      const Eigen::AngleAxisd step(turn.w() < 0 ? Quatd(-turn.coeffs()) : turn);
      const Vec3d rate = step.angle() / dt * step.axis();
      // A fast punch extends the elbow at about 20 rad/s; a foot that meets the ground stops within a frame.
      EXPECT_LT(rate.norm(), 22.0) << motion.clip.skeleton().name(j) << " at " << f * dt << " s";
      if (f > 1) {
        EXPECT_LT((rate - rate_before).norm(), 11.0) << motion.clip.skeleton().name(j) << " at " << f * dt << " s";
      }
      rate_before = rate;
    }
  }
}

/// Largest second difference of the angle between two bones, degrees a frame squared.
double sharpest_deg(const Motion& motion, const ClipPositions& positions, const std::string& upper,
                    const std::string& middle, const std::string& end) {
  const Skeleton& skeleton = motion.clip.skeleton();
  std::vector<double> angle;
  for (int f = 0; f < positions.frame_count(); ++f) {
    const auto at = [&](const std::string& joint) { return positions.joint(f, skeleton.find(joint)); };
    const Vec3d a = (at(middle) - at(upper)).normalized(), b = (at(end) - at(middle)).normalized();
    angle.push_back(std::acos(std::clamp(a.dot(b), -1.0, 1.0)) * 180.0 / M_PI);
  }
  double most = 0.0;
  for (std::size_t f = 1; f + 1 < angle.size(); ++f) {
    most = std::max(most, std::abs(angle[f - 1] - 2.0 * angle[f] + angle[f + 1]));
  }
  return most;
}

TEST_P(Shipped, KneesAnklesAndElbowsDoNotKink) {
  const Motion& motion = shipped(GetParam());
  const ClipPositions positions = clip_positions(motion.clip);
  if (test::is_dog(motion)) {
    // A cycle of the trot is 26 frames, of the walk 42; lying down and getting up are slower than both.
    const double bound = GetParam() == "dog_trot" ? 9.5 : (GetParam() == "dog_walk" ? 6.5 : 4.5);
    for (const std::string side : {"left", "right"}) {
      EXPECT_LE(sharpest_deg(motion, positions, side + "_upper_arm", side + "_lower_arm", side + "_hand"), bound);
      EXPECT_LE(sharpest_deg(motion, positions, side + "_upper_leg", side + "_lower_leg", side + "_foot"), bound);
      EXPECT_LE(sharpest_deg(motion, positions, side + "_lower_leg", side + "_foot", side + "_toes"), bound);
    }
    return;
  }
  // Captured walks have up to 4.3 degrees at the knee and 4 to 10 at the ankle, runs up to 7.7 and 9, at 60 Hz.
  const bool runs = GetParam().starts_with("run"), walks = GetParam().starts_with("walk");
  for (const std::string side : {"left", "right"}) {
    EXPECT_LE(sharpest_deg(motion, positions, side + "_upper_leg", side + "_lower_leg", side + "_foot"),
              runs ? 6.0 : (walks ? 4.5 : 5.0));
    EXPECT_LE(sharpest_deg(motion, positions, side + "_lower_leg", side + "_foot", side + "_toes"), runs ? 10.0 : 6.0);
    EXPECT_LE(sharpest_deg(motion, positions, side + "_upper_arm", side + "_lower_arm", side + "_hand"), 5.0);
  }
}

TEST_P(Shipped, HeelsBallsAndToeTipsStayAboveTheFloor) {
  const Motion& motion = shipped(GetParam());
  if (test::is_dog(motion)) GTEST_SKIP() << "the sole is a human's";
  const Skeleton& skeleton = motion.clip.skeleton();
  for (int f = 0; f < motion.clip.frame_count(); ++f) {
    const WorldPose world = forward_kinematics(skeleton, motion.clip.frame(f));
    for (const std::string side : {"left", "right"}) {
      const auto foot = static_cast<std::size_t>(skeleton.find(side + "_foot"));
      const auto toes = static_cast<std::size_t>(skeleton.find(side + "_toes"));
      const auto low = [&](std::size_t joint, const Vec3d& point) {
        return (world.positions[joint] + world.rotations[joint] * point).y();
      };
      const double at_s = f * motion.clip.frame_time_s();
      EXPECT_GT(low(foot, {0, -0.08, -0.045}), -0.005) << side << " heel at " << at_s << " s";
      EXPECT_GT(low(toes, {0, 0, 0}) - 0.02, -0.005) << side << " ball at " << at_s << " s";
      EXPECT_GT(low(toes, {0, -0.01, 0.07}) - 0.01, -0.005) << side << " toe tip at " << at_s << " s";
    }
  }
}

TEST_P(Shipped, NoKneeLocks) {
  const Motion& motion = shipped(GetParam());
  if (test::is_dog(motion)) GTEST_SKIP() << "bounds are a human's";
  const ClipPositions positions = clip_positions(motion.clip);
  const Skeleton& skeleton = motion.clip.skeleton();
  for (const std::string side : {"left", "right"}) {
    for (int f = 0; f < positions.frame_count(); ++f) {
      const double reach =
          (positions.joint(f, skeleton.find(side + "_foot")) - positions.joint(f, skeleton.find(side + "_upper_leg")))
              .norm();
      // 2 degrees of bend; 0.84 m is thigh and shank in one line.
      EXPECT_LT(reach, 0.84 * std::cos(1.0 * M_PI / 180.0)) << side << " at " << f / 60.0 << " s";
    }
  }
}

TEST_P(Shipped, CoreAndPlanLieInsideTheClip) {
  const Motion& motion = shipped(GetParam());
  EXPECT_FALSE(motion.about.empty());
  EXPECT_GE(motion.core.begin_s, 0.0);
  EXPECT_LT(motion.core.begin_s, motion.core.end_s);
  EXPECT_LE(motion.core.end_s, motion.clip.last_time_s() + 1e-9);
  for (const auto& plan : motion.feet) {
    for (const auto& time : plan.standing) {
      EXPECT_GE(time.begin_s, 0.0);
      EXPECT_LE(time.end_s, motion.clip.last_time_s() + 1e-9);
    }
  }
}

TEST_P(Shipped, PlannedContactsAreFoundAgain) {
  const Motion& motion = shipped(GetParam());
  if (test::slides(motion)) GTEST_SKIP() << "sliding feet are hard to tell from standing ones";
  const auto contacts = test::contacts_of(motion);
  for (const auto& plan : motion.feet) {
    const JointIndex joint = motion.clip.skeleton().find(plan.foot);
    for (const auto& track : contacts.feet) {
      if (track.points.joint != joint) continue;
      const auto both = analysis::interval_intersection(track.joined, plan.standing);
      const double planned = analysis::total_length_s(plan.standing);
      EXPECT_GT(analysis::total_length_s(both), 0.85 * planned) << plan.foot;
      EXPECT_LT(analysis::total_length_s(track.joined), 1.1 * planned + 0.1) << plan.foot;
    }
  }
}

TEST(JumpingArms, SwingNoFasterThanPeoples) {
  // Upper arms of jumpers reach about 10 to 13 rad/s; 16 looks snatched.
  const Motion& jump = shipped("jump");
  const ClipPositions positions = clip_positions(jump.clip);
  const Skeleton& skeleton = jump.clip.skeleton();
  const auto upper_arm = [&](int f) {
    return (positions.joint(f, skeleton.find("left_lower_arm")) - positions.joint(f, skeleton.find("left_upper_arm")))
        .normalized();
  };
  double fastest = 0.0;
  for (int f = 1; f < positions.frame_count(); ++f) {
    fastest = std::max(fastest, std::acos(std::clamp(upper_arm(f).dot(upper_arm(f - 1)), -1.0, 1.0)) * 60.0);
  }
  EXPECT_LT(fastest, 13.0);
  EXPECT_GT(fastest, 8.0);
}

TEST(Motions, SameNameSameBits) {
  for (const std::string& name : motions::names()) {
    const auto again = motions::make(name);
    ASSERT_TRUE(again.has_value());
    const Clip &a = shipped(name).clip, &b = again->clip;
    ASSERT_EQ(a.frame_count(), b.frame_count());
    for (int f = 0; f < a.frame_count(); ++f) {
      const auto bytes = static_cast<std::size_t>(block_count(a.joint_count())) * 4 * kLanes * sizeof(float);
      ASSERT_EQ(std::memcmp(a.rotation_lanes(f), b.rotation_lanes(f), bytes), 0) << name << " frame " << f;
      ASSERT_EQ(std::memcmp(a.translation_values(f), b.translation_values(f), 3 * sizeof(float)), 0) << name;
    }
  }
}

TEST(Motions, NamesAreUniqueAndUnknownOnesAreRefusedWithTheList) {
  const auto& names = motions::names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  const auto none = motions::make("moonwalk");
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("walk_normal"), std::string::npos);
}

TEST(Motions, BadTextsAreRefusedWithLineAndWord) {
  const auto message = [](const char* text) {
    const auto motion = motions::make_from_text("x", text, "x.motion");
    return motion ? std::string("accepted") : motion.error().message;
  };
  EXPECT_EQ(message("duration 2\nkey 0 0 spine 1 2"), "x.motion:2: a word is missing after '2'");
  EXPECT_EQ(message("key 0 0\nkey 1 1 hop 3"), "x.motion:2: unknown word 'hop' in a posture");
  EXPECT_EQ(message("duration two"), "x.motion:1: 'two' found, a number expected");
  EXPECT_EQ(message("step left 1.0 0.5 0 0 0"), "x.motion:1: a step must lift before it lands");
  EXPECT_EQ(message("key 0 0\nkey 1 0 down 0.1"), "x.motion:2: a key after the first needs a movement longer than 0");
  EXPECT_EQ(message("mirror moonwalk").substr(0, 27), "no motion 'moonwalk' ships;");
  EXPECT_EQ(message("duration 1e9"), "x.motion:1: '1e9' found, a number between -10000 and 10000 expected");
}

TEST(Motions, TextsThatNoBodyCanFollowAreRefusedWithTheRule) {
  const auto message = [](const char* text) {
    const auto motion = motions::make_from_text("x", text, "x.motion");
    return motion ? std::string("accepted") : motion.error().message;
  };
  EXPECT_EQ(message("duration 0"), "x.motion: the duration must be above 0");
  EXPECT_EQ(message("duration 601"), "x.motion: the duration is 601 s, expected at most 600");
  EXPECT_EQ(message("duration 2\ncore 1 3"), "x.motion: the core is 1 to 3 s, expected inside the motion's 2 s");
  EXPECT_EQ(message("key 1 0\nkey 0.5 1"), "x.motion: the key at 0.5 s comes after the one at 1 s");
  EXPECT_EQ(message("step left 0 1 0 0 0\nstep left 0.5 2 0 0 0"),
            "x.motion: a foot lifts at 0.5 s before it has landed at 1 s");
  EXPECT_EQ(message("step left 0 1 0 0 0\nvia left 1 0 0 0 0 0"), "x.motion: via at 1 s, expected between 0 and 1 s");
  EXPECT_EQ(message("heel left 1 1 20"), "x.motion: a foot turns from 1 to 1 s, expected an end after the begin");
  EXPECT_EQ(message("leap 0 1 1 2 0.9 0.9"),
            "x.motion: a leap's times are 0 1 1 2 s, expected rising and inside the motion");
  EXPECT_EQ(message("gait step_s 0"), "x.motion: step_s is 0, expected 0.1 to 5");
  EXPECT_EQ(message("gait duty 1"), "x.motion: duty is 1, expected 0.1 to 0.95");
  EXPECT_EQ(message("gait strikes 5000"), "x.motion: strikes is 5000, expected 0 to 1000");
  EXPECT_EQ(message("speed 1 1 2"), "x.motion: the speed changes from 1 to 1 s, expected an end after the begin");
  EXPECT_EQ(message("key 0 0 weight 2"), "x.motion: weight is 2, expected -1 to 1");
  EXPECT_EQ(message("dog\ngait cycle_s 0"), "x.motion: cycle_s is 0, expected 0.1 to 10");
  EXPECT_EQ(message("dog\ngait phases 0 0.5 2 0"), "x.motion: a phase is 2, expected 0 to 1");
}

}  // namespace
}  // namespace shosa
