#include <algorithm>
#include <array>
#include <cmath>

#include "feet/feet_problem.h"
#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

constexpr std::array<double, 4> kThirdDifference = {-1.0, 3.0, -3.0, 1.0};
constexpr std::array<double, 3> kSecondDifference = {1.0, -2.0, 1.0};
// A knee is never straighter than this, except where the clip has it so.
constexpr double kStraight_rad = 3.0 * M_PI / 180.0;

constexpr double kGravity_mps2 = 9.81;

/// Root, ball and turn: what the angle of a knee depends on.
constexpr std::size_t kLegUnknowns = 9;
/// Entries of a row: a knee's second difference, or an acceleration of a centre of mass over eight feet.
constexpr std::size_t kLongestRow = 27;
struct KneeState {
  double change_rad = 0.0;
  std::array<Slope, kLegUnknowns> slopes;
};

}  // namespace

template <class Sink>
void FeetProblem::visit_foot(std::size_t index, const Eigen::VectorXd& x, Sink&& sink) const {
  const FootMotion& foot = feet_[index];
  const double root_dt = std::sqrt(dt_);
  const double least_rad = std::min(kStraight_rad, foot.straightest_rad);
  const double knee = root_dt / scales_.knee_rad, rate = root_dt / (scales_.knee_rate_radps2 * dt_ * dt_),
               straight = root_dt / scales_.straight_rad, below = root_dt / scales_.below_m,
               heel = root_dt / scales_.heel_m;
  std::array<KneeState, 3> last;  // of the last three frames, in turn
  for (int f = 0; f < frames_; ++f) {
    const auto k = static_cast<std::size_t>(f);
    const int root = f * per_frame(), own = root + 3 + 6 * static_cast<int>(index);
    const Vec3d shift = x.segment<3>(own), turn = x.segment<3>(own + 3);
    const auto [turned, left] = exp_derivative(turn);

    // The knee.
    const Vec3d arm = turned * (foot.ankle_m[k] - foot.ball_m[k]);
    const Eigen::Matrix3d arm_by_turn = -cross_matrix(arm) * left;
    const Vec3d leg = foot.hip_m[k] + x.segment<3>(root) - (foot.ball_m[k] + shift + arm);
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
    scaled(state, knee, 0);
    sink(knee * state.change_rad, std::span(row).first(kLegUnknowns));
    const auto at_least = [&](double rad, double least, double sign) {
      if (rad >= least) return;
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
      const auto [value, slopes] = point(captured, below, 1, ground_m_[index][k]);
      if (value < 0.0) sink(value, std::span<const Slope>(slopes));
    };
    above(foot.ball_m[k]);
    if (!foot.has_heel) continue;
    above(foot.ankle_m[k]);
    above(foot.heel_m[k]);
    if (!heel_place_m_[index][k]) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const auto [value, slopes] = point(foot.heel_m[k], heel, axis, (*heel_place_m_[index][k])[axis]);
      sink(value, std::span<const Slope>(slopes));
    }
  }
}

// The centre of mass: over the ground it is pushed softly, and it falls no faster than everything does.
template <class Sink>
void FeetProblem::visit_momentum(const Eigen::VectorXd& x, Sink&& sink) const {
  const double soft = std::sqrt(dt_) / scales_.push_mps2, firm = std::sqrt(dt_) / scales_.fall_mps2;
  std::vector<Slope> row(3 * (1 + feet_.size()));
  const auto send = [&](int f, int axis, double value, double scale) {
    std::size_t count = 0;
    const double per_square = scale / (dt_ * dt_), root = 1.0 - momentum_->share * static_cast<double>(feet_.size());
    for (int i = 0; i < 3; ++i) {
      const int frame = (f - 1 + i) * per_frame();
      const double difference = per_square * kSecondDifference[static_cast<std::size_t>(i)];
      row[count++] = {frame + axis, root * difference};
      for (int foot = 0; foot < static_cast<int>(feet_.size()); ++foot) {
        row[count++] = {frame + 3 + 6 * foot + axis, momentum_->share * difference};
      }
    }
    sink(scale * value, std::span<const Slope>(row));
  };
  for (int f = std::max(1, momentum_->first); f <= std::min(frames_ - 2, momentum_->last); ++f) {
    const Vec3d pushed = acceleration_mps2(x, f);
    for (const int axis : {0, 2}) send(f, axis, pushed[axis], soft);
    if (const double held = pushed.y() + kGravity_mps2; held < 0.0) send(f, 1, held, firm);
  }
}

