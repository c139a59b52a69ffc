#pragma once

#include <Eigen/Core>
#include <vector>

namespace shosa::solve {

/// A symmetric matrix whose variables come in groups, each coupled to itself and its two neighbours only: the normal
/// matrix of least squares over time. Difference of order p between frames fit where a group holds p frames or more.
///
/// The Cholesky factor has the same shape, so that factoring is O(groups) for groups of one size. Deterministic.
class BlockTridiagonal {
 public:
  /// All zero. `sizes` are the numbers of variables of the groups; empty groups are allowed.
  explicit BlockTridiagonal(const std::vector<int>& sizes);

  int size() const { return size_; }
  void set_zero();
  /// Adds to the entry (row, column) and, off the diagonal, to its mirror image. The two variables must be in the same
  /// group or in neighbouring ones (assert).
  void add(int row, int column, double value);
  Eigen::VectorXd times(const Eigen::VectorXd& vector) const;

  /// The Cholesky factor takes the place of A. False where A is not positive definite; A is lost then.
  bool factor();
  /// Only after `factor`: the solution of A x = right, for every column, in place.
  void solve(Eigen::Ref<Eigen::MatrixXd> right) const;

 private:
  int size_ = 0;
  std::vector<int> group_, start_;           // of a variable; first variable of a group
  std::vector<Eigen::MatrixXd> own_, next_;  // own: lower triangle; next: rows of the following group
};

}  // namespace shosa::solve
