// All ordered pairs of captured dances, walks, runs and punches, performer by performer: what must hold of every join.

#include <gtest/gtest.h>

#include <map>

#include "benchmarks/blend_pairs.h"
#include "blend/transition.h"
#include "shosa/analysis/body_motion.h"
#include "support/real_data.h"

namespace shosa::bench {
namespace {

using Pair = std::pair<std::string, std::string>;

// Clips of one performer each, so that nothing but the join is measured. All pairs across performers: blend_table.
const std::vector<std::vector<std::string>> kPerformers = {
    {"02_01", "02_03", "02_05"},                                               // walk, run, punches
    {"16_11", "16_15", "16_17", "16_19", "16_21", "16_35", "16_37", "16_41"},  // walks and runs, straight and turning
    {"05_02", "05_06", "05_11", "05_16"},                                      // dances
    {"07_01", "07_04", "07_12"},                                               // walks
    {"35_01", "35_17"},                                                        // walk, run
    {"49_18", "49_19"},                                                        // balance on one leg
    {"127_03", "127_04", "127_05"},                                            // run, walk to run, run to stop
};

// Pairs whose standing feet slide more than 1 cm/s above their source, and pairs with a joint acceleration over 1.5
// times the sources' peak, with the figure. docs/methods/optimal_blending.md says why.
const std::map<Pair, double> kSlides = {};
const std::map<Pair, double> kJumps = {
    {{"02_03", "02_03"}, 585},  // m/s^2; sources 315: the pelvis jerks in the source
};

TEST(RealPairs, FeetStandNothingJumpsAndCoresSurvive) {
  SHOSA_NEEDS_REAL_DATA();
  int pairs = 0;
  for (const std::vector<std::string>& names : kPerformers) {
    std::vector<Captured> clips;
    for (const std::string& name : names) {
      auto clip = load_captured(test::real_data_dir(), name, nullptr);
      ASSERT_TRUE(clip.has_value()) << name;
      clips.push_back(std::move(*clip));
    }
    const std::vector<bool> lower = lower_body(clips[0].motion->clip().skeleton(), clips[0].motion->map());
    for (std::size_t i = 0; i < clips.size() * clips.size(); ++i) {
      const Captured &a = clips[i / clips.size()], &b = clips[i % clips.size()];
      ++pairs;
      SCOPED_TRACE(a.name + " -> " + b.name);
      const auto made = blend::compose(std::vector<blend::ScoreMotion>{{a.motion, 0.0}, {b.motion, std::nullopt}});
      ASSERT_TRUE(made.has_value());
      const auto& report = made->joins.front().report;
      ASSERT_TRUE(report.executed) << report.reason;
      const auto figures = measure_join(*made, a, b, report.at_s, last_blend_s(*made));
      ASSERT_TRUE(figures.has_value());
      // A known miss must not grow.
      const auto slide = kSlides.find({a.name, b.name});
      EXPECT_LE(figures->slide_mps,
                slide == kSlides.end() ? figures->own_slide_mps + 0.01 : 1.05 * slide->second + 0.001)
          << "source " << figures->own_slide_mps;
      const auto jump = kJumps.find({a.name, b.name});
      EXPECT_LE(figures->acceleration_mps2,
                jump == kJumps.end() ? 1.5 * figures->own_peak_mps2 : 1.05 * jump->second + 1.0)
          << "sources " << figures->own_peak_mps2;

      const bool adapted = report.plan->hold.has_value();
      for (int f = b.motion->core.begin; f <= b.motion->core.end; f += 7) {
        for (JointIndex j = 1; j < made->clip.joint_count(); ++j) {
          const bool settled = (report.plan->at + f) * made->clip.frame_time_s() >= report.settled_s;
          if ((adapted || !settled) && lower[j]) continue;
          ASSERT_EQ(made->clip.rotation(report.plan->at + f, j).coeffs(), b.motion->clip().rotation(f, j).coeffs());
        }
      }
      for (int f = 0; f <= a.motion->core.end; f += 7) {
        for (JointIndex j = 0; j < made->clip.joint_count(); ++j) {
          ASSERT_EQ(made->clip.rotation(f, j).coeffs(), a.motion->clip().rotation(f, j).coeffs());
        }
      }
    }
  }
  EXPECT_GE(pairs, 100);
}

// From a run into something slow: the body is given time, or steps, and is not thrown.
TEST(RealPairs, ABodyIsNotThrown) {
  SHOSA_NEEDS_REAL_DATA();
  for (const auto& [first, second] : {Pair{"127_04", "127_05"}, Pair{"127_05", "127_05"}, Pair{"02_03", "49_18"}}) {
    SCOPED_TRACE(first + " -> " + second);
    const auto target = io::read_motion(test::real_data_dir() / "cmu-bvh" / (first + ".bvh"), {.drop_tpose = true});
    ASSERT_TRUE(target.has_value());
    const auto a = load_captured(test::real_data_dir(), first, &*target);
    const auto b = load_captured(test::real_data_dir(), second, &*target);
    ASSERT_TRUE(a.has_value() && b.has_value());
    const auto made = blend::compose(std::vector<blend::ScoreMotion>{{a->motion, 0.0}, {b->motion, std::nullopt}});
    ASSERT_TRUE(made.has_value());
    const int core1 = made->joins.front().report.plan->at + b->motion->core.begin;
    const int into = static_cast<int>(std::lround(0.1 / made->clip.frame_time_s()));
    const analysis::BodyMotion body = analysis::observe_body(analysis::study(made->clip, a->motion->map()));
    const analysis::BodyFigures figures = analysis::measure_body(body, a->motion->core.end, core1 + into);
    const auto &own0 = a->motion->body, &own1 = b->motion->body;
    EXPECT_LE(figures.com_acceleration_mps2,
              1.2 * std::max({8.0, own0.com_acceleration_mps2, own1.com_acceleration_mps2}));
    EXPECT_LE(figures.com_fall_mps2, 1.1 * std::max({9.81, own0.com_fall_mps2, own1.com_fall_mps2}));
  }
}

// Feet that leave the ground fast, and feet that turn while they come down: across performers, on one skeleton.
TEST(RealPairs, FeetDoNotSweepTheGroundWhereTheyLiftAndLand) {
  SHOSA_NEEDS_REAL_DATA();
  const auto target = io::read_motion(test::real_data_dir() / "cmu-bvh" / "02_01.bvh", {.drop_tpose = true});
  ASSERT_TRUE(target.has_value());
  std::map<std::string, Captured> clips;
  for (const char* name : {"127_03", "16_41", "05_16", "74_03", "79_08"}) {
    auto clip = load_captured(test::real_data_dir(), name, &*target);
    ASSERT_TRUE(clip.has_value()) << name;
    clips.emplace(name, std::move(*clip));
  }
  for (const Pair& pair :
       {Pair{"127_03", "74_03"}, Pair{"127_03", "79_08"}, Pair{"05_16", "74_03"}, Pair{"16_41", "16_41"}}) {
    SCOPED_TRACE(pair.first + " -> " + pair.second);
    const Captured &a = clips.at(pair.first), &b = clips.at(pair.second);
    const auto made = blend::compose(std::vector<blend::ScoreMotion>{{a.motion, 0.0}, {b.motion, std::nullopt}});
    ASSERT_TRUE(made.has_value());
    const auto figures = measure_join(*made, a, b, made->joins.front().report.at_s, last_blend_s(*made));
    ASSERT_TRUE(figures.has_value());
    EXPECT_LE(figures->slide_mps, figures->own_slide_mps + 0.01);
  }
}

struct Joined {
  Captured a, b;
  blend::Composition made;
};

/// Two captures on the body of the first, one after the other.
Joined joined(const std::string& first, const std::string& second) {
  const auto body = io::read_motion(test::real_data_dir() / "cmu-bvh" / (first + ".bvh"), {.drop_tpose = true});
  auto a = load_captured(test::real_data_dir(), first, &*body),
       b = load_captured(test::real_data_dir(), second, &*body);
  auto made = blend::compose(std::vector<blend::ScoreMotion>{{a->motion, 0.0}, {b->motion, std::nullopt}});
  EXPECT_TRUE(made.has_value());
  return {std::move(*a), std::move(*b), std::move(*made)};
}

// Walks have no flights, and neither has what is made of two of them (but for 0.12 s).
TEST(RealPairs, AWalkerIsNotLetGoBeforeTheOtherFootHasLanded) {
  SHOSA_NEEDS_REAL_DATA();
  const auto [a, b, made] = joined("07_01", "16_19");
  const auto studied = analysis::study(made.clip, a.motion->map());
  for (const TimeInterval& flight :
       analysis::flight_intervals(studied.contacts(), {1.0, made.clip.last_time_s() - 1.0})) {
    EXPECT_LT(flight.length_s(), 0.12) << flight.begin_s;
  }
}

// A second and more between the clips: the body walks on, instead of hanging in a split.
TEST(RealPairs, AGapOfSecondsIsWalkedAcross) {
  SHOSA_NEEDS_REAL_DATA();
  const auto a = load_captured(test::real_data_dir(), "16_15", nullptr);
  const auto b = load_captured(test::real_data_dir(), "16_21", nullptr);
  ASSERT_TRUE(a.has_value() && b.has_value());
  // The first frames are broken.
  constexpr int kFrom = 12;
  const auto peak = [](const ClipPositions& of, int from) {
    double most = 0.0;
    for (int f = from + 1; f + 1 < of.frame_count(); ++f) {
      for (JointIndex j = 0; j < of.joint_count(); ++j) {
        most = std::max(most, (of.joint(f + 1, j) - 2.0 * of.joint(f, j) + of.joint(f - 1, j)).norm());
      }
    }
    return most;
  };
  const ClipPositions first = clip_positions(a->motion->clip()), second = clip_positions(b->motion->clip());
  const double own = std::max(peak(first, kFrom), peak(second, kFrom));
  for (const double gap_s : {0.8, 1.0, 3.0}) {
    SCOPED_TRACE(gap_s);
    const double at_s = a->motion->clip().last_time_s() + gap_s;
    const auto made = blend::compose(std::vector<blend::ScoreMotion>{{a->motion, 0.0}, {b->motion, at_s}});
    ASSERT_TRUE(made.has_value());
    const ClipPositions positions = clip_positions(made->clip);
    EXPECT_LT(peak(positions, kFrom), 1.5 * own);
    const auto& feet = made->contacts.feet;
    for (int f = a->motion->frame_count(); f < made->joins[0].report.plan->at; ++f) {
      const double left = positions.point(f, feet[0].points.toe).y(),
                   right = positions.point(f, feet[1].points.toe).y();
      // Toe joints stand 3 to 5 cm over the floor.
      ASSERT_LT(std::min(left, right), 0.1) << f;
    }
  }
}

// Who kneels has a knee folded past the axis about which it bends in other clips.
TEST(RealPairs, AFoldedKneeDoesNotTurnOver) {
  SHOSA_NEEDS_REAL_DATA();
  std::vector<std::shared_ptr<const blend::Motion>> motions;
  for (const char* name : {"111_03.bvh", "111_35.bvh"}) {
    const auto file = io::read_motion(test::real_data_dir() / "quality" / name, {.drop_tpose = true});
    ASSERT_TRUE(file.has_value());
    const auto motion = blend::prepare_motion(analysis::study(file->clips.front(), file->body_map));
    ASSERT_TRUE(motion.has_value());
    motions.push_back(*motion);
  }
  const auto made = blend::compose(std::vector<blend::ScoreMotion>{{motions[0], 0.0}, {motions[1], std::nullopt}});
  ASSERT_TRUE(made.has_value());
  const int core1 = made->joins.front().report.plan->at + motions[1]->core.begin;
  const ClipPositions positions = clip_positions(made->clip);
  // Captured knees go 10 cm in a frame at most.
  for (const body::Role role : {body::Role::left_lower_leg, body::Role::right_lower_leg}) {
    const JointIndex knee = motions[0]->map().joint(role);
    for (int f = motions[0]->core.end - 1; f <= core1; ++f)
      ASSERT_LT((positions.joint(f + 1, knee) - positions.joint(f, knee)).norm(), 0.1) << f;
  }
}

// The foot that a run is about to put down points anywhere; it turned the body by 90 degrees within 0.2 s.
TEST(RealPairs, AFootThatIsStillToLandDoesNotTurnTheBody) {
  SHOSA_NEEDS_REAL_DATA();
  const auto [a, b, made] = joined("16_35", "02_01");
  const auto studied = analysis::study(made.clip, a.motion->map());
  const int core0 = a.motion->core.end, core1 = made.joins.front().report.plan->at + b.motion->core.begin;
  EXPECT_LT(std::abs(studied.heading_rad(core1) - studied.heading_rad(core0)), 0.6);
}

}  // namespace
}  // namespace shosa::bench
