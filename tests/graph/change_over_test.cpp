// What is seen at change-overs: the body's speed, and each stance by itself.

#include <gtest/gtest.h>

#include <set>

#include "graph/motions.h"
#include "motions/motions.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/sampling.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/graph/planner.h"
#include "shosa/graph/player.h"

namespace shosa::graph {
namespace {

constexpr double kFrame_s = 1.0 / 60.0;

/// Largest change of the hips' velocity from one frame to the next.
double hips_jerk_mps(const Clip& clip, JointIndex hips) {
  const ClipPositions positions = clip_positions(clip);
  double worst = 0.0;
  for (int f = 1; f + 1 < clip.frame_count(); ++f) {
    const Vec3d change = positions.joint(f + 1, hips) - 2.0 * positions.joint(f, hips) + positions.joint(f - 1, hips);
    worst = std::max(worst, change.norm() / clip.frame_time_s());
  }
  return worst;
}

/// Largest mean speed of a ball over the ground in one of its stances.
double worst_stance_mps(const Clip& clip, const BodyMap& map) {
  const ClipPositions positions = clip_positions(clip);
  const auto contacts = analysis::find_foot_contacts(clip, positions, map);
  EXPECT_TRUE(contacts.has_value());
  double worst = 0.0;
  for (const auto& foot : contacts->feet) {
    for (const TimeInterval& stance : foot.toe) {
      const int first = clip.nearest_frame(stance.begin_s), last = clip.nearest_frame(stance.end_s);
      double way_m = 0.0;
      for (int f = first; f < last; ++f) {
        const Vec3d step = positions.point(f + 1, foot.points.toe) - positions.point(f, foot.points.toe);
        way_m += std::hypot(step.x(), step.z());
      }
      if (last - first > 2) worst = std::max(worst, way_m / ((last - first) * clip.frame_time_s()));
    }
  }
  return worst;
}

TEST(ChangeOver, HipsChangeSpeedAsInTheClipsAndNoStanceSlides) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    const Clip clip = motions::make(name)->clip;
    clips.push_back({name, clips.empty() ? *cut(clip, 0.0, 0.3) : clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const auto linked = link_gaits(set, {.link_time_s = 0.2});
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  const MotionGraph& graph = linked->graph;
  const JointIndex hips = root_joint(set.body_map);
  double own_mps = 0.0;
  for (const SetClip& clip : set.clips) own_mps = std::max(own_mps, hips_jerk_mps(clip.clip, hips));

  Planner planner(graph);
  std::set<std::vector<NodeIndex>> paths;
  for (int hurry = 1; hurry <= kMaxHurry; ++hurry) {
    const Command command{.targets = graph.nodes_named("run_fast"), .hurry = hurry};
    if (!paths.insert(planner.plan(0, command)->nodes).second) continue;
    auto player = Player::create(graph, set, 0);
    ASSERT_TRUE(player.has_value());
    Clip played(set.skeleton, 240, kFrame_s);
    Pose pose;
    for (int f = 0; f < played.frame_count(); ++f) {
      if (f == 30) ASSERT_TRUE(player->command(command).has_value());
      player->step(pose);
      played.set_frame(f, pose);
    }
    EXPECT_LE(hips_jerk_mps(played, hips), own_mps + 0.05) << "hurry " << hurry;
    EXPECT_LE(worst_stance_mps(played, set.body_map), 0.03) << "hurry " << hurry;
  }
  EXPECT_EQ(paths.size(), 5u);
}

}  // namespace
}  // namespace shosa::graph
