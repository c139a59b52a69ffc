#include "feet/feet_problem.h"

#include <algorithm>

#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

// Third differences reach over this many frames more.
constexpr int kReach = 3;

}  // namespace

FeetProblem::FeetProblem(std::vector<FootMotion> feet, const StancePlan& plan, double frame_time_s,
                         const FeetScales& scales)
    : feet_(std::move(feet)),
      dt_(frame_time_s),
      scales_(scaled(scales, plan.scale)),
      frames_(static_cast<int>(feet_.front().ball_m.size())) {
  const auto unknowns = static_cast<std::size_t>(frames_) * static_cast<std::size_t>(per_frame());
  given_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns));
  is_given_.assign(unknowns, 0);
  shift_of_.assign(unknowns, -1);
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
  shift_of_[unknown] = -1;
  variable_.clear();
}

int FeetProblem::add_shift() {
  variable_.clear();
  return shifts_++;
}

void FeetProblem::follow(int unknown, double value, int shift, int along) {
  give(unknown, value);
  shift_of_[unknown] = 2 * shift + along;
}

Vec3d FeetProblem::shift_m(const Eigen::VectorXd& x, int shift) const {
  const Eigen::Index at = given_.size() + 2 * shift;
  return {x[at], 0.0, x[at + 1]};
}

Eigen::VectorXd FeetProblem::start() const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(given_.size() + 2 * shifts_);
  x.head(given_.size()) = given_;
  for (std::size_t f = 0; f < lead_m_.size(); ++f) {
    const auto root = f * static_cast<std::size_t>(per_frame());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!is_given_[root + axis]) x[static_cast<Eigen::Index>(root + axis)] = lead_m_[f][static_cast<int>(axis)];
    }
  }
  return x;
}

void FeetProblem::hold(int first, const FeetChange& change) {
  for (std::size_t k = 0; k < change.root_m.size(); ++k) {
    const int root = (first + static_cast<int>(k)) * per_frame();
    for (int axis = 0; axis < 3; ++axis) give(root + axis, change.root_m[k][axis]);
    for (std::size_t i = 0; i < feet_.size(); ++i)
      hold_foot(first + static_cast<int>(k), i, change.feet[i].ball_m[k], change.feet[i].turn_rad[k]);
  }
}

void FeetProblem::hold_foot(int frame, std::size_t foot, const Vec3d& ball_m, const Vec3d& turn_rad) {
  const int own = frame * per_frame() + 3 + 6 * static_cast<int>(foot);
  for (int axis = 0; axis < 3; ++axis) {
    give(own + axis, ball_m[axis]);
    give(own + 3 + axis, turn_rad[axis]);
  }
}

bool FeetProblem::hold_toes(std::size_t foot, const ToeBends& bends) {
  bool any = false;
  for (std::size_t f = 0; f < bends.rad.size(); ++f) {
    if (!bends.crosses[f]) continue;
    feet_[foot].toes[f].range = {bends.rad[f], bends.rad[f]};
    any = true;
  }
  return any;
}

void FeetProblem::number() const {
  if (!variable_.empty()) return;
  banded_ = 0;
  group_sizes_.assign(static_cast<std::size_t>((frames_ + kReach - 1) / kReach), 0);
  for (std::size_t i = 0; i < is_given_.size(); ++i) {
    variable_.push_back(is_given_[i] ? -1 : banded_++);
    if (!is_given_[i]) ++group_sizes_[i / static_cast<std::size_t>(per_frame() * kReach)];
  }
  for (std::size_t i = 0; i < is_given_.size(); ++i) {
    if (shift_of_[i] >= 0) variable_[i] = banded_ + shift_of_[i];
  }
}

int FeetProblem::variable_count() const {
  number();
  return banded_ + 2 * shifts_;
}

FeetProblem::Normal FeetProblem::make_normal() const {
  const int count = variable_count(), shared = 2 * shifts_;
  return {solve::BlockTridiagonal(group_sizes_), Eigen::MatrixXd::Zero(banded_, shared),
          Eigen::MatrixXd::Zero(shared, shared), Eigen::VectorXd::Zero(count)};
}

Eigen::VectorXd FeetProblem::damping() const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(variable_count());
  const double root_m = momentum_ ? scales_.swing_m : scales_.root_m;
  for (std::size_t i = 0; i < variable_.size(); ++i) {
    if (variable_[i] < 0) continue;
    const int place = static_cast<int>(i) % per_frame();
    const double scale = place < 3 ? root_m : (place - 3) % 6 < 3 ? scales_.swing_m : scales_.turn_rad;
    out[variable_[i]] += dt_ / (scale * scale);
  }
  // A shift that nothing follows.
  for (Eigen::Index i = banded_; i < out.size(); ++i) out[i] = std::max(out[i], dt_ / (root_m * root_m));
  return out;
}

Eigen::VectorXd FeetProblem::moved(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const {
  Eigen::VectorXd out = x;
  for (std::size_t i = 0; i < variable_.size(); ++i) {
    if (variable_[i] >= 0) out[static_cast<Eigen::Index>(i)] += step[variable_[i]];
  }
  out.tail(2 * shifts_) += step.tail(2 * shifts_);
  return out;
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

}  // namespace shosa::feet
