#include "motions/dog.h"

#include <algorithm>
#include <cmath>

#include "motions/assemble.h"
#include "motions/body.h"
#include "scenes/limbs.h"
#include "scenes/plan.h"
#include "shosa/analysis/intervals.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

const Vec3d kX = Vec3d::UnitX(), kY = Vec3d::UnitY(), kZ = Vec3d::UnitZ();

Quatd about(double degrees, const Vec3d& axis) {
  return Quatd(Eigen::AngleAxisd(radians(degrees), axis));
}

struct LegNames {
  std::string upper, middle, end, toes;
  bool front;
};

LegNames names_of(int leg) {
  const std::string side = leg % 2 == 0 ? "left_" : "right_";
  if (leg >= left_front) return {side + "upper_arm", side + "lower_arm", side + "hand", "", true};
  return {side + "upper_leg", side + "lower_leg", side + "foot", side + "toes", false};
}

/// From the joint above the paw to the point that stands: the toe joint, or the tip of a front paw.
Vec3d last_segment(const Skeleton& skeleton, const LegNames& leg) {
  if (!leg.front) return skeleton.joint(skeleton.find(leg.toes)).rest_translation_m.cast<double>();
  for (const EndSite& site : skeleton.end_sites()) {
    if (site.name == leg.end + "_end") return site.offset_m.cast<double>();
  }
  return Vec3d::Zero();
}

/// Where a paw stands or flies, and the pitch of its last segment.
struct Paw {
  Vec3d point;
  double pitch_rad = 0.0;
};

DogPosture keyed(const std::vector<DogKey>& keys, double time_s) {
  DogPosture now = keys.front().posture;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    const DogPosture &to = keys[k].posture, &from = keys[k - 1].posture;
    const double begin = keys[k].time_s - keys[k].over_s, end = keys[k].time_s;
    const auto done = [&](double late) {
      return solve::minimum_jerk_value(time_s, begin + late * keys[k].over_s, end + late * keys[k].over_s);
    };
    now.hips_m += done(0.0) * (to.hips_m - from.hips_m);
    // Head first, tail last.
    const struct {
      double DogPosture::*channel;
      double late;
    } channels[] = {{&DogPosture::yaw, 0},         {&DogPosture::pitch, 0},    {&DogPosture::roll, 0},
                    {&DogPosture::arch, 0.05},     {&DogPosture::bend, 0.05},  {&DogPosture::neck, -0.08},
                    {&DogPosture::head, -0.05},    {&DogPosture::look, -0.08}, {&DogPosture::tail, 0.2},
                    {&DogPosture::tail_side, 0.2}, {&DogPosture::hock, 0},     {&DogPosture::wrist, 0}};
    for (const auto& [channel, late] : channels) now.*channel += done(late) * (to.*channel - from.*channel);
  }
  return now;
}

class Paws {
 public:
  Paws(const Skeleton& skeleton, const DogDescription& description) : description_(description) {
    for (int leg = 0; leg < 4; ++leg) {
      const LegNames names = names_of(leg);
      const auto joint = static_cast<std::size_t>(skeleton.find(names.end));
      segment_[static_cast<std::size_t>(leg)] = last_segment(skeleton, names);
      rest_[static_cast<std::size_t>(leg)] = skeleton.rest_positions()[joint] + segment_[static_cast<std::size_t>(leg)];
    }
  }

  const Vec3d& segment(int leg) const { return segment_[static_cast<std::size_t>(leg)]; }

  Paw at(int leg, double time_s, const DogPosture& posture) const {
    return description_.gait ? walking(leg, time_s) : stepping(leg, time_s, posture);
  }

  std::vector<TimeInterval> standing(int leg, double end_s) const {
    std::vector<TimeInterval> list;
    const TimeInterval whole{0.0, end_s};
    if (description_.gait) {
      const DogGait& gait = *description_.gait;
      for (int k = -2; (k - 1) * gait.cycle_s < end_s; ++k) {
        const double strike = (k + gait.phase[static_cast<std::size_t>(leg)]) * gait.cycle_s;
        scenes::add_clipped(list, {strike, strike + gait.duty * gait.cycle_s}, whole);
      }
      return list;
    }
    double begin_s = -1e9;
    for (const PawStep& step : description_.steps[static_cast<std::size_t>(leg)]) {
      scenes::add_clipped(list, {begin_s, step.lift_s}, whole);
      begin_s = step.land_s;
    }
    scenes::add_clipped(list, {begin_s, 1e9}, whole);
    return list;
  }

