// The path of one foot that stands where it stands: orientation first, then the toe point as the sole rolls over heel
// and toe, then the ankle.

#include "posing/foot_path.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posing/frame_runs.h"
#include "posing/rotation_from_vector.h"
#include "posing/smooth_path.h"
#include "posing/stance_ends.h"
#include "posing/tip_rise.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/rotations.h"
#include "shosa/posing/joint_range.h"

namespace shosa::posing {

namespace {

using analysis::FootContactTrack;

// The heel of the sole behind the ankle of a body with legs of 0.85 m; as the contact finder has it.
constexpr double kHeelBehindAnkle_m = 0.045;

// Over which a foot's acceleration is measured, and how far a correction may go on beyond its stance.
constexpr double kAcceleration_s = 0.025;
constexpr double kOvershoot_m = 0.015;
constexpr double kOvershoot_mps = 0.25;  // coarse frames leave less time to turn back
// Over which a foot on its toe takes up its own turn.
constexpr double kRamp_s = 0.20;
// Before and after a stance the foot gives way only by and by.
constexpr double kFirm_s = 0.04;
// How far a foot on its toe turns from what was captured.
constexpr double kMostTurn_rad = 0.4;

// A foot this far below the ground, for a leg of 0.85 m, is a broken frame, which lifting would only spread.
constexpr double kBroken_m = 0.25;

// A level that is asked for wins over a smooth way to it.
constexpr double kLevelWeight = 1e3;

Vec3d horizontal(const Vec3d& v) {
  return {v.x(), 0.0, v.z()};
}

class FootPlanner {
 public:
  FootPlanner(const SourceFoot& source, const FootContactTrack& track, double ground_m, double scale,
              double frame_time_s, const KeepFeetParams& params, const FootPath* first, std::span<const Vec3d> root_m)
      : source_(source),
        track_(track),
        ground_m_(ground_m),
        scale_(scale),
        frame_time_s_(frame_time_s),
        params_(params),
        frames_(source.anchor_m.size()) {
    const int count = static_cast<int>(frames_);
    const bool has_toe = track.points.toe >= 0;
    heel_on_ = frames_of(track.heel, count, frame_time_s);
    toe_on_ = has_toe ? frames_of(track.toe, count, frame_time_s) : std::vector<char>(frames_, 0);
    // A foot without toes is its ankle: where that stands, the anchor does.
    if (!has_toe) std::swap(heel_on_, toe_on_);
    plan_.rotation = source.path.rotation;
    find_flat();
    find_heel();
    ease_stance_ends(source, heel_in_foot_m_, frame_time_s, params, heel_on_, toe_on_);
    find_flat();
    plan_.standing.resize(frames_);
    for (std::size_t f = 0; f < frames_; ++f) plan_.standing[f] = heel_on_[f] || toe_on_[f];
    std::vector<char> away(frames_);
    for (std::size_t f = 0; f < frames_; ++f) away[f] = !plan_.standing[f];
    plan_.firm = ramps(away, std::max(1, static_cast<int>(kFirm_s / frame_time_s)));
    for (double& share : plan_.firm) share = 1.0 - share;
    find_spans();
    rotation_ = source.path.rotation;
    if (first != nullptr && has_toe) follow_leg(*first, root_m);
  }

  FootPath plan() {
    plan_rotation();
    find_heel();
    const std::vector<Vec3d> anchor = plan_anchor();
    plan_.ankle_m.resize(frames_);
    for (std::size_t f = 0; f < frames_; ++f) {
      plan_.ankle_m[f] = anchor[f] - plan_.rotation[f] * source_.anchor_in_foot_m[f];
    }
    lift_from_ground(anchor);
    return std::move(plan_);
  }

 private:
  // A correction leaves a stance with the captured acceleration, and goes on for about a span: a t^2 / 2 too far. Where
  // the foot lands or leaves quickly the span is shorter for that.
  void find_spans() {
    const auto reach = static_cast<std::size_t>(std::max(1, static_cast<int>(kAcceleration_s / frame_time_s_)));
    const double time_s = static_cast<double>(reach) * frame_time_s_;
    std::vector<double> acceleration(frames_, 0.0);
    for (std::size_t f = reach; f + reach < frames_; ++f) {
      const auto& path = source_.anchor_m;
      acceleration[f] = (path[f + reach] - 2.0 * path[f] + path[f - reach]).norm() / (time_s * time_s);
    }
    acceleration = smooth_upper_envelope(acceleration, static_cast<int>(2 * reach));
    span_frames_.resize(frames_);
    const double overshoot_m = kOvershoot_m + kOvershoot_mps * frame_time_s_;
    for (std::size_t f = 0; f < frames_; ++f) {
      const double fitting_s = std::sqrt(2.0 * overshoot_m / std::max(acceleration[f], 1e-6));
      // Beyond some dozens of frames the system would only become stiff, and a clip that dense is smooth anyway.
      span_frames_[f] = std::clamp(std::min(fitting_s, params_.foot_span_s) / frame_time_s_, 1.25, 40.0);
    }
  }

