#pragma once

#include <Eigen/Core>
#include <functional>

namespace shosa::solve {

/// Central differences of a vector function, for tests of analytic derivatives: column i is
/// (f(x + h e_i) - f(x - h e_i)) / (2 h) with h = step * max(1, |x_i|).
Eigen::MatrixXd finite_difference_jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function,
                                           const Eigen::VectorXd& x, double step = 1e-6);

/// Largest difference between `analytic` and the finite differences, relative to the largest entry of either (1 where
/// both are smaller). Infinity where the sizes differ or something is not finite.
double jacobian_error(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function, const Eigen::VectorXd& x,
                      const Eigen::MatrixXd& analytic, double step = 1e-6);

}  // namespace shosa::solve
