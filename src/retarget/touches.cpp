#include "retarget/touches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "retarget/arm_solver.h"
#include "retarget/floor_clearance.h"
#include "retarget/limbs.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/parallel.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::retarget {
namespace {

/// A bone that a hand may touch: from the joint of one role to that of another, or a point where both are the same.
struct Bone {
  body::Role from, to;
  double radius_m;  ///< How much thicker than an arm, for a human: skin is that far from the bone.
};

constexpr std::size_t kBones = 5;

std::array<Bone, kBones> bones_within_reach(const ArmRoles& arm) {
  const body::Role other = mirrored(arm.hand);
  return {{{other, other, 0.0},
           {body::Role::left_upper_leg, body::Role::left_lower_leg, 0.04},
           {body::Role::right_upper_leg, body::Role::right_lower_leg, 0.04},
           {body::Role::hips, body::Role::chest, 0.05},
           {body::Role::head, body::Role::head, 0.05}}};
}

// The touch distance for which radii and speeds below are, metres.
constexpr double kTouch_m = 0.08;
// A hold fades out over this share of its distance.
constexpr double kFade = 0.4;
// A hand that rests on the body is slower than this against it; at twice that it does not touch.
constexpr double kSlow_mps = 0.15;
// Speeds are measured, and weights smoothed, over this time to either side.
constexpr double kSpan_s = 0.06;
// A hand that would have to be moved by more than this share of its arm is let go, wholly at twice that: on a body so
// different a touch would cost more than it tells.
constexpr double kFar = 0.2;
// Weights below this are none: what sums leave over.
constexpr double kLeast = 1e-6;
// A wrist below this many times the touch distance stands on its hand; at twice that it does not.
constexpr double kLow = 2.0;

class Toucher {
 public:
  Toucher(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body, const Clip& work,
          const Standing& standing, double touch_m)
      : source_(source),
        map_(source.map()),
        reference_(reference),
        body_(body),
        work_(work),
        standing_(standing),
        touch_m_(touch_m) {}

  std::vector<HandHolds> find_holds() const {
    const Weights weights = find_weights();
    std::vector<HandHolds> frames(static_cast<std::size_t>(work_.frame_count()));
    parallel_for(frames.size(), 64, [&](std::size_t begin, std::size_t end) {
      Pose pose;
      WorldPose from, to;
      for (std::size_t f = begin; f < end; ++f) {
        source_.clip().get_frame(static_cast<int>(f), pose);
        forward_kinematics(source_.clip().skeleton(), pose, from);
        work_.get_frame(static_cast<int>(f), pose);
        forward_kinematics(*body_.skeleton, pose, to);
        for (std::size_t arm = 0; arm < kArms.size(); ++arm)
          frames[f].holds[arm] = hold(kArms[arm], weights[arm], f, from, to);
      }
    });
    return frames;
  }

 private:
  /// [arm][bone, last the floor][frame]
  using Weights = std::array<std::array<std::vector<double>, kBones + 1>, 2>;

  struct Nearest {
    double share = 0.0;          ///< Along the bone.
    Vec3d away = Vec3d::Zero();  ///< From there to the hand.
  };
  Nearest nearest(const ArmRoles& arm, const Bone& bone, int frame) const {
    const auto at = [&](body::Role role) { return source_.positions().joint(frame, map_.joint(role)); };
    const Vec3d hand = at(arm.hand), along = at(bone.to) - at(bone.from);
    const double length2 = along.squaredNorm();
    const double share = length2 < 1e-9 ? 0.0 : std::clamp((hand - at(bone.from)).dot(along) / length2, 0.0, 1.0);
    return {share, hand - (at(bone.from) + share * along)};
  }

  // Near, and for other bones than the other hand also slow: a hand that swings past a thigh does not touch it.
  Weights find_weights() const {
    const int frames = work_.frame_count();
    const double dt = source_.clip().frame_time_s();
    const int span = std::max(1, static_cast<int>(std::min(1000.0, std::round(kSpan_s / dt))));
    const double size = touch_m_ / kTouch_m;
    Weights weights;
    for (std::size_t a = 0; a < kArms.size(); ++a) {
      const ArmRoles& arm = kArms[a];
      const auto bones = bones_within_reach(arm);
      for (auto& list : weights[a]) list.assign(static_cast<std::size_t>(frames), 0.0);
      if (!has(arm.hand) || !has(arm.upper) || !has(arm.lower)) continue;
      for (int f = 0; f < frames; ++f) {
        for (std::size_t b = 0; b < kBones; ++b) {
          const Bone& bone = bones[b];
          if (!has(bone.from) || !has(bone.to)) continue;
          const double bound = touch_m_ + size * bone.radius_m;
          double weight = 1.0 - cubic_step((nearest(arm, bone, f).away.norm() - bound) / (kFade * bound));
          if (weight > 0.0 && bone.from != mirrored(arm.hand)) {
            const int first = std::max(0, f - span), last = std::min(frames - 1, f + span);
            const Vec3d moved = nearest(arm, bone, last).away - nearest(arm, bone, first).away;
            const double speed = last > first ? moved.norm() / ((last - first) * dt) : 0.0;
            weight *= 1.0 - cubic_step(speed / (kSlow_mps * size) - 1.0);
          }
          weights[a][b][f] = weight;
        }
        const double height = source_.positions().joint(f, map_.joint(arm.hand)).y() - standing_.source_ground_m;
        weights[a][kBones][f] = 1.0 - cubic_step(height / (kLow * touch_m_) - 1.0);
      }
      for (auto& list : weights[a]) smooth(list, span);
    }
    return weights;
  }

