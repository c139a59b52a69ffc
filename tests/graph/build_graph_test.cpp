#include "shosa/graph/build_graph.h"

#include <gmock/gmock.h>

#include <set>

#include "graph/components.h"
#include "graph/motions.h"
#include "graph/random_graph.h"
#include "graph/shortest_times.h"
#include "scenes/scenes.h"

namespace shosa::graph {
namespace {

using testing::HasSubstr;

MotionSet walks_and_a_jump() {
  return test::motion_set({{"walk.bvh", scenes::walk({.duration_s = 3.0}).clip},
                           {"slow.bvh", scenes::walk({.duration_s = 3.0, .speed_mps = 1.05, .step_s = 0.55}).clip},
                           {"jump.bvh", scenes::jump().clip}});
}

TEST(BuildGraph, EveryNodeOfTheCoreReachesEveryOther) {
  const auto built = build_graph(walks_and_a_jump());
  ASSERT_TRUE(built.has_value()) << built.error().message;
  const MotionGraph& graph = built->graph;
  EXPECT_GT(graph.node_count(), 40);
  EXPECT_GT(built->links_between, 10);
  ShortestTimes times(graph);
  for (NodeIndex from = 0; from < graph.node_count(); ++from) {
    for (NodeIndex to = 0; to < graph.node_count(); ++to) ASSERT_LT(times.time_s(from, to), 100.0);
  }
}

TEST(BuildGraph, DefaultsNeverStrandAndPlayTheClipOn) {
  const auto built = build_graph(walks_and_a_jump());
  ASSERT_TRUE(built.has_value());
  int on = 0;
  for (NodeIndex n = 0; n < built->graph.node_count(); ++n) {
    const LinkIndex link = built->graph.node(n).default_link;
    ASSERT_NE(link, kNoLink);
    on += plays_on(built->graph, link);
  }
  EXPECT_GT(on, built->graph.node_count() * 3 / 4);
  EXPECT_TRUE(dead_ends(built->graph).empty());
}

TEST(BuildGraph, WhatIsCutIsListed) {
  const auto built = build_graph(walks_and_a_jump());
  ASSERT_TRUE(built.has_value());
  // No way leads from walking into the jump that leads back.
  int jump = 0;
  for (const CutNode& cut : built->cut) jump += cut.clip == "jump.bvh";
  EXPECT_GT(jump, 10);
  for (const Node& node : built->graph.nodes()) {
    EXPECT_NE(built->graph.clips()[node.clip], "jump.bvh");
  }
}

TEST(BuildGraph, LinksPlayTheSecondClipFromTheMatchingFrame) {
  const MotionSet set = walks_and_a_jump();
  const auto built = build_graph(set);
  ASSERT_TRUE(built.has_value());
  int checked = 0;
  for (LinkIndex l = 0; l < built->graph.link_count(); ++l) {
    if (plays_on(built->graph, l)) continue;
    const Link& link = built->graph.link(l);
    const Node &from = built->graph.node(link.from), &to = built->graph.node(link.to);
    const int a = static_cast<int>(std::lround(from.time_s / set.frame_time_s));
    const int b = static_cast<int>(std::lround((to.time_s - link.time_s) / set.frame_time_s));
    const bool listed = std::any_of(built->matches.list.begin(), built->matches.list.end(), [&](const FrameMatch& m) {
      return (m.clip_a == from.clip && m.frame_a == a && m.clip_b == to.clip && m.frame_b == b) ||
             (m.clip_b == from.clip && m.frame_b == a && m.clip_a == to.clip && m.frame_a == b);
    });
    EXPECT_TRUE(listed) << l;
    EXPECT_GE(link.time_s, 0.09);
    ++checked;
  }
  EXPECT_EQ(checked, built->links_between);
}

TEST(BuildGraph, TheLargerTheChangeOfSpeedTheMoreHurriedTheLink) {
  const MotionSet set = walks_and_a_jump();
  const auto built = build_graph(set, {.characteristic_mps = 0.05});
  ASSERT_TRUE(built.has_value());
  int characteristic = 0, most = 0;
  for (const Link& link : built->graph.links()) {
    characteristic += link.hurry > 1;
    most = std::max(most, link.hurry);
  }
  EXPECT_GT(characteristic, 0);
  EXPECT_EQ(most, BuildParams{}.most_hurry);
}

TEST(BuildGraph, ExtremalKeyframesAreFewerAndStillHoldTogether) {
  const MotionSet set = walks_and_a_jump();
  const auto extremal = build_graph(set, {.nodes = NodeChoice::extremal});
  ASSERT_TRUE(extremal.has_value());
  const auto frames = extremal_frames(set.clips[0]);
  // Two steps to a cycle, each with at least one quickest and one slowest moment.
  EXPECT_GE(frames.size(), 8u);
  EXPECT_LE(frames.size(), 40u);
}

TEST(BuildGraph, SaysWhenNothingHoldsTogether) {
  const auto wander = scenes::random_clip(scenes::random_tree(12, 3), 90, 5);
  const auto lonely = build_graph(test::motion_set({{"wander", wander}}), {.match = {.threshold_m = 1e-3}});
  ASSERT_FALSE(lonely.has_value());
  EXPECT_EQ(lonely.error().code, ErrorCode::not_possible);
  EXPECT_THAT(lonely.error().message, HasSubstr("no links between similar postures"));
  EXPECT_THAT(build_graph(walks_and_a_jump(), {.node_step_s = 0.0}).error().message, HasSubstr("node_step_s is 0"));
}

TEST(BuildGraph, ProposesTheThresholdThatConnectsAllClips) {
  const MotionSet set = test::motion_set({{"slow", scenes::walk({.duration_s = 3.0, .speed_mps = 0.8}).clip},
                                          {"brisk", scenes::walk({.duration_s = 3.0, .speed_mps = 1.6}).clip}});
  const BuildParams tight{.match = {.threshold_m = 0.02}};
  const auto clips_at = [&](double threshold_m) {
    const auto built = build_graph(set, {.match = {.threshold_m = threshold_m}});
    std::set<int> there;
    if (built) {
      for (const Node& node : built->graph.nodes()) there.insert(node.clip);
    }
    return there.size();
  };
  const double threshold_m = connecting_threshold_m(set, tight);
  ASSERT_GT(threshold_m, 0.02);
  EXPECT_EQ(clips_at(threshold_m), 2u);
  EXPECT_LT(clips_at(threshold_m / 1.3), 2u);
  EXPECT_EQ(connecting_threshold_m(set, tight, 0.021), 0.0);
}

TEST(StrongComponents, EqualMutualReachability) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const MotionGraph graph = test::random_graph({.nodes = 9, .links = 13, .seed = seed});
    const Components components = strong_components(graph);
    ShortestTimes times(graph);
    int largest = 0;
    for (NodeIndex a = 0; a < 9; ++a) {
      int members = 0;
      for (NodeIndex b = 0; b < 9; ++b) {
        const bool mutual = times.time_s(a, b) < 1e9 && times.time_s(b, a) < 1e9;
        members += mutual;
        EXPECT_EQ(mutual, components.of_node[a] == components.of_node[b]);
      }
      largest = std::max(largest, members);
    }
    EXPECT_EQ(std::count(components.of_node.begin(), components.of_node.end(), components.largest), largest);
  }
}

}  // namespace
}  // namespace shosa::graph
