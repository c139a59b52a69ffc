#include "solve/finite_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shosa::solve {

Eigen::MatrixXd finite_difference_jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function,
                                           const Eigen::VectorXd& x, double step) {
  Eigen::MatrixXd jacobian(function(x).size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double h = step * std::max(1.0, std::abs(x(i)));
    Eigen::VectorXd above = x, below = x;
    above(i) += h;
    below(i) -= h;
    jacobian.col(i) = (function(above) - function(below)) / (above(i) - below(i));
  }
  return jacobian;
}

double jacobian_error(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function, const Eigen::VectorXd& x,
                      const Eigen::MatrixXd& analytic, double step) {
  const Eigen::MatrixXd numeric = finite_difference_jacobian(function, x, step);
  if (numeric.rows() != analytic.rows() || numeric.cols() != analytic.cols() || !numeric.allFinite() ||
      !analytic.allFinite()) {
    return std::numeric_limits<double>::infinity();
  }
  if (numeric.size() == 0) return 0.0;
  const double scale = std::max({1.0, numeric.cwiseAbs().maxCoeff(), analytic.cwiseAbs().maxCoeff()});
  return (numeric - analytic).cwiseAbs().maxCoeff() / scale;
}

}  // namespace shosa::solve
