#include <algorithm>
#include <cmath>

#include "character/foot_ground.h"
#include "character/footing.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/core/tree_paths.h"

namespace shosa::character {
namespace {

constexpr double kMostHeel_rad = 0.9;
constexpr double kHeelRate_radps = 1.0;  ///< At which a raised heel may go on rising once it leaves the ground.
constexpr double kHeel_s = 0.12;         ///< A raised heel comes down over this long.
constexpr double kMostDrop = 0.3;        ///< Of the leg's length: a foot that is farther away is out of reach.
constexpr double kAllGiven = 0.8;  ///< Of these two: a foot for which hips and heel gave so much leaves the ground.
constexpr double kPulled = 0.002;  ///< Of the leg's length: so much is missing where a foot that is left behind leaves.
constexpr double kSoftSwing = 0.02;  ///< `kSoftEnd` of a foot that goes with its leg.
constexpr double kYields_s = 0.1;    ///< Until a foot that has left goes all the way with its leg.
constexpr double kLeastLever_m = 0.02;
constexpr double kDrop_s = 0.1;   ///< Hips sink over this long …
constexpr double kRise_m = 0.03;  ///< … and come up by up to this much in that time.

}  // namespace

Result<FootModel> make_foot_model(const graph::MotionSet& set) {
  FootModel model;
  model.hips = body::root_joint(set.body_map);
  if (set.feet.empty() || set.feet.size() > kMostFeet)
    return fail(ErrorCode::not_possible, "the body has {} feet, expected 1 to {}", set.feet.size(), kMostFeet);
  const Skeleton& skeleton = *set.skeleton;
  const double leg_m = body::leg_length_m(skeleton, set.body_map);
  model.leg_m = leg_m > 0.0 ? leg_m : body::kHumanLegLength_m;
  for (const body::FootPoints& points : set.feet) {
    if (points.limb == kNoJoint || joint_chain(skeleton, points.limb, points.joint).size() < 3) {
      return fail(ErrorCode::not_possible, "the {} foot does not hang on its leg with a knee, so no leg can lead it",
                  points.name);
    }
    FootModel::Foot foot;
    foot.bones = {.hip = points.limb, .knee = points.knee, .ankle = points.joint};
    // The axis on the clip that bends the knee most often says most.
    Vec3d axis = Vec3d::Zero();
    for (const graph::SetClip& clip : set.clips) {
      std::vector<Vec3d> ahead;
      for (int f = 0; f < clip.clip().frame_count(); ++f) {
        ahead.push_back(level_direction(clip.positions().point(f, points.toe >= 0 ? points.toe : points.joint) -
                                        clip.positions().joint(f, points.joint)));
      }
      axis += clip.clip().frame_count() * body::find_flexion_axis(clip.clip(), foot.bones, ahead);
    }
    if (axis.norm() > 1e-9) foot.bones.flexion_axis = axis.normalized();
    foot.ball = points.toe >= 0 ? points.toe : points.joint;
    const auto& rest = skeleton.rest_positions();
    const Quatd foot_turn = skeleton.rest_rotations()[points.joint];
    if (points.toe >= skeleton.joint_count()) {
      foot.ball_in_foot_m = skeleton.end_sites()[points.toe - skeleton.joint_count()].offset_m.cast<double>();
    } else if (points.toe >= 0) {
      foot.ball_in_foot_m = foot_turn.conjugate() * (rest[points.toe] - rest[points.joint]);
      foot.toes = graph::find_toe_bends(set, model.feet.size());
    }
    const Vec3d ahead = foot_turn * foot.ball_in_foot_m;
    if (std::hypot(ahead.x(), ahead.z()) > 1e-6)
      foot.across_in_foot = foot_turn.conjugate() * Vec3d::UnitY().cross(ahead).normalized();
    foot.rest_m = 1e9;
    for (const graph::SetClip& clip : set.clips) {
      for (int f = 0; f < clip.clip().frame_count(); ++f)
        foot.rest_m = std::min(foot.rest_m, clip.positions().point(f, foot.ball).y());
    }
    foot.length_m = (rest[points.knee] - rest[points.limb]).norm() + (rest[points.joint] - rest[points.knee]).norm();
    foot.sole_m =
        std::max(0.05, foot.ball_in_foot_m.norm() + body::kHeelBehindAnkle_m * model.leg_m / body::kHumanLegLength_m);
    model.feet.push_back(foot);
  }
  double hips_m = 0.0;
  long frames = 0;
  for (const graph::SetClip& clip : set.clips) {
    for (int f = 0; f < clip.clip().frame_count(); ++f, ++frames) hips_m += clip.positions().joint(f, model.hips).y();
  }
  if (frames > 0) model.hips_m = std::max(0.1, hips_m / static_cast<double>(frames));
  return model;
}

struct LegTarget {
  Vec3d hip, knee, ankle, wanted;
  Quatd foot;
  Vec3d lever;  ///< Ball to ankle.
  double most_m = 0.0, clip_m = 0.0;
  double most_heel_rad = 0.0;  ///< That toes which stay as they are can bend by …
  double heel_rad = 0.0;       ///< … and that the heel was raised by.
};

void Footing::raise_heel(std::size_t f, LegTarget& t, const Vec3d& hip, double step_s, double& lack_m) {
  Foot& foot = feet_[f];
  const double longest = (t.wanted - hip).norm() - lack_m;
  const Vec3d axis = t.foot * model_->feet[f].across_in_foot;
  const auto ankle = [&](double rad) { return Vec3d(foot.ball_m + Eigen::AngleAxisd(rad, axis) * t.lever); };
  double needed = 0.0;
  if (lack_m > 0.0 && foot.planted) {
    // A heel helps until the ankle lies on the line from ball to hip: beyond it the leg gets longer again.
    const Vec3d to_hip = hip - foot.ball_m;
    const double in_line =
        std::atan2(axis.dot(t.lever.cross(to_hip)), t.lever.dot(to_hip) - axis.dot(t.lever) * axis.dot(to_hip));
    const double now_rad = foot.heel.value[0], rate = std::max(0.0, foot.heel.rate[0]) + kMostSpin_radps2 * step_s;
    double low = 0.0,
           high = std::clamp(in_line, 0.0, std::min(t.most_heel_rad, std::max(0.0, now_rad) + rate * step_s));
    for (int i = 0; i < 14; ++i) {
      const double mid = 0.5 * (low + high);
      ((ankle(mid) - hip).norm() > longest ? low : high) = mid;
    }
    needed = low;
  }
  if (needed == 0.0 && foot.pointed_rad == 0.0 && foot.heel.is_zero()) return;
  // A heel that is needed is there; one that is not comes down as the foot swings or stands.
  if (needed > foot.heel.value[0]) {
    foot.heel.put(MinJerk<1>::Values(needed), step_s);
    foot.heel.rate[0] = std::min(foot.heel.rate[0], kHeelRate_radps);
  } else {
    foot.heel.lead(MinJerk<1>::Values(std::max(needed, foot.pointed_rad)),
                   foot.planted ? kHeel_s : std::max(kHeel_s, 0.6 * foot.left_s), step_s);
  }
  const double raised = std::clamp(foot.heel.value[0], 0.0, t.most_heel_rad);
  t.wanted = ankle(raised);
  t.heel_rad = raised;
  t.foot = Quatd(Eigen::AngleAxisd(raised, axis)) * t.foot;
  lack_m = std::max(0.0, (t.wanted - hip).norm() - longest);
}

bool Footing::is_left_behind(std::size_t f, double gait_mps) const {
  const std::size_t pair = (f ^ 1u) < model_->feet.size() ? f ^ 1u : f;
  const Foot &foot = feet_[f], &other = feet_[pair];
  return foot.planted && other.planted && other.stood_s < foot.stood_s &&
         gait_mps > kGoes_mps * model_->leg_m / body::kHumanLegLength_m;
}

void Footing::solve_legs(Pose& pose, const WorldPose& plane, const Input& input, double step_s) {
  const Quatd turn = input.world_from_plane.turn();
  const std::size_t count = model_->feet.size();
  std::array<LegTarget, kMostFeet> targets;
  const double most_drop = kMostDrop * model_->leg_m;
  double needed_m = 0.0;
  for (std::size_t f = 0; f < count; ++f) {
    const FootModel::Foot& model = model_->feet[f];
    const Foot& foot = feet_[f];
    LegTarget& t = targets[f];
    const auto placed = [&](JointIndex joint) {
      return Vec3d(input.world_from_plane * plane.positions[joint] + hips_rise_m() * Vec3d::UnitY());
    };
    t.hip = placed(model.bones.hip), t.knee = placed(model.bones.knee), t.ankle = placed(model.bones.ankle);
    const Quatd tilt = exp_rotation(Vec3d(foot.tilt.value[0], 0.0, foot.tilt.value[1]));
    t.foot = tilt * about_y(foot.over.value[2]) * turn * plane.rotations[model.bones.ankle];
    t.lever = t.foot * -model.ball_in_foot_m;
    t.wanted = foot.ball_m + t.lever;
    t.clip_m = (t.ankle - t.hip).norm();
    t.most_heel_rad = kMostHeel_rad;
    if (const graph::ToeBends& toes = model.toes; toes.joint != kNoJoint) {
      const double bent_rad = toes.bend_rad(pose.rotation(toes.joint).cast<double>());
      t.most_heel_rad = std::clamp(toes.most_rad - bent_rad, 0.0, kMostHeel_rad);
    }
    t.most_m = std::max(body::kEasyReach * model.length_m, t.clip_m);
    // A foot in the air, or about to leave the ground, goes with a leg that is too short for it.
    Foot& state = feet_[f];
    const bool left_behind = is_left_behind(f, input.gait_mps);
    state.yields = left_behind || !foot.planted ? std::min(1.0, foot.yields + step_s / kYields_s) : 0.0;
    const double yields = minimum_jerk_step(state.yields);
    // One that stands raises its heel first; what that does not give the hips do.
    const double soft = (kSoftEnd + yields * (kSoftSwing - kSoftEnd)) * model.length_m;
    const Vec3d hip = t.hip - drop_.value[0] * Vec3d::UnitY();
    double lack = std::max(0.0, short_of((t.wanted - hip).norm(), t.most_m, soft) - short_of(t.clip_m, t.most_m, soft));
    if (t.lever.norm() > kLeastLever_m) raise_heel(f, t, hip, step_s, lack);
    // Hips come down as well for one that is about to land.
    const bool pulled = left_behind && lack > kPulled * model_->leg_m;
    if (pulled) standing_ = static_cast<std::uint8_t>(standing_ & ~(1u << f));
    state.pulled_m = yields * lack * (hip - t.wanted).normalized();
    t.wanted += state.pulled_m;
    if (yields > 0.0) lack *= foot.planted ? 1.0 - yields : minimum_jerk_step(foot.passed);
    const double steep = std::max(0.3, std::abs(hip.y() - t.wanted.y()) / std::max(1e-6, (hip - t.wanted).norm()));
    needed_m = std::max(needed_m, lack / steep);
    feet_[f].torn = pulled || (foot.planted && drop_.value[0] > kAllGiven * most_drop &&
                               (lack > 0.0 || foot.heel.value[0] > kAllGiven * kMostHeel_rad));
  }
  const double drop_now = drop_.value[0];
  double wanted_drop = std::clamp(needed_m > 0.0 ? drop_now + needed_m : drop_now - kRise_m, 0.0, most_drop),
         in_s = 0.0;
  // What a foot will lack when it lands the hips have given by then.
  const double ahead_m = std::min(drop_ahead_m(lower_ground_m() + longer_.value[0], in_s), most_drop);
  const bool later = ahead_m > wanted_drop;
  if (later) wanted_drop = ahead_m;
  if (wanted_drop > 0.0 || !drop_.is_zero())
    drop_.lead(MinJerk<1>::Values(wanted_drop), later ? std::max(in_s, kDrop_s) : kDrop_s, step_s);

  const Vec3d down = std::max(0.0, drop_.value[0]) * Vec3d::UnitY();
  const Vec3d root = pose.translation(0).cast<double>() + hips_rise_m() * Vec3d::UnitY() - down;
  pose.set_translation(0, root.cast<float>());
  for (std::size_t f = 0; f < count; ++f) {
    const FootModel::Foot& model = model_->feet[f];
    const LegTarget& t = targets[f];
    const Quatd knee_world = turn * plane.rotations[model.bones.knee],
                hip_world = turn * plane.rotations[model.bones.hip];
    const auto turns = body::bend_leg(t.hip - down, t.knee - down, t.ankle - down,
                                      knee_world * model.bones.flexion_axis, t.wanted, body::BackwardKnee::comes_over);
    const JointIndex above = skeleton_->parent(model.bones.hip);
    const Quatd above_world = above == kNoJoint ? Quatd(Quatd::Identity()) : Quatd(turn * plane.rotations[above]);
    const Quatd hip_new = turns.hip * hip_world;
    // Joints between hip and knee, and knee and ankle, go with the bone above them.
    const JointIndex over_knee = skeleton_->parent(model.bones.knee), over_ankle = skeleton_->parent(model.bones.ankle);
    const Quatd over_knee_new = turns.hip * turn * plane.rotations[over_knee];
    const Quatd knee_new = turns.hip * turns.knee * knee_world;
    const Quatd over_ankle_new = turns.hip * turns.knee * turn * plane.rotations[over_ankle];
    pose.set_rotation(model.bones.hip, (above_world.conjugate() * hip_new).normalized().cast<float>());
    pose.set_rotation(model.bones.knee, (over_knee_new.conjugate() * knee_new).normalized().cast<float>());
    pose.set_rotation(model.bones.ankle, (over_ankle_new.conjugate() * t.foot).normalized().cast<float>());
    if (const JointIndex toes = model.toes.joint; t.heel_rad > 0.0 && toes != kNoJoint) {
      const Quatd back(Eigen::AngleAxisd(-t.heel_rad, model.across_in_foot));
      pose.set_rotation(toes, (back * pose.rotation(toes).cast<double>()).normalized().cast<float>());
    }
  }
}

}  // namespace shosa::character
