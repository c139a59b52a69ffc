#include "feet/feet_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

// Third differences reach over this many frames more.
constexpr int kReach = 3;
constexpr std::array<double, 4> kThirdDifference = {-1.0, 3.0, -3.0, 1.0};
constexpr std::array<double, 3> kSecondDifference = {1.0, -2.0, 1.0};
// A knee is never straighter than this, except where the clip has it so.
constexpr double kStraight_rad = 3.0 * M_PI / 180.0;

/// Root, ball and turn: what the angle of a knee depends on.
constexpr std::size_t kLegUnknowns = 9;
struct KneeState {
  double change_rad = 0.0;
  std::array<Slope, kLegUnknowns> slopes;
};

}  // namespace

FeetProblem::FeetProblem(std::vector<FootMotion> feet, const StancePlan& plan, double frame_time_s,
                         const FeetScales& scales)
    : feet_(std::move(feet)),
      dt_(frame_time_s),
      scales_(scales),
      frames_(static_cast<int>(feet_.front().ball_m.size())) {
  // Lengths go with the body.
  for (double* length : {&scales_.root_m, &scales_.root_jerk_mps3, &scales_.swing_m, &scales_.swing_jerk_mps3,
                         &scales_.below_m, &scales_.heel_m}) {
    *length *= plan.scale;
  }
  const auto unknowns = static_cast<std::size_t>(frames_) * static_cast<std::size_t>(per_frame());
  given_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns));
  is_given_.assign(unknowns, 0);
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const FootMotion& foot = feet_[i];
    ground_m_.push_back(plan.feet[i].ground_m);
    heel_place_m_.emplace_back(static_cast<std::size_t>(frames_));
    const int first = 3 + 6 * static_cast<int>(i);
    for (int f = 0; f < frames_ && !foot.has_ball; ++f) {
      for (int axis = 3; axis < 6; ++axis) give(f * per_frame() + first + axis, 0.0);
    }
    for (const Stance& stance : plan.feet[i].stances) {
      for (int f = stance.first; f <= stance.last; ++f) {
        const auto k = static_cast<std::size_t>(f);
        const int base = f * per_frame() + first;
        if (stance.ball_m) {
          const Vec3d shift = *stance.ball_m - foot.ball_m[k];
          for (const int axis : {0, 1, 2}) {
            if (axis != 1 || !stance.rises) give(base + axis, shift[axis]);
          }
        }
        if (stance.rotation && foot.has_ball) {
          const Vec3d turn = log_rotation(*stance.rotation * foot.rotation[k].conjugate());
          for (int axis = 0; axis < 3; ++axis) give(base + 3 + axis, turn[axis]);
        }
        if (stance.heel_m && foot.has_heel) heel_place_m_[i][k] = *stance.heel_m;
      }
    }
  }
}

void FeetProblem::give(int unknown, double value) {
  given_[unknown] = value;
  is_given_[unknown] = 1;
  variable_.clear();
}

void FeetProblem::hold(int first, const FeetChange& change) {
  for (std::size_t k = 0; k < change.root_m.size(); ++k) {
    const int root = (first + static_cast<int>(k)) * per_frame();
    for (int axis = 0; axis < 3; ++axis) {
      give(root + axis, change.root_m[k][axis]);
      for (std::size_t i = 0; i < feet_.size(); ++i) {
        const int own = root + 3 + 6 * static_cast<int>(i);
        give(own + axis, change.feet[i].ball_m[k][axis]);
        give(own + 3 + axis, change.feet[i].turn_rad[k][axis]);
      }
    }
  }
}

void FeetProblem::number() const {
  if (!variable_.empty()) return;
  int count = 0;
  group_sizes_.assign(static_cast<std::size_t>((frames_ + kReach - 1) / kReach), 0);
  for (std::size_t i = 0; i < is_given_.size(); ++i) {
    variable_.push_back(is_given_[i] ? -1 : count++);
    if (!is_given_[i]) ++group_sizes_[i / static_cast<std::size_t>(per_frame() * kReach)];
  }
}

int FeetProblem::variable_count() const {
  number();
  return static_cast<int>(std::count(is_given_.begin(), is_given_.end(), 0));
}

FeetProblem::Normal FeetProblem::make_normal() const {
  const int count = variable_count();
  return {solve::BlockTridiagonal(group_sizes_), Eigen::VectorXd::Zero(count)};
}

