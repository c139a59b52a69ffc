#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/graph/player.h"

namespace shosa::test {

/// How far joints of a clip move from frame to frame at a player's rate.
struct OwnMotion {
  std::vector<double> step_m, turn_rad;  ///< Per joint: the largest between two frames …
  std::vector<double> kink_m;            ///< … and the largest change of a step.
};

inline Clip at_rate(const Clip& clip, double frame_time_s) {
  return std::abs(clip.frame_time_s() - frame_time_s) < 1e-6 ? clip : *resample(clip, 1.0 / frame_time_s);
}

inline OwnMotion own_motion(const Clip& clip) {
  OwnMotion own;
  const auto joints = static_cast<std::size_t>(clip.joint_count());
  own.step_m.assign(joints, 0.0), own.turn_rad = own.kink_m = own.step_m;
  WorldPose world[3];
  for (int f = 0; f < clip.frame_count(); ++f) {
    WorldPose &now = world[f % 3], &last = world[(f + 2) % 3], &before = world[(f + 1) % 3];
    forward_kinematics(clip.skeleton(), clip.frame(f), now);
    for (std::size_t j = 0; j < joints && f > 0; ++j) {
      own.step_m[j] = std::max(own.step_m[j], (now.positions[j] - last.positions[j]).norm());
      own.turn_rad[j] = std::max(own.turn_rad[j], now.rotations[j].angularDistance(last.rotations[j]));
      if (f < 2) continue;
      const Vec3d kink = now.positions[j] - 2.0 * last.positions[j] + before.positions[j];
      own.kink_m[j] = std::max(own.kink_m[j], kink.norm());
    }
  }
  return own;
}

/// What a player's motion was like. A jump is measured twice: as a step of a joint (or a turn) larger than the largest
/// of the two clips at hand, and as a change of its step larger than the largest of those clips, which a sudden shift
/// of any size in any direction is.
struct Played {
  std::vector<Pose> poses;
  int reached = 0;  ///< Commands whose target was met.
  int stalls = 0;   ///< Frames without progress along a link.
  int changes = 0;  ///< Of clip.
  double worst_step_m = -1.0;
  double worst_turn_deg = -1.0;
  double worst_kink_m = -1.0;
  double worst_step_but_legs_m = -1.0, worst_kink_but_legs_m = -1.0;
  int worst_frame = 0;
  std::string worst_joint;
  double skate_mps = 0.0;  ///< `analysis::measure_quality` of the played motion, contacts found in it.
  double penetration_m = 0.0;
};

template <class BeforeFrame>
Played measure(graph::Player& player, const graph::MotionSet& set, int frames, double frame_time_s,
               const BeforeFrame& before_frame) {
  std::vector<OwnMotion> own;
  for (const auto& clip : set.clips) own.push_back(own_motion(at_rate(clip.clip, frame_time_s)));
  Played played;
  Pose pose;
  WorldPose world[3];
  graph::PlayerState before = player.state();
  int clip = before.clip, other = before.clip;  // playing, and the one before it
  for (int f = 0; f < frames; ++f) {
    before_frame(f);
    player.step(pose);
    played.poses.push_back(pose);
    WorldPose &now = world[f % 3], &last = world[(f + 2) % 3], &earlier = world[(f + 1) % 3];
    forward_kinematics(*set.skeleton, pose, now);
    const graph::PlayerState state = player.state();
    if (state.clip != clip) other = clip, clip = state.clip, ++played.changes;
    const OwnMotion &a = own[static_cast<std::size_t>(clip)], &b = own[static_cast<std::size_t>(other)];
    for (std::size_t j = 0; j < now.positions.size() && f > 1; ++j) {
      const double step = (now.positions[j] - last.positions[j]).norm() - std::max(a.step_m[j], b.step_m[j]);
      const double turn = now.rotations[j].angularDistance(last.rotations[j]) - std::max(a.turn_rad[j], b.turn_rad[j]);
      const Vec3d kink = now.positions[j] - 2.0 * last.positions[j] + earlier.positions[j];
      const double bend = kink.norm() - std::max(a.kink_m[j], b.kink_m[j]);
      if (std::max(step, bend) > std::max(played.worst_step_m, played.worst_kink_m)) {
        played.worst_frame = f, played.worst_joint = set.skeleton->name(static_cast<JointIndex>(j));
      }
      played.worst_step_m = std::max(played.worst_step_m, step);
      const bool is_leg = std::any_of(set.feet.begin(), set.feet.end(), [&](const auto& foot) {
        return foot.knee == static_cast<JointIndex>(j) || foot.joint == static_cast<JointIndex>(j);
      });
      if (!is_leg) {
        played.worst_step_but_legs_m = std::max(played.worst_step_but_legs_m, step);
        played.worst_kink_but_legs_m = std::max(played.worst_kink_but_legs_m, bend);
      }
      played.worst_turn_deg = std::max(played.worst_turn_deg, turn * 180.0 / M_PI);
      played.worst_kink_m = std::max(played.worst_kink_m, bend);
    }
    if (f > 0 && state.link == before.link && state.into_link_s == before.into_link_s) ++played.stalls;
    before = state;
  }
  Clip whole(set.skeleton, frames, frame_time_s, set.clips.front().clip.translated());
  for (int f = 0; f < frames; ++f) whole.set_frame(f, played.poses[static_cast<std::size_t>(f)]);
  const ClipPositions positions = clip_positions(whole);
  const auto contacts = analysis::find_foot_contacts(whole, positions, set.body_map);
  if (contacts) {
    const auto quality = analysis::measure_quality(whole, positions, &*contacts);
    played.skate_mps = quality.foot_skate_mps;
    played.penetration_m = quality.penetration_m;
  }
  return played;
}

/// Commands to random nodes with random hurry, at random moments: some before the last one was carried out.
inline Played play_random_commands(graph::Player& player, const graph::MotionGraph& graph, const graph::MotionSet& set,
                                   int commands, std::uint64_t seed, double frame_time_s = 1.0 / 60.0) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  int next = 0, given = 0, reached = 0;
  bool open = false;
  std::vector<int> at;
  for (int c = 0; c < commands; ++c) at.push_back((at.empty() ? 0 : at.back()) + 1 + below(90));
  Played played = measure(player, set, at.back() + 300, frame_time_s, [&](int frame) {
    if (open && !player.state().commanded) {
      open = false;
      reached += !player.state().unreachable;
    }
    if (next < commands && frame == at[static_cast<std::size_t>(next)]) {
      ++next;
      const graph::Command command{.targets = {below(graph.node_count())}, .hurry = below(102) - 1};
      given += player.command(command).has_value();
      open = true;
    }
  });
  played.reached = reached;
  EXPECT_EQ(given, commands);
  return played;
}

}  // namespace shosa::test
