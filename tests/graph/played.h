#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/graph/player.h"

namespace shosa::test {

/// How far joints of a clip move from frame to frame at a player's rate.
struct OwnMotion {
  std::vector<double> step_m, turn_rad;  ///< Per joint: the largest between two frames, as the world sees it, …
  std::vector<double> bend_rad;          ///< … against its parent, …
  std::vector<double> kink_m;            ///< … and the largest change of a step.
  double flight_s = 0.0;                 ///< Longest time in the air.
};

/// Where each point of each foot is lowest in any clip of a set.
struct FootFloor {
  std::vector<std::pair<int, double>> points;  ///< As of `ClipPositions::point`, and its height.

  explicit FootFloor(const graph::MotionSet& set) {
    for (const auto& foot : set.feet) {
      for (const int point : {foot.heel, foot.toe, foot.tip}) {
        if (point < 0) continue;
        points.push_back({point, 1e9});
        for (const auto& clip : set.clips) {
          // Frame 0 may be a T-pose.
          for (int f = 1; f < clip.clip().frame_count(); ++f) {
            points.back().second = std::min(points.back().second, clip.positions().point(f, point).y());
          }
        }
      }
    }
  }
  template <class HeightOf>
  bool in_the_air(const HeightOf& height_of) const {
    return std::all_of(points.begin(), points.end(),
                       [&](const auto& point) { return height_of(point.first) > point.second + 0.03; });
  }
  double longest_flight_s(const graph::SetClip& clip) const {
    double now = 0.0, longest = 0.0;
    for (int f = 0; f < clip.clip().frame_count(); ++f) {
      now = in_the_air([&](int point) { return clip.positions().point(f, point).y(); })
                ? now + clip.clip().frame_time_s()
                : 0.0;
      longest = std::max(longest, now);
    }
    return longest;
  }
};

inline double bend_between(const Pose& a, const Pose& b, std::size_t joint) {
  const auto j = static_cast<JointIndex>(joint);
  return a.rotation(j).cast<double>().angularDistance(b.rotation(j).cast<double>());
}

/// From every sample of the clip on, so that it does not matter which of them a player meets.
inline OwnMotion own_motion(const Clip& clip, double frame_time_s) {
  OwnMotion own;
  const auto joints = static_cast<std::size_t>(clip.joint_count());
  own.step_m.assign(joints, 0.0), own.turn_rad = own.bend_rad = own.kink_m = own.step_m;
  WorldPose before, last, now;
  Pose poses[3];
  const auto look = [&](double time_s, Pose& pose, WorldPose& world) {
    sample(clip, time_s, pose);
    forward_kinematics(clip.skeleton(), pose, world);
  };
  for (int f = 0; f * clip.frame_time_s() + 2.0 * frame_time_s <= clip.last_time_s() + 1e-5; ++f) {
    const double time_s = f * clip.frame_time_s();
    look(time_s, poses[0], before), look(time_s + frame_time_s, poses[1], last);
    look(time_s + 2.0 * frame_time_s, poses[2], now);
    for (std::size_t j = 0; j < joints; ++j) {
      for (int i = 0; i < 2; ++i) own.bend_rad[j] = std::max(own.bend_rad[j], bend_between(poses[i], poses[i + 1], j));
      for (const auto& [p, q] : {std::pair(&before, &last), std::pair(&last, &now)}) {
        own.step_m[j] = std::max(own.step_m[j], (p->positions[j] - q->positions[j]).norm());
        own.turn_rad[j] = std::max(own.turn_rad[j], p->rotations[j].angularDistance(q->rotations[j]));
      }
      const Vec3d kink = now.positions[j] - 2.0 * last.positions[j] + before.positions[j];
      own.kink_m[j] = std::max(own.kink_m[j], kink.norm());
    }
  }
  return own;
}

/// What a player's motion was like. A jump is a step of a joint (or a turn, in the world or against its parent) larger
/// than the largest of the two clips at hand; a kink is a change of its step larger than the largest of theirs, which a
/// sudden shift of any size is.
struct Played {
  std::vector<Pose> poses;
  int reached = 0;  ///< Commands whose target was met.
  int stalls = 0;   ///< Frames without progress along a link.
  int changes = 0;  ///< Of clip.
  double worst_step_m = -1.0;
  double worst_turn_deg = -1.0;
  std::vector<std::string> jumps;  ///< Beyond a centimetre or 3 degrees.
  std::vector<std::string> kinks;  ///< Beyond 2 cm.
  double skate_mps = 0.0;          ///< `analysis::measure_quality` of the played motion, contacts found in it.
  double deepest_m = 0.0;          ///< Heel, ball or toe tip below the ground, and below where the playing clip has it.
  int deep_frames = 0;             ///< With more than 5 mm of that.
  double longer_flight_s = 0.0;    ///< Longest time in the air beyond that of the clips played then.
  std::vector<std::string> longer_flights;  ///< By more than 0.05 s.
};

inline std::vector<OwnMotion> own_motions(const graph::MotionSet& set, double frame_time_s) {
  std::vector<OwnMotion> own;
  const FootFloor floor(set);
  for (const auto& clip : set.clips) {
    own.push_back(own_motion(clip.clip(), frame_time_s));
    own.back().flight_s = floor.longest_flight_s(clip);
  }
  return own;
}

/// `own` is `own_motions` of the set.
template <class BeforeFrame>
Played measure(graph::Player& player, const graph::MotionSet& set, const std::vector<OwnMotion>& own, int frames,
               double frame_time_s, const BeforeFrame& before_frame) {
  Played played;
  Pose pose;
  WorldPose world[3];
  // Lowest over a frame before and after: a clip may dip between two frames that are shown.
  const auto own_height_m = [&](const graph::SetClip& playing, double time_s, int point) {
    double lowest = 0.0;
    const int at = playing.clip().nearest_frame(time_s);
    for (int f = std::max(0, at - 1); f <= std::min(at + 1, playing.clip().frame_count() - 1); ++f) {
      lowest = std::min(lowest, playing.positions().point(f, point).y());
    }
    return lowest;
  };
  const FootFloor floor(set);
  double flight_s = 0.0, own_flight_s = 0.0;
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
    const OwnMotion &a = own[clip], &b = own[other];
    for (std::size_t j = 0; j < now.positions.size() && f > 0; ++j) {
      const double step = (now.positions[j] - last.positions[j]).norm() - std::max(a.step_m[j], b.step_m[j]);
      const double turn =
          std::max(now.rotations[j].angularDistance(last.rotations[j]) - std::max(a.turn_rad[j], b.turn_rad[j]),
                   bend_between(pose, played.poses[static_cast<std::size_t>(f) - 1], j) -
                       std::max(a.bend_rad[j], b.bend_rad[j]));
      const auto kink_m = [&] { return (now.positions[j] - 2.0 * last.positions[j] + earlier.positions[j]).norm(); };
      const double bend = f > 1 ? kink_m() - std::max(a.kink_m[j], b.kink_m[j]) : 0.0;
      const auto tell = [&] {
        return fmt::format(
            "frame {}: {} {:.2f} cm, change of step {:.2f} cm, {:.1f} deg beyond its clips' own ({} after {})", f,
            set.skeleton->name(static_cast<JointIndex>(j)), 100.0 * step, 100.0 * bend, turn * 180.0 / M_PI,
            set.clips[clip].name, set.clips[other].name);
      };
      if (step > 0.011 || turn > 3.0 * M_PI / 180.0) played.jumps.push_back(tell());
      if (bend > 0.02) played.kinks.push_back(tell());
      played.worst_step_m = std::max(played.worst_step_m, step);
      played.worst_turn_deg = std::max(played.worst_turn_deg, turn * 180.0 / M_PI);
    }
    const auto height_m = [&](int point) {
      const int joints = set.skeleton->joint_count();
      return point < joints ? now.positions[point].y() : now.end_site(set.skeleton->end_sites()[point - joints]).y();
    };
    double deepest = 0.0;
    for (const auto& [point, lowest] : floor.points) {
      deepest = std::max(deepest, own_height_m(set.clips[clip], state.clip_time_s, point) - height_m(point));
    }
    if (floor.in_the_air(height_m)) {
      flight_s += frame_time_s;
      own_flight_s = std::max({own_flight_s, a.flight_s, b.flight_s});
    } else {
      if (flight_s > 0.0) {
        played.longer_flight_s = std::max(played.longer_flight_s, flight_s - own_flight_s);
        if (flight_s > own_flight_s + 0.05) {
          played.longer_flights.push_back(fmt::format("frame {}: {:.3f} s in the air, its clips {:.3f} s ({} after {})",
                                                      f, flight_s, own_flight_s, set.clips[clip].name,
                                                      set.clips[other].name));
        }
      }
      flight_s = own_flight_s = 0.0;
    }
    played.deepest_m = std::max(played.deepest_m, deepest);
    played.deep_frames += deepest > 0.005;
    if (f > 0 && state.link == before.link && state.into_link_s == before.into_link_s) ++played.stalls;
    before = state;
  }
  Clip whole(set.skeleton, frames, frame_time_s, set.clips.front().clip().translated());
  for (int f = 0; f < frames; ++f) whole.set_frame(f, played.poses[f]);
  played.skate_mps = analysis::measure_quality(analysis::study(whole, set.body_map)).foot_skate_mps;
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
  Played played = measure(player, set, own_motions(set, frame_time_s), at.back() + 300, frame_time_s, [&](int frame) {
    if (open && !player.state().commanded) {
      open = false;
      reached += !player.state().unreachable;
    }
    if (next < commands && frame == at[next]) {
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
