#include "analysis/foot_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/body/leg_proportions.h"

namespace shosa::analysis {
namespace {

/// Share of the slow frames that are taken for a flat stance when heights are compared.
constexpr double kFlatShare = 0.25;

std::vector<double> heights(const std::vector<Vec3d>& path) {
  std::vector<double> y(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) y[i] = path[i].y();
  return y;
}

/// Height of `upper` over `lower` in a flat stance: low among the frames in which both are slow (tiptoe is higher).
double flat_difference(const std::vector<Vec3d>& upper, const std::vector<Vec3d>& lower,
                       const std::vector<double>& speed_a, const std::vector<double>& speed_b, double slow_mps,
                       double share) {
  std::vector<double> slow, all;
  for (std::size_t i = 0; i < upper.size(); ++i) {
    const double difference = upper[i].y() - lower[i].y();
    all.push_back(difference);
    if (speed_a[i] < slow_mps && speed_b[i] < slow_mps) slow.push_back(difference);
  }
  return percentile(slow.empty() ? std::move(all) : std::move(slow), share);
}

/// The heel of the sole, fixed to the line from ankle to ball, in the vertical plane that holds it; the steeper the
/// line, the more in the plane of the shin (a heel on the floor with the toes up when lying).
std::vector<Vec3d> heel_path(const std::vector<Vec3d>& ankle, const std::vector<Vec3d>& ball,
                             const std::vector<Vec3d>& knee, double drop_m, double scale) {
  std::vector<Vec3d> heel(ankle.size());
  for (std::size_t i = 0; i < ankle.size(); ++i) {
    const Vec3d foot = ball[i] - ankle[i];
    const double length = foot.norm();
    if (length < 1e-6) {
      heel[i] = ankle[i];
      continue;
    }
    // Flat, the line falls by drop_m; offsets below and behind are turned into the frame (along, up) of the line.
    const double sine = std::clamp(drop_m / length, -0.95, 0.95), cosine = std::sqrt(1.0 - sine * sine);
    const double behind = body::kHeelBehindAnkle_m * scale, below = body::kHeelBelowAnkle_m * scale;
    const Vec3d along = foot / length;
    const double steep = along.y() * along.y();
    const Vec3d above = (1.0 - steep) * Vec3d::UnitY() + steep * (knee[i] - ankle[i]).normalized();
    const Vec3d up = (above - above.dot(along) * along + 1e-9 * Vec3d::UnitX()).normalized();
    heel[i] = ankle[i] + (below * sine - behind * cosine) * along - (below * cosine + behind * sine) * up;
  }
  return heel;
}

}  // namespace

double flat_drop_m(const ClipPositions& positions, const body::FootPoints& points, double frame_time_s, double scale,
                   const FootContactParams& params) {
  if (points.toe < 0 || points.heel < 0) return 0.0;
  const int span = std::max(1, whole_frames(std::round(params.difference_s / frame_time_s)));
  const auto smooth = [&](int point) {
    return low_pass(point_path(positions, point), params.smoothing_s / frame_time_s);
  };
  const std::vector<Vec3d> ball = smooth(points.toe), ankle = smooth(points.heel);
  return flat_difference(ankle, ball, sharp_speed(ankle, span, frame_time_s), sharp_speed(ball, span, frame_time_s),
                         params.enter_speed_mps * std::sqrt(scale), kFlatShare);
}

FootTrack make_foot_track(const ClipPositions& positions, const body::FootPoints& points, double frame_time_s,
                          double size, double scale, double drop, const FootContactParams& params) {
  const int span = std::max(1, whole_frames(std::round(params.difference_s / frame_time_s)));
  const double slow_mps = params.enter_speed_mps * std::sqrt(scale);
  const auto smooth = [&](int point) {
    return low_pass(point_path(positions, point), params.smoothing_s / frame_time_s);
  };
  const auto speed = [&](const std::vector<Vec3d>& path) { return sharp_speed(path, span, frame_time_s); };
  const auto shifted = [](std::vector<double> y, double by) {
    for (double& value : y) value -= by;
    return y;
  };
  FootTrack track;

  // Levels are those of the ball where there is one, else of the ankle.
  if (points.toe >= 0) {
    const std::vector<Vec3d> ball = smooth(points.toe);
    const std::vector<double> ball_speed = speed(ball);
    track.toes.push_back({heights(ball), ball_speed});
    double lowest = 0.0;  // of all points, relative to the ball
    if (points.tip >= 0) {
      const std::vector<Vec3d> tip = smooth(points.tip);
      const std::vector<double> tip_speed = speed(tip);
      const double rest = flat_difference(tip, ball, tip_speed, ball_speed, slow_mps, 0.5);
      track.toes.push_back({shifted(heights(tip), rest), tip_speed});
      lowest = std::min(lowest, rest);
    }
    if (points.heel >= 0) {
      const std::vector<Vec3d> ankle = smooth(points.heel);
      const bool is_foot = points.kind == body::FootKind::foot && points.knee != kNoJoint;
      const std::vector<Vec3d> knee = is_foot ? smooth(points.knee) : ankle;
      const std::vector<Vec3d> heel = is_foot ? heel_path(ankle, ball, knee, drop, size) : ankle;
      track.heel = {shifted(heights(heel), drop - (is_foot ? body::kHeelBelowAnkle_m * size : 0.0)), speed(heel)};
      lowest = std::min(lowest, drop);
      track.heel_rest_m = drop - lowest;
    }
    track.toe_rest_m = -lowest;
    track.offset_m = lowest;
  } else {
    const std::vector<Vec3d> ankle = smooth(points.heel);
    track.heel = {heights(ankle), speed(ankle)};
  }

  const std::size_t frames = static_cast<std::size_t>(positions.frame_count());
  if (!track.toes.empty()) {
    track.toe_mps = track.toes.front().speed_mps;
    const std::vector<double>& tip_mps = track.toes.back().speed_mps;
    for (std::size_t i = 0; i < frames; ++i) track.toe_mps[i] = std::min(track.toe_mps[i], tip_mps[i]);
  }
  std::vector<const SolePoint*> all;
  if (!track.heel.level_m.empty()) all.push_back(&track.heel);
  for (const SolePoint& toe : track.toes) all.push_back(&toe);
  // The tip says whether the foot is still, but not how high: it dips over the edge of a stair and at push-off.
  const std::size_t level_points = track.toes.size() == 2 ? all.size() - 1 : all.size();
  const double leave_mps = params.leave_speed_mps * std::sqrt(scale);
  track.slowest_mps.assign(frames, std::numeric_limits<double>::infinity());
  track.lowest_m.assign(frames, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < frames; ++i) {
    double any = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double level = all[k]->level_m[i], mps = all[k]->speed_mps[i];
      track.slowest_mps[i] = std::min(track.slowest_mps[i], mps);
      if (k >= level_points) continue;
      any = std::min(any, level);
      if (mps < leave_mps) track.lowest_m[i] = std::min(track.lowest_m[i], level);
    }
    if (!std::isfinite(track.lowest_m[i])) track.lowest_m[i] = any;
  }
  return track;
}

Rest make_rest(const FootTrack& track, const FrameRange& frames) {
  std::vector<double> speeds, levels;
  for (int f = frames.first; f <= frames.last; ++f) {
    speeds.push_back(track.slowest_mps[f]);
    levels.push_back(track.lowest_m[f]);
  }
  // Low, but not the lowest: a slow lift at the end belongs to the rest, a short dip must not set its level.
  return {.frames = frames,
          .level_m = percentile(std::move(levels), 0.1),
          .least_speed_mps = *std::min_element(speeds.begin(), speeds.end()),
          .median_speed_mps = percentile(speeds, 0.5)};
}

std::vector<Rest> find_rests(const FootTrack& track, double enter_mps, double leave_mps) {
  std::vector<char> slow(track.slowest_mps.size());
  for (std::size_t i = 0; i < slow.size(); ++i) slow[i] = track.slowest_mps[i] < leave_mps;
  std::vector<Rest> rests;
  for (const FrameRange& run : true_runs(slow)) {
    const Rest rest = make_rest(track, run);
    if (rest.least_speed_mps < enter_mps) rests.push_back(rest);
  }
  return rests;
}

}  // namespace shosa::analysis
