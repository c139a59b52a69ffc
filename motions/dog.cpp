#include "motions/dog.h"

#include <algorithm>
#include <cmath>

#include "motions/assemble.h"
#include "motions/body.h"
#include "motions/dog_paws.h"
#include "scenes/limbs.h"
#include "shosa/analysis/intervals.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

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
                .body_map = body::guess_body_map(*skeleton),
                .core = description.core.value_or(TimeInterval{0.0, (count - 1) / kFps}),
                .cyclic = description.gait.has_value(),
                .cycle_s = description.gait ? description.gait->cycle_s : 0.0,
                .feet = {},
                .flights = {}};
  motion.clip.set_name(motion.name);
  const Paws paws(*skeleton, description);
  const Vec3d rest_hips = skeleton->rest_positions()[0];

  // Swings of a gait are smoothed with those before and after.
  const int lead = motion.cyclic ? static_cast<int>(std::lround(2.0 * motion.cycle_s * kFps)) : 0;
  Pose pose = Pose::rest(*skeleton);
  scenes::PoseWriter body(*skeleton, pose);
  const auto torso_at = [&](int frame) {
    const double t = frame / kFps;
    DogPosture now = keyed(description.keys, t);
    if (description.gait)
      now = with_gait(now, *description.gait, t);
    else
      enliven_dog(t, now);
    write_torso(rest_hips, now, body);
    return now;
  };
  std::array<std::vector<Paw>, 4> ways;
  for (int frame = -lead; frame < count + lead; ++frame) {
    const DogPosture now = torso_at(frame);
    for (int leg = 0; leg < 4; ++leg) {
      Paw paw = paws.at(leg, frame / kFps, now);
      paw.joint_above = body.position(dog_leg_names(leg).upper);
      ways[leg].push_back(paw);
    }
  }
  for (int leg = 0; leg < 4; ++leg) relax_paws(paws.build(leg), ways[leg]);

  for (int frame = 0; frame < count; ++frame) {
    torso_at(frame);
    for (int leg = 0; leg < 4; ++leg) {
      const DogLegNames names = dog_leg_names(leg);
      const Paw& paw = ways[leg][frame + lead];
      const Quatd turned(Eigen::AngleAxisd(paw.pitch_rad, kX));
      body.reach(names.upper, names.middle, names.end, paw.point - turned * paws.build(leg).segment,
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
    motion.feet.push_back({.foot = dog_leg_names(leg).end, .heel = {}, .toes = standing, .standing = standing});
  }
  motion.flights = analysis::interval_gaps(any, {0.0, end_s});
  return motion;
}

}  // namespace shosa::motions
