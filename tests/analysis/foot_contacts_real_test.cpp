#include <gtest/gtest.h>

#include "analysis/real_clips.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/clip_edit.h"

namespace shosa {
namespace {

using analysis::flight_intervals;

TEST(FootContactsOnCapture, StraightWalksAlternateWithDoubleSupportOf5To35Percent) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const auto landings = test::landings(walk.contacts());
    ASSERT_GE(landings.size(), 3u) << name;
    for (std::size_t i = 1; i < landings.size(); ++i) EXPECT_NE(landings[i].second, landings[i - 1].second) << name;
    const std::vector<TimeInterval> walked{{landings.front().first, landings.back().first}};
    const double both =
        analysis::total_length_s(analysis::interval_intersection(double_support(walk.contacts()), walked));
    EXPECT_GE(both / walked[0].length_s(), 0.05) << name;
    EXPECT_LE(both / walked[0].length_s(), 0.35) << name;
  }
}

TEST(FootContactsOnCapture, HeelComesDownBeforeTheToesOnWalks) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"02_01", "07_01", "16_15", "35_01"}) {
    SHOSA_READ_CMU(walk, name);
    int stances = 0;
    for (const auto& foot : walk.contacts().feet) {
      for (const auto& stance : foot.joined) {
        if (stance.begin_s == 0.0 || stance.end_s == walk.clip().last_time_s()) continue;
        const auto heel = analysis::interval_intersection(foot.heel, std::vector<TimeInterval>{stance});
        const auto toe = analysis::interval_intersection(foot.toe, std::vector<TimeInterval>{stance});
        ASSERT_FALSE(heel.empty()) << name << " at " << stance.begin_s;
        ASSERT_FALSE(toe.empty()) << name << " at " << stance.begin_s;
        EXPECT_LT(heel.front().begin_s, toe.front().begin_s) << name;
        EXPECT_LT(heel.back().end_s, toe.back().end_s) << name;
        ++stances;
      }
    }
    EXPECT_GE(stances, 2) << name;
  }
}

TEST(FootContactsOnCapture, RunsFlyBetweenAllSteps) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"02_03", "09_01", "16_35", "16_37", "16_41", "35_17"}) {
    SHOSA_READ_CMU(run, name);
    const auto landings = test::landings(run.contacts());
    ASSERT_GE(landings.size(), 3u) << name;
    const auto flights = flight_intervals(run.contacts(), {landings.front().first, landings.back().first});
    EXPECT_EQ(flights.size(), landings.size() - 1) << name;
    EXPECT_TRUE(analysis::double_support(run.contacts()).empty()) << name;
  }
}

TEST(FootContactsOnCapture, JumpsHaveBothFeetOffExactlyOnce) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"13_11", "16_01", "16_03", "16_05"}) {
    SHOSA_READ_CMU(jump, name);
    const auto flights = flight_intervals(jump.contacts(), {0.0, jump.clip().last_time_s()});
    ASSERT_EQ(flights.size(), 1u) << name;
    EXPECT_GT(flights[0].length_s(), 0.3) << name;
    EXPECT_LT(flights[0].length_s(), 0.65) << name;
  }
}

TEST(FootContactsOnCapture, NobodyFloatsWhileStartingToWalk) {
  SHOSA_NEEDS_REAL_DATA();
  // The standing toe of this recording slides at up to 0.5 m/s.
  SHOSA_READ_CMU(start, "131_01");
  EXPECT_TRUE(flight_intervals(start.contacts(), {0.0, start.clip().last_time_s()}).empty());
}

TEST(FootContactsOnCapture, EveryStairIsStoodOn) {
  SHOSA_NEEDS_REAL_DATA();
  // Up three steps and down again, and up to a platform: heights seen in the recordings.
  for (const auto& [name, top_m] : {std::pair{"13_35", 0.6}, std::pair{"83_27", 0.4}, std::pair{"113_19", 0.29}}) {
    SHOSA_READ_CMU(stairs, name);
    double highest = -1e9, lowest = 1e9;
    for (const auto& foot : stairs.contacts().feet) {
      for (const auto& stance : foot.stances) {
        highest = std::max(highest, stance.ground_m);
        lowest = std::min(lowest, stance.ground_m);
      }
    }
    EXPECT_NEAR(highest - lowest, top_m, 0.06) << name;
    EXPECT_TRUE(flight_intervals(stairs.contacts(), {0.0, stairs.clip().last_time_s()}).empty()) << name;
  }
}

