#include "character/live_goals.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "character/footing.h"
#include "character/scratch.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/posing/within_reach.h"

namespace shosa::character {
namespace {

constexpr double kLetGo_s = 0.5;
constexpr double kGrasp_s = 0.2;                  ///< A drag takes hold over this long.
constexpr double kFollow_s = 0.08;                ///< In which a joint makes up for what its target did unforeseen.
constexpr double kSee_s = 0.05;                   ///< Over which a target's speed is seen …
constexpr double kFastest_mps = 10.0;             ///< … which is no more than this.
constexpr double kMet_m = 0.015, kLost_m = 0.03;  ///< The gap between them stops flicker.
constexpr double kNothing_rad = 1e-5, kNothing_m = 1e-5;
constexpr double kReachSpeed_mps = 1.2;  ///< An unhurried reach, and the way home, takes its way over this …
constexpr double kReachLeast_s = 0.35;   ///< … and this long.
constexpr double kGoalWeight = 1.0, kFootWeight = 3.0;
constexpr double kMostLed_mps = 4.0;  ///< Faster no joint is led, but for what its target and the body do.
constexpr double kFarthest = 1.0;     ///< Of the leg's length: that a joint may be led from its own place.
constexpr double kGiveUp_s = 2.0;     ///< A target that stays out of reach for longer is given up.

Vec3d in_world(const LiveGoals::Carrier& carrier, const Vec3d& local) {
  return about_y(carrier.place.heading_rad) * local + Vec3d(carrier.place.x_m, carrier.ground_m, carrier.place.z_m);
}

double unhurried_s(const Vec3d& way_m) {
  return kReachLeast_s + way_m.norm() / kReachSpeed_mps;
}

posing::PinDragParams fitting(const CharacterData& data) {
  posing::PinDragParams params = data.edit().solver;
  const double step_s = data.params().frame_time_s;
  params.drag_gain = params.pin_gain = params.range_gain = params.desired_gain = 1.0 / step_s;
  params.max_rate_radps = LiveGoals::kMostTurn_rad / step_s;
  return params;
}

}  // namespace

LiveGoals::LiveGoals(const CharacterData& data)
    : data_(&data), solver_(data.set().skeleton, fitting(data)), ghost_(data.set().skeleton), bending_(data) {
  if (data.params().prior) bent_.emplace(data.set().skeleton);
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
  // The data outlives its characters: ranges stay where they are.
  for (const posing::HumanRange& range : data.edit().ranges)
    solver_.set_range(range.joint, std::shared_ptr<const posing::JointRange>(std::shared_ptr<void>(), &range.range));
  for (const auto& [joint, freedom] : data.edit().freedoms) {
    const auto set = solver_.set_freedom(joint, freedom);
    assert(set.has_value());
  }
  hanging_.reserve(data.edit().weights->arms.size());
  asked_.reserve(kSlots + feet_.size());
  before_ = Pose::rest(data.skeleton());
}

bool LiveGoals::start(const Slot& wanted, Handle& replaced) {
  replaced = kNoHandle;
  Slot* free = nullptr;
  for (Slot& slot : slots_) {
    if (slot.kind != Kind::none && slot.joint == wanted.joint) {
      // The joint is led from where it is now.
      if (!slot.letting_go) replaced = slot.handle;
      free = &slot;
      break;
    }
    if (slot.kind == Kind::none && free == nullptr) free = &slot;
  }
  if (free == nullptr) return false;
  const Slot before = *free;
  used_ += before.kind == Kind::none;
  *free = wanted;
  if (before.kind != Kind::none) {
    free->share = before.share, free->path = before.path;
    free->led_m = before.led_m, free->led_mps = before.led_mps;
    if (before.since_s >= 0.0) {
      free->share.rest(MinJerk<1>::Values(1.0));
      free->path.rest(before.led_m), free->path.rate = before.led_mps;
    }
  }
  free->since_s = -1.0;  // the path starts in the next frame
  reweigh_ = true;
  return true;
}

void LiveGoals::move_target(Handle handle, const Vec3d& target_m) {
  for (Slot& slot : slots_)
    if (slot.handle == handle && (slot.kind == Kind::reach || slot.kind == Kind::drag)) slot.target_m = target_m;
}

void LiveGoals::let_go(Handle handle) {
  for (Slot& slot : slots_)
    if (slot.handle == handle && slot.kind != Kind::none && !slot.letting_go)
      slot.letting_go = true, slot.since_s = std::min(slot.since_s, 0.0);  // One that has not begun does so first.
}

bool LiveGoals::met(Handle handle) const {
  return std::ranges::all_of(
      slots_, [&](const Slot& slot) { return slot.kind == Kind::none || slot.handle != handle || slot.met; });
}

void LiveGoals::pause() {
  for (Slot& slot : slots_) slot.share.rest(MinJerk<1>::Values::Zero()), slot.since_s = -1.0;
  bending_.rest();
  changed_ = false, fresh_ = true;
}

JointIndex LiveGoals::limb_top(JointIndex joint) const {
  const auto& limbs = data_->edit().weights->limbs;
  while (joint != kNoJoint && std::ranges::find(limbs, joint) == limbs.end()) joint = data_->skeleton().parent(joint);
  return joint;
}

Vec3d LiveGoals::led_to(const Slot& slot) const {
  const auto& own = ghost_.world().positions;
  const double leg_m = data_->feet()->leg_m;
  const JointIndex top = limb_top(slot.joint);
  if (slot.kind == Kind::reach && top != kNoJoint && top != slot.joint) {
    double limb_m = 0.0;
    for (JointIndex j = slot.joint; j != top; j = data_->skeleton().parent(j))
      limb_m += (own[j] - own[data_->skeleton().parent(j)]).norm();
    return posing::within_reach(own[top], limb_m, slot.asked_m, leg_m);
  }
  // Nobody is drawn along by what is out of reach.
  const Vec3d way = slot.asked_m - own[slot.joint];
  return own[slot.joint] + way * std::min(1.0, kFarthest * leg_m / std::max(way.norm(), 1e-9));
}

void LiveGoals::weigh() {
  const posing::BodyWeights& weights = *data_->edit().weights;
  const double limb_first = data_->edit().limb_first;
  stiffness_ = weights.inertia_m2;
  for (const Slot& slot : slots_) {
    if (slot.kind == Kind::none) continue;
    // The limb that is led costs less than what carries it.
    const JointIndex top = limb_top(slot.joint);
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
  Pose& carried = thread_scratch<Scratch>(pose.joint_count()).carried;
  posing::Articulation& body = solver_.body();
  body.get_pose(carried);
  carried.set_translation(0, pose.translation(0) + (carried.translation(0) - before_.translation(0)));
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    if (j > 0) carried.set_translation(j, pose.translation(j));
    const Quatf change = before_.rotation(j).conjugate() * carried.rotation(j);
    carried.set_rotation(j, (pose.rotation(j) * change).normalized());
  }
  body.set_pose(carried);
}

const posing::Articulation& LiveGoals::bend(Pose& wanted, double speed_mps, double step_s) {
  asked_.clear();
  for (const Slot& slot : slots_) {
    if (slot.letting_go || (slot.kind != Kind::reach && slot.kind != Kind::drag) || slot.since_s < 0.0) continue;
    asked_.push_back({.joint = slot.joint, .position_m = slot.seen_m, .limb_top = limb_top(slot.joint)});
  }
  for (const JointIndex foot : feet_)
    asked_.push_back({.joint = foot, .position_m = ghost_.world().positions[foot], .leads = false});
  if (!bending_.apply(ghost_, asked_, speed_mps, step_s, wanted)) return ghost_;
  // Knees bend under it.
  bent_->set_pose(wanted);
  keep_feet(*bent_);
  bent_->get_pose(wanted);
  return *bent_;
}

void LiveGoals::aim(Slot& slot, const Carrier& carrier, double step_s) {
  const Vec3d own = ghost_.world().positions[slot.joint];
  if (slot.kind == Kind::pin && slot.since_s < 0.0) {
    slot.target_m = own;
    slot.orientation = ghost_.world().rotations[slot.joint];
  }
  slot.asked_m = (slot.frame == Frame::body ? in_world(carrier, slot.target_m) : slot.target_m) +
                 slot.aside_m * (about_y(carrier.place.heading_rad) * Vec3d::UnitX());
  const Vec3d target = led_to(slot);
  if (slot.since_s < 0.0) {
    slot.since_s = 0.0;
    // A hand that nothing leads yet goes along with the body.
    if (slot.share.is_zero()) {
      slot.path.rest(own), slot.path.rate = carrier.velocity_mps;
      slot.led_m = own - step_s * carrier.velocity_mps;
    }
    if (slot.kind == Kind::reach && slot.duration_s <= 0.0) slot.duration_s = unhurried_s(target - slot.path.value);
    slot.left_s = slot.kind == Kind::reach ? slot.duration_s : 0.0;
    slot.seen_m = target;
    slot.velocity_mps = slot.frame == Frame::body ? carrier.velocity_mps : Vec3d(Vec3d::Zero());
  }
  // A jump is no speed.
  const Vec3d seen_mps = (target - slot.seen_m) / step_s;
  if (seen_mps.norm() < kFastest_mps)
    slot.velocity_mps += std::min(1.0, step_s / kSee_s) * (seen_mps - slot.velocity_mps);
  slot.seen_m = target;
  slot.since_s += step_s;
  slot.left_s = std::max(0.0, slot.left_s - step_s);
  if (slot.letting_go && slot.since_s <= step_s) slot.duration_s = std::max(kLetGo_s, unhurried_s(own - slot.led_m));
  const bool in = !slot.letting_go;
  // The target is where it shall be met in the frame that comes out. The smoothest way over T is 1.875 times as fast as
  // an even one at most.
  const double least_s = std::max(kFollow_s, 1.875 * (target - slot.path.value).norm() / kMostLed_mps);
  slot.path.meet(target - step_s * slot.velocity_mps, slot.velocity_mps, std::max(least_s, slot.left_s), step_s);
  const double grasp_s = slot.kind == Kind::reach ? std::max(0.1 + slot.since_s, 0.5 * slot.duration_s) : kGrasp_s;
  slot.share.lead(MinJerk<1>::Values(in ? 1.0 : 0.0), std::max((in ? grasp_s : slot.duration_s) - slot.since_s, 0.0),
                  step_s);
  if (slot.letting_go && slot.since_s >= slot.duration_s) {
    slot.kind = Kind::none, --used_;
    reweigh_ = true;
  }
}

void LiveGoals::apply(Pose& pose, std::uint8_t standing, const Carrier& carrier, double step_s) {
  if (idle()) return;
  ghost_.set_pose(pose);
  Pose& wanted = thread_scratch<Scratch>(pose.joint_count()).wanted;
  wanted = pose;
  const posing::Articulation& bent = bend(wanted, carrier.speed_mps, step_s);
  carry(wanted);
  if (reweigh_) weigh();
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const auto set = solver_.set_desired({.joint = j, .rotation = bent.rotation(j), .weight = desired_[j]});
    assert(set.has_value());
  }
  auto placed =
      solver_.set_desired_place({.position_m = bent.world().positions[0],
                                 .weight = data_->edit().return_weight * data_->edit().solver.root_stiffness_lin});
  assert(placed.has_value());
  int id = 0;
  for (const JointIndex foot : feet_) {
    posing::Goal goal = solver_.goal(id);
    goal.on = true;
    goal.weight = standing & (1u << id) ? kFootWeight : 0.05;
    goal.position_m = ghost_.world().positions[foot];
    // Turning the foot is left to `keep_feet`, which turns it at the ankle alone.
    const bool led = leads(data_->feet()->feet[static_cast<std::size_t>(id)].bones.hip);
    goal.orientation_axes = led ? posing::kAllAxes : posing::kNoAxes;
    goal.orientation = ghost_.world().rotations[foot];
    placed = solver_.set_goal(id++, goal);
    assert(placed.has_value());
  }
  const double farthest = kFarthest * data_->feet()->leg_m;
  for (Slot& slot : slots_) {
    const bool on = slot.kind != Kind::none;
    if (!on && !solver_.goal(id).on) {
      ++id;
      continue;
    }
    posing::Goal goal = solver_.goal(id);
    goal.on = on;
    if (on) {
      aim(slot, carrier, step_s);
      goal.joint = slot.joint;
      const Vec3d own = ghost_.world().positions[slot.joint];
      const double share = slot.share.value[0];
      goal.position_m = own + share * (slot.path.value - own);
      slot.led_mps = (goal.position_m - slot.led_m) / step_s, slot.led_m = goal.position_m;
      goal.orientation_axes = slot.hold_orientation ? posing::kAllAxes : posing::kNoAxes;
      if (slot.hold_orientation) goal.orientation = ghost_.world().rotations[slot.joint].slerp(share, slot.orientation);
    }
    placed = solver_.set_goal(id++, goal);
    assert(placed.has_value());
  }
  double most_mps = kMostLed_mps + carrier.velocity_mps.norm();
  for (const Slot& slot : slots_)
    if (slot.kind != Kind::none)
      most_mps = std::max(most_mps, kMostLed_mps + (slot.path.rate - carrier.velocity_mps).norm());
  solver_.params().max_point_mps = most_mps;
  solver_.allow(ghost_);
  solver_.step(step_s, false);
  hang_arms();
  stay_in_gait(solver_.body(), carrier.speed_mps);
  keep_feet(solver_.body());
  for (Slot& slot : slots_) {
    if (slot.kind == Kind::none) continue;
    slot.error_m = (solver_.body().world().positions[slot.joint] - slot.asked_m).norm();
    const bool too_far = slot.error_m > farthest;
    slot.too_far_s = too_far ? slot.too_far_s + step_s : 0.0;
    if (slot.too_far_s > kGiveUp_s && !slot.letting_go) slot.given_up = slot.letting_go = true, slot.since_s = 0.0;
    slot.met = !slot.letting_go && slot.share.value[0] > 0.99 && slot.error_m < (slot.met ? kLost_m : kMet_m);
  }
  before_ = wanted;
  const posing::Articulation& body = solver_.body();
  changed_ = used_ > 0 || (body.world().positions[0] - ghost_.world().positions[0]).norm() > kNothing_m;
  for (JointIndex j = 0; j < pose.joint_count() && !changed_; ++j)
    changed_ = body.rotation(j).angularDistance(ghost_.rotation(j)) > kNothing_rad;
  if (changed_) body.get_pose(pose);
  fresh_ = !changed_;
}

}  // namespace shosa::character
