#include "character/live_goals.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "character/footing.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::character {
namespace {

constexpr double kLetGo_s = 0.5;
constexpr double kGrasp_s = 0.2;    ///< A drag takes hold over this long.
constexpr double kFollow_s = 0.08;  ///< A drag is this far behind its pointer.
constexpr double kMet_m = 0.015;
constexpr double kNothing_rad = 1e-5, kNothing_m = 1e-5;
constexpr double kReachSpeed_mps = 1.2;  ///< An unhurried reach takes its way over this …
constexpr double kReachLeast_s = 0.35;   ///< … and this long.
constexpr int kStepsPerFrame = 2;
constexpr double kGoalWeight = 1.0, kFootWeight = 3.0;
constexpr double kMostTurn_rad = 0.05;  ///< Of a joint in a step.
constexpr double kFarthest = 1.0;       ///< Of the leg's length: that a joint may be led from its own place.
constexpr double kGiveUp_s = 2.0;       ///< A target that stays out of reach for longer is given up.

Vec3d seen_from(const analysis::GroundPlace& carrier, const Vec3d& world) {
  return about_y(-carrier.heading_rad) * (world - Vec3d(carrier.x_m, 0.0, carrier.z_m));
}
Vec3d in_world(const analysis::GroundPlace& carrier, const Vec3d& local) {
  return about_y(carrier.heading_rad) * local + Vec3d(carrier.x_m, 0.0, carrier.z_m);
}

/// The turn about the vertical that is nearest to a rotation.
Quatd heading_part(const Quatd& rotation) {
  const double length = std::hypot(rotation.w(), rotation.y());
  return length > 1e-9 ? Quatd(rotation.w() / length, 0.0, rotation.y() / length, 0.0) : Quatd::Identity();
}

posing::PinDragParams fitting(const CharacterData& data) {
  posing::PinDragParams params = data.edit().solver;
  const double step_s = data.params().frame_time_s / kStepsPerFrame;
  params.drag_gain = params.pin_gain = params.range_gain = params.desired_gain = 1.0 / step_s;
  params.max_rate_radps = kMostTurn_rad / step_s;
  return params;
}

}  // namespace

LiveGoals::LiveGoals(const CharacterData& data)
    : data_(&data), solver_(data.set().skeleton, fitting(data)), ghost_(data.set().skeleton) {
  const auto joints = static_cast<std::size_t>(data.skeleton().joint_count());
  stiffness_.assign(joints, 1.0), desired_.assign(joints, 0.0);
  for (const FootModel::Foot& foot : data.feet()->feet) {
    feet_.push_back(foot.bones.ankle);
    const auto added = solver_.add_goal(
        {.joint = foot.bones.ankle, .orientation_axes = posing::kAllAxes, .weight = kFootWeight, .on = false});
    assert(added.has_value());
  }
  for (int i = 0; i < kSlots; ++i) {
    const auto added = solver_.add_goal({.joint = 0, .weight = kGoalWeight, .on = false});
    assert(added.has_value());
  }
  for (const posing::HumanRange& range : data.edit().ranges) solver_.set_range(range.joint, range.range);
  for (const auto& [joint, freedom] : data.edit().freedoms) {
    const auto set = solver_.set_freedom(joint, freedom);
    assert(set.has_value());
  }
  hanging_.reserve(data.edit().weights->arms.size());
  before_ = now_ = carried_ = Pose::rest(data.skeleton());
}

LiveGoals::Slot* LiveGoals::find(Handle handle) {
  for (Slot& slot : slots_)
    if (slot.kind != Kind::none && slot.handle == handle) return &slot;
  return nullptr;
}

int LiveGoals::start(Kind kind, Handle handle, JointIndex joint, const Vec3d& target_m, double duration_s,
                     bool orientation, Handle& replaced) {
  replaced = kNoHandle;
  int free = -1;
  for (int i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[i];
    if (slot.kind != Kind::none && slot.joint == joint) {
      // The joint is led from where it is now.
      if (!slot.letting_go) replaced = slot.handle;
      free = i;
      break;
    }
    if (slot.kind == Kind::none && free < 0) free = i;
  }
  if (free < 0) return -1;
  Slot& slot = slots_[free];
  const bool held = slot.kind != Kind::none;
  const MinJerk<1> share = slot.share;
  const MinJerk<3> path = slot.path;
  const submovement::Reach way = slot.reach;
  const bool reached = held && slot.kind == Kind::reach && kind == Kind::reach;
  slot = Slot{};
  slot.kind = kind, slot.handle = handle, slot.joint = joint, slot.target_m = target_m;
  slot.duration_s = duration_s, slot.hold_orientation = orientation;
  if (held) slot.share = share, slot.path = path;
  if (reached) slot.reach = way;
  slot.since_s = reached ? 0.0 : -1.0;  // the path starts in the next frame
  reweigh_ = true;
  return free;
}

