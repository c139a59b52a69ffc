#include "demo/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/scenes.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/angles.h"
#include "shosa/posing/human_ranges.h"

namespace shosa::demo {

FeetQuality feet_quality(const FigureClip& shown) {
  return feet_quality(shown, shown);
}

FeetQuality feet_quality(const FigureClip& shown, const FigureClip& stands) {
  const auto standing = analysis::study(stands.clip, stands.body_map);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto studied = analysis::study(shown.clip, shown.body_map, standing.contacts());
  if (!standing.needs_feet() || !studied) return {nan, nan};
  const auto quality = analysis::measure_quality(*studied);
  return {quality.foot_skate_mps, quality.penetration_m};
}

Break break_at(const ClipPositions& positions, int frame, double frame_time_s) {
  Break worst;
  for (JointIndex j = 0; j < positions.joint_count(); ++j) {
    const Vec3d before = positions.joint(frame - 1, j) - positions.joint(frame - 2, j);
    const Vec3d after = positions.joint(frame + 1, j) - positions.joint(frame, j);
    const Vec3d left = positions.joint(frame - 1, j) + 0.5 * before, right = positions.joint(frame, j) - 0.5 * after;
    worst.position_m = std::max(worst.position_m, (left - right).norm());
    worst.velocity_mps = std::max(worst.velocity_mps, (after - before).norm() / frame_time_s);
  }
  return worst;
}

Break worst_break(const ClipPositions& positions, double frame_time_s, std::span<const int> except) {
  Break worst;
  for (int f = 2; f + 2 <= positions.frame_count(); ++f) {
    if (std::find(except.begin(), except.end(), f) != except.end()) continue;
    const Break here = break_at(positions, f, frame_time_s);
    worst.position_m = std::max(worst.position_m, here.position_m);
    worst.velocity_mps = std::max(worst.velocity_mps, here.velocity_mps);
  }
  return worst;
}

double root_velocity_step_mps(const FigureClip& shown) {
  const ClipPositions positions = clip_positions(shown.clip);
  const JointIndex root = root_joint(shown.body_map);
  double most = 0.0;
  for (int f = 1; f + 1 < positions.frame_count(); ++f) {
    const Vec3d change = positions.joint(f + 1, root) - 2.0 * positions.joint(f, root) + positions.joint(f - 1, root);
    most = std::max(most, change.norm() / shown.clip.frame_time_s());
  }
  return most;
}

void Unevenness::take_worst(const Unevenness& other) {
  if (step_m.empty()) {
    *this = other;
    return;
  }
  for (std::size_t j = 0; j < step_m.size() && j < other.step_m.size(); ++j) {
    step_m[j] = std::max(step_m[j], other.step_m[j]);
    turn_deg[j] = std::max(turn_deg[j], other.turn_deg[j]);
  }
}

Unevenness unevenness(const Clip& clip) {
  const ClipPositions positions = clip_positions(clip);
  const auto joints = static_cast<std::size_t>(clip.joint_count());
  Unevenness found{std::vector<double>(joints, 0.0), std::vector<double>(joints, 0.0)};
  double worst_step = 0.0, worst_turn = 0.0;
  for (int f = 1; f + 1 < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double step = (positions.joint(f + 1, j) - 2.0 * positions.joint(f, j) + positions.joint(f - 1, j)).norm();
      // The turn that takes the last turn on, against the one there is.
      const Quatd a = clip.rotation(f - 1, j).cast<double>(), b = clip.rotation(f, j).cast<double>(),
                  c = clip.rotation(f + 1, j).cast<double>();
      const double turn = (b * a.conjugate() * b).angularDistance(c) * kDegPerRad;
      found.step_m[k] = std::max(found.step_m[k], step);
      found.turn_deg[k] = std::max(found.turn_deg[k], turn);
      if (step > worst_step) worst_step = step, found.worst_step_frame = f;
      if (turn > worst_turn) worst_turn = turn, found.worst_turn_frame = f;
    }
  }
  return found;
}