Vec3d FeetProblem::acceleration_mps2(const Eigen::VectorXd& x, int frame) const {
  Vec3d out = momentum_->acceleration_mps2[static_cast<std::size_t>(frame)];
  const double root = 1.0 - momentum_->share * static_cast<double>(feet_.size());
  for (int i = 0; i < 3; ++i) {
    const int at = (frame - 1 + i) * per_frame();
    Vec3d shift = root * x.segment<3>(at);
    for (int foot = 0; foot < static_cast<int>(feet_.size()); ++foot) {
      shift += momentum_->share * x.segment<3>(at + 3 + 6 * foot);
    }
    out += kSecondDifference[static_cast<std::size_t>(i)] / (dt_ * dt_) * shift;
  }
  return out;
}

template <class Sink>
void FeetProblem::visit(const Eigen::VectorXd& x, Sink&& sink) const {
  const double root_dt = std::sqrt(dt_);
  // Each unknown stays where it is and changes softly.
  for (int f = 0; f < frames_; ++f) {
    for (int place = 0; place < per_frame(); ++place) {
      const int unknown = f * per_frame() + place;
      const bool is_root = place < 3, is_turn = !is_root && (place - 3) % 6 >= 3;
      const double stay = root_dt / (place == 1 ? scales_.rise_m
                                     : is_root  ? scales_.root_m
                                     : is_turn  ? scales_.turn_rad
                                                : scales_.swing_m);
      if (momentum_ && !is_root && !is_turn) {
        // A foot goes with the body.
        const int root = f * per_frame() + (place - 3) % 6;
        const std::array<Slope, 2> beside = {Slope{unknown, stay}, Slope{root, -stay}};
        sink(stay * (x[unknown] - x[root]), std::span<const Slope>(beside));
      } else if (!momentum_ || place == 1 || is_turn) {
        const Slope itself{unknown, stay};
        sink(stay * x[unknown], std::span(&itself, 1));
      }
      const std::span<const double> difference =
          is_turn ? std::span<const double>(kSecondDifference) : std::span<const double>(kThirdDifference);
      if (f + static_cast<int>(difference.size()) > frames_) continue;
      const double soft =
          root_dt / (is_turn ? scales_.turn_rate_radps2 * dt_ * dt_
                             : (is_root ? scales_.root_jerk_mps3 : scales_.swing_jerk_mps3) * dt_ * dt_ * dt_);
      double sum = 0.0;
      std::array<Slope, 4> row;
      for (std::size_t i = 0; i < difference.size(); ++i) {
        row[i] = {unknown + static_cast<int>(i) * per_frame(), soft * difference[i]};
        sum += row[i].value * x[row[i].unknown];
      }
      sink(sum, std::span(row).first(difference.size()));
    }
  }
  if (momentum_) visit_momentum(x, sink);
  for (std::size_t i = 0; i < feet_.size(); ++i) visit_foot(i, x, sink);
}

double FeetProblem::cost(const Eigen::VectorXd& x, Normal* normal) const {
  double sum = 0.0;
  if (normal == nullptr) {
    visit(x, [&](double value, std::span<const Slope>) { sum += value * value; });
    return sum;
  }
  number();
  normal->matrix.set_zero();
  normal->border.setZero();
  normal->corner.setZero();
  normal->gradient.setZero();
  std::array<Slope, kLongestRow> free;
  std::vector<Slope> shared;
  visit(x, [&](double value, std::span<const Slope> slopes) {
    sum += value * value;
    std::size_t count = 0;
    shared.clear();
    for (const Slope& slope : slopes) {
      const int variable = variable_[slope.unknown];
      if (variable < 0 || slope.value == 0.0) continue;
      if (variable < banded_) {
        free[count++] = {variable, slope.value};
        continue;
      }
      // Several unknowns of a row may follow one shift.
      const auto same = std::ranges::find(shared, variable - banded_, &Slope::unknown);
      if (same == shared.end()) {
        shared.push_back({variable - banded_, slope.value});
      } else {
        same->value += slope.value;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      normal->gradient[free[i].unknown] += free[i].value * value;
      for (std::size_t j = 0; j <= i; ++j) {
        normal->matrix.add(free[i].unknown, free[j].unknown, free[i].value * free[j].value);
      }
      for (const Slope& of : shared) normal->border(free[i].unknown, of.unknown) += free[i].value * of.value;
    }
    for (const Slope& of : shared) {
      normal->gradient[banded_ + of.unknown] += of.value * value;
      for (const Slope& with : shared) normal->corner(of.unknown, with.unknown) += of.value * with.value;
    }
  });
  return sum;
}

void FeetProblem::residuals(const Eigen::VectorXd& x, std::vector<double>& values,
                            std::vector<std::vector<Slope>>& slopes) const {
  values.clear();
  slopes.clear();
  visit(x, [&](double value, std::span<const Slope> row) {
    values.push_back(value);
    slopes.emplace_back(row.begin(), row.end());
  });
}

}  // namespace shosa::feet