  std::vector<SmoothPathFrame> free_path() const {
    std::vector<SmoothPathFrame> path(frames_);
    for (std::size_t f = 0; f < frames_; ++f) path[f].span_frames = span_frames_[f];
    return path;
  }

  // A foot on its toe turns about it so that the ankle is where the leg has it: what the toe's place changes then stays
  // in the foot, and so does a toe that trembles.
  void follow_leg(const FootPath& first, std::span<const Vec3d> root_m) {
    const std::vector<double> share = ramps(toe_on_, std::max(1, static_cast<int>(kRamp_s / frame_time_s_)));
    for (std::size_t f = 0; f < frames_; ++f) {
      if (share[f] == 0.0) continue;
      const Vec3d& arm = source_.anchor_in_foot_m[f];
      const Vec3d toe = first.ankle_m[f] + first.rotation[f] * arm;
      const Quatd way = shortest_turn(rotation_[f] * arm, toe - (source_.path.ankle_m[f] + horizontal(root_m[f])));
      Vec3d turn = rotation_vector(way);
      if (turn.norm() > kMostTurn_rad) turn *= kMostTurn_rad / turn.norm();
      rotation_[f] = (rotation_from_vector(share[f] * turn) * rotation_[f]).normalized();
    }
  }

  void plan_rotation() {
    plan_.rotation = rotation_;
    if (!params_.hold_orientation) return;
    std::vector<SmoothPathFrame> asked = free_path();
    std::vector<Quatd> means;
    const std::vector<Run> flats = runs_of(flat_);
    for (const Run& flat : flats) {
      Quatd mean = mean_rotation(rotation_, flat);
      if (params_.level) mean = levelled(mean, flat);
      for (std::size_t f = flat.first; f <= flat.last; ++f) {
        asked[f].held_by = static_cast<int>(means.size());
        asked[f].given = rotation_vector(mean * rotation_[f].conjugate());
        if (params_.level) {
          asked[f].wanted = asked[f].given;
          asked[f].weight = kLevelWeight;
        }
      }
      means.push_back(mean);
    }
    const std::vector<Vec3d> correction = smooth_path(asked);
    for (std::size_t f = 0; f < frames_; ++f) {
      const int flat = asked[f].held_by;
      const Quatd& start = flat < 0 ? rotation_[f] : means[static_cast<std::size_t>(flat)];
      const Vec3d turn = flat < 0 ? correction[f] : Vec3d(correction[f] - asked[f].given);
      plan_.rotation[f] = (rotation_from_vector(turn) * start).normalized();
    }
  }

  void find_flat() {
    flat_.resize(frames_);
    for (std::size_t f = 0; f < frames_; ++f) flat_[f] = heel_on_[f] && toe_on_[f];
  }

  // Pitched so that ankle and toe have their rest heights above the ground of the stance.
  Quatd levelled(const Quatd& mean, const Run& flat) const {
    const Vec3d arm = mean * source_.anchor_in_foot_m[(flat.first + flat.last) / 2];
    const Vec3d ahead = horizontal(arm);
    const double length = arm.norm();
    if (length < 1e-6 || ahead.norm() < 1e-6) return mean;
    const double drop = std::clamp(track_.toe_rest_m - track_.heel_rest_m, -length, length);
    const Vec3d target = ahead.normalized() * std::sqrt(length * length - drop * drop) + Vec3d(0.0, drop, 0.0);
    return shortest_turn(arm, target) * mean;
  }

  // The heel of the sole from the ankle, in the foot's frame: the mean over flat frames; without any, over all.
  void find_heel() {
    Vec3d sum = Vec3d::Zero();
    for (const bool only_flat : {true, false}) {
      for (std::size_t f = 0; f < frames_; ++f) {
        if (only_flat && !flat_[f]) continue;
        const Vec3d arm = horizontal(source_.anchor_m[f] - source_.path.ankle_m[f]);
        const Vec3d ahead = arm.norm() > 1e-6 ? Vec3d(arm.normalized()) : Vec3d(Vec3d::Zero());
        const Vec3d heel = Vec3d(0.0, -track_.heel_rest_m, 0.0) - kHeelBehindAnkle_m * scale_ * ahead;
        sum += plan_.rotation[f].conjugate() * heel;
      }
      if (!sum.isZero()) break;
    }
    heel_in_foot_m_ =
        sum.isZero() ? sum : Vec3d(sum.normalized() * std::hypot(track_.heel_rest_m, kHeelBehindAnkle_m * scale_));
  }

  // From the anchor to the heel of the sole, world.
  Vec3d anchor_to_heel(std::size_t f) const {
    return plan_.rotation[f] * (heel_in_foot_m_ - source_.anchor_in_foot_m[f]);
  }

