#pragma once

#include "graph/motions.h"
#include "motions/motions.h"
#include "scenes/scenes.h"
#include "shosa/graph/build_graph.h"

// Sets of motions that players are tested with, and graphs of them.
namespace shosa::graph {

inline const MotionSet& gaits() {
  static const MotionSet set =
      test::motion_set({{"slow", scenes::walk({.duration_s = 4.0, .speed_mps = 0.8, .step_s = 0.6}).clip},
                        {"walk", scenes::walk({.duration_s = 4.0}).clip},
                        {"brisk", scenes::walk({.duration_s = 4.0, .speed_mps = 1.6, .step_s = 0.47}).clip},
                        {"arc", scenes::walk({.duration_s = 4.0, .turn_rad_per_m = 0.4}).clip}});
  return set;
}

inline const MotionGraph& net() {
  static const MotionGraph graph = [] {
    auto built = build_graph(gaits(), {.match = {.threshold_m = 0.06}});
    EXPECT_TRUE(built.has_value()) << built.error().message;
    return std::move(built->graph);
  }();
  return graph;
}

inline MotionGraph built(const MotionSet& set, double threshold_m) {
  auto built = build_graph(set, {.match = {.threshold_m = threshold_m}});
  EXPECT_TRUE(built.has_value()) << (built ? "" : built.error().message);
  return std::move(built->graph);
}

inline const MotionSet& shipped() {
  static const MotionSet set = [] {
    std::vector<NamedClip> clips;
    for (const char* name : {"idle", "start", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast", "stop",
                             "turn_left", "turn_right"}) {
      clips.push_back({name, motions::make(name)->clip});
    }
    return test::motion_set(std::move(clips));
  }();
  return set;
}

inline const MotionGraph& shipped_net() {
  static const MotionGraph graph = built(shipped(), 0.12);
  return graph;
}

}  // namespace shosa::graph
