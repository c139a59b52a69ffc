#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace shosa::solve {

/// Separable least squares: min |Y - C(theta) Z|^2 over the nonlinear theta and the linear Z (Golub and Pereyra 1973).
///
/// C has p columns (some of them moved by theta), Y and Z have one column per channel. Every theta moves one column:
/// dC/dtheta_i = derivative column i, which belongs to column owner(i). All that is needed of the samples are inner
/// products, so that a caller whose columns are short can form them cheaply:
///   gram = C'C, cross = C'D, inner = D'D, data = C'Y, slope = D'Y, energy = |Y|^2 with D the derivative columns.
/// Linear equality constraints are written as Z = select U + offset with free U; the identity and zero where there are
/// none.
///
/// Given theta, Z solves the linear problem exactly, and the cost's gradient by theta is exact. The matrix is Kaufman's
/// (1975): J_i = -(1 - P) D_i Z_owner(i), with P the projection onto the free columns.
template <int MaxColumns, int MaxParameters>
struct SeparableProblem {
  template <int R, int C>
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, R, C>;

  Small<MaxColumns, MaxColumns> gram;
  Small<MaxColumns, MaxParameters> cross;
  Small<MaxParameters, MaxParameters> inner;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, MaxColumns, Eigen::Dynamic> data;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, MaxParameters, Eigen::Dynamic> slope;
  double energy = 0.0;
  Eigen::Matrix<int, Eigen::Dynamic, 1, 0, MaxParameters, 1> owner;
  Small<MaxColumns, MaxColumns> select;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, MaxColumns, Eigen::Dynamic> offset;

  /// Result of `solve`.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, MaxColumns, Eigen::Dynamic> coefficients;

  /// Returns |Y - CZ|^2 / 2 and fills `coefficients`, `jtj` and `jtr`. `ridge` > 0, relative to each free column's own
  /// square, keeps equal columns solvable.
  template <class Matrix, class Vector>
  double solve(double ridge, Matrix& jtj, Vector& jtr) {
    const Eigen::Index count = owner.size();
    if (select.cols() > 0) {
      Small<MaxColumns, MaxColumns> normal = select.transpose() * gram * select;
      for (Eigen::Index i = 0; i < normal.rows(); ++i) normal(i, i) += ridge * normal(i, i) + 1e-300;
      const Eigen::LLT<Small<MaxColumns, MaxColumns>> factor(normal);
      const Small<MaxColumns, MaxParameters> reduced_cross = select.transpose() * cross;
      coefficients = select * factor.solve(select.transpose() * (data - gram * offset)) + offset;
      const Small<MaxColumns, MaxParameters> half = factor.matrixL().solve(reduced_cross);
      jtj = inner - half.transpose() * half;
    } else {
      coefficients = offset;
      jtj = inner;
    }
    const double cost = 0.5 * (energy - 2.0 * coefficients.cwiseProduct(data).sum() +
                               coefficients.cwiseProduct(gram * coefficients).sum());
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto zi = coefficients.row(owner(i));
      jtr(i) = -(slope.row(i) - cross.col(i).transpose() * coefficients).dot(zi);
      for (Eigen::Index j = 0; j <= i; ++j) jtj(j, i) *= zi.dot(coefficients.row(owner(j)));
    }
    return cost > 0.0 ? cost : 0.0;
  }
};

}  // namespace shosa::solve