 private:
  Paw walking(int leg, double time_s) const {
    const DogGait& gait = *description_.gait;
    const bool front = leg >= left_front;
    const double stance_s = gait.duty * gait.cycle_s, swing_s = gait.cycle_s - stance_s;
    const double phase = gait.phase[static_cast<std::size_t>(leg)];
    const double strike_s = (std::floor(time_s / gait.cycle_s - phase + 1e-9) + phase) * gait.cycle_s;
    const double since = time_s - strike_s;
    // Planted so that the body passes over it in the middle of the stance.
    Paw paw{.point = rest_[static_cast<std::size_t>(leg)] + gait.speed_mps * (strike_s + 0.5 * stance_s) * kZ};
    const double strike = front ? -0.10 : -0.22, off = front ? 0.62 : 0.55;
    if (since <= stance_s) {
      const double x = since / stance_s;
      paw.pitch_rad = strike + (off - strike) * x * x;
      return paw;
    }
    const double x = (since - stance_s) / swing_s;
    const Vec3d lift(0, 0.4, 0.9 * gait.speed_mps), land(0, -0.40, 0.25 * gait.speed_mps);
    paw.point =
        scenes::hermite<Vec3d>(paw.point, lift, paw.point + gait.speed_mps * gait.cycle_s * kZ, land, swing_s, x);
    paw.point.y() += gait.clear_m * 16.0 * x * x * (1 - x) * (1 - x);
    // The paw folds back as it comes forward.
    const double rate = 2.0 * (off - strike) / stance_s;
    paw.pitch_rad = scenes::hermite<double>(off, rate, strike, 0.0, swing_s, x) +
                    (front ? 0.4 : 0.15) * 16.0 * x * x * (1 - x) * (1 - x);
    return paw;
  }

  Paw stepping(int leg, double time_s, const DogPosture& posture) const {
    const auto i = static_cast<std::size_t>(leg);
    Paw paw{.point = rest_[i] + description_.start_z_m[i] * kZ,
            .pitch_rad = radians(leg >= left_front ? posture.wrist : posture.hock)};
    for (const PawStep& step : description_.steps[i]) {
      if (time_s <= step.lift_s) break;
      const Vec3d to = rest_[i] + Vec3d(step.x_m, 0, step.z_m);
      const double length_s = step.land_s - step.lift_s, x = std::min(1.0, (time_s - step.lift_s) / length_s);
      const Vec3d leave(0, 0.3, 0.3 * (to.z() - paw.point.z()) / length_s), land(0, -0.3, leave.z());
      const double bump = 16.0 * x * x * (1 - x) * (1 - x);
      paw.point = scenes::hermite<Vec3d>(paw.point, leave, to, land, length_s, x);
      paw.point.y() += step.clear_m * bump;
      paw.pitch_rad += 0.35 * bump;
    }
    return paw;
  }

  const DogDescription& description_;
  std::array<Vec3d, 4> segment_, rest_;
};

/// What a gait adds to the posture.
DogPosture with_gait(DogPosture now, const DogGait& gait, double time_s) {
  const double turn = 2.0 * M_PI * time_s / gait.cycle_s;
  now.hips_m.z() += gait.speed_mps * time_s;
  now.hips_m.y() += gait.bounce_m * std::cos(2.0 * (turn - 2.0 * M_PI * gait.bounce_phase));
  now.yaw += gait.sway_deg * std::sin(turn);
  now.bend -= 2.0 * gait.sway_deg * std::sin(turn);
  now.roll += 0.5 * gait.sway_deg * std::sin(turn + 0.8);
  // The head comes up as a front leg takes the weight.
  now.neck += gait.nod_deg * std::sin(2.0 * turn);
  now.head -= 0.7 * gait.nod_deg * std::sin(2.0 * turn - 0.3);
  now.tail_side += 9.0 * std::sin(turn - 0.6);
  return now;
}

