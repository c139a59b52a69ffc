#include <gtest/gtest.h>

#include "motions/measure.h"
#include "shosa/analysis/studied_clip.h"

// Gaits against published figures of healthy adults. Marked (a): the figures were compared with the paper's own
// abstract; (b): only that the paper exists and is about this, its tables were not at hand; (c): from memory.
//   (a) Bohannon, Age and Ageing 26 (1997) 15-19: comfortable 1.27 to 1.46 m/s, fastest walking 1.75 to 2.53 m/s.
//   (b) Öberg, Karsznia, Öberg, J. Rehabil. Res. Dev. 30 (1993) 210-223: slow 0.7 to 1.1 m/s; slow, normal and fast
//       1.4 to 1.8, 1.8 to 2.2 and 2.2 to 2.6 steps a second; steps 0.5 to 0.65, 0.6 to 0.75 and 0.7 to 0.9 m.
//   (b) Stance 60 to 62 % of the cycle at normal speed, shorter with speed: what textbooks of gait analysis teach.
//   (a) Moosabhoy and Gard, Gait and Posture 24 (2006) 493-501: least clearance of the toes 1.9 (0.5) cm, half way
//       through the swing; Winter (1991): 1.3 cm (as Kirtley's teaching pages quote him).
//   (b) Orendurff et al., J. Rehabil. Res. Dev. 41 (2004) 829-834: vertical excursion of the centre of mass 2.7 cm at
//       0.7 m/s, 4.8 cm at 1.6 m/s.
//   (a) Cavanagh and Kram, Med. Sci. Sports Exerc. 21 (1989) 467-479: from 3.15 to 4.12 m/s runners lengthen their
//       steps and keep their rate (4 %).
//   (b) Novacheck, Gait and Posture 7 (1998) 77-95: running 2.5 to 3.2 steps a second, stance 22 to 40 % of the cycle,
//       vertical excursion 5 to 12 cm; the knee bends to about 45 degrees early in the stance and extends again.
//   (c) Trunk of a runner 5 to 10 degrees forward, of a walker 2 to 5; contact 0.17 to 0.21 s at 4.5 m/s.