Excess excess(const Unevenness& made, const Unevenness& source, double least_step_m, double least_turn_deg) {
  Excess over;
  for (std::size_t j = 0; j < made.step_m.size() && j < source.step_m.size(); ++j) {
    over.step_m = std::max(over.step_m, made.step_m[j] - std::max(source.step_m[j], least_step_m));
    over.turn_deg = std::max(over.turn_deg, made.turn_deg[j] - std::max(source.turn_deg[j], least_turn_deg));
  }
  return over;
}

namespace {

/// The frame of [first, last] about which a joint moves least over four frames: where a rolling foot lies flat.
int stillest_frame(const ClipPositions& positions, JointIndex joint, int first, int last) {
  constexpr int kReach = 2;
  const int end = positions.frame_count() - 1;
  int best = (first + last) / 2;
  double least = std::numeric_limits<double>::infinity();
  for (int f = std::max(first, kReach); f <= std::min(last, end - kReach); ++f) {
    const double moved = (positions.joint(f + kReach, joint) - positions.joint(f - kReach, joint)).norm();
    if (moved < least) {
      least = moved;
      best = f;
    }
  }
  return best;
}

}  // namespace

std::vector<Landing> landings(const FigureClip& shown) {
  std::vector<Landing> list;
  const auto studied = analysis::study(shown.clip, shown.body_map);
  for (const auto& foot : studied.contacts().feet) {
    const auto flat =
        foot.heel.empty() || foot.toe.empty() ? foot.joined : analysis::interval_intersection(foot.heel, foot.toe);
    for (const auto& stance : foot.stances) {
      TimeInterval longest{0.0, -1.0};
      for (const TimeInterval& part : flat) {
        if (part.begin_s < stance.time.end_s && part.end_s > stance.time.begin_s &&
            part.length_s() > longest.length_s())
          longest = part;
      }
      if (longest.end_s < longest.begin_s) longest = stance.time;
      const int rest = stillest_frame(studied.positions(), foot.points.joint, shown.clip.nearest_frame(longest.begin_s),
                                      shown.clip.nearest_frame(longest.end_s));
      list.push_back(
          {foot.points.name, stance.time, studied.positions().joint(rest, foot.points.joint), stance.ground_m});
    }
  }
  std::sort(list.begin(), list.end(), [](const Landing& a, const Landing& b) {
    return a.time.begin_s != b.time.begin_s ? a.time.begin_s < b.time.begin_s : a.foot < b.foot;
  });
  return list;
}

double largest_distance_m(const FigureClip& a, const FigureClip& b, std::span<const body::Role> roles) {
  if (a.clip.frame_count() != b.clip.frame_count()) return std::numeric_limits<double>::quiet_NaN();
  const ClipPositions first = clip_positions(a.clip), second = clip_positions(b.clip);
  double worst = 0.0;
  for (const body::Role role : roles) {
    const JointIndex j = a.body_map.joint(role), k = b.body_map.joint(role);
    if (j == kNoJoint || k == kNoJoint) return std::numeric_limits<double>::quiet_NaN();
    for (int f = 0; f < a.clip.frame_count(); ++f) {
      worst = std::max(worst, (first.joint(f, j) - second.joint(f, k)).norm());
    }
  }
  return worst;
}

double largest_turn_deg(const FigureClip& a, const FigureClip& b, std::span<const body::Role> roles) {
  double worst = 0.0;
  WorldPose in_a, in_b;
  for (int f = 0; f < std::min(a.clip.frame_count(), b.clip.frame_count()); ++f) {
    forward_kinematics(a.clip.skeleton(), a.clip.frame(f), in_a);
    forward_kinematics(b.clip.skeleton(), b.clip.frame(f), in_b);
    for (const body::Role role : roles) {
      if (!a.body_map.has(role) || !b.body_map.has(role)) return std::numeric_limits<double>::quiet_NaN();
      const auto i = static_cast<std::size_t>(a.body_map.joint(role)),
                 j = static_cast<std::size_t>(b.body_map.joint(role));
      worst = std::max(worst, in_a.rotations[i].angularDistance(in_b.rotations[j]));
    }
  }
  return worst * kDegPerRad;
}