void enliven_dog(double time_s, DogPosture& now) {
  const auto wave = [&](double hz, double phase) { return std::sin(2.0 * M_PI * hz * time_s + phase); };
  // The floor holds a lying trunk.
  const double free = std::clamp(1.0 + 2.0 * now.hips_m.y(), 0.15, 1.0);
  now.arch += free * 0.7 * wave(0.45, 0.0);
  now.neck += 1.0 * wave(0.45, -0.8) + 1.2 * wave(0.13, 0.5);
  now.look += 3.0 * wave(0.11, 0.2);
  now.tail_side += 7.0 * wave(0.6, 0.0);
  now.hips_m.x() += free * 0.004 * wave(0.2, 0.7);
}

void write_torso(const Vec3d& rest_hips, const DogPosture& now, scenes::PoseWriter& body) {
  body.root(rest_hips + now.hips_m, about(now.yaw, kY) * about(now.pitch, kX) * about(-now.roll, kZ));
  body.rotate("spine", about(0.5 * now.bend, kY) * about(0.4 * now.arch, kX));
  body.rotate("chest", about(0.5 * now.bend, kY) * about(0.6 * now.arch, kX));
  body.rotate("neck", about(0.5 * now.look, kY) * about(now.neck, kX));
  body.rotate("head", about(0.5 * now.look, kY) * about(now.head, kX));
  body.rotate("tail_1", about(now.tail_side, kY) * about(now.tail, kX));
  body.rotate("tail_2", about(0.8 * now.tail_side, kY) * about(0.5 * now.tail, kX));
}

}  // namespace

Result<Motion> assemble_dog(std::string_view name, const DogDescription& description) {
  const auto skeleton = scenes::dog();
  const int count = static_cast<int>(std::lround(description.duration_s * kFps)) + 1;
  Motion motion{.name = std::string(name),
                .about = description.about,
                .clip = Clip(skeleton, count, 1.0 / kFps),
                .body_map = guess_body_map(*skeleton),
                .core = description.core.value_or(TimeInterval{0.0, (count - 1) / kFps}),
                .cyclic = description.gait.has_value(),
                .cycle_s = description.gait ? description.gait->cycle_s : 0.0,
                .feet = {},
                .flights = {}};
  motion.clip.set_name(motion.name);
  const Paws paws(*skeleton, description);
  const Vec3d rest_hips = skeleton->rest_positions()[0];

  Pose pose = Pose::rest(*skeleton);
  for (int frame = 0; frame < count; ++frame) {
    const double t = frame / kFps;
    DogPosture now = keyed(description.keys, t);
    if (description.gait)
      now = with_gait(now, *description.gait, t);
    else
      enliven_dog(t, now);
    scenes::PoseWriter body(*skeleton, pose);
    write_torso(rest_hips, now, body);
    for (int leg = 0; leg < 4; ++leg) {
      const LegNames names = names_of(leg);
      const Paw paw = paws.at(leg, t, now);
      const Quatd turned(Eigen::AngleAxisd(paw.pitch_rad, kX));
      body.reach(names.upper, names.middle, names.end, paw.point - turned * paws.segment(leg),
                 names.front ? Vec3d(-kZ) : kZ);
      body.rotate_world(names.end, turned);
      if (!names.front)
        body.rotate_world(names.toes, Quatd(Eigen::AngleAxisd(std::max(0.0, 0.6 * (paw.pitch_rad - 0.5)), kX)));
    }
    motion.clip.set_frame(frame, pose);
  }

  const double end_s = motion.clip.last_time_s();
  std::vector<TimeInterval> any;
  for (int leg = 0; leg < 4; ++leg) {
    const auto standing = paws.standing(leg, end_s);
    any = analysis::interval_union(any, standing);
    motion.feet.push_back({.foot = names_of(leg).end, .heel = {}, .toes = standing, .standing = standing});
  }
  motion.flights = analysis::interval_gaps(any, {0.0, end_s});
  return motion;
}

}  // namespace shosa::motions
