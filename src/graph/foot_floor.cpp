// What keeps heel, ball and toe tip of `FootKeeper`'s feet over the ground.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/foot_keeper.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/posing/foot_clearance.h"

namespace shosa::graph {
namespace {

constexpr double kFloorRises_mps = 0.15;  ///< When a clip takes over whose foot is not as low.
constexpr double kShortestRise_s = 0.1;   ///< Of a foot that the next clip has higher.
constexpr double kBrush_m = 0.003;
constexpr double kSoft_m = 0.004;  ///< `FootClearanceParams::soft_m`: leaves half of it below the ground.
/// Behind the ankle, per height of the ankle over the sole.
constexpr double kHeelBehind = body::kHeelBehindAnkle_m / body::kHeelBelowAnkle_m;
constexpr double kHeelStrike_m = 0.01;  ///< Over its lowest place: the ball of a foot that stands on its heel.
constexpr double kStill_m = 0.003, kStill_rad = 0.05;  ///< In a frame.
constexpr double kLies_m = 0.001, kLies_rad = 0.02;    ///< Over its lowest place, and in a frame.

}  // namespace

void FootKeeper::bend_toes(std::size_t leg) {
  const Toes& toes = shared_->toes[leg];
  if (toes.joint == kNoJoint) return;
  WholeFoot& target = targets_[leg];
  // A difference of more than half a turn is still on the side on which the toes were shown.
  const WholeFoot& shown = feet_[leg].out[0];
  const double shown_rad = toes.bend_rad(shown.rotation.conjugate() * shown.toes);
  const double bend_rad =
      shown_rad +
      std::remainder(toes.bend_rad(target.rotation.conjugate() * target.toes) - shown_rad, 2.0 * std::numbers::pi);
  const double over_rad = bend_rad - std::clamp(bend_rad, toes.least_rad, toes.most_rad);
  if (over_rad == 0.0) return;
  const Vec3d across = target.rotation * toes.across_in_foot;
  target.toes = (Quatd(Eigen::AngleAxisd(-over_rad, across)) * target.toes).normalized();
}

Vec3d FootKeeper::find_heel(const Skeleton& skeleton, const body::FootPoints& points) {
  if (points.toe < 0 || points.toe >= skeleton.joint_count()) return Vec3d::Zero();
  WorldPose rest;
  forward_kinematics(skeleton, Pose::rest(skeleton), rest);
  const Vec3d &ankle = rest.positions[points.joint], &ball = rest.positions[points.toe];
  double sole_m = std::min(ankle.y(), ball.y());
  if (points.tip >= skeleton.joint_count()) {
    const auto site = static_cast<std::size_t>(points.tip - skeleton.joint_count());
    sole_m = std::min(sole_m, rest.end_site(skeleton.end_sites()[site]).y());
  }
  Vec3d ahead = ball - ankle;
  ahead.y() = 0.0;
  if (ahead.norm() < 1e-6) return Vec3d::Zero();
  const double drop_m = ankle.y() - sole_m;
  return rest.rotations[points.joint].conjugate() *
         (-drop_m * Vec3d::UnitY() - kHeelBehind * drop_m * ahead.normalized());
}

FootKeeper::Heights FootKeeper::find_heights(const SetClip& clip, const body::FootPoints& points, std::size_t foot,
                                             const Vec3d& heel_in_foot_m) {
  Heights heights;
  Pose pose;
  const int ball = points.toe >= 0 ? points.toe : points.joint;
  Floor lowest{1e9, 1e9, 0.0};
  for (int f = 0; f < clip.positions().frame_count(); ++f) {
    const double ball_m = clip.positions().point(f, ball).y();
    heights.ball_m.push_back(static_cast<float>(ball_m));
    if ((clip.contact[f] >> foot & 1u) == 0) continue;
    clip.clip().get_frame(f, pose);
    const JointTransform ankle = joint_transform(clip.clip().skeleton(), pose, points.joint);
    lowest.heel_m = std::min(lowest.heel_m, (ankle.position + ankle.rotation * heel_in_foot_m).y());
    lowest.ball_m = std::min(lowest.ball_m, ball_m);
  }
  // A foot that never stands says nothing but where the ground is.
  if (lowest.ball_m < 1e8) heights.lowest = lowest;
  return heights;
}

double FootKeeper::height_length_s(const Foot& foot, const Vec3d& height, const Vec3d& speed, double swing_s) const {
  const std::size_t index = static_cast<std::size_t>(&foot - feet_.data());
  const std::vector<float>& ball_m = shared_->heights[clip_][index].ball_m;
  const auto clip_m = [&](double after_s) {
    const double frame = std::round((time_s_ + pace_ * after_s) / shared_->frame_time_s);
    return static_cast<double>(ball_m[std::clamp(frame, 0.0, static_cast<double>(ball_m.size()) - 1.0)]);
  };
  const double now_m = foot.out[0].anchor_m.y();
  const auto brushes = [&](double length_s) {
    Decay decay;
    decay.start(height, speed, length_s, std::min(Decay::kRate_s, length_s));
    for (double t = 0.0; t < swing_s; t += 1.0 / 60.0) {
      if (clip_m(t) + decay.value(t).y() < std::min(now_m, clip_m(t)) - kBrush_m) return true;
    }
    return false;
  };
  double length_s = swing_s;
  while (length_s > kShortestRise_s && brushes(length_s)) length_s = std::max(kShortestRise_s, 0.85 * length_s);
  return length_s;
}

bool FootKeeper::holds_still(const Foot& foot) const {
  const std::size_t index = static_cast<std::size_t>(&foot - feet_.data());
  const double lowest_m = shared_->heights[clip_][index].lowest.ball_m;
  const double over_m = foot.clip[0].anchor_m.y() - lowest_m;
  // Once held, until the clip's foot lies as still: what is left of its roll would be a jerk.
  if (foot.held) {
    return over_m > kLies_m || (foot.clip[0].anchor_m - foot.clip[1].anchor_m).norm() > kLies_m ||
           foot.clip[0].rotation.angularDistance(foot.clip[1].rotation) > kLies_rad;
  }
  return over_m > kHeelStrike_m && foot.out[0].anchor_m.y() - lowest_m < kHeelStrike_m &&
         (foot.out[0].anchor_m - foot.out[1].anchor_m).norm() < kStill_m &&
         foot.out[0].rotation.angularDistance(foot.out[1].rotation) < kStill_rad;
}

void FootKeeper::look_at_floor(std::size_t leg, double frame_time_s) {
  Foot& foot = feet_[leg];
  const Floor& lowest = shared_->heights[clip_][leg].lowest;
  // Down at once: what the clip itself does is not altered. Up slowly, so that nothing steps when clips change.
  const auto follow = [&](double& floor_m, double wanted_m) {
    floor_m = std::min(wanted_m, floor_m + kFloorRises_mps * frame_time_s);
  };
  follow(foot.floor.heel_m, std::min(lowest.heel_m, foot.clip[0].heel_m));
  follow(foot.floor.ball_m, std::min(lowest.ball_m, foot.clip[0].anchor_m.y()));
  follow(foot.floor.tip_m, std::min(0.0, foot.clip[0].tip_m));
}

void FootKeeper::clear(std::size_t leg, const Pose& pose) {
  WholeFoot& target = targets_[leg];
  const Foot& foot = feet_[leg];
  const Toes& toes = shared_->toes[leg];
  const Vec3d across = target.rotation * toes.across_in_foot;
  const bool has_tip = toes.joint != kNoJoint;
  const auto cleared =
      posing::clear_ground({.heel_m = shared_->rig.ankle_of(target, shared_->rig.anchor_in_foot(pose, leg)) +
                                      target.rotation * shared_->heel_in_foot_m[leg],
                            .ball_m = target.anchor_m,
                            .tip_m = target.anchor_m + target.toes * toes.tip_in_toes_m,
                            .across = across,
                            .heel_floor_m = foot.floor.heel_m,
                            .ball_floor_m = foot.floor.ball_m,
                            .tip_floor_m = has_tip ? foot.floor.tip_m : -1e9,
                            .free = foot.free,
                            .soft_m = kSoft_m});
  target.anchor_m.y() += cleared.lift_m;
  if (cleared.toes_rad == 0.0 && cleared.pitch_rad == 0.0) return;
  target.rotation = (Quatd(Eigen::AngleAxisd(cleared.pitch_rad, across)) * target.rotation).normalized();
  target.toes = (Quatd(Eigen::AngleAxisd(cleared.pitch_rad + cleared.toes_rad, across)) * target.toes).normalized();
}

}  // namespace shosa::graph
