#include "shosa/graph/find_matches.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "graph/motions.h"
#include "scenes/scenes.h"
#include "shosa/analysis/pose_distance.h"

namespace shosa::graph {
namespace {

using testing::HasSubstr;

MotionSet walks(double fps = 30.0) {
  const auto gait = [&](double speed, double step, double turn) {
    return scenes::walk({.duration_s = 3.0, .fps = fps, .speed_mps = speed, .step_s = step, .turn_rad_per_m = turn})
        .clip;
  };
  return test::motion_set(
      {{"walk", gait(1.25, 0.52, 0.0)},
       {"slow", gait(1.0, 0.55, 0.4)},
       {"brisk", gait(1.5, 0.48, 0.0)},
       {"run", scenes::run({.duration_s = 2.0, .fps = fps, .speed_mps = 3.0, .step_s = 0.37, .duty = 0.33}).clip},
       {"stand", scenes::stand(2.0, fps).clip}});
}

/// By `analysis::window_distance` and nothing of this room.
std::vector<FrameMatch> by_definition(const MotionSet& set, const MatchParams& params) {
  std::vector<FrameMatch> list;
  const int radius = std::max(1, static_cast<int>(std::lround(params.radius_s / set.frame_time_s)));
  const int separation = std::max(1, static_cast<int>(std::lround(params.min_separation_s / set.frame_time_s)));
  for (int a = 0; a < static_cast<int>(set.clips.size()); ++a) {
    for (int b = a; b < static_cast<int>(set.clips.size()); ++b) {
      const SetClip &first = set.clips[a], &second = set.clips[b];
      const int rows = first.clip().frame_count(), columns = second.clip().frame_count();
      std::vector<long> steps;
      for (int f = 0; f < rows; ++f) {
        for (int g = 0; g < columns; ++g) {
          const auto match =
              analysis::window_distance(first.positions(), f, second.positions(), g, set.frame_time_s,
                                        {.window_s = params.window_s, .joint_weights = params.joint_weights});
          steps.push_back(std::lround(match->distance_m / kDistanceStep_m));
        }
      }
      const auto step = [&](int f, int g) { return steps[f * columns + g]; };
      for (int f = 0; f < rows; ++f) {
        for (int g = 0; g < columns; ++g) {
          if (a == b && g - f < separation) continue;
          if (step(f, g) > std::lround(params.threshold_m / kDistanceStep_m)) continue;
          bool beaten = false;
          for (int u = -radius; u <= radius; ++u) {
            for (int v = -radius; v <= radius; ++v) {
              if (f + u < 0 || f + u >= rows || g + v < 0 || g + v >= columns || (u == 0 && v == 0)) continue;
              const bool before = u < 0 || (u == 0 && v < 0);
              beaten |= step(f + u, g + v) < step(f, g) || (before && step(f + u, g + v) == step(f, g));
            }
          }
          if (beaten || (params.same_feet && first.contact[f] != second.contact[g])) {
            continue;
          }
          list.push_back({a, f, b, g, static_cast<double>(step(f, g)) * kDistanceStep_m});
        }
      }
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(FindMatches, EqualsTheDefinitionPairByPair) {
  const MotionSet set = walks();
  std::vector<double> weights(static_cast<std::size_t>(set.skeleton->joint_count()), 1.0);
  weights[0] = 3.0, weights[5] = 0.0;
  int matches = 0;
  for (const MatchParams& params :
       {MatchParams{.threshold_m = 0.05}, MatchParams{.window_s = 0.0, .threshold_m = 0.04},
        MatchParams{.threshold_m = 0.12, .radius_s = 0.1, .same_feet = false, .joint_weights = weights}}) {
    const auto found = find_matches(set, params);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    const auto truth = by_definition(set, params);
    EXPECT_EQ(found->list.size(), truth.size());
    EXPECT_TRUE(found->list == truth);
    EXPECT_TRUE(find_matches_exhaustively(set, params)->list == truth);
    EXPECT_LT(found->compared, found->pairs);
    matches += static_cast<int>(truth.size());
  }
  EXPECT_GT(matches, 30);
}

TEST(DistanceMatrix, EqualsWindowDistance) {
  const MotionSet set = walks(60.0);
  const auto matrix = distance_matrix(set, 1, 3, {.window_s = 0.25});
  ASSERT_TRUE(matrix.has_value());
  const auto &a = set.clips[1], &b = set.clips[3];
  const int columns = b.clip().frame_count();
  for (int f = 0; f < a.clip().frame_count(); f += 13) {
    for (int g = 0; g < columns; g += 7) {
      const auto truth =
          analysis::window_distance(a.positions(), f, b.positions(), g, set.frame_time_s, {.window_s = 0.25});
      EXPECT_NEAR((*matrix)[f * columns + g], truth->distance_m, 1e-9);
    }
  }
}

TEST(FindMatches, OnlyWhereTheSameFeetStand) {
  const MotionSet set = walks();
  const auto strict = find_matches(set, {.threshold_m = 0.12});
  const auto loose = find_matches(set, {.threshold_m = 0.12, .same_feet = false});
  EXPECT_GT(strict->other_feet, 0);
  EXPECT_EQ(static_cast<std::int64_t>(loose->list.size()),
            static_cast<std::int64_t>(strict->list.size()) + strict->other_feet);
  for (const FrameMatch& m : strict->list) {
    EXPECT_EQ(set.clips[m.clip_a].contact[m.frame_a], set.clips[m.clip_b].contact[m.frame_b]);
  }
}

TEST(FindMatches, NamesTheRuleThatIsBroken) {
  const MotionSet set = test::motion_set({{"stand", scenes::stand(0.5, 30.0).clip}});
  const auto message = [&](const MatchParams& params) { return find_matches(set, params).error().message; };
  EXPECT_THAT(message({.window_s = -1.0}), HasSubstr("window_s is -1"));
  EXPECT_THAT(message({.threshold_m = 0.0}), HasSubstr("threshold_m is 0"));
  EXPECT_THAT(message({.radius_s = -0.1}), HasSubstr("radius_s"));
  EXPECT_THAT(message({.joint_weights = {1.0}}), HasSubstr("1 joint weights"));
  EXPECT_THAT(distance_matrix(set, 0, 1).error().message, HasSubstr("clips 0 and 1, expected 0 to 0"));
}

TEST(MotionSet, BringsClipsToOneSkeletonAndRate) {
  const Clip walk = scenes::walk({.duration_s = 1.0, .fps = 60.0}).clip;
  const Clip fast = scenes::walk({.duration_s = 1.0, .fps = 120.0}).clip;
  const MotionSet set = test::motion_set({{"walk", walk}, {"fast", fast}});
  EXPECT_EQ(set.clips[1].clip().frame_count(), 61);
  EXPECT_EQ(set.clips[1].clip().skeleton_ptr(), set.skeleton);
  EXPECT_NEAR(set.clips[0].speed_mps[30], 1.25, 0.05);
  EXPECT_EQ(set.frame_count(), 122);
  EXPECT_EQ(set.find("fast"), 1);
  EXPECT_EQ(set.find("slow"), -1);

  const auto other = make_motion_set({{"walk", walk}, {"dog", scenes::dog_walk().clip}}, set.body_map);
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message, HasSubstr("dog"));
  EXPECT_THAT(make_motion_set({{"a", walk}, {"a", walk}}, set.body_map).error().message,
              HasSubstr("two clips named 'a'"));
}

}  // namespace
}  // namespace shosa::graph
