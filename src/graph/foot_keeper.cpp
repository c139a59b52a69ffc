#include "graph/foot_keeper.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {
namespace {

constexpr double kMovedFar_m = 0.01;  ///< Feet in the air look anew for where they land …
constexpr float kAims_s = 0.1f;       ///< … unless they are about to.

/// The clip that says most about how knees bend: the fastest.
const SetClip& liveliest(const MotionSet& set) {
  return *std::max_element(set.clips.begin(), set.clips.end(), [](const SetClip& a, const SetClip& b) {
    const auto most = [](const SetClip& c) { return *std::max_element(c.speed_mps.begin(), c.speed_mps.end()); };
    return most(a) < most(b);
  });
}

}  // namespace

FootKeeper::FootKeeper(const MotionSet& set) {
  const auto motion = blend::prepare_motion(liveliest(set).studied);
  if (!motion || (*motion)->contacts().feet.size() != set.feet.size()) return;
  Shared shared{blend::Rig(**motion), (*motion)->knee_axes, {}, {}, {}, {}, {}, {}, set.frame_time_s};
  const std::size_t feet = set.feet.size();
  for (const blend::Leg& leg : shared.rig.legs()) shared.legs.push_back(joints_below(*set.skeleton, leg.hip));
  for (std::size_t foot = 0; foot < feet; ++foot) {
    Toes& toes = shared.toes.emplace_back();
    const int tip = set.feet[foot].tip - set.skeleton->joint_count();
    if (tip < 0) continue;
    static_cast<ToeBends&>(toes) = find_toe_bends(set, foot);
    toes.tip_in_toes_m = set.skeleton->end_sites()[tip].offset_m.cast<double>();
  }
  for (const body::FootPoints& points : set.feet) shared.heel_in_foot_m.push_back(find_heel(*set.skeleton, points));
  for (const SetClip& clip : set.clips) {
    const auto frames = static_cast<int>(clip.contact.size());
    std::vector<Outlook> outlook(clip.contact.size() * feet);
    for (std::size_t foot = 0; foot < feet; ++foot) {
      const blend::Leg& leg = shared.rig.legs()[foot];
      for (int f = 0; f < frames && leg.solvable; ++f) {
        outlook[static_cast<std::size_t>(f) * feet + foot].hip_from_ankle_m =
            (clip.positions().joint(f, leg.hip) - clip.positions().joint(f, leg.ankle)).cast<float>();
      }
      double landing = -1.0, lift = -1.0;
      bool after = false;
      for (int f = frames - 1; f >= 0; --f) {
        const bool stands = (clip.contact[f] >> foot & 1u) != 0;
        if (landing >= 0.0) landing += set.frame_time_s;
        if (lift >= 0.0) lift += set.frame_time_s;
        if (f + 1 < frames && !stands && after) landing = set.frame_time_s;
        if (f + 1 < frames && stands && !after) lift = set.frame_time_s;
        Outlook& at = outlook[static_cast<std::size_t>(f) * feet + foot];
        at.landing_s = static_cast<float>(landing), at.lift_s = static_cast<float>(lift);
        after = stands;
      }
    }
    for (int f = 0; f < frames;) {
      int end = f;
      while (end < frames && clip.contact[end] == 0) ++end;
      const auto flight_s = static_cast<float>((end - f) * set.frame_time_s);
      for (std::size_t at = static_cast<std::size_t>(f) * feet; at < static_cast<std::size_t>(end) * feet; ++at) {
        outlook[at].flight_s = flight_s;
      }
      // … and the foot whose leaving begins it, while it stands alone.
      for (int b = f - 1; b >= 0 && end > f && clip.contact[b] != 0 &&
                          clip.contact[b] == clip.contact[static_cast<std::size_t>(f) - 1];
           --b) {
        for (std::size_t foot = 0; foot < feet; ++foot) {
          outlook[static_cast<std::size_t>(b) * feet + foot].flight_s = flight_s;
        }
      }
      f = std::max(end, f + 1);
    }
    shared.outlook.push_back(std::move(outlook));
    shared.speed_mps.push_back(clip.speed_mps);
    auto& heights = shared.heights.emplace_back();
    for (std::size_t foot = 0; foot < feet; ++foot) {
      heights.push_back(find_heights(clip, set.feet[foot], foot, shared.heel_in_foot_m[foot]));
    }
  }
  world_ = shared.rig.make_world();
  shared_ = std::make_shared<const Shared>(std::move(shared));
  feet_.resize(feet);
  targets_.resize(feet);
}

const FootKeeper::Outlook& FootKeeper::outlook(int clip, double time_s, std::size_t foot) const {
  const auto& list = shared_->outlook[clip];
  const auto frames = static_cast<double>(list.size() / feet_.size());
  const double frame = std::clamp(std::round(time_s / shared_->frame_time_s), 0.0, frames - 1.0);
  return list[static_cast<std::size_t>(frame) * feet_.size() + foot];
}

double FootKeeper::body_speed_mps() const {
  const auto& speed_mps = shared_->speed_mps[clip_];
  const double frame = std::round(time_s_ / shared_->frame_time_s);
  return speed_mps[std::clamp(frame, 0.0, static_cast<double>(speed_mps.size()) - 1.0)];
}