namespace shosa {
namespace {

using test::shipped;

struct Norm {
  const char* name;
  double speed[2], cadence_hz[2], step_m[2], stance[2], excursion_m[2], lean_deg[2];
};

class GaitNorms : public testing::TestWithParam<Norm> {};
INSTANTIATE_TEST_SUITE_P(
    All, GaitNorms,
    testing::Values(Norm{"walk_slow", {0.7, 1.1}, {1.4, 1.8}, {0.5, 0.65}, {0.62, 0.70}, {0.015, 0.04}, {1, 5}},
                    Norm{"walk_normal", {1.27, 1.46}, {1.8, 2.2}, {0.6, 0.75}, {0.59, 0.66}, {0.03, 0.055}, {1, 5}},
                    Norm{"walk_fast", {1.75, 2.5}, {2.2, 2.6}, {0.7, 0.9}, {0.55, 0.62}, {0.035, 0.075}, {2, 6}},
                    Norm{"run_slow", {2.2, 3.2}, {2.5, 3.2}, {0.8, 1.2}, {0.30, 0.42}, {0.06, 0.12}, {4, 10}},
                    Norm{"run_fast", {4.0, 5.5}, {2.5, 3.3}, {1.3, 1.8}, {0.24, 0.34}, {0.055, 0.12}, {5, 10}}),
    [](const auto& tested) { return tested.param.name; });

double mean_gap(const std::vector<double>& times) {
  return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

TEST_P(GaitNorms, SpeedCadenceStepStanceAndExcursionAreThoseOfPeople) {
  const Norm& norm = GetParam();
  const auto& motion = shipped(norm.name);
  const ClipPositions positions = clip_positions(motion.clip);
  const auto contacts = test::contacts_of(motion);
  const auto in = [&](double value, const double(&bounds)[2], const char* what) {
    EXPECT_GE(value, bounds[0]) << what;
    EXPECT_LE(value, bounds[1]) << what;
  };
  const double speed = analysis::root_speed_mps(analysis::study(motion.clip, motion.body_map).root());
  const auto strikes = test::strikes_of(contacts, "left");
  ASSERT_GE(strikes.size(), 2u);
  const double cycle_s = mean_gap(strikes);
  EXPECT_NEAR(cycle_s, motion.cycle_s, 0.02);
  in(speed, norm.speed, "speed, m/s");
  in(2.0 / cycle_s, norm.cadence_hz, "steps a second");
  in(0.5 * speed * cycle_s, norm.step_m, "step length, m");
  in(test::com_excursion_m(motion), norm.excursion_m, "vertical excursion of the centre of mass, m");
  double stance_s = 0.0;
  int whole = 0;
  for (const auto& stance : contacts.find("left")->joined) {
    if (stance.begin_s < 0.05 || stance.end_s > motion.clip.last_time_s() - 0.05) continue;
    stance_s += stance.length_s();
    ++whole;
  }
  ASSERT_GT(whole, 0);
  in(stance_s / whole / cycle_s, norm.stance, "stance, share of the cycle");
}

TEST_P(GaitNorms, WalksHaveDoubleSupportAndRunsHaveFlight) {
  const auto& motion = shipped(GetParam().name);
  const auto contacts = test::contacts_of(motion);
  const TimeInterval whole{0.0, motion.clip.last_time_s()};
  const double flight_s = analysis::total_length_s(analysis::flight_intervals(contacts, whole, 1.5 / 60.0));
  const double double_s = analysis::total_length_s(analysis::double_support(contacts));
  if (std::string(GetParam().name).starts_with("walk")) {
    EXPECT_EQ(flight_s, 0.0);
    EXPECT_GT(double_s, 0.1 * whole.end_s);
    EXPECT_TRUE(motion.flights.empty());
  } else {
    EXPECT_GT(flight_s, 0.15 * whole.end_s);
    EXPECT_EQ(double_s, 0.0);
    EXPECT_FALSE(motion.flights.empty());
  }
}

TEST_P(GaitNorms, ArmsSwingAgainstLegs) {
  const auto& motion = shipped(GetParam().name);
  const ClipPositions positions = clip_positions(motion.clip);
  const auto ahead = [&](int frame, const char* joint) {
    const Skeleton& skeleton = motion.clip.skeleton();
    return positions.joint(frame, skeleton.find(joint)).z() - positions.joint(frame, 0).z();
  };
  for (const std::string side : {"left", "right"}) {
    double product = 0.0, hand2 = 0.0, foot2 = 0.0, mean_hand = 0.0, mean_foot = 0.0;
    const auto [first, last] = test::core_frames(motion);
    for (int f = first; f < last; ++f) {
      mean_hand += ahead(f, (side + "_hand").c_str()) / (last - first);
      mean_foot += ahead(f, (side + "_foot").c_str()) / (last - first);
    }
    for (int f = first; f < last; ++f) {
      const double hand = ahead(f, (side + "_hand").c_str()) - mean_hand;
      const double foot = ahead(f, (side + "_foot").c_str()) - mean_foot;
      product += hand * foot;
      hand2 += hand * hand;
      foot2 += foot * foot;
    }
    EXPECT_LT(product / std::sqrt(hand2 * foot2), -0.7) << side;
  }
}

TEST_P(GaitNorms, TrunkLeansAsPeoplesDoes) {
  const auto& motion = shipped(GetParam().name);
  const ClipPositions positions = clip_positions(motion.clip);
  const Skeleton& skeleton = motion.clip.skeleton();
  double sum = 0.0;
  for (int f = 0; f < positions.frame_count(); ++f) {
    const Vec3d trunk = positions.joint(f, skeleton.find("neck")) - positions.joint(f, 0);
    sum += std::atan2(trunk.z(), trunk.y()) * 180.0 / M_PI;
  }
  EXPECT_GE(sum / positions.frame_count(), GetParam().lean_deg[0]);
  EXPECT_LE(sum / positions.frame_count(), GetParam().lean_deg[1]);
}

TEST_P(GaitNorms, ToesClearTheFloorInMidSwing) {
  const auto& motion = shipped(GetParam().name);
  const ClipPositions positions = clip_positions(motion.clip);
  const Skeleton& skeleton = motion.clip.skeleton();
  int tip = -1;
  for (std::size_t i = 0; i < skeleton.end_sites().size(); ++i) {
    if (skeleton.end_sites()[i].name == "left_toes_end") tip = skeleton.joint_count() + static_cast<int>(i);
  }
  ASSERT_GE(tip, 0);
  const bool walks = std::string(GetParam().name).starts_with("walk");
  const auto& standing = motion.feet[0].standing;
  for (std::size_t k = 0; k + 1 < standing.size(); ++k) {
    const double lift = standing[k].end_s, swing = standing[k + 1].begin_s - lift;
    double least = 1e9;
    for (int f = motion.clip.nearest_frame(lift + 0.4 * swing); f <= motion.clip.nearest_frame(lift + 0.7 * swing);
         ++f) {
      // The tip is 1 cm above the sole.
      least = std::min(least, positions.point(f, tip).y() - 0.01);
    }
    EXPECT_GE(least, walks ? 0.010 : 0.03) << lift;
    if (walks) {
      EXPECT_LE(least, 0.030) << lift;
    }
  }
}

double knee_deg(const ClipPositions& positions, const Skeleton& skeleton, int frame) {
  const auto at = [&](const char* joint) { return positions.joint(frame, skeleton.find(joint)); };
  const Vec3d thigh = at("left_lower_leg") - at("left_upper_leg"), shank = at("left_foot") - at("left_lower_leg");
  return std::acos(thigh.normalized().dot(shank.normalized())) * 180.0 / M_PI;
}

TEST(RunningKnee, BendsUnderTheLoadAndExtendsInThePush) {
  for (const char* name : {"run_slow", "run_fast"}) {
    const auto& motion = shipped(name);
    const ClipPositions positions = clip_positions(motion.clip);
    int whole = 0;
    for (const TimeInterval& stance : motion.feet[0].standing) {
      if (stance.begin_s <= 0.0 || stance.end_s >= motion.clip.last_time_s()) continue;
      const int first = motion.clip.nearest_frame(stance.begin_s), last = motion.clip.nearest_frame(stance.end_s);
      double most = 0.0;
      int at = first;
      for (int f = first; f <= last; ++f) {
        const double deg = knee_deg(positions, motion.clip.skeleton(), f);
        if (deg > most) most = deg, at = f;
      }
      const double share = static_cast<double>(at - first) / (last - first);
      EXPECT_LE(knee_deg(positions, motion.clip.skeleton(), first), 25.0) << name;
      EXPECT_GE(most, 38.0) << name;
      EXPECT_LE(most, 50.0) << name;
      EXPECT_GE(share, 0.25) << name;
      EXPECT_LE(share, 0.6) << name;
      EXPECT_LE(knee_deg(positions, motion.clip.skeleton(), last), 28.0) << name;
      EXPECT_GE(knee_deg(positions, motion.clip.skeleton(), last), 12.0) << name;
      ++whole;
    }
    EXPECT_GE(whole, 2);
  }
}

void expect_exact_cycle(const motions::Motion& motion) {
  ASSERT_TRUE(motion.cyclic);
  const ClipPositions positions = clip_positions(motion.clip);
  const int frames = static_cast<int>(std::lround(motion.cycle_s * 60.0));
  ASSERT_NEAR(frames / 60.0, motion.cycle_s, 1e-9);
  ASSERT_LT(frames, positions.frame_count());
  for (int f = 0; f + frames < positions.frame_count(); ++f) {
    const Vec3d way = positions.joint(f + frames, 0) - positions.joint(f, 0);
    for (JointIndex j = 0; j < positions.joint_count(); ++j) {
      const double apart = (positions.joint(f + frames, j) - positions.joint(f, j) - way).norm();
      ASSERT_LT(apart, 5e-5) << motion.name << ' ' << motion.clip.skeleton().name(j) << " frame " << f;
    }
  }
}

TEST_P(GaitNorms, RepeatsAfterOneCycle) {
  expect_exact_cycle(shipped(GetParam().name));
}

TEST(OtherGaits, RepeatAfterOneCycle) {
  for (const char* name : {"noh_walk", "dog_walk", "dog_trot"}) expect_exact_cycle(shipped(name));
}

TEST(Jump, FliesOnAParabola) {
  const auto& motion = shipped("jump");
  ASSERT_EQ(motion.flights.size(), 1u);
  const auto com = analysis::center_of_mass(analysis::study(motion.clip, motion.body_map));
  const int first = motion.clip.nearest_frame(motion.flights[0].begin_s) + 2;
  const int last = motion.clip.nearest_frame(motion.flights[0].end_s) - 2;
  // Mean acceleration from the ends' and the middle's heights.
  const int middle = (first + last) / 2, half = middle - first;
  const auto y = [&](int f) { return com[f].y(); };
  const double h = half / 60.0;
  EXPECT_NEAR((y(middle - half) - 2.0 * y(middle) + y(middle + half)) / (h * h), -9.81, 2.5);
}

TEST(Jump, HipsAreNotThrownForwardAndStopped) {
  const auto& motion = shipped("jump");
  const ClipPositions positions = clip_positions(motion.clip);
  const auto velocity = [&](int f) { return Vec3d((positions.joint(f, 0) - positions.joint(f - 1, 0)) * 60.0); };
  const int off = motion.clip.nearest_frame(motion.flights[0].begin_s);
  const int land = motion.clip.nearest_frame(motion.flights[0].end_s);
  const double flown = (positions.joint(land, 0).z() - positions.joint(off, 0).z()) * 60.0 / (land - off);
  double fastest = 0.0, jerked = 0.0;
  for (int f = 2; f < land; ++f) {
    if (f <= off) fastest = std::max(fastest, velocity(f).z());
    jerked = std::max(jerked, (velocity(f) - velocity(f - 1)).norm());
  }
  EXPECT_GT(flown, 0.4);
  EXPECT_LT(fastest, 3.0 * flown);
  // 0.35 m/s within a frame is 21 m/s2: three times the weight under the feet.
  EXPECT_LT(jerked, 0.36);
}

}  // namespace
}  // namespace shosa
