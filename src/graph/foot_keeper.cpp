#include "graph/foot_keeper.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {
namespace {

constexpr double kSettle_s = 0.2;  ///< Height and tilt of a foot that came down otherwise than the clip's.
constexpr double kSwing_s = 0.25;  ///< Least time in which a foot comes back to its path.
constexpr double kSwingSpeed_mps = 0.2;
constexpr double kMostLanding_mps = 1.6, kMostShift_mps = 2.5, kMostTurn_radps = 6.0;
constexpr double kMostShift_m = 0.25;  ///< A foot that stands this far from its place in the posture lifts off.
constexpr double kSwingTurn_radps = 2.0;
constexpr double kReach = 0.985;  ///< Of the leg's length, where the blended leg is not straighter.
constexpr double kSinkSpeed_mps = 0.35, kRiseSpeed_mps = 0.12;
constexpr double kMostSink_m = 0.04;  ///< A foot that would draw the hips farther down lifts off early.

Vec3d at_place(const analysis::GroundPlace& place, const Vec3d& point) {
  return about_y(place.heading_rad) * point + Vec3d(place.x_m, 0.0, place.z_m);
}

/// Axes of a bone: x along it, z as near to `normal` as can be.
Quatd frame_of(const Vec3d& bone, const Vec3d& normal) {
  Eigen::Matrix3d axes;
  axes.col(0) = bone.normalized();
  axes.col(1) = normal.cross(axes.col(0)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return Quatd(axes);
}

/// The axis about which a knee bends, in the thigh's frame: the mean of what the clips do.
Vec3d hinge_axis(const MotionSet& set, JointIndex limb, JointIndex knee, JointIndex ankle) {
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  for (const SetClip& clip : set.clips) {
    for (int f = 0; f < clip.clip.frame_count(); f += 4) {
      clip.clip.get_frame(f, pose);
      const Quatd rotation = joint_transform(*set.skeleton, pose, limb).rotation;
      const Vec3d &p = clip.positions.joint(f, limb), &q = clip.positions.joint(f, knee),
                  &r = clip.positions.joint(f, ankle);
      sum += rotation.conjugate() * (q - p).cross(r - q);
    }
  }
  return sum.norm() > 1e-9 ? Vec3d(sum.normalized()) : Vec3d(Vec3d::UnitX());
}

Vec3d bounded(const Vec3d& v, double most) {
  return v * std::min(1.0, most / std::max(1e-9, v.norm()));
}

}  // namespace

FootKeeper::FootKeeper(const MotionSet& set) : skeleton_(set.skeleton.get()) {
  for (const analysis::FootPoints& points : set.feet) {
    Foot foot;
    foot.limb = points.limb, foot.knee = points.knee, foot.ankle = points.joint;
    foot.usable = foot.limb != kNoJoint && foot.knee != kNoJoint && foot.ankle != kNoJoint &&
                  skeleton_->parent(foot.ankle) == foot.knee && skeleton_->parent(foot.knee) == foot.limb &&
                  skeleton_->parent(foot.limb) != kNoJoint;
    if (points.toe >= 0 && points.toe < skeleton_->joint_count() && skeleton_->parent(points.toe) == foot.ankle) {
      foot.ball = skeleton_->joint(points.toe).rest_translation_m.cast<double>();
    } else if (points.toe >= skeleton_->joint_count()) {
      const EndSite& site = skeleton_->end_sites()[static_cast<std::size_t>(points.toe - skeleton_->joint_count())];
      if (site.parent == foot.ankle) foot.ball = site.offset_m.cast<double>();
    }
    if (foot.usable) foot.hinge = hinge_axis(set, foot.limb, foot.knee, foot.ankle);
    feet_.push_back(foot);
  }
  targets_.resize(feet_.size());
  world_.positions.resize(static_cast<std::size_t>(skeleton_->joint_count()));
  world_.rotations.resize(world_.positions.size());
}

void FootKeeper::look_at_clip(const Pose& raw, const Pose* raw_before, std::uint8_t contact_bits) {
  contact_ = contact_bits;
  clip_changed_ = raw_before != nullptr;
  for (Foot& foot : feet_) {
    if (!foot.usable) continue;
    foot.in_clip = joint_transform(*skeleton_, raw, foot.ankle);
    if (raw_before != nullptr) foot.in_clip_before = joint_transform(*skeleton_, *raw_before, foot.ankle);
  }
}

void FootKeeper::aim(Foot& foot, bool contact, const JointTransform& blended, double frame_time_s,
                     JointTransform& target) {
  foot.shift_left.advance(frame_time_s);
  foot.turn_left.advance(frame_time_s);
  if (contact) {
    if (!foot.locked || clip_changed_) {
      // Where the foot is now: where it stood, or what the swing has come to.
      JointTransform now = foot.out;
      if (foot.locked) {
        now.position += foot.out.position - foot.out_before.position;
        now.rotation = foot.out.rotation * foot.out_before.rotation.conjugate() * foot.out.rotation;
      } else {
        now.rotation = rotation_of(foot.turn_left.value()) * blended.rotation;
        now.position = blended.position + foot.shift_left.value();
      }
      const Vec3d ball = now.position + now.rotation * foot.ball;
      foot.world_from_clip.heading_rad = heading_of(now.rotation * foot.in_clip.rotation.conjugate());
      foot.world_from_clip.x_m = foot.world_from_clip.z_m = 0.0;
      const Quatd turned = about_y(foot.world_from_clip.heading_rad) * foot.in_clip.rotation;
      const Vec3d laid = at_place(foot.world_from_clip, foot.in_clip.position) + turned * foot.ball;
      // A foot that comes down faster than the clip's comes to rest a little farther on.
      Vec3d landing = Vec3d::Zero();
      if (!foot.locked) {
        landing = foot.shift_speed;
        landing.y() = 0.0;
        landing = bounded(landing, kMostLanding_mps);
      }
      foot.world_from_clip.x_m = ball.x() + 0.5 * Decay::kRate_s * landing.x() - laid.x();
      foot.world_from_clip.z_m = ball.z() + 0.5 * Decay::kRate_s * landing.z() - laid.z();
      const Vec3d rise = Vec3d(0.0, ball.y() - laid.y(), 0.0) - 0.5 * Decay::kRate_s * landing;
      const Vec3d tilt = rotation_vector(now.rotation * turned.conjugate());
      Vec3d rise_speed = landing, tilt_speed = bounded(foot.turn_speed, kMostTurn_radps);
      if (foot.locked) {
        // It rolls on as it did, and comes to roll as the next clip's foot does.
        const Quatd turned_before = about_y(foot.world_from_clip.heading_rad) * foot.in_clip_before.rotation;
        const double laid_before = foot.in_clip_before.position.y() + (turned_before * foot.ball).y();
        const double ball_before = foot.out.position.y() + (foot.out.rotation * foot.ball).y();
        rise_speed.y() = (rise.y() - (ball_before - laid_before)) / frame_time_s;
        tilt_speed =
            (tilt - unwound(rotation_vector(foot.out.rotation * turned_before.conjugate()), tilt)) / frame_time_s;
      }
      foot.shift_left.start(rise, rise_speed, kSettle_s);
      foot.turn_left.start(tilt, tilt_speed, std::max(kSettle_s, decay_length_s(tilt.norm(), kSwingTurn_radps)));
      foot.locked = true;
    }
    const Quatd turned = about_y(foot.world_from_clip.heading_rad) * foot.in_clip.rotation;
    const Vec3d ball =
        at_place(foot.world_from_clip, foot.in_clip.position) + turned * foot.ball + foot.shift_left.value();
    target.rotation = rotation_of(foot.turn_left.value()) * turned;
    target.position = ball - target.rotation * foot.ball;
    return;
  }
  if (foot.locked) {
    foot.locked = false;
    const Vec3d shift_speed = bounded(foot.shift_speed, kMostShift_mps),
                turn_speed = bounded(foot.turn_speed, kMostTurn_radps);
    foot.shift_left.start(
        foot.shift, shift_speed,
        std::max(kSwing_s, decay_length_s(Decay::left(foot.shift, shift_speed).norm(), kSwingSpeed_mps)));
    foot.turn_left.start(
        foot.turn, turn_speed,
        std::max(kSwing_s, decay_length_s(Decay::left(foot.turn, turn_speed).norm(), kSwingTurn_radps)));
    foot.shift_left.advance(frame_time_s);
    foot.turn_left.advance(frame_time_s);
  }
  target.rotation = rotation_of(foot.turn_left.value()) * blended.rotation;
  target.position = blended.position + foot.shift_left.value();
}

double FootKeeper::reachable_m(const Foot& foot) const {
  const Vec3d& hip = world_.positions[static_cast<std::size_t>(foot.limb)];
  const Vec3d& knee = world_.positions[static_cast<std::size_t>(foot.knee)];
  const Vec3d& ankle = world_.positions[static_cast<std::size_t>(foot.ankle)];
  const double whole = (knee - hip).norm() + (ankle - knee).norm();
  return std::max(kReach * whole, std::min((ankle - hip).norm(), 0.999 * whole));
}

double FootKeeper::eased_m(const Foot& foot, double distance_m) const {
  const Vec3d& hip = world_.positions[static_cast<std::size_t>(foot.limb)];
  const Vec3d& knee = world_.positions[static_cast<std::size_t>(foot.knee)];
  const Vec3d& ankle = world_.positions[static_cast<std::size_t>(foot.ankle)];
  const double whole = (knee - hip).norm() + (ankle - knee).norm();
  const double begin = std::max((ankle - hip).norm(), 0.97 * whole), room = 0.9995 * whole - begin;
  if (distance_m <= begin || room <= 1e-6) return std::min(distance_m, 0.9995 * whole);
  return begin + room * (1.0 - std::exp(-(distance_m - begin) / room));
}

double FootKeeper::sink_needed(const Foot& foot, const JointTransform& target) const {
  const double length = reachable_m(foot);
  const Vec3d way = world_.positions[static_cast<std::size_t>(foot.limb)] - target.position;
  const double across = way.x() * way.x() + way.z() * way.z();
  if (way.squaredNorm() <= length * length) return 0.0;
  return across >= length * length ? way.y() : way.y() - std::sqrt(length * length - across);
}

void FootKeeper::reach(const Foot& foot, const JointTransform& target, Pose& pose) {
  const auto limb = static_cast<std::size_t>(foot.limb), knee = static_cast<std::size_t>(foot.knee);
  const auto ankle = static_cast<std::size_t>(foot.ankle);
  const auto parent = static_cast<std::size_t>(skeleton_->parent(foot.limb));
  const Vec3d hip = world_.positions[limb];
  const Vec3d thigh = world_.positions[knee] - hip, shank = world_.positions[ankle] - world_.positions[knee];
  const Vec3d leg = thigh + shank, wanted = target.position - hip;
  const double l1 = thigh.norm(), l2 = shank.norm();
  if (l1 < 1e-6 || l2 < 1e-6 || leg.norm() < 1e-6 || wanted.norm() < 1e-6) return;
  const Vec3d along = leg.normalized(), along_new = wanted.normalized();

  // Which way the knee points: where it is, and for a straight leg where its hinge lets it go.
  const Vec3d hinge = world_.rotations[limb] * foot.hinge;
  const Vec3d out = thigh - along * thigh.dot(along) + 0.03 * (l1 + l2) * along.cross(hinge);
  Vec3d pole = out - along * out.dot(along);
  if (pole.norm() < 1e-9) return;
  pole.normalize();
  const Vec3d pole_new = Quatd::FromTwoVectors(along, along_new) * pole;
  const double distance = std::clamp(wanted.norm(), std::abs(l1 - l2) + 1e-4, 0.9999 * (l1 + l2));
  const double a = (l1 * l1 - l2 * l2 + distance * distance) / (2.0 * distance);
  const Vec3d thigh_new = a * along_new + std::sqrt(std::max(0.0, l1 * l1 - a * a)) * pole_new;
  const Vec3d shank_new = distance * along_new - thigh_new;

  // Bones turn with the plane of the leg.
  const Vec3d normal = pole.cross(along), normal_new = pole_new.cross(along_new);
  const Quatd limb_rotation =
      frame_of(thigh_new, normal_new) * frame_of(thigh, normal).conjugate() * world_.rotations[limb];
  const Quatd knee_rotation =
      frame_of(shank_new, normal_new) * frame_of(shank, normal).conjugate() * world_.rotations[knee];
  pose.set_rotation(foot.limb, (world_.rotations[parent].conjugate() * limb_rotation).normalized().cast<float>());
  pose.set_rotation(foot.knee, (limb_rotation.conjugate() * knee_rotation).normalized().cast<float>());
  pose.set_rotation(foot.ankle, (knee_rotation.conjugate() * target.rotation).normalized().cast<float>());
}

void FootKeeper::keep(Pose& pose, double frame_time_s) {
  forward_kinematics(*skeleton_, pose, world_);
  double sink = 0.0;
  standing_ = 0;
  for (std::size_t f = 0; f < feet_.size(); ++f) {
    Foot& foot = feet_[f];
    if (!foot.usable) continue;
    const auto ankle = static_cast<std::size_t>(foot.ankle);
    const JointTransform blended{world_.positions[ankle], world_.rotations[ankle]};
    if (!foot.started) foot.out = foot.out_before = blended, foot.started = true;
    const bool in_contact = (contact_ >> f) & 1u;
    if (!in_contact) foot.lifted = false;
    aim(foot, in_contact && !foot.lifted, blended, frame_time_s, targets_[f]);
    const bool too_far = (targets_[f].position - blended.position).norm() > kMostShift_m;
    if (foot.locked &&
        (too_far || sink_needed(foot, targets_[f]) > std::min(kMostSink_m, sink_m_ + kSinkSpeed_mps * frame_time_s))) {
      foot.lifted = true;
      aim(foot, false, blended, 0.0, targets_[f]);
    }
    if (foot.locked) {
      sink = std::max(sink, sink_needed(foot, targets_[f]));
      standing_ |= static_cast<std::uint8_t>(1u << f);
    }
    // The ground is at 0 in every clip of a set.
    const double ball_y = targets_[f].position.y() + (targets_[f].rotation * foot.ball).y();
    if (ball_y < 0.0) targets_[f].position.y() -= ball_y;
    const Vec3d shift = targets_[f].position - blended.position;
    const Vec3d turn = unwound(rotation_vector(targets_[f].rotation * blended.rotation.conjugate()), foot.turn);
    foot.shift_speed = (shift - foot.shift) / frame_time_s, foot.turn_speed = (turn - foot.turn) / frame_time_s;
    foot.shift = shift, foot.turn = turn;
  }
  sink_m_ = std::clamp(sink, sink_m_ - kRiseSpeed_mps * frame_time_s, sink_m_ + kSinkSpeed_mps * frame_time_s);
  if (sink_m_ > 0.0) {
    const Vec3f root = pose.translation(0);
    pose.set_translation(0, root - Vec3f(0.0f, static_cast<float>(sink_m_), 0.0f));
    for (Vec3d& position : world_.positions) position.y() -= sink_m_;
  }
  for (std::size_t f = 0; f < feet_.size(); ++f) {
    if (!feet_[f].usable) continue;
    // A foot in the air comes along rather than stretch its leg.
    if (!feet_[f].locked) {
      const Vec3d& hip = world_.positions[static_cast<std::size_t>(feet_[f].limb)];
      const Vec3d way = targets_[f].position - hip;
      targets_[f].position = hip + way * (eased_m(feet_[f], way.norm()) / way.norm());
    }
    feet_[f].out_before = feet_[f].out;
    feet_[f].out = targets_[f];
    reach(feet_[f], targets_[f], pose);
  }
  clip_changed_ = false;
}

}  // namespace shosa::graph
