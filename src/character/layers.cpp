#include "character/layers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "character/scratch.h"
#include "shosa/core/rotations.h"
#include "shosa/core/sampling.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::character {
namespace {

constexpr double kBehind_rad = 1.6;
constexpr double kTwist_s = 0.4;  ///< In which the trunk follows where it is to face.

/// Where the trunk faces, as seen from above: how far its turn from rest is about the vertical.
double heading_from_rest(const Quatd& world, const Quatd& rest) {
  const Quatd turned = world * rest.conjugate();
  return 2.0 * std::atan2(turned.y(), turned.w());
}

Quatd world_turn(const Skeleton& skeleton, const Pose& pose, JointIndex joint) {
  Quatd turn = Quatd::Identity();
  for (JointIndex j = joint; j != kNoJoint; j = skeleton.parent(j)) turn = pose.rotation(j).cast<double>() * turn;
  return turn;
}

}  // namespace

Layers::Layers(const CharacterData& data)
    : data_(&data), lower_(body::lower_body(data.skeleton(), data.set().body_map)) {
  const body::BodyMap& map = data.set().body_map;
  for (const body::Role role : {body::Role::spine, body::Role::chest, body::Role::upper_chest})
    if (map.has(role)) spine_.push_back(map.joint(role));
  const auto arm = [&](body::Role shoulder, body::Role upper_arm) {
    return map.has(shoulder) ? map.joint(shoulder) : map.has(upper_arm) ? map.joint(upper_arm) : kNoJoint;
  };
  arms_ = {arm(body::Role::left_shoulder, body::Role::left_upper_arm),
           arm(body::Role::right_shoulder, body::Role::right_upper_arm)};
  for (Slot& slot : slots_) slot.joints.assign(static_cast<std::size_t>(data.skeleton().joint_count()), 0);
}

Result<void> Layers::check(const Layer& layer) const {
  if (layer.part == Layer::Part::joint && lower_[layer.top]) {
    return fail(ErrorCode::invalid_argument, "a layer over '{}', expected a part without hips and legs",
                data_->skeleton().name(layer.top));
  }
  const bool left = arms_[0] != kNoJoint, right = arms_[1] != kNoJoint;
  if ((layer.part == Layer::Part::arms && !left && !right) || (layer.part == Layer::Part::left_arm && !left) ||
      (layer.part == Layer::Part::right_arm && !right))
    return fail(ErrorCode::not_possible, "a layer over arms that the body does not have");
  return {};
}

void Layers::mark(const Layer& layer, std::vector<std::uint8_t>& joints) const {
  const Skeleton& skeleton = data_->skeleton();
  const bool arms = layer.part == Layer::Part::arms;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const JointIndex above = skeleton.parent(j);
    bool in = above != kNoJoint && joints[above] != 0;
    if (layer.part == Layer::Part::upper_body) in = above != kNoJoint && !lower_[j];
    if (layer.part == Layer::Part::joint) in = in || j == layer.top;
    if (arms || layer.part == Layer::Part::left_arm) in = in || j == arms_[0];
    if (arms || layer.part == Layer::Part::right_arm) in = in || j == arms_[1];
    joints[j] = in ? 1 : 0;
  }
}

bool Layers::start(Handle handle, const Layer& layer, Handle& replaced) {
  replaced = kNoHandle;
  Slot* free = nullptr;
  for (Slot& slot : slots_) {
    const bool same = slot.handle != kNoHandle && !slot.letting_go && slot.layer.part == layer.part &&
                      (layer.part != Layer::Part::joint || slot.layer.top == layer.top);
    // What is replaced fades out below the new one.
    if (same) replaced = slot.handle, slot.letting_go = true, slot.left_s = layer.fade_s;
    if (slot.handle == kNoHandle && free == nullptr) free = &slot;
  }
  if (free == nullptr) return false;
  free->handle = handle, free->layer = layer, free->time_s = layer.from_s, free->letting_go = false;
  free->left_s = layer.fade_s;
  free->share = {};
  mark(layer, free->joints);
  return true;
}

void Layers::let_go(Handle handle) {
  for (Slot& slot : slots_) {
    if (slot.handle != handle || slot.letting_go) continue;
    slot.letting_go = true, slot.left_s = slot.layer.fade_s;
  }
}

void Layers::pause() {
  for (Slot& slot : slots_) slot.share = {}, slot.left_s = slot.layer.fade_s;
  twist_ = {};
}

void Layers::lay_upright(const Slot& slot, const Pose& pose, Pose& sampled) const {
  if (slot.layer.part != Layer::Part::upper_body) return;
  const Skeleton& skeleton = data_->skeleton();
  const JointIndex hips = body::root_joint(data_->set().body_map);
  const Quatd& rest = skeleton.rest_rotations()[hips];
  const Quatd facing = about_y(heading_from_rest(world_turn(skeleton, pose, hips), rest) -
                               heading_from_rest(world_turn(skeleton, sampled, hips), rest));
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const JointIndex above = skeleton.parent(j);
    if (slot.joints[j] == 0 || slot.joints[above] != 0) continue;
    const Quatd turned = facing * world_turn(skeleton, sampled, j);
    sampled.set_rotation(j, (world_turn(skeleton, pose, above).conjugate() * turned).normalized().cast<float>());
  }
}