void LiveGoals::weigh() {
  const posing::BodyWeights& weights = *data_->edit().weights;
  const double limb_first = data_->edit().limb_first;
  stiffness_ = weights.inertia_m2;
  for (const Slot& slot : slots_) {
    if (slot.kind == Kind::none) continue;
    // The limb that is led costs less than what carries it.
    JointIndex top = slot.joint;
    while (top != kNoJoint && std::ranges::find(weights.limbs, top) == weights.limbs.end())
      top = data_->skeleton().parent(top);
    for (JointIndex j = slot.joint; top != kNoJoint; j = data_->skeleton().parent(j)) {
      stiffness_[j] = weights.inertia_m2[j] / limb_first;
      if (j == top) break;
    }
  }
  for (std::size_t j = 0; j < stiffness_.size(); ++j) {
    desired_[j] = data_->edit().return_weight * stiffness_[j];
    const auto set = solver_.set_stiffness(static_cast<JointIndex>(j), stiffness_[j]);
    assert(set.has_value());
  }
  desired_[0] *= data_->edit().solver.root_stiffness_ang;
  hanging_.clear();
  for (const JointIndex arm : weights.arms)
    if (arm != 0 && !leads(arm)) hanging_.push_back(arm);
  reweigh_ = false;
}

void LiveGoals::carry(const Pose& pose) {
  if (fresh_ || !changed_) {
    solver_.body().set_pose(pose);
    solver_.forget_steps();
    fresh_ = false;
    return;
  }
  solver_.body().get_pose(now_);
  carried_ = pose;
  carried_.set_translation(0, pose.translation(0) + (now_.translation(0) - before_.translation(0)));
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const Quatf change = before_.rotation(j).conjugate() * now_.rotation(j);
    carried_.set_rotation(j, (pose.rotation(j) * change).normalized());
  }
  solver_.body().set_pose(carried_);
}

bool LiveGoals::leads(JointIndex joint) const {
  return std::ranges::any_of(slots_, [&](const Slot& slot) {
    JointIndex j = slot.kind == Kind::none ? kNoJoint : slot.joint;
    while (j != kNoJoint && j != joint) j = data_->skeleton().parent(j);
    return j == joint;
  });
}

