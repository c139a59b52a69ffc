#include "blend/junction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shosa::blending {

namespace {

constexpr double kReach = 0.998;  // share of its length to which a leg may be stretched
constexpr int kPullRounds = 3;    // hips between two legs
constexpr std::size_t kMaxFeet = 8;

double smooth_step(double frame, double begin, double end) {
  if (!(frame > begin)) return 0.0;
  if (frame >= end) return 1.0;
  const double x = (frame - begin) / (end - begin);
  return x * x * (3.0 - 2.0 * x);
}

struct FootTarget {
  FootPose pose;
  double firm = 1.0;  ///< 1 where it stands, 0 in the air.
};

FootTarget foot_target(const FootPass& pass, double frame, const FootPose& previous, const FootPose& next) {
  const double u = smooth_step(frame, pass.begin, pass.end);
  switch (pass.kind) {
    case PassKind::stand: {
      // Neither motion is looked at where it does not stand.
      const FootPose held = moved(frame < pass.next_from ? pass.next_first : next, pass.offset_at(frame));
      const FootPose& before = frame > pass.previous_until ? pass.previous_last : previous;
      FootTarget target{u < 1.0 ? mixed(before, held, u) : held, 1.0 - pass.release.at(frame)};
      if (pass.locked(frame)) {
        target.pose.anchor_m.x() = pass.lock_m.x();
        target.pose.anchor_m.z() = pass.lock_m.z();
      }
      return target;
    }
    case PassKind::swing:
      return {frame <= pass.begin ? previous : (u < 1.0 ? mixed(previous, next, u) : next),
              (2.0 * u - 1.0) * (2.0 * u - 1.0)};
    case PassKind::land:
      if (u >= 1.0) return {next, 1.0};
      return {{previous.anchor_m + pass.landing_shift_m * u,
               Quatd::Identity().slerp(u, pass.landing_turn) * previous.rotation},
              (2.0 * u - 1.0) * (2.0 * u - 1.0)};
  }
  return {next, 1.0};
}

// How long a leg may be where it would have to be `wanted_m`: its own length in the sources is free, and what exceeds
// it comes ever harder toward the full length. C1, and never straight enough for the knee to snap.
double soft_length(double wanted_m, double own_m, double full_m) {
  if (wanted_m <= own_m) return wanted_m;
  const double room = std::max(kReach * full_m - own_m, 1e-4);
  return own_m + room * (1.0 - std::exp(-(wanted_m - own_m) / room));
}

double distance_of(const RigWorld& world, const Leg& leg) {
  return (world[static_cast<std::size_t>(leg.hip)].position - world[static_cast<std::size_t>(leg.ankle)].position)
      .norm();
}

}  // namespace

void evaluate(const Junction& j, const Rig& rig, const Motion& next, double frame, JunctionScratch& scratch,
              Pose& out) {
  const bool with_previous = frame < j.previous_until;
  rig.world(scratch.next, scratch.next_world);
  if (with_previous) rig.world(scratch.previous, scratch.previous_world);
  const auto hips = static_cast<std::size_t>(rig.hips());

  out = scratch.next;
  if (with_previous) {
    j.upper.apply(frame, scratch.previous, scratch.next, out);
    j.lower.apply(frame, scratch.previous, scratch.next, out);
  }

  // Hips: blended like the lower body, and moved with the feet.
  Vec3d offset = Vec3d::Zero();
  for (const FootPass& pass : j.feet) {
    if (pass.kind != PassKind::stand) continue;
    const FootOffset held = pass.offset_at(frame);
    offset += held.shift_m;
  }
  if (!j.feet.empty()) offset /= static_cast<double>(j.feet.size());
  Vec3d hips_m = scratch.next_world[hips].position + offset;
  double weight = 1.0;
  if (frame <= j.lower.begin()) {
    hips_m = scratch.previous_world[hips].position;
    weight = 0.0;
  } else if (frame < j.lower.end()) {
    weight = j.lower.interval.weight.at(frame);
    const Vec3d a = j.lower.a_moves ? scratch.previous_world[hips].position : j.hips_a;
    const Vec3d b = j.lower.b_moves ? hips_m : j.hips_b;
    hips_m =
        a + (b - a) * weight + j.hips_leave * j.lower.leave_share(frame) - j.hips_arrive * j.lower.arrive_share(frame);
  }
  rig.world(out, scratch.out_world);
  rig.set_hips(out, scratch.out_world, hips_m);

  // Where the feet go, and how long each leg is in the sources.
  const std::size_t count = std::min(j.feet.size(), kMaxFeet);
  std::array<FootTarget, kMaxFeet> targets;
  std::array<double, kMaxFeet> own_m{};
  for (std::size_t k = 0; k < count; ++k) {
    const Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    const FootPose before = with_previous ? rig.foot(scratch.previous, scratch.previous_world, k) : FootPose{};
    targets[k] = foot_target(j.feet[k], frame, before, rig.foot(scratch.next, scratch.next_world, k));
    own_m[k] = distance_of(scratch.next_world, leg);
    if (with_previous) own_m[k] += (distance_of(scratch.previous_world, leg) - own_m[k]) * (1.0 - weight);
  }

  // A leg that would not reach a foot that stands draws the hips along.
  Vec3d pull = Vec3d::Zero();
  for (int round = 0; round < kPullRounds; ++round) {
    for (std::size_t k = 0; k < count; ++k) {
      const Leg& leg = rig.legs()[k];
      if (!leg.solvable || targets[k].firm <= 0.0) continue;
      const Vec3d to_ankle = rig.ankle_of(targets[k].pose, rig.anchor_in_foot(out, k)) -
                             (scratch.out_world[static_cast<std::size_t>(leg.hip)].position + pull);
      const double wanted_m = to_ankle.norm();
      const double excess_m = wanted_m - soft_length(wanted_m, own_m[k], leg.length_m);
      if (excess_m > 0.0) pull += to_ankle * (targets[k].firm * excess_m / wanted_m);
    }
  }
  if (!pull.isZero(0.0)) rig.set_hips(out, scratch.out_world, hips_m + pull);

  for (std::size_t k = 0; k < count; ++k) {
    const Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    const Vec3d hip_m = scratch.out_world[static_cast<std::size_t>(leg.hip)].position;
    const Vec3d to_ankle = rig.ankle_of(targets[k].pose, rig.anchor_in_foot(out, k)) - hip_m;
    const double wanted_m = to_ankle.norm();
    const double reached_m = soft_length(wanted_m, own_m[k], leg.length_m);
    if (reached_m < wanted_m) targets[k].pose.anchor_m += to_ankle * (reached_m / wanted_m - 1.0);
    rig.solve_leg(out, scratch.out_world, k, targets[k].pose, next.knee_axes[k]);
  }
}

}  // namespace shosa::blending