  // Twice the mean over a window, so that holds come and go without a jolt.
  static void smooth(std::vector<double>& values, int span) {
    for (int round = 0; round < 2; ++round) {
      std::vector<double> sums(values.size() + 1, 0.0);
      for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i];
      const int count = static_cast<int>(values.size());
      for (int i = 0; i < count; ++i) {
        const int first = std::max(0, i - span), last = std::min(count - 1, i + span);
        values[i] = std::max(0.0, sums[static_cast<std::size_t>(last) + 1] - sums[first]) / (last - first + 1);
      }
    }
  }

  // Weighted over the bones within reach, so that nothing jumps where the nearest bone changes.
  Hold hold(const ArmRoles& arm, const std::array<std::vector<double>, kBones + 1>& weights, std::size_t f,
            const WorldPose& from, const WorldPose& to) const {
    if (!has(arm.hand) || !has(arm.upper) || !has(arm.lower)) return {};
    const Vec3d own = to.positions[body_.map.joint(arm.hand)];
    const double length = arm_length_m(arm, to);
    Vec3d sum = Vec3d::Zero();
    double total = 0.0, most = 0.0;
    const auto bones = bones_within_reach(arm);
    for (std::size_t b = 0; b < kBones; ++b) {
      const Bone& bone = bones[b];
      const double weight = weights[b][f];
      if (weight < kLeast) continue;
      const Nearest touch = nearest(arm, bone, static_cast<int>(f));
      const JointIndex a = map_.joint(bone.from), ta = body_.map.joint(bone.from), tb = body_.map.joint(bone.to);
      const Vec3d near = to.positions[ta] + touch.share * (to.positions[tb] - to.positions[ta]);
      Vec3d wanted = near + turn(a, ta, from, to) * (standing_.scale * touch.away);
      // Two hands meet in the middle of where they would be.
      if (bone.from == mirrored(arm.hand)) wanted = 0.5 * (near + own) + 0.5 * standing_.scale * touch.away;
      const double asked = weight * (1.0 - cubic_step((wanted - own).norm() / (kFar * length) - 1.0));
      sum += asked * wanted;
      total += asked;
      most = std::max(most, asked);
    }
    Vec3d place = total > 0.0 ? Vec3d(own + most * (sum / total - own)) : own;
    const double height = from.positions[map_.joint(arm.hand)].y() - standing_.source_ground_m;
    const double rise = standing_.target_ground_m + standing_.scale * height - place.y();
    const double low = weights[kBones][f] * (1.0 - cubic_step(std::abs(rise) / (kFar * length) - 1.0));
    place.y() += low * rise;
    most = std::max(most, low);
    if (most < kLeast) return {};
    return {within_reach(arm, to, place), most};
  }

  double arm_length_m(const ArmRoles& arm, const WorldPose& to) const {
    const auto at = [&](body::Role role) { return to.positions[body_.map.joint(role)]; };
    return (at(arm.lower) - at(arm.upper)).norm() + (at(arm.hand) - at(arm.lower)).norm();
  }

  // An arm is stretched no further than this share of its length, or than it is.
  Vec3d within_reach(const ArmRoles& arm, const WorldPose& to, const Vec3d& place) const {
    const Vec3d shoulder = to.positions[body_.map.joint(arm.upper)];
    const double now = (to.positions[body_.map.joint(arm.hand)] - shoulder).norm();
    const double bound = std::max(body::kEasyReach * arm_length_m(arm, to), now);
    const Vec3d away = place - shoulder;
    return away.norm() <= bound ? place : Vec3d(shoulder + bound * away.normalized());
  }

  bool has(body::Role role) const { return map_.has(role) && body_.map.has(role); }

  /// From the world of the source's joint to that of the target's: none where both turned alike.
  Quatd turn(JointIndex a, JointIndex b, const WorldPose& from, const WorldPose& to) const {
    const Quatd source = from.rotations[a] * reference_.laid[a].conjugate();
    const Quatd target = to.rotations[b] * body_.reference.laid[b].conjugate();
    return target * source.conjugate();
  }

  const analysis::StudiedClip& source_;
  const body::BodyMap& map_;
  const Reference& reference_;
  const WorkBody& body_;
  const Clip& work_;
  const Standing& standing_;
  double touch_m_;
};

}  // namespace

TouchResult keep_touches(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
                         const Clip& work, const Standing& standing, double touch_m) {
  TouchResult result{work};
  if (body.map.kind != body::BodyKind::humanoid) return result;
  const std::vector<HandHolds> frames = Toucher(source, reference, body, work, standing, touch_m).find_holds();
  for (std::size_t arm = 0; arm < kArms.size(); ++arm) {
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const bool on = frames[f].holds[arm].weight > 0.5;
      const bool before = f > 0 && frames[f - 1].holds[arm].weight > 0.5;
      result.touches += on && !before ? 1 : 0;
    }
  }
  parallel_for(frames.size(), 32, [&](std::size_t begin, std::size_t end) {
    std::optional<ArmSolver> solver;
    FloorClearance clearance(body, standing.target_ground_m);
    Pose pose;
    for (std::size_t f = begin; f < end; ++f) {
      work.get_frame(static_cast<int>(f), pose);
      const bool held = frames[f].holds[0].weight > 0.0 || frames[f].holds[1].weight > 0.0;
      if (held && !solver) solver.emplace(body);
      if (held) solver->solve(frames[f], pose);
      if (clearance.lift(pose) || held) result.clip.set_frame(static_cast<int>(f), pose);
    }
  });
  return result;
}

}  // namespace shosa::retarget