void Layers::play(Slot& slot, Pose& pose, double step_s) {
  const Clip& clip = data_->set().clips[slot.layer.clip].clip();
  Scratch& scratch = thread_scratch<Scratch>(pose.joint_count());
  Pose &sampled = scratch.sampled, &again = scratch.again;
  const double fade_s = slot.layer.fade_s, last_s = clip.last_time_s();
  slot.time_s += step_s;
  slot.left_s = std::max(0.0, slot.left_s - step_s);
  slot.share.lead(MinJerk<1>::Values(slot.letting_go ? 0.0 : slot.layer.weight), slot.left_s, step_s);
  const double begins_again_s = std::max(last_s - fade_s, 0.5 * last_s);
  if (slot.layer.once && !slot.letting_go && slot.time_s >= begins_again_s) {
    ended_ = slot.handle;
    slot.letting_go = true, slot.left_s = fade_s;
  }
  // A clip without length is a posture.
  if (!slot.layer.once && last_s > 0.0 && slot.time_s >= last_s) slot.time_s -= begins_again_s;
  sample(clip, slot.time_s, sampled);
  lay_upright(slot, pose, sampled);
  if (!slot.layer.once && slot.time_s > begins_again_s) {
    sample(clip, slot.time_s - begins_again_s, again);
    lay_upright(slot, pose, again);
    const auto over = static_cast<float>(minimum_jerk_step((slot.time_s - begins_again_s) / (last_s - begins_again_s)));
    for (JointIndex j = 0; j < pose.joint_count(); ++j)
      if (slot.joints[j] != 0) sampled.set_rotation(j, sampled.rotation(j).slerp(over, again.rotation(j)));
  }
  const auto share = static_cast<float>(std::clamp(slot.share.value[0], 0.0, 1.0));
  for (JointIndex j = 0; j < pose.joint_count(); ++j)
    if (slot.joints[j] != 0) pose.set_rotation(j, pose.rotation(j).slerp(share, sampled.rotation(j)).normalized());
  if (slot.letting_go && slot.left_s <= 0.0) slot.handle = kNoHandle;
}

void Layers::turn_trunk(Pose& pose, double step_s) {
  const bool held = std::ranges::any_of(
      slots_, [](const Slot& slot) { return slot.handle != kNoHandle && slot.layer.heading_rad.has_value(); });
  if (spine_.empty() || (wanted_twist_rad_ == 0.0 && twist_.is_zero() && !held)) return;
  twist_.lead(MinJerk<1>::Values(std::clamp(wanted_twist_rad_, -kMostTwist_rad, kMostTwist_rad)), kTwist_s, step_s);
  if (wanted_twist_rad_ == 0.0 && std::abs(twist_.value[0]) < 1e-6) twist_ = {};
  WorldPose& world = thread_scratch<Scratch>(pose.joint_count()).world;
  forward_kinematics(data_->skeleton(), pose, world);
  double twist = twist_.value[0];
  const JointIndex top = spine_.back();
  for (const Slot& slot : slots_) {
    if (slot.handle == kNoHandle || !slot.layer.heading_rad) continue;
    const double now = heading_from_rest(world.rotations[top], data_->skeleton().rest_rotations()[top]) + twist;
    const double off = wrap_angle(*slot.layer.heading_rad - now);
    // What comes to lie behind the body is let go, so that the trunk does not swing from one side to the other.
    const double behind = minimum_jerk_step((std::abs(off) - kBehind_rad) / (std::numbers::pi - kBehind_rad));
    twist += slot.share.value[0] * (1.0 - behind) * std::clamp(off, -kMostTwist_rad, kMostTwist_rad);
  }
  twist = std::clamp(twist, -kMostTwist_rad, kMostTwist_rad);
  // A part of it at every joint: the world's turn about the vertical grows from the hips to the top.
  Quatd above = Quatd::Identity();
  for (std::size_t i = 0; i < spine_.size(); ++i) {
    const JointIndex j = spine_[i], parent = data_->skeleton().parent(j);
    const Quatd turned = about_y(twist * static_cast<double>(i + 1) / static_cast<double>(spine_.size()));
    const Quatd local = (above * world.rotations[parent]).conjugate() * turned * world.rotations[j];
    pose.set_rotation(j, local.normalized().cast<float>());
    above = turned;
  }
}

void Layers::apply(Pose& pose, double step_s) {
  ended_ = kNoHandle;
  for (Slot& slot : slots_)
    if (slot.handle != kNoHandle) play(slot, pose, step_s);
  turn_trunk(pose, step_s);
}

void Layers::Slot::visit_state(StateBytes& bytes) {
  bytes(handle, layer.clip, layer.part, layer.top, layer.weight, layer.fade_s, layer.once, layer.from_s,
        layer.heading_rad, time_s, letting_go, left_s, share, joints);
}

void Layers::visit_state(StateBytes& bytes) {
  bytes(slots_, twist_, wanted_twist_rad_, ended_);
}

}  // namespace shosa::character