void LiveGoals::keep_feet() {
  posing::Articulation& body = solver_.body();
  const Skeleton& skeleton = data_->skeleton();
  for (const FootModel::Foot& foot : data_->feet()->feet) {
    const auto [hip, knee, ankle, axis] = foot.bones;
    if (leads(hip)) continue;
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
    body.update_world();
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
  if (!hanging_.empty()) solver_.body().update_world();
}

void LiveGoals::aim(Slot& slot, const analysis::GroundPlace& carrier, double time_s, double step_s) {
  const Vec3d own = ghost_.world().positions[slot.joint];
  if (slot.since_s < 0.0) {
    slot.since_s = 0.0;
    if (slot.kind == Kind::reach) {
      const Vec3d from = slot.share.is_zero() ? own : slot.path.value;
      const double way = (slot.target_m - from).norm();
      if (slot.duration_s <= 0.0) slot.duration_s = kReachLeast_s + way / kReachSpeed_mps;
      slot.reach = submovement::Reach(seen_from(carrier, from));
    }
    if (slot.kind == Kind::pin) {
      slot.target_m = own;
      slot.orientation = ghost_.world().rotations[slot.joint];
    }
    if (slot.share.is_zero()) slot.path.rest(own);
  }
  slot.since_s += step_s;
  const bool in = !slot.letting_go;
  switch (slot.kind) {
    case Kind::reach: {
      const double arrival_s = time_s + std::max(0.15, slot.duration_s - slot.since_s);
      slot.reach.aim(time_s, seen_from(carrier, slot.target_m), arrival_s);
      const Vec3d at = in_world(carrier, slot.reach.at(time_s).position_m);
      slot.path.put(at, step_s);
      slot.share.lead(MinJerk<1>::Values(in ? 1.0 : 0.0),
                      in ? std::max(0.1, 0.5 * slot.duration_s - slot.since_s) : kLetGo_s - slot.since_s, step_s);
      break;
    }
    case Kind::drag:
    case Kind::pin:
      slot.path.lead(slot.target_m, kFollow_s, step_s);
      slot.share.lead(MinJerk<1>::Values(in ? 1.0 : 0.0), std::max((in ? kGrasp_s : kLetGo_s) - slot.since_s, 0.0),
                      step_s);
      break;
    case Kind::none:
      break;
  }
  if (slot.letting_go && slot.since_s >= kLetGo_s) {
    slot.kind = Kind::none;
    reweigh_ = true;
  }
}

void LiveGoals::apply(Pose& pose, std::uint8_t standing, const analysis::GroundPlace& carrier, double time_s,
                      double step_s) {
  active_ = std::ranges::any_of(slots_, [](const Slot& slot) { return slot.kind != Kind::none; });
  if (idle()) return;
  ghost_.set_pose(pose);
  carry(pose);
  if (reweigh_) weigh();
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const auto set = solver_.set_desired({.joint = j, .rotation = ghost_.rotation(j), .weight = desired_[j]});
    assert(set.has_value());
  }
  auto placed =
      solver_.set_desired_place({.position_m = ghost_.world().positions[0],
                                 .weight = data_->edit().return_weight * data_->edit().solver.root_stiffness_lin});
  assert(placed.has_value());
  int id = 0;
  for (const JointIndex foot : feet_) {
    posing::Goal goal = solver_.goal(id);
    goal.on = true;
    goal.weight = standing & (1u << id) ? kFootWeight : 0.05;
    goal.position_m = ghost_.world().positions[foot];
    goal.orientation = ghost_.world().rotations[foot];
    placed = solver_.set_goal(id++, goal);
    assert(placed.has_value());
  }
  const double farthest = kFarthest * data_->feet()->leg_m;
  for (Slot& slot : slots_) {
    posing::Goal goal = solver_.goal(id);
    goal.on = slot.kind != Kind::none;
    if (goal.on) {
      aim(slot, carrier, time_s, step_s);
      goal.joint = slot.joint;
      const Vec3d own = ghost_.world().positions[slot.joint];
      const double share = slot.share.value[0];
      // Nobody is drawn along by what is out of reach.
      Vec3d way = slot.path.value - own;
      if (way.norm() > farthest) way *= farthest / way.norm();
      goal.position_m = own + share * way;
      goal.orientation_axes = slot.hold_orientation ? posing::kAllAxes : posing::kNoAxes;
      if (slot.hold_orientation) goal.orientation = ghost_.world().rotations[slot.joint].slerp(share, slot.orientation);
    }
    placed = solver_.set_goal(id++, goal);
    assert(placed.has_value());
  }
  solver_.allow(ghost_);
  for (int i = 0; i < kStepsPerFrame; ++i) {
    last_ = solver_.step(step_s / kStepsPerFrame);
    hang_arms();
  }
  keep_feet();
  for (Slot& slot : slots_) {
    if (slot.kind == Kind::none) continue;
    slot.error_m = (solver_.body().world().positions[slot.joint] - slot.target_m).norm();
    const bool too_far = slot.error_m > farthest;
    slot.too_far_s = too_far ? slot.too_far_s + step_s : 0.0;
    if (slot.too_far_s > kGiveUp_s && !slot.letting_go) slot.given_up = slot.letting_go = true, slot.since_s = 0.0;
    slot.met = !slot.letting_go && slot.share.value[0] > 0.99 && slot.error_m < kMet_m;
  }
  before_ = pose;
  const posing::Articulation& body = solver_.body();
  changed_ = (body.world().positions[0] - ghost_.world().positions[0]).norm() > kNothing_m;
  for (JointIndex j = 0; j < pose.joint_count() && !changed_; ++j)
    changed_ = body.rotation(j).angularDistance(ghost_.rotation(j)) > kNothing_rad;
  if (changed_ || active_) changed_ = true, solver_.body().get_pose(pose);
  if (!active_ && !changed_) fresh_ = true;
}

}  // namespace shosa::character