double largest_drift_m(const FigureClip& shown, std::span<const body::Role> roles) {
  const ClipPositions positions = clip_positions(shown.clip);
  double worst = 0.0;
  for (const body::Role role : roles) {
    const JointIndex j = shown.body_map.joint(role);
    if (j == kNoJoint) return std::numeric_limits<double>::quiet_NaN();
    for (int f = 1; f < positions.frame_count(); ++f) {
      worst = std::max(worst, (positions.joint(f, j) - positions.joint(0, j)).norm());
    }
  }
  return worst;
}

Vec3d place_at(const FigureClip& shown, body::Role role, double time_s) {
  const WorldPose world = forward_kinematics(shown.clip.skeleton(), shown.clip.frame(shown.clip.nearest_frame(time_s)));
  return world.positions[shown.body_map.joint(role)];
}

std::vector<body::Role> roles_of(const body::BodyMap& map, std::initializer_list<body::Role> roles) {
  std::vector<body::Role> there;
  for (const body::Role role : roles) {
    if (map.has(role)) there.push_back(role);
  }
  return there;
}

double RangeUse::worst_deg() const {
  double worst = 0.0;
  for (const auto& joint : out_deg) {
    for (const double out : joint) worst = std::max(worst, out);
  }
  return worst;
}

Result<RangeUse> range_use(const FigureClip& shown) {
  const auto ranges = posing::human_ranges(shown.clip.skeleton(), shown.body_map);
  if (!ranges) return std::unexpected(ranges.error());
  RangeUse use;
  for (const auto& entry : *ranges) {
    use.joints.push_back(entry.joint);
    auto& out = use.out_deg.emplace_back();
    for (int f = 0; f < shown.clip.frame_count(); ++f) {
      const Quatd turn = shown.clip.rotation(f, entry.joint).cast<double>();
      out.push_back(entry.range.nearest(turn).correction_rad.norm() * kDegPerRad);
    }
  }
  return use;
}

double longest_flight_s(const FigureClip& shown) {
  const auto studied = analysis::study(shown.clip, shown.body_map);
  if (!studied.needs_feet()) return std::numeric_limits<double>::quiet_NaN();
  double longest = 0.0;
  for (const TimeInterval& flight :
       analysis::flight_intervals(studied.contacts(), {0.0, shown.clip.last_time_s()}, 0.0))
    longest = std::max(longest, flight.length_s());
  return longest;
}

double deepest_sole_m(const Clip& clip, const feet::GroundView& ground) {
  // Over the level of the lowest foot joint or end site (the toe tip, 1 cm over the sole), which is what `analysis` and
  // plans call ground.
  constexpr double kHeel_m = -0.01, kBall_m = 0.01, kTip_m = 0.0;
  const Skeleton& skeleton = clip.skeleton();
  const Vec3d heel(scenes::FootPlan::heel_m[0], scenes::FootPlan::heel_m[1], scenes::FootPlan::heel_m[2]);
  double deepest = 0.0;
  WorldPose world;
  Pose pose;
  const auto under = [&](const Vec3d& point, double rest_m) {
    deepest = std::max(deepest, ground(point.x(), point.z()).height_m - (point.y() - rest_m));
  };
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(skeleton, pose, world);
    for (const char* side : {"left", "right"}) {
      const auto foot = static_cast<std::size_t>(skeleton.find(std::string(side) + "_foot"));
      const JointIndex toes = skeleton.find(std::string(side) + "_toes");
      under(world.positions[foot] + world.rotations[foot] * heel, kHeel_m);
      under(world.positions[toes], kBall_m);
      for (const EndSite& site : skeleton.end_sites()) {
        if (site.parent == toes) under(world.end_site(site), kTip_m);
      }
    }
  }
  return deepest;
}

}  // namespace shosa::demo
