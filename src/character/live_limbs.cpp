// What limbs do that no goal leads, while others are led.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "character/footing.h"
#include "character/live_goals.h"
#include "shosa/body/leg_proportions.h"

namespace shosa::character {
namespace {

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

// The hips lie in as many balls as there are legs, each about a foot: projected onto one after the other.
void LiveGoals::stay_in_reach(posing::Articulation& body) const {
  constexpr int kRounds = 4;
  const WorldPose &now = body.world(), &own = ghost_.world();
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (const FootModel::Foot& foot : data_->feet()->feet) {
      const auto [hip, knee, ankle, axis] = foot.bones;
      if (leads(hip)) continue;
      const double longest_m =
          std::max(body::kReach * foot.length_m, (own.positions[hip] - own.positions[ankle]).norm());
      const Vec3d leg = own.positions[ankle] - now.positions[hip];
      const double far_m = leg.norm();
      if (far_m <= longest_m + 1e-9) continue;
      body.move(leg * (1.0 - longest_m / far_m));
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
    // From the motion's own leg, carried by the hips: what the solve did to a leg that is nearly straight may bend it
    // to the other side.
    for (JointIndex j = ankle;; j = skeleton.parent(j)) {
      body.set_rotation(j, ghost_.rotation(j));
      if (j == hip) break;
    }
    body.update_world(data_->carried(hip));
    const WorldPose& now = body.world();
    const body::LegTurns turns = body::bend_leg(now.positions[hip], now.positions[knee], now.positions[ankle],
                                                now.rotations[knee] * axis, ghost_.world().positions[ankle]);
    const Quatd shank = turns.hip * turns.knee;
    const Quatd new_hip = now.rotations[skeleton.parent(hip)].conjugate() * turns.hip * now.rotations[hip];
    const Quatd new_knee = (turns.hip * now.rotations[skeleton.parent(knee)]).conjugate() * shank * now.rotations[knee];
    const Quatd new_ankle =
        (shank * now.rotations[skeleton.parent(ankle)]).conjugate() * ghost_.world().rotations[ankle];
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
