#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "shosa/core/rotations.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::test {

/// The Cramér–Rao bound: no unbiased estimate from samples with this noise has a smaller standard deviation.
/// C = noise^2 (J'J)^-1 with J the samples' derivatives by start, timings and displacements, by differences.
struct LeastDeviation {
  double timing_s = 0.0;      ///< Of the t0 or tf that is worst off.
  double displacement = 0.0;  ///< Of the displacement that is worst off, relative to its length.
};

template <class Sampled>
LeastDeviation least_deviation(const Eigen::VectorXd& x, Sampled&& sampled, double noise) {
  const double h = 1e-6;
  Eigen::MatrixXd jacobian(sampled(x).size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::VectorXd up = x, down = x;
    up(i) += h;
    down(i) -= h;
    jacobian.col(i) = (sampled(up) - sampled(down)) / (2.0 * h);
  }
  const Eigen::MatrixXd information = jacobian.transpose() * jacobian;
  const Eigen::MatrixXd c = noise * noise * information.ldlt().solve(Eigen::MatrixXd::Identity(x.size(), x.size()));
  LeastDeviation least;
  for (Eigen::Index at = 3; at < x.size(); at += 5) {
    least.timing_s = std::max({least.timing_s, std::sqrt(c(at, at)), std::sqrt(c(at + 1, at + 1))});
    least.displacement =
        std::max(least.displacement, std::sqrt(c.diagonal().segment<3>(at + 2).sum()) / x.segment<3>(at + 2).norm());
  }
  return least;
}

inline LeastDeviation least_deviation(const PositionModel& model, int frames, double fps, double noise_m) {
  Eigen::VectorXd x(3 + 5 * static_cast<Eigen::Index>(model.submovements.size()));
  x.head<3>() = model.start_m;
  for (std::size_t k = 0; k < model.submovements.size(); ++k) {
    const auto& s = model.submovements[k];
    x.segment<5>(3 + 5 * static_cast<Eigen::Index>(k)) << s.t0_s, s.tf_s, s.displacement_m;
  }
  const auto sampled = [&](const Eigen::VectorXd& v) {
    PositionModel moved{.start_m = v.head<3>()};
    for (Eigen::Index at = 3; at < v.size(); at += 5)
      moved.submovements.push_back({v(at), v(at + 1), v.segment<3>(at + 2)});
    const auto samples = sample_positions(moved, frames, 1.0 / fps);
    Eigen::VectorXd y(3 * frames);
    for (int i = 0; i < frames; ++i) y.segment<3>(3 * i) = samples[i];
    return y;
  };
  return least_deviation(x, sampled, noise_m);
}

inline LeastDeviation least_deviation(const RotationModel& model, int frames, double fps, double noise_rad) {
  Eigen::VectorXd x(3 + 5 * static_cast<Eigen::Index>(model.submovements.size()));
  x.head<3>().setZero();
  for (std::size_t k = 0; k < model.submovements.size(); ++k) {
    const auto& s = model.submovements[k];
    x.segment<5>(3 + 5 * static_cast<Eigen::Index>(k)) << s.t0_s, s.tf_s, s.rotation_rad;
  }
  const auto truth = sample_rotations(model, frames, 1.0 / fps);
  const auto sampled = [&](const Eigen::VectorXd& v) {
    RotationModel moved{.start = model.start * exp_rotation(v.head<3>())};
    for (Eigen::Index at = 3; at < v.size(); at += 5)
      moved.submovements.push_back({v(at), v(at + 1), v.segment<3>(at + 2)});
    const auto samples = sample_rotations(moved, frames, 1.0 / fps);
    Eigen::VectorXd y(3 * frames);
    for (int i = 0; i < frames; ++i) {
      const auto at = static_cast<std::size_t>(i);
      y.segment<3>(3 * i) = log_rotation(truth[at].conjugate() * samples[at]);
    }
    return y;
  };
  return least_deviation(x, sampled, noise_rad);
}

}  // namespace shosa::submovement::test
