// What limbs do that no goal leads, while others are led.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "character/footing.h"
#include "character/live_goals.h"
#include "shosa/body/leg_proportions.h"

namespace shosa::character {
namespace {

constexpr double kOnlyRuns_mps =
    2.0;                         ///< Bodies that stand are drawn up to a leg's length, ever less up to this speed …
constexpr double kBeside = 0.2;  ///< … and by so much of the leg's length from there on.
constexpr double kFolded = 0.3;  ///< Of its length: a leg whose knee is bent by 145 degrees, as people's do.

/// The turn about the vertical that is nearest to a rotation.
Quatd heading_part(const Quatd& rotation) {
  const double length = std::hypot(rotation.w(), rotation.y());
  return length > 1e-9 ? Quatd(rotation.w() / length, 0.0, rotation.y() / length, 0.0) : Quatd::Identity();
}

}  // namespace

bool LiveGoals::leads(JointIndex joint) const {
  return std::ranges::any_of(slots_, [&](const Slot& slot) {
    JointIndex j = slot.kind == Kind::none ? kNoJoint : slot.joint;
    while (j != kNoJoint && j != joint) j = data_->skeleton().parent(j);
    return j == joint;
  });
}

void LiveGoals::stay_in_gait(posing::Articulation& body, double speed_mps) const {
  const double most_m = data_->feet()->leg_m * std::max(kBeside, 1.0 - speed_mps / kOnlyRuns_mps);
  const Vec3d back = ghost_.world().positions[0] - body.world().positions[0];
  const double far_m = back.norm();
  if (far_m > most_m) body.move(back * (1.0 - most_m / far_m));
}

// The hips lie in as many shells as there are legs, each about a foot: projected onto one after the other.
void LiveGoals::stay_in_reach(posing::Articulation& body) const {
  constexpr int kRounds = 4;
  const WorldPose &now = body.world(), &own = ghost_.world();
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (const FootModel::Foot& foot : data_->feet()->feet) {
      const auto [hip, knee, ankle, axis] = foot.bones;
      if (leads(hip)) continue;
      const double own_m = (own.positions[hip] - own.positions[ankle]).norm();
      const double longest_m = std::max(body::kReach * foot.length_m, own_m);
      const double shortest_m = std::min(kFolded * foot.length_m, own_m);
      const Vec3d leg = own.positions[ankle] - now.positions[hip];
      const double far_m = leg.norm();
      const double wanted_m = std::clamp(far_m, shortest_m, longest_m);
      if (std::abs(far_m - wanted_m) <= 1e-9 || far_m < 1e-6) continue;
      body.move(leg * (1.0 - wanted_m / far_m));
      moved = true;
    }
    if (!moved) return;
  }
}

void LiveGoals::keep_feet(posing::Articulation& body) const {
  stay_in_reach(body);
  const Skeleton& skeleton = data_->skeleton();
  for (const FootModel::Foot& foot : data_->feet()->feet) {
    const auto [hip, knee, ankle, axis] = foot.bones;
    if (leads(hip)) continue;
    // From the motion's own leg as the world sees it, moved along with the hip: the knee points as it does there, over
    // a foot that is as it is there. What the solve did to a leg that is nearly straight may bend it to the other side,
    // and hips that are tilted would carry the knee away from its foot.
    for (JointIndex j = skeleton.parent(ankle); j != hip; j = skeleton.parent(j))
      body.set_rotation(j, ghost_.rotation(j));
    const WorldPose &now = body.world(), &own = ghost_.world();
    const Vec3d moved = now.positions[hip] - own.positions[hip];
    const body::LegTurns turns =
        body::bend_leg(now.positions[hip], own.positions[knee] + moved, own.positions[ankle] + moved,
                       own.rotations[knee] * axis, own.positions[ankle], body::BackwardKnee::comes_over);
    const Quatd shank = turns.hip * turns.knee;
    const Quatd new_hip = now.rotations[skeleton.parent(hip)].conjugate() * turns.hip * own.rotations[hip];
    const Quatd new_knee = (turns.hip * own.rotations[skeleton.parent(knee)]).conjugate() * shank * own.rotations[knee];
    const Quatd new_ankle = (shank * own.rotations[skeleton.parent(ankle)]).conjugate() * own.rotations[ankle];
    body.set_rotation(hip, new_hip.normalized());
    body.set_rotation(knee, new_knee.normalized());
    body.set_rotation(ankle, new_ankle.normalized());
    body.update_world(data_->carried(hip));
  }
}

void LiveGoals::hang_arms() {
  const WorldPose& now = solver_.body().world();
  const WorldPose& own = ghost_.world();
  for (const JointIndex arm : hanging_) {
    const JointIndex above = data_->skeleton().parent(arm);
    const Quatd turned = heading_part(now.rotations[above] * own.rotations[above].conjugate());
    const Quatd wanted = now.rotations[above].conjugate() * turned * own.rotations[arm];
    const auto set = solver_.set_desired({.joint = arm, .rotation = wanted, .weight = desired_[arm]});
    assert(set.has_value());
    // At once, but no faster than joints turn.
    const double off = solver_.body().rotation(arm).angularDistance(wanted);
    solver_.body().set_rotation(
        arm, solver_.body().rotation(arm).slerp(std::min(1.0, kMostTurn_rad / std::max(off, 1e-9)), wanted));
  }
  for (const JointIndex arm : hanging_) solver_.body().update_world(data_->carried(arm));
}

}  // namespace shosa::character
