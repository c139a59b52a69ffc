#include "blend/junction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/body/leg_proportions.h"
#include "shosa/posing/foot_clearance.h"

namespace shosa::blend {

namespace {

constexpr double kFreePull_m = 0.30;  // of the hips by the legs; beyond it comes ever harder
constexpr double kMaxPull_m = 0.60;   // so that a foot too far away does not fold the body
constexpr int kPullRounds = 6;        // hips between two legs
constexpr double kBottomless_m = 1e9;

// Without looking for the shorter way round: which one that is can change while both turn.
FootPose mixed_as_given(const FootPose& a, const FootPose& b, double weight) {
  Quatd rotation;
  rotation.coeffs() = a.rotation.coeffs() * (1.0 - weight) + b.rotation.coeffs() * weight;
  return {a.anchor_m + (b.anchor_m - a.anchor_m) * weight, rotation.normalized()};
}

// Of a foot on its way from one stance to another.
double firmness(double share) {
  return (2.0 * share - 1.0) * (2.0 * share - 1.0);
}

FootTarget foot_target(const FootPass& pass, const TimeWarp& warp, double frame, FootPose previous, FootPose next) {
  if (const double late = warp.at(frame) - pass.previous_coast.edge; late > 0.0) {
    previous.anchor_m += pass.previous_coast.shift_m(late);
  }
  if (frame < pass.next_coast.edge) next.anchor_m += pass.next_coast.shift_m(frame - pass.next_coast.edge);
  previous.anchor_m += pass.previous_hold.shift_m(frame, previous.anchor_m);
  next.anchor_m += pass.next_hold.shift_m(frame, next.anchor_m);
  const double u = pass.share(frame);
  switch (pass.kind) {
    case PassKind::stand: {
      // Neither motion is looked at where it does not stand.
      const FootPose held = moved(frame < pass.next_from ? pass.next_first : next, pass.offset_at(frame));
      const FootPose& before = frame >= pass.previous_until ? pass.previous_last : previous;
      FootPose pose = u < 1.0 ? mixed(before, held, u) : held;
      pose.rotation = mixed(before, held, pass.turned(frame)).rotation;
      // It loosens while an offset goes; where there is none it stands throughout.
      const double loose = (1.0 - firmness(pass.release.at(frame))) * pass.offset_share;
      return {pose, 1.0 - loose};
    }
    case PassKind::swing: {
      if (frame <= pass.begin) return {previous, 1.0};
      if (frame >= pass.end) return {next, 1.0};
      if (next.rotation.dot(previous.rotation * pass.between) < 0.0) next.rotation.coeffs() = -next.rotation.coeffs();
      FootTarget target{mixed_as_given(previous, next, u), firmness(u)};
      target.pose.anchor_m.y() += pass.lift_m * pass.arc(frame);
      return target;
    }
    case PassKind::land: {
      if (frame >= pass.end) return {next, 1.0};
      const FootPose bent{previous.anchor_m + pass.landing_shift_m * u + Vec3d(0.0, pass.lift_m * pass.arc(frame), 0.0),
                          Quatd::Identity().slerp(u, pass.landing_turn) * previous.rotation};
      // The previous motion's foot may still roll where its stance begins: it comes to rest with the next one's.
      const Vec3d to_place_m = next.anchor_m - bent.anchor_m;
      FootTarget target{mixed(bent, next, pass.settled(frame, kTurned)), firmness(u)};
      const double level = pass.settled(frame, kAtPlace), down = pass.settled(frame, 1.0);
      target.pose.anchor_m = bent.anchor_m + to_place_m.cwiseProduct(Vec3d(level, down, level));
      return target;
    }
  }
  return {next, 1.0};
}

// How long a leg may be where it would have to be `wanted_m`: its own length in the sources is free, and what exceeds
// it comes ever harder toward the full length. C1, and never straight enough for the knee to snap.
double soft_length(double wanted_m, double own_m, double full_m) {
  if (wanted_m <= own_m) return wanted_m;
  const double room = std::max(body::kReach * full_m - own_m, 1e-4);
  return own_m + room * (1.0 - std::exp(-(wanted_m - own_m) / room));
}

double distance_of(const RigWorld& world, const Leg& leg) {
  return (world[leg.hip].position - world[leg.ankle].position).norm();
}

}  // namespace

Vec3d HipsBlend::at(double frame, const PartBlend& lower, const Vec3d& previous_m, const Vec3d& next_m) const {
  const Vec3d& from = lower.a_moves ? previous_m : a;
  const Vec3d& to = lower.b_moves ? next_m : b;
  const double since = frame - begin, until = end - frame;
  const auto coasted = [&](const Vec3d& speed, double s) {
    const double level = coast(s, level_span);
    return Vec3d(speed.x() * level, speed.y() * coast(s, rise_span), speed.z() * level);
  };
  return from + (to - from) * weight.at(frame) + coasted(leave, since) - coasted(arrive, until) +
         bend_begin * surge(since, span) + bend_end * surge(until, span);
}

namespace {

// Toe tips of a blend stay as high as the ground, or as the lower of both sources: foot and toes are mixed apart.
void clear_tip(const FootPass& pass, double frame, const Rig& rig, std::size_t k, const Pose* previous,
               const FootPose& before, const Pose& next, const FootPose& after, FootTarget& target, Pose& out) {
  const Leg& leg = rig.legs()[k];
  if (leg.toes == kNoJoint) return;
  const double u = pass.share(frame);
  double tip_m = pass.previous_ground_m + (pass.next_ground_m - pass.previous_ground_m) * u;
  tip_m = std::min(tip_m, rig.tip_of(after, next, k).y());
  double heel_m = rig.ankle_of(after, rig.anchor_in_foot(next, k)).y();
  if (previous != nullptr) {
    tip_m = std::min(tip_m, rig.tip_of(before, *previous, k).y());
    heel_m = std::min(heel_m, rig.ankle_of(before, rig.anchor_in_foot(*previous, k)).y());
  }
  const Vec3d across = target.pose.rotation * leg.across_in_foot;
  const auto cleared = posing::clear_ground({.heel_m = rig.ankle_of(target.pose, rig.anchor_in_foot(out, k)),
                                             .ball_m = target.pose.anchor_m,
                                             .tip_m = rig.tip_of(target.pose, out, k),
                                             .across = across,
                                             .heel_floor_m = heel_m,
                                             .ball_floor_m = -kBottomless_m,
                                             .tip_floor_m = tip_m,
                                             .free = 1.0 - target.firm});
  target.pose.anchor_m.y() += cleared.lift_m;
  if (cleared.pitch_rad > 0.0) {
    target.pose.rotation = (Quatd(Eigen::AngleAxisd(cleared.pitch_rad, across)) * target.pose.rotation).normalized();
  }
  if (cleared.toes_rad > 0.0) {
    const Quatd turn(Eigen::AngleAxisd(cleared.toes_rad, leg.across_in_foot));
    out.set_rotation(leg.toes, (turn * out.rotation(leg.toes).cast<double>()).normalized().cast<float>());
  }
}

// A leg whose foot is on its way turns as far as its foot has come: where the other joints are by then, its knee may
// have to pass its hip.
void turn_leg(const Leg& leg, double share, const Pose& previous, const Pose& next, Pose& out) {
  for (const JointIndex joint : {leg.hip, leg.knee}) {
    const Quatf from = previous.rotation(joint);
    out.set_rotation(joint, from.slerp(static_cast<float>(share), next.rotation(joint)));
  }
}

}  // namespace

Vec3d HipsPull::at(double frame) const {
  const double u = frame - first;
  if (by_m.empty() || u <= 0.0 || u >= static_cast<double>(by_m.size() - 1)) return Vec3d::Zero();
  const auto i = static_cast<std::size_t>(u);
  return by_m[i] + (u - static_cast<double>(i)) * (by_m[i + 1] - by_m[i]);
}

Vec3d drawn_along(const LegAsks& asks, Vec3d pull_m) {
  bool pulls = true;
  for (int round = 0; round < kPullRounds && pulls; ++round) {
    pulls = false;
    for (const LegAsk& leg : asks) {
      if (leg.firm <= 0.0) continue;
      const Vec3d to_ankle = leg.to_ankle_m - pull_m;
      const double wanted_m = to_ankle.norm(), excess_m = wanted_m - leg.allowed_m;
      if (!(excess_m > 0.0)) continue;
      pull_m += to_ankle * (leg.firm * excess_m / wanted_m);
      pulls = true;
    }
  }
  return pull_m;
}

void evaluate_feet(const Junction& j, const Rig& rig, double frame, JunctionScratch& scratch, Pose& out) {
  const bool with_previous = frame < j.previous_until;
  rig.world(scratch.next, scratch.next_world);
  if (with_previous) rig.world(scratch.previous, scratch.previous_world);
  const auto hips = static_cast<std::size_t>(rig.hips());

  out = scratch.next;
  if (with_previous) {
    j.upper.apply(frame, scratch.previous, scratch.next, out);
    j.lower.apply(frame, scratch.previous, scratch.next, out);
  }

  for (std::size_t k = 0; k < j.feet.size() && with_previous && !j.is_bridge(); ++k) {
    if (j.feet[k].kind == PassKind::stand || !rig.legs()[k].solvable) continue;
    turn_leg(rig.legs()[k], j.feet[k].share(frame), scratch.previous, scratch.next, out);
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
  if (frame <= j.hips.begin) {
    hips_m = scratch.previous_world[hips].position;
    weight = 0.0;
  } else if (frame < j.hips.end) {
    weight = j.hips.weight.at(frame);
    hips_m = j.hips.at(frame, j.lower, scratch.previous_world[hips].position, hips_m);
  }
  rig.world(out, scratch.out_world);
  rig.set_hips(out, scratch.out_world, hips_m);

  // Where the feet go, and how long each leg is in the sources.
  const std::size_t count = std::min(j.feet.size(), kMaxFeet);
  std::array<FootTarget, kMaxFeet>& targets = scratch.targets;
  scratch.asks.fill({});
  for (std::size_t k = 0; k < count; ++k) {
    const Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    double own_m = 0.0;
    const FootPose before = with_previous ? rig.foot(scratch.previous, scratch.previous_world, k) : FootPose{};
    const FootPose after = rig.foot(scratch.next, scratch.next_world, k);
    if (j.is_bridge()) {
      const FootBridge::Target target = j.bridges[k].at(frame, rig.foot(out, scratch.out_world, k));
      targets[k] = {target.pose, target.firm};
      own_m = std::max({distance_of(scratch.out_world, leg), distance_of(scratch.next_world, leg),
                        with_previous ? distance_of(scratch.previous_world, leg) : 0.0});
    } else {
      targets[k] = foot_target(j.feet[k], j.warp, frame, before, after);
      own_m = distance_of(scratch.next_world, leg);
      if (with_previous) own_m += (distance_of(scratch.previous_world, leg) - own_m) * (1.0 - weight);
    }
    clear_tip(j.feet[k], frame, rig, k, with_previous ? &scratch.previous : nullptr, before, scratch.next, after,
              targets[k], out);
    const Vec3d to_ankle =
        rig.ankle_of(targets[k].pose, rig.anchor_in_foot(out, k)) - scratch.out_world[leg.hip].position;
    scratch.asks[k] = {to_ankle, soft_length(to_ankle.norm(), own_m, leg.length_m), targets[k].firm};
  }
}

void evaluate(const Junction& j, const Rig& rig, const Motion& next, double frame, JunctionScratch& scratch,
              Pose& out) {
  evaluate_feet(j, rig, frame, scratch, out);

  // A leg that would not reach a foot that stands draws the hips along.
  const Vec3d made = j.pull.at(frame), pull = j.pull.made ? made : drawn_along(scratch.asks, made);
  if (const double pull_m = pull.norm(); pull_m > 0.0) {
    const Vec3d hips_m = scratch.out_world[rig.hips()].position;
    rig.set_hips(out, scratch.out_world, hips_m + pull * (soft_length(pull_m, kFreePull_m, kMaxPull_m) / pull_m));
  }

  for (std::size_t k = 0; k < std::min(j.feet.size(), kMaxFeet); ++k) {
    const Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    FootPose& foot = scratch.targets[k].pose;
    const Vec3d to_ankle = rig.ankle_of(foot, rig.anchor_in_foot(out, k)) - scratch.out_world[leg.hip].position;
    const double wanted_m = to_ankle.norm();
    const double reached_m = soft_length(wanted_m, scratch.asks[k].allowed_m, leg.length_m);
    if (reached_m < wanted_m) foot.anchor_m += to_ankle * (reached_m / wanted_m - 1.0);
    rig.solve_leg(out, scratch.out_world, k, foot, next.knee_axes[k]);
  }
}

}  // namespace shosa::blend