Eigen::VectorXd FeetProblem::damping() const {
  Eigen::VectorXd out(variable_count());
  for (std::size_t i = 0; i < variable_.size(); ++i) {
    if (variable_[i] < 0) continue;
    const int place = static_cast<int>(i) % per_frame();
    const double scale = place < 3 ? scales_.root_m : (place - 3) % 6 < 3 ? scales_.swing_m : scales_.turn_rad;
    out[variable_[i]] = dt_ / (scale * scale);
  }
  return out;
}

Eigen::VectorXd FeetProblem::moved(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const {
  Eigen::VectorXd out = x;
  for (std::size_t i = 0; i < variable_.size(); ++i) {
    if (variable_[i] >= 0) out[static_cast<Eigen::Index>(i)] += step[variable_[i]];
  }
  return out;
}

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

template <class Sink>
void FeetProblem::visit(const Eigen::VectorXd& x, Sink&& sink) const {
  const double root_dt = std::sqrt(dt_);
  // Each unknown stays where it is and changes softly.
  for (int f = 0; f < frames_; ++f) {
    for (int place = 0; place < per_frame(); ++place) {
      const int unknown = f * per_frame() + place;
      const bool is_root = place < 3, is_turn = !is_root && (place - 3) % 6 >= 3;
      const double stay = root_dt / (is_root ? scales_.root_m : is_turn ? scales_.turn_rad : scales_.swing_m);
      const Slope itself{unknown, stay};
      sink(stay * x[unknown], std::span(&itself, 1));
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
  normal->gradient.setZero();
  std::array<Slope, 3 * kLegUnknowns> free;
  visit(x, [&](double value, std::span<const Slope> slopes) {
    sum += value * value;
    std::size_t count = 0;
    for (const Slope& slope : slopes) {
      const int variable = variable_[slope.unknown];
      if (variable >= 0 && slope.value != 0.0) free[count++] = {variable, slope.value};
    }
    for (std::size_t i = 0; i < count; ++i) {
      normal->gradient[free[i].unknown] += free[i].value * value;
      for (std::size_t j = 0; j <= i; ++j) {
        normal->matrix.add(free[i].unknown, free[j].unknown, free[i].value * free[j].value);
      }
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

FeetChange FeetProblem::change(const Eigen::VectorXd& x) const {
  FeetChange out;
  out.feet.resize(feet_.size());
  for (int f = 0; f < frames_; ++f) {
    const int root = f * per_frame();
    out.root_m.emplace_back(x.segment<3>(root));
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      const int own = root + 3 + 6 * static_cast<int>(i);
      out.feet[i].ball_m.emplace_back(x.segment<3>(own));
      out.feet[i].turn_rad.emplace_back(x.segment<3>(own + 3));
    }
  }
  return out;
}

solve::SolveReport solve_feet(const FeetProblem& problem, const PlaceFeetParams& params, Eigen::VectorXd& x) {
  // Levenberg's factor: from, to, down after a step that helped, up after one that did not.
  constexpr double kFirst = 100.0, kLeast = 1.0, kMost = 1e9, kDown = 0.3, kUp = 4.0;
  solve::SolveReport report;
  FeetProblem::Normal normal = problem.make_normal();
  const Eigen::VectorXd own = problem.damping();
  double cost = problem.cost(x, &normal), damping = kFirst;
  report.initial_cost = report.final_cost = cost;
  report.evaluations = 1;
  // The cost of a motion that does what is asked is 0.
  while (report.iterations < params.max_steps && cost > 1e-18) {
    ++report.iterations;
    solve::BlockTridiagonal matrix = normal.matrix;
    for (int i = 0; i < matrix.size(); ++i) matrix.add(i, i, damping * own[i]);
    Eigen::VectorXd step = -normal.gradient;
    double next = cost;
    Eigen::VectorXd trial;
    if (matrix.factor()) {
      matrix.solve(step);
      trial = problem.moved(x, step);
      next = problem.cost(trial, nullptr);
      ++report.evaluations;
    }
    if (!(next < cost)) {
      damping *= kUp;
      if (damping > kMost) {
        report.stop_reason = solve::StopReason::no_progress;
        break;
      }
      continue;
    }
    const bool done = cost - next < params.converged * cost;
    damping = std::max(kLeast, damping * kDown);
    x = std::move(trial);
    cost = next;
    if (done) {
      report.stop_reason = solve::StopReason::converged;
      break;
    }
    cost = problem.cost(x, &normal);
  }
  report.final_cost = cost;
  return report;
}

}  // namespace shosa::feet