  std::vector<Vec3d> plan_anchor() const {
    std::vector<SmoothPathFrame> asked = free_path();
    int holds = 0;
    for (const Run& stance : runs_of(plan_.standing)) {
      const std::vector<Vec3d> rolled = roll(stance);
      const double lift = params_.level ? level_of(stance) : 0.0;
      for (std::size_t f = stance.first; f <= stance.last; ++f) {
        SmoothPathFrame& frame = asked[f];
        frame.held_by = holds;
        frame.given = rolled[f - stance.first] - source_.anchor_m[f];
        if (params_.level) {
          frame.wanted.y() = lift + frame.given.y();
          frame.weight = kLevelWeight;
        }
      }
      ++holds;
    }
    std::vector<Vec3d> path = smooth_path(asked);
    for (std::size_t f = 0; f < frames_; ++f) path[f] += source_.anchor_m[f];
    return path;
  }

  // Height of the anchor while the toe stands.
  double level_of(const Run& stance) const {
    const double time_s = 0.5 * static_cast<double>(stance.first + stance.last) * frame_time_s_;
    return analysis::local_ground_m(track_, time_s, ground_m_) +
           (track_.points.toe >= 0 ? track_.toe_rest_m : track_.heel_rest_m);
  }

  // Where the anchor is over one stance, up to a constant: still while the toe stands, about a still heel while only
  // that does. Zero where the toe first stands, or in the first frame.
  std::vector<Vec3d> roll(const Run& stance) const {
    std::vector<Vec3d> out(stance.last - stance.first + 1);
    std::optional<Vec3d> heel;  // while only the heel stands
    Vec3d anchor = Vec3d::Zero();
    for (std::size_t f = stance.first; f <= stance.last; ++f) {
      if (toe_on_[f]) {
        if (heel) anchor = *heel - anchor_to_heel(f);
        heel.reset();
      } else {
        if (!heel) heel = anchor + anchor_to_heel(f == stance.first ? f : f - 1);
        anchor = *heel - anchor_to_heel(f);
      }
      out[f - stance.first] = anchor;
    }
    std::size_t zero = stance.first;
    while (zero < stance.last && !toe_on_[zero]) ++zero;
    const Vec3d origin = out[toe_on_[zero] ? zero - stance.first : 0];
    for (Vec3d& place : out) place -= origin;
    const std::vector<double> rise =
        rise_over_tip(source_.anchor_m, toe_on_, heel_on_, stance, scale_, source_.tip_length_m);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].y() += rise[i];
    return out;
  }

  // Ankle and toe stay above the ground; where the whole foot must rise, it does so early and smoothly.
  void lift_from_ground(const std::vector<Vec3d>& anchor) {
    std::vector<double> below(frames_, 0.0);
    for (std::size_t f = 0; f < frames_; ++f) {
      const double ground = analysis::local_ground_m(track_, static_cast<double>(f) * frame_time_s_, ground_m_);
      const double lowest = std::min(anchor[f].y(), track_.points.heel >= 0 ? plan_.ankle_m[f].y() : anchor[f].y());
      below[f] = std::max(0.0, ground - lowest);
      if (below[f] > kBroken_m * scale_) below[f] = 0.0;
    }
    const std::vector<double> lift =
        smooth_upper_envelope(below, std::max(1, static_cast<int>(params_.envelope_s / frame_time_s_)));
    for (std::size_t f = 0; f < frames_; ++f) plan_.ankle_m[f].y() += lift[f];
  }

  const SourceFoot& source_;
  const FootContactTrack& track_;
  double ground_m_, scale_, frame_time_s_;
  const KeepFeetParams& params_;
  std::size_t frames_;
  std::vector<char> heel_on_, toe_on_, flat_;
  std::vector<double> span_frames_;
  std::vector<Quatd> rotation_;  // what the plan starts from
  Vec3d heel_in_foot_m_ = Vec3d::Zero();
  FootPath plan_;
};

}  // namespace

SourceFoot source_foot(const Clip& clip, const ClipPositions& positions, const body::FootPoints& points) {
  SourceFoot foot;
  const int anchor = points.toe >= 0 ? points.toe : points.joint;
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Quatd& rotation = world.rotations[static_cast<std::size_t>(points.joint)];
    const Vec3d ankle = positions.joint(f, points.joint);
    foot.path.ankle_m.push_back(ankle);
    foot.path.rotation.push_back(rotation);
    foot.anchor_m.push_back(positions.point(f, anchor));
    foot.anchor_in_foot_m.push_back(rotation.conjugate() * (foot.anchor_m.back() - ankle));
    if (points.toe >= 0 && points.tip >= 0) {
      foot.tip_length_m = std::max(foot.tip_length_m, (positions.point(f, points.tip) - foot.anchor_m.back()).norm());
    }
  }
  return foot;
}

FootPath plan_foot(const SourceFoot& source, const FootContactTrack& track, double ground_m, double scale,
                   double frame_time_s, const KeepFeetParams& params, const FootPath* first,
                   std::span<const Vec3d> root_m) {
  return FootPlanner(source, track, ground_m, scale, frame_time_s, params, first, root_m).plan();
}

}  // namespace shosa::posing