TEST(FootContactsOnCapture, ALegHeldUpForSecondsDoesNotStand) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"49_18", "49_19"}) {
    SHOSA_READ_CMU(balance, name);
    EXPECT_EQ(balance.contacts().find("left")->joined.size(), 1u) << name;
    ASSERT_EQ(balance.contacts().find("right")->joined.size(), 1u) << name;
    EXPECT_LT(balance.contacts().find("right")->joined[0].end_s, 3.0) << name;
  }
}

TEST(FootContactsOnCapture, StandingFiguresNeverLiftAFoot) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"77_02", "140_07", "79_38", "79_44", "26_09", "115_06",
                                                          "82_01", "90_10", "02_05", "79_08"}) {
    SHOSA_READ_CMU(still, name);
    for (const auto& foot : still.contacts().feet) {
      EXPECT_EQ(foot.joined, (std::vector<TimeInterval>{{0.0, still.clip().last_time_s()}}))
          << name << " " << foot.points.name;
    }
  }
}

TEST(FootContactsOnCapture, KickingFeetFlyWhileTheOtherStands) {
  SHOSA_NEEDS_REAL_DATA();
  // Mawashigeri: two kicks with each leg, at the times seen in the recording.
  SHOSA_READ_CMU(kicks, "135_07");
  for (const double time : {3.6, 9.3}) {
    EXPECT_LT(analysis::find_interval(kicks.contacts().find("left")->joined, time), 0) << time;
    EXPECT_GE(analysis::find_interval(kicks.contacts().find("right")->joined, time), 0) << time;
  }
  for (const double time : {1.0, 6.5}) {
    EXPECT_LT(analysis::find_interval(kicks.contacts().find("right")->joined, time), 0) << time;
    EXPECT_GE(analysis::find_interval(kicks.contacts().find("left")->joined, time), 0) << time;
  }
}

TEST(FootContactsOnCapture, HalfAndQuarterOfTheRateFindTheSameStances) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"02_01", "16_15", "35_01"}) {
    SHOSA_READ_CMU(walk, name);
    for (const double fps : {60.0, 30.0}) {
      const auto slower = resample(walk.clip(), fps);
      ASSERT_TRUE(slower.has_value());
      const auto contacts = analysis::study(*slower, walk.map()).contacts();
      for (std::size_t i = 0; i < 2; ++i) {
        const auto &fine = walk.contacts().feet[i].joined, &coarse = contacts.feet[i].joined;
        ASSERT_EQ(coarse.size(), fine.size()) << name << " at " << fps;
        for (std::size_t k = 0; k < fine.size(); ++k) {
          EXPECT_NEAR(coarse[k].begin_s, fine[k].begin_s, 3.0 / fps) << name << " at " << fps;
          EXPECT_NEAR(coarse[k].end_s, fine[k].end_s, 3.0 / fps) << name << " at " << fps;
        }
      }
    }
  }
}

TEST(FootContactsOnCapture, DogsStandOnFourPaws) {
  SHOSA_NEEDS_REAL_DATA();
  const std::string file = "dog-mann-NC/D1_001_KAN01_001.bvh";
  if (!std::filesystem::exists(test::real_data_dir() / file)) GTEST_SKIP() << "skipped: no " << file;
  const auto dog = test::read_clip(file);
  ASSERT_TRUE(dog.has_value()) << dog.error().message;
  ASSERT_EQ(dog->contacts().feet.size(), 4u);
  for (const auto& foot : dog->contacts().feet) {
    // It stands, takes a few steps and stands: three swings of every paw, seen in the recording.
    EXPECT_EQ(foot.joined.size(), 4u) << foot.points.name;
    EXPECT_GT(analysis::total_length_s(foot.joined) / dog->clip().last_time_s(), 0.9) << foot.points.name;
  }
}

}  // namespace
}  // namespace shosa
