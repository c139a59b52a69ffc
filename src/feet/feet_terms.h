#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "feet/foot_motion.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

/// One linearised residual: its value and its slopes with respect to some unknowns.
struct Slope {
  int unknown;
  double value;
};

/// The centre of mass over a stretch of frames: its acceleration as the motion has it, and where that counts.
///
/// The shift of the centre of mass is (1 - n share) r + share (sum of d over n feet): what the root carries along, and
/// what of each leg goes with its foot.
struct Momentum {
  std::vector<Vec3d> acceleration_mps2;  ///< One entry per frame.
  int first = 0, last = -1;              ///< Frames in which it counts, away from the ends.
  std::vector<double> weight;            ///< Of each frame's push; empty: 1.
  double share = 0.07;                   ///< Of a leg's foot in the centre of mass (`body::kHumanSegments`).
};

inline constexpr std::array<double, 4> kThirdDifference = {-1.0, 3.0, -3.0, 1.0};
inline constexpr std::array<double, 3> kSecondDifference = {1.0, -2.0, 1.0};
/// A knee is never straighter than this, except where the clip has it so.
inline constexpr double kStraight_rad = 3.0 * kRadPerDeg;
inline constexpr double kGravity_mps2 = 9.81;
/// Root, ball and turn: what the angle of a knee depends on.
inline constexpr std::size_t kLegUnknowns = 9;
/// Entries of a row: a knee's second difference, or an acceleration of a centre of mass over eight feet.
inline constexpr std::size_t kLongestRow = 27;

/// Levenberg's factor: from, to, down after a step that helped, up after one that did not.
struct Levenberg {
  static constexpr double kFirst = 100.0, kLeast = 1.0, kMost = 1e9, kDown = 0.3, kUp = 4.0;
};

/// Lengths go with the body; `scale` is its leg length / 0.85 m.
inline FeetScales scaled(FeetScales scales, double scale) {
  for (double* length : {&scales.root_m, &scales.rise_m, &scales.root_jerk_mps3, &scales.swing_m,
                         &scales.swing_jerk_mps3, &scales.below_m, &scales.heel_m}) {
    *length *= scale;
  }
  return scales;
}

/// Every residual of the theory of feet over a stretch of frames, with its slopes (docs/methods/feet.md): a whole
/// clip, a window of it, or the knots of a follower.
///
/// Unknowns of frame k stand at k * per_frame(): root 0-2, then for each foot its ball 0-2 and its turn 3-5. Owns
/// nothing and allocates nothing.
struct FeetTerms {
  const std::vector<FootMotion>& feet;
  const std::vector<std::vector<double>>& ground_m;                    ///< Per foot and frame.
  const std::vector<std::vector<std::optional<Vec3d>>>& heel_place_m;  ///< Per foot and frame.
  double dt;
  const FeetScales& scales;  ///< Of this body: lengths times its scale.
  int frames;
  const Momentum* momentum = nullptr;
  int held = 0;                        ///< Of the first frames, which are all given, only differences in time count.
  std::span<const Vec3d> lead_m = {};  ///< Where the root is drawn to, per frame; empty: to where it was.

  int per_frame() const { return 3 + 6 * static_cast<int>(feet.size()); }
  /// Calls `sink(value, slopes)` for each, in a fixed order. `x` holds all unknowns.
  template <class Sink>
  void visit(const double* x, Sink&& sink) const;
  /// Of the centre of mass; `frame` is neither the first nor the last, and momentum is weighed.
  Vec3d acceleration_mps2(const double* x, int frame) const;

 private:
  struct KneeState {
    double change_rad = 0.0;
    std::array<Slope, kLegUnknowns> slopes;
  };
  static Vec3d at(const double* x, int unknown) { return {x[unknown], x[unknown + 1], x[unknown + 2]}; }
  template <class Sink>
  void visit_momentum(const double* x, Sink&& sink) const;
  template <class Sink>
  void visit_foot(std::size_t foot, const double* x, Sink&& sink) const;
};

