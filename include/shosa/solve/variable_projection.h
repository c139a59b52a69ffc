#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

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

  template <int R>
  using Tall = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, R, Eigen::Dynamic>;

  Small<MaxColumns, MaxColumns> gram;
  Small<MaxColumns, MaxParameters> cross;
  Small<MaxParameters, MaxParameters> inner;
  Tall<MaxColumns> data;
  Tall<MaxParameters> slope;
  double energy = 0.0;
  Eigen::Matrix<int, Eigen::Dynamic, 1, 0, MaxParameters, 1> owner;
  Small<MaxColumns, MaxColumns> select;
  Tall<MaxColumns> offset;

  /// Result of `solve`.
  Tall<MaxColumns> coefficients;

  /// Returns |Y - CZ|^2 / 2, infinity where no number comes of it, and fills `coefficients`, `jtj` and `jtr`. `ridge` >
  /// 0, relative to each free column's own square, keeps equal columns solvable.
  template <class Matrix, class Vector>
  double solve(double ridge, Matrix& jtj, Vector& jtr) {
    const Eigen::Index count = owner.size(), free = select.cols();
    if (free > 0) {
      // Sizes are a handful: plain loops and inner products, no blocking.
      Small<MaxColumns, MaxColumns> factor = select.transpose().lazyProduct(gram.lazyProduct(select).eval());
      for (Eigen::Index i = 0; i < free; ++i) factor(i, i) += ridge * factor(i, i) + 1e-300;
      factorize(factor);
      Tall<MaxColumns> unknown = select.transpose().lazyProduct((data - gram.lazyProduct(offset)).eval());
      forward(factor, unknown);
      backward(factor, unknown);
      coefficients = select.lazyProduct(unknown) + offset;
      Small<MaxColumns, MaxParameters> half = select.transpose().lazyProduct(cross);
      forward(factor, half);
      for (Eigen::Index i = 0; i < count; ++i)
        for (Eigen::Index j = 0; j <= i; ++j) jtj(j, i) = inner(j, i) - half.col(j).dot(half.col(i));
    } else {
      coefficients = offset;
      jtj = inner;
    }
    const double cost = 0.5 * (energy - 2.0 * coefficients.cwiseProduct(data).sum() +
                               coefficients.cwiseProduct(gram.lazyProduct(coefficients)).sum());
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto zi = coefficients.row(owner(i));
      jtr(i) = -(slope.row(i) - cross.col(i).transpose().lazyProduct(coefficients)).dot(zi);
      for (Eigen::Index j = 0; j <= i; ++j) jtj(j, i) *= zi.dot(coefficients.row(owner(j)));
    }
    // Columns that are all but equal can bear coefficients beyond all measure, whose cost is no number or far below 0.
    if (!(cost >= -kRounding * energy)) return std::numeric_limits<double>::infinity();
    return std::max(cost, 0.0);
  }

 private:
  static constexpr double kRounding = 1e-6;  // of a cost, as a share of the energy

  // Cholesky's L in the lower triangle. A pivot that rounding made negative counts as nearly none: the step that comes
  // of it is large and refused.
  static void factorize(Small<MaxColumns, MaxColumns>& a) {
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      double pivot = a(j, j);
      for (Eigen::Index k = 0; k < j; ++k) pivot -= a(j, k) * a(j, k);
      a(j, j) = std::sqrt(std::max(pivot, 1e-300));
      for (Eigen::Index i = j + 1; i < a.rows(); ++i) {
        double sum = a(i, j);
        for (Eigen::Index k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
        a(i, j) = sum / a(j, j);
      }
    }
  }
  template <class Right>
  static void forward(const Small<MaxColumns, MaxColumns>& l, Right& x) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      for (Eigen::Index i = 0; i < l.rows(); ++i) {
        double sum = x(i, c);
        for (Eigen::Index k = 0; k < i; ++k) sum -= l(i, k) * x(k, c);
        x(i, c) = sum / l(i, i);
      }
    }
  }
  template <class Right>
  static void backward(const Small<MaxColumns, MaxColumns>& l, Right& x) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      for (Eigen::Index i = l.rows() - 1; i >= 0; --i) {
        double sum = x(i, c);
        for (Eigen::Index k = i + 1; k < l.rows(); ++k) sum -= l(k, i) * x(k, c);
        x(i, c) = sum / l(i, i);
      }
    }
  }
};

}  // namespace shosa::solve
