#include "motions/assemble.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "motions/gait.h"
#include "motions/key_poses.h"
#include "motions/swing.h"
#include "scenes/limbs.h"
#include "scenes/plan.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/rotations.h"

namespace shosa::motions {
namespace {

/// The smoothest kind of lower bound: least value within half a width, averaged over as much (a raised cosine), so that
/// it is nowhere above `values`.
std::vector<double> smooth_below(const std::vector<double>& values, int half) {
  const int count = static_cast<int>(values.size());
  std::vector<double> least(values.size()), smooth(values.size());
  const auto clamped = [&](int i) { return static_cast<std::size_t>(std::clamp(i, 0, count - 1)); };
  for (int i = 0; i < count; ++i) {
    double low = values[clamped(i)];
    for (int d = -half; d <= half; ++d) low = std::min(low, values[clamped(i + d)]);
    least[clamped(i)] = low;
  }
  for (int i = 0; i < count; ++i) {
    double sum = 0.0, weights = 0.0;
    for (int d = -half; d <= half; ++d) {
      const double weight = 1.0 + std::cos(M_PI * d / (half + 1.0));
      sum += weight * least[clamped(i + d)];
      weights += weight;
    }
    smooth[clamped(i)] = sum / weights;
  }
  return smooth;
}

double leap_height(const Leap& leap, double bottom_m, double caught_m, double time_s) {
  const double flight_s = leap.land_s - leap.off_s;
  const double up = (leap.land_m - leap.off_m) / flight_s + 0.5 * scenes::kGravity_mps2 * flight_s;
  if (time_s < leap.off_s) {
    const double length = leap.off_s - leap.bottom_s;
    return scenes::hermite<double>(bottom_m, 0.0, leap.off_m, up, length, (time_s - leap.bottom_s) / length);
  }
  if (time_s < leap.land_s) {
    const double u = time_s - leap.off_s;
    return leap.off_m + up * u - 0.5 * scenes::kGravity_mps2 * u * u;
  }
  const double length = leap.caught_s - leap.land_s;
  return scenes::hermite<double>(leap.land_m, up - scenes::kGravity_mps2 * flight_s, caught_m, 0.0, length,
                                 (time_s - leap.land_s) / length);
}

/// Breath and the sway of standing, so that a held posture is not dead.
void enliven(const Skeleton& skeleton, double time_s, UpperBody& body) {
  const auto turn = [&](const char* joint, double x_deg, double y_deg) {
    Quatd& rotation = body.rotations[skeleton.find(joint)];
    rotation = rotation * Quatd(Eigen::AngleAxisd(radians(x_deg), Vec3d::UnitX())) * about_y(radians(y_deg));
  };
  const auto wave = [&](double hz, double phase) { return std::sin(2.0 * M_PI * hz * time_s + phase); };
  body.hips_m +=
      Vec3d(0.004 * wave(0.21, 0.3) + 0.002 * wave(0.53, 1.0), 0.0, 0.003 * wave(0.17, 2.0) + 0.0015 * wave(0.43, 0.5));
  const double breath = wave(0.26, -1.2);
  turn("chest", -0.5 * breath, 0.0);
  turn("upper_chest", -0.5 * breath, 0.3 * wave(0.19, 0.0));
  turn("neck", 0.6 * breath, 0.0);
  turn("head", 0.5 * wave(0.13, 0.4), 0.8 * wave(0.11, 1.4));
  turn("left_upper_arm", 0.4 * wave(0.24, 0.2), 0.0);
  turn("right_upper_arm", 0.4 * wave(0.22, 0.9), 0.0);
}

using UpperAt = std::function<UpperBody(double)>;

/// Frames from `first` on; heights are settled over all of them.
Frames sample_frames(const UpperAt& upper, const std::array<FootPath, 2>& feet, int first, int count) {
  Frames frames;
  for (int i = 0; i < count; ++i) {
    const double t = (first + i) / kFps;
    frames.bodies.push_back(upper(t));
    frames.feet.push_back({feet[0].at(t), feet[1].at(t)});
  }
  return frames;
}

/// Walking: the hips are as high as the legs allow over a whole step, plus the bounce.
void settle_gait(const GaitMotion& gait, const Gait& figures, const Posture& posture, int lead, Frames& frames) {
  std::vector<double> room;
  for (std::size_t i = 0; i < frames.bodies.size(); ++i) {
    const double t = (static_cast<int>(i) - lead) / kFps;
    const double highest = highest_hips(frames.bodies[i], frames.feet[i], figures.extension);
    room.push_back(std::min(kStandingHips_m - 0.5 * figures.bounce_m * std::min(1.0, gait.speed(t) / figures.top_mps),
                            highest - frames.bodies[i].hips_m.y()));
  }
  const double window_s = figures.rise_m != 0.0 ? 0.5 * figures.step_s : figures.step_s;
  const auto base = smooth_below(room, static_cast<int>(std::ceil(0.5 * window_s * kFps)) + (gait.running() ? 1 : 0));
  for (std::size_t i = 0; i < frames.bodies.size(); ++i) frames.bodies[i].hips_m.y() += base[i] - posture.down_m;
}

/// Keys: the hips sink where a leg would be stretched; leaps have heights of their own.
void settle_keys(const Description& description, Frames& frames) {
  std::vector<double> below;
  for (std::size_t i = 0; i < frames.bodies.size(); ++i) {
    below.push_back(
        std::min(0.0, highest_hips(frames.bodies[i], frames.feet[i], 0.9985) - frames.bodies[i].hips_m.y()));
  }
  const auto height_at = [&](double t) {
    return frames.bodies[static_cast<std::size_t>(std::lround(t * kFps))].hips_m.y();
  };
  std::vector<std::pair<double, double>> ends;
  for (const Leap& leap : description.leaps) ends.emplace_back(height_at(leap.bottom_s), height_at(leap.caught_s));
  for (std::size_t l = 0; l < description.leaps.size(); ++l) {
    const Leap& leap = description.leaps[l];
    for (std::size_t i = 0; i < frames.bodies.size(); ++i) {
      const double t = static_cast<double>(i) / kFps;
      if (t <= leap.bottom_s || t >= leap.caught_s) continue;
      frames.bodies[i].hips_m.y() = leap_height(leap, ends[l].first, ends[l].second, t);
      below[i] = 0.0;
    }
  }
  const auto sink = smooth_below(below, 9);
  for (std::size_t i = 0; i < frames.bodies.size(); ++i) frames.bodies[i].hips_m.y() += sink[i];
}

void plan_contacts(const std::array<FootPath, 2>& feet, double end_s, Motion& motion) {
  for (std::size_t side = 0; side < 2; ++side) {
    scenes::FootPlan plan{.foot = side == 0 ? "left_foot" : "right_foot",
                          .heel = feet[side].heel_contacts(end_s),
                          .toes = feet[side].toe_contacts(end_s),
                          .standing = {}};
    double begin_s = -1e9;
    for (const Step& step : feet[side].script().steps) {
      scenes::add_clipped(plan.standing, {begin_s, step.lift_s}, {0.0, end_s});
      begin_s = step.land_s;
    }
    scenes::add_clipped(plan.standing, {begin_s, 1e9}, {0.0, end_s});
    motion.feet.push_back(std::move(plan));
  }
  const auto either = analysis::interval_union(motion.feet[0].standing, motion.feet[1].standing);
  motion.flights = analysis::interval_gaps(either, {0.0, end_s});
}

}  // namespace

Result<Motion> assemble_human(std::string_view name, const Description& description) {
  const auto skeleton = scenes::humanoid();
  const body::BodyMap map = body::guess_body_map(*skeleton);
  const int count = static_cast<int>(std::lround(description.duration_s * kFps)) + 1;
  Motion motion{.name = std::string(name),
                .about = description.about,
                .clip = Clip(skeleton, count, 1.0 / kFps),
                .body_map = map,
                .core = description.core.value_or(TimeInterval{0.0, (count - 1) / kFps}),
                .feet = {},
                .flights = {}};
  motion.clip.set_name(motion.name);

  Frames frames;
  std::array<FootPath, 2> feet = {FootPath(description.feet[0]), FootPath(description.feet[1])};
  int lead = 0;
  if (description.gait) {
    const Posture& posture = description.keys.front().posture;
    const GaitMotion gait(*description.gait, posture, description.duration_s);
    feet = {FootPath(gait.feet()[0]), FootPath(gait.feet()[1])};
    motion.cyclic = description.gait->strikes == 0;
    if (motion.cyclic) motion.cycle_s = 2.0 * description.gait->step_s;
    // Heights are settled over the steps before and after, too.
    lead = motion.cyclic ? static_cast<int>(kFps) : 0;
    frames = sample_frames([&](double t) { return gait.at(*skeleton, t); }, feet, -lead, count + 2 * lead);
    settle_gait(gait, *description.gait, posture, lead, frames);
  } else {
    const auto line = KeyTimeline::create(skeleton, map, description, feet);
    if (!line) return std::unexpected(line.error());
    const auto upper = [&](double t) {
      UpperBody body = line->at(t);
      if (description.alive) enliven(*skeleton, t, body);
      return body;
    };
    frames = sample_frames(upper, feet, 0, count);
    settle_keys(description, frames);
  }
  relax_swings(frames);
  for (int i = 0; i < count; ++i) {
    const auto f = static_cast<std::size_t>(i + lead);
    motion.clip.set_frame(i, whole_pose(*skeleton, frames.bodies[f], frames.feet[f]));
  }
  plan_contacts(feet, motion.clip.last_time_s(), motion);
  return motion;
}

}  // namespace shosa::motions