FootKeeper::WholeFoot FootKeeper::whole_foot(const Pose& pose, std::size_t leg) const {
  WholeFoot foot{shared_->rig.foot(pose, world_, leg)};
  foot.heel_m = (world_[shared_->rig.legs()[leg].ankle].position + foot.rotation * shared_->heel_in_foot_m[leg]).y();
  if (const Toes& toes = shared_->toes[leg]; toes.joint != kNoJoint) {
    foot.toes = foot.rotation * pose.rotation(toes.joint).cast<double>();
    foot.tip_m = (foot.anchor_m + foot.toes * toes.tip_in_toes_m).y();
  }
  return foot;
}

void FootKeeper::begin(std::span<const Pose, 3> placed, std::uint8_t contact_bits) {
  if (!shared_) return;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    shared_->rig.world(placed[i], world_);
    for (std::size_t k = 0; k < feet_.size(); ++k) feet_[k].clip[i] = feet_[k].out[i] = whole_foot(placed[i], k);
  }
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    feet_[k].doing = (contact_bits >> k & 1u) != 0 ? Doing::standing : Doing::swinging;
  }
}

void FootKeeper::change_clip(std::span<const Pose, 3> placed) {
  if (!shared_) return;
  changed_ = true;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    shared_->rig.world(placed[i], world_);
    for (std::size_t k = 0; k < feet_.size(); ++k) feet_[k].clip[i] = whole_foot(placed[i], k);
  }
}

void FootKeeper::look_at_clip(const Pose& placed, int clip, double time_s, double pace, double heading_rad,
                              std::uint8_t contact_bits, double frame_time_s) {
  if (!shared_) return;
  contact_ = contact_bits;
  clip_ = clip, time_s_ = time_s, pace_ = pace, heading_rad_ = heading_rad;
  const blend::Rig& rig = shared_->rig;
  rig.world(placed, world_);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    std::copy_backward(foot.clip.begin(), foot.clip.end() - 1, foot.clip.end());
    foot.clip[0] = whole_foot(placed, k);
    foot.outlook = outlook(clip, time_s, k);
    foot.outlook.landing_s /= static_cast<float>(pace), foot.outlook.lift_s /= static_cast<float>(pace);
    const blend::Leg& leg = rig.legs()[k];
    if (leg.solvable) {
      foot.clip_leg_m = (world_[leg.hip].position - world_[leg.ankle].position).norm();
      foot.leg_m = std::max(foot.clip_leg_m, foot.leg_m - kRelaxSpeed_mps * frame_time_s);
    }
  }
}

Vec3d FootKeeper::shift_to_feet(const Pose& placed, int clip, double time_s, std::uint8_t contact_bits,
                                const Vec3d& shift, double most_m) {
  if (!shared_) return shift;
  shared_->rig.world(placed, world_);
  Vec3d sum = Vec3d::Zero();
  double weights = 0.0;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    if (feet_[k].doing != Doing::standing || (contact_bits >> k & 1u) == 0) continue;
    // The foot that will stand longest counts most.
    const double left_s = outlook(clip, time_s, k).lift_s;
    const double weight = left_s < 0.0 ? 0.5 : std::clamp(left_s, 0.02, 0.5);
    sum += weight * (feet_[k].out[0].anchor_m - shared_->rig.foot(placed, world_, k).anchor_m);
    weights += weight;
  }
  if (weights == 0.0) return shift;
  Vec3d moved = sum / weights - shift;
  moved.y() = 0.0;
  return shift + bounded(moved, most_m);
}

void FootKeeper::visit_state(StateBytes& bytes) {
  bytes(feet_, targets_, clip_, time_s_, pace_, heading_rad_, contact_, standing_, stood_, changed_, sink_, held_,
        root_, height_);
}

void FootKeeper::move_clip(const Vec3d& by) {
  for (Foot& foot : feet_) {
    for (WholeFoot& pose : foot.clip) pose.anchor_m += by;
    if (foot.doing == Doing::standing) foot.shift.shift(-by);
  }
}

std::optional<Vec3d> FootKeeper::follow_feet(const Vec3d& root_m) {
  if (!shared_ || standing_ == stood_) return std::nullopt;
  stood_ = standing_;
  Vec3d sum = Vec3d::Zero();
  double weights = 0.0;
  for (const Foot& foot : feet_) {
    if (foot.doing != Doing::standing) continue;
    const double weight = foot.outlook.lift_s < 0.0f ? 0.5 : std::clamp<double>(foot.outlook.lift_s, 0.02, 0.5);
    sum += weight * foot.shift.value(kSettle_s);
    weights += weight;
  }
  Vec3d moved = weights > 0.0 ? Vec3d(sum / weights) : root_m;
  moved.y() = 0.0;
  for (Foot& foot : feet_) {
    for (WholeFoot& pose : foot.clip) pose.anchor_m += moved;
    foot.shift.shift(-moved);
    // The body will be elsewhere when it lands.
    foot.aims_anew = moved.norm() > kMovedFar_m && !(foot.outlook.landing_s > 0.0f && foot.outlook.landing_s < kAims_s);
  }
  return moved;
}

}  // namespace shosa::graph
