#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "shosa/analysis/local_ground.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/sampling.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {

/// Distances of moments by the definition in docs/library.md, from the samples of the files themselves: posture by
/// posture, with forward kinematics at the very times, in floating point.
class SlowClip {
 public:
  explicit SlowClip(const std::filesystem::path& path)
      : motion_(*io::read_motion(path, {.drop_tpose = true})),
        studied_(analysis::study(motion_.clips.front(), motion_.body_map)) {}

  /// The six points as the body sees them, metres of this body.
  std::vector<std::pair<std::string, Vec3d>> points(double time_s) const {
    std::vector<std::pair<std::string, Vec3d>> named;
    const auto seen = see(time_s);
    for (int i = 0; i < 6; ++i) named.emplace_back(kRoles[i].first, seen[i] * studied_.contacts().scale);
    return named;
  }

  static double distance_m(const SlowClip& a, double at_a_s, const SlowClip& b, double at_b_s) {
    const auto place_a = a.see(at_a_s), place_b = b.see(at_b_s), way_a = a.ways(at_a_s), way_b = b.ways(at_b_s);
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
      sum += (place_a[i] - place_b[i]).squaredNorm();
      if (i != 1) sum += (way_a[i] - way_b[i]).squaredNorm();  // all but the head's
    }
    const double turn = a.turning(at_a_s) - b.turning(at_b_s);
    return std::sqrt((sum + turn * turn) / 6.0);
  }

  /// Time and distance of the moment nearest to one of `other`, every 1/30 s.
  std::pair<double, double> nearest(const SlowClip& other, double time_s) const {
    std::pair<double, double> best = {0.0, std::numeric_limits<double>::infinity()};
    for (int i = 0; i / 30.0 <= studied_.clip().last_time_s(); ++i) {
      const double distance = distance_m(other, time_s, *this, i / 30.0);
      if (distance < best.second) best = {i / 30.0, distance};
    }
    return best;
  }

 private:
  using Points = std::array<Vec3d, 6>;
  static constexpr std::pair<const char*, body::Role> kRoles[6] = {
      {"hips", body::Role::hips},           {"head", body::Role::head},
      {"left_foot", body::Role::left_foot}, {"right_foot", body::Role::right_foot},
      {"left_hand", body::Role::left_hand}, {"right_hand", body::Role::right_hand}};

  Points world(double time_s) const {
    Pose pose;
    sample(studied_.clip(), time_s, pose);
    const WorldPose joints = forward_kinematics(studied_.skeleton(), pose);
    Points points;
    for (int i = 0; i < 6; ++i) points[i] = joints.positions[studied_.map().joint(kRoles[i].second)];
    return points;
  }
  double heading(double time_s) const {
    const Clip& clip = studied_.clip();
    const double place = std::clamp(time_s / clip.frame_time_s(), 0.0, clip.frame_count() - 1.0);
    const int before = static_cast<int>(place), after = std::min(before + 1, clip.frame_count() - 1);
    return std::lerp(studied_.heading_rad(before), studied_.heading_rad(after), place - before);
  }
  Vec3d turned(const Vec3d& v, double time_s) const {
    return Eigen::AngleAxisd(-heading(time_s), Vec3d::UnitY()) * v / studied_.contacts().scale;
  }
  Points see(double time_s) const {
    Points points = world(time_s);
    double ground = 0.0;
    for (const auto& foot : studied_.contacts().feet)
      ground += analysis::local_ground_m(foot, time_s, studied_.contacts().ground_m) / 2.0;
    const Vec3d origin(points[0].x(), ground, points[0].z());
    for (Vec3d& point : points) point = turned(point - origin, time_s);
    return points;
  }
  /// 1/30 s before and after, as far as the clip goes.
  std::pair<double, double> span(double time_s) const {
    return {std::max(time_s - 1.0 / 30.0, 0.0), std::min(time_s + 1.0 / 30.0, studied_.clip().last_time_s())};
  }
  Points ways(double time_s) const {
    const auto [begin, end] = span(time_s);
    const Points before = world(begin);
    Points points = world(end);
    for (int i = 0; i < 6; ++i) points[i] = turned(points[i] - before[i], time_s) * 0.2 / (end - begin);
    return points;
  }
  double turning(double time_s) const {
    const auto [begin, end] = span(time_s);
    return (heading(end) - heading(begin)) * 0.2 / (end - begin) * 0.25;
  }

  io::MotionFile motion_;
  analysis::StudiedClip studied_;
};

}  // namespace shosa::test