template <class Sink>
void FeetTerms::visit_foot(std::size_t index, const double* x, Sink&& sink) const {
  const FootMotion& foot = feet[index];
  const double root_dt = std::sqrt(dt);
  const double least_rad = std::min(kStraight_rad, foot.straightest_rad);
  const double knee = root_dt / scales.knee_rad, rate = root_dt / (scales.knee_rate_radps2 * dt * dt),
               straight = root_dt / scales.straight_rad, below = root_dt / scales.below_m,
               heel = root_dt / scales.heel_m;
  std::array<KneeState, 3> last;  // of the last three frames, in turn
  for (int f = 0; f < frames; ++f) {
    const auto k = static_cast<std::size_t>(f);
    const int root = f * per_frame(), own = root + 3 + 6 * static_cast<int>(index);
    const Vec3d shift = at(x, own), turn = at(x, own + 3);
    const auto [turned, left] = exp_derivative(turn);

    // The knee.
    const Vec3d arm = turned * (foot.ankle_m[k] - foot.ball_m[k]);
    const Eigen::Matrix3d arm_by_turn = -cross_matrix(arm) * left;
    const Vec3d leg = foot.hip_m[k] + at(x, root) - (foot.ball_m[k] + shift + arm);
    const double distance = leg.norm();
    const body::KneeAngle angle = body::knee_angle(distance, foot.thigh_m[k], foot.shank_m[k]);
    const double side = foot.knee_rad[k] < 0.0 ? -1.0 : 1.0;
    const Vec3d toward = side * angle.slope_radpm / std::max(distance, 1e-9) * leg;
    const Vec3d by_turn = -arm_by_turn.transpose() * toward;
    KneeState& state = last[k % 3];
    state.change_rad = side * angle.rad - foot.knee_rad[k];
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      state.slopes[a] = {root + axis, toward[axis]};
      state.slopes[3 + a] = {own + axis, -toward[axis]};
      state.slopes[6 + a] = {own + 3 + axis, by_turn[axis]};
    }
    std::array<Slope, 3 * kLegUnknowns> row;
    const auto scaled = [&](const KneeState& of, double by, std::size_t at) {
      for (std::size_t i = 0; i < kLegUnknowns; ++i) row[at + i] = {of.slopes[i].unknown, by * of.slopes[i].value};
    };
    if (f >= held) {
      scaled(state, knee, 0);
      sink(knee * state.change_rad, std::span(row).first(kLegUnknowns));
    }
    const auto at_least = [&](double rad, double least, double sign) {
      if (rad >= least || f < held) return;
      scaled(state, sign * straight, 0);
      sink(straight * (rad - least), std::span(row).first(kLegUnknowns));
    };
    at_least(angle.rad, least_rad, side);
    at_least(side * angle.rad, foot.most_overstretched_rad, 1.0);
    if (f >= 2) {
      double second = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const KneeState& at = last[(k - 2 + i) % 3];
        second += kSecondDifference[i] * at.change_rad;
        scaled(at, rate * kSecondDifference[i], i * kLegUnknowns);
      }
      sink(rate * second, std::span<const Slope>(row));
    }

    if (f < held) continue;

    // Points of the sole: their places and slopes.
    const auto point = [&](const Vec3d& captured, double weight, int axis, double place) {
      const Vec3d rod = turned * (captured - foot.ball_m[k]);
      const Eigen::Matrix3d by = -cross_matrix(rod) * left;
      const double value = foot.ball_m[k][axis] + shift[axis] + rod[axis] - place;
      const std::array<Slope, 4> slopes = {Slope{own + axis, weight}, Slope{own + 3, weight * by(axis, 0)},
                                           Slope{own + 4, weight * by(axis, 1)}, Slope{own + 5, weight * by(axis, 2)}};
      return std::pair(weight * value, slopes);
    };
    const auto above = [&](const Vec3d& captured) {
      const auto [value, slopes] = point(captured, below, 1, ground_m[index][k]);
      if (value < 0.0) sink(value, std::span<const Slope>(slopes));
    };
    above(foot.ball_m[k]);
    if (!foot.tip_m.empty()) above(foot.tip_m[k]);
    // With toes bent so that it is highest in the foot as it is turned; its slope is that of the foot alone there.
    if (!foot.toes.empty()) {
      const ToeBend& toes = foot.toes[k];
      above(foot.ball_m[k] + toes.bent_m(toes.highest_rad(turned.conjugate() * Vec3d::UnitY())));
    }
    if (!foot.has_heel) continue;
    above(foot.ankle_m[k]);
    above(foot.heel_m[k]);
    if (!heel_place_m[index][k]) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const auto [value, slopes] = point(foot.heel_m[k], heel, axis, (*heel_place_m[index][k])[axis]);
      sink(value, std::span<const Slope>(slopes));
    }
  }
}

// The centre of mass: over the ground it is pushed softly, and it falls no faster than everything does.
template <class Sink>
void FeetTerms::visit_momentum(const double* x, Sink&& sink) const {
  const double soft = std::sqrt(dt) / scales.push_mps2, firm = std::sqrt(dt) / scales.fall_mps2;
  std::array<Slope, kLongestRow> row;
  const auto send = [&](int f, int axis, double value, double scale) {
    std::size_t count = 0;
    const double per_square = scale / (dt * dt), root = 1.0 - momentum->share * static_cast<double>(feet.size());
    for (int i = 0; i < 3; ++i) {
      const int frame = (f - 1 + i) * per_frame();
      const double difference = per_square * kSecondDifference[i];
      row[count++] = {frame + axis, root * difference};
      for (int foot = 0; foot < static_cast<int>(feet.size()); ++foot) {
        row[count++] = {frame + 3 + 6 * foot + axis, momentum->share * difference};
      }
    }
    sink(scale * value, std::span<const Slope>(row).first(count));
  };
  for (int f = std::max(1, momentum->first); f <= std::min(frames - 2, momentum->last); ++f) {
    const Vec3d pushed = acceleration_mps2(x, f);
    const double weight = momentum->weight.empty() ? 1.0 : momentum->weight[f];
    for (const int axis : {0, 2}) send(f, axis, pushed[axis], std::sqrt(weight) * soft);
    if (const double above = pushed.y() + kGravity_mps2; above < 0.0) send(f, 1, above, firm);
  }
}

inline Vec3d FeetTerms::acceleration_mps2(const double* x, int frame) const {
  Vec3d out = momentum->acceleration_mps2[frame];
  const double root = 1.0 - momentum->share * static_cast<double>(feet.size());
  for (int i = 0; i < 3; ++i) {
    const int first = (frame - 1 + i) * per_frame();
    Vec3d shift = root * at(x, first);
    for (int foot = 0; foot < static_cast<int>(feet.size()); ++foot) {
      shift += momentum->share * at(x, first + 3 + 6 * foot);
    }
    out += kSecondDifference[i] / (dt * dt) * shift;
  }
  return out;
}

template <class Sink>
void FeetTerms::visit(const double* x, Sink&& sink) const {
  const double root_dt = std::sqrt(dt);
  // Each unknown stays where it is and changes softly.
  for (int f = 0; f < frames; ++f) {
    for (int place = 0; place < per_frame(); ++place) {
      const int unknown = f * per_frame() + place;
      const bool is_root = place < 3, is_turn = !is_root && (place - 3) % 6 >= 3;
      const double stay = root_dt / (place == 1 ? scales.rise_m
                                     : is_root  ? scales.root_m
                                     : is_turn  ? scales.turn_rad
                                                : scales.swing_m);
      if (f < held) {
        // Only what it does later counts.
      } else if (momentum && !is_root && !is_turn) {
        // A foot goes with the body.
        const int root = f * per_frame() + (place - 3) % 6;
        const std::array<Slope, 2> beside = {Slope{unknown, stay}, Slope{root, -stay}};
        sink(stay * (x[unknown] - x[root]), std::span<const Slope>(beside));
      } else if (!momentum || place == 1 || is_turn) {
        const Slope itself{unknown, stay};
        const double lead = is_root && !lead_m.empty() ? lead_m[static_cast<std::size_t>(f)][place] : 0.0;
        sink(stay * (x[unknown] - lead), std::span(&itself, 1));
      }
      const std::span<const double> difference =
          is_turn ? std::span<const double>(kSecondDifference) : std::span<const double>(kThirdDifference);
      if (f + static_cast<int>(difference.size()) > frames) continue;
      const double soft =
          root_dt / (is_turn ? scales.turn_rate_radps2 * dt * dt
                             : (is_root ? scales.root_jerk_mps3 : scales.swing_jerk_mps3) * dt * dt * dt);
      double sum = 0.0;
      std::array<Slope, 4> row;
      for (std::size_t i = 0; i < difference.size(); ++i) {
        row[i] = {unknown + static_cast<int>(i) * per_frame(), soft * difference[i]};
        sum += row[i].value * x[row[i].unknown];
      }
      sink(sum, std::span(row).first(difference.size()));
    }
  }
  if (momentum) visit_momentum(x, sink);
  for (std::size_t i = 0; i < feet.size(); ++i) visit_foot(i, x, sink);
}

}  // namespace shosa::feet
