#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace shosa::feet {

/// A symmetric matrix of which each column reaches down to a last row that never comes before that of the column to its
/// left. Its Cholesky factor has the same shape. Room is taken once; everything after that allocates nothing.
class BandMatrix {
 public:
  BandMatrix(int most_size, int most_band) {
    values_.resize(static_cast<std::size_t>(most_size) * static_cast<std::size_t>(most_band));
    start_.resize(static_cast<std::size_t>(most_size));
    last_.resize(static_cast<std::size_t>(most_size));
  }
  /// All zero; the last row of each column.
  void reset(std::span<const int> last) {
    size_ = static_cast<int>(last.size());
    used_ = 0;
    for (std::size_t c = 0; c < last.size(); ++c) {
      start_[c] = used_ - c, last_[c] = last[c];
      used_ += static_cast<std::size_t>(last[c]) - c + 1;
    }
    set_zero();
  }
  int size() const { return size_; }
  void set_zero() { std::fill(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(used_), 0.0); }
  /// row >= column, within the band.
  double& at(int row, int column) { return values_[start_[column] + static_cast<std::size_t>(row)]; }
  /// This is `other` plus factor * diagonal.
  void copy_damped(const BandMatrix& other, double factor, const Eigen::VectorXd& diagonal) {
    size_ = other.size_, used_ = other.used_;
    const auto count = static_cast<std::ptrdiff_t>(size_);
    std::copy(other.start_.begin(), other.start_.begin() + count, start_.begin());
    std::copy(other.last_.begin(), other.last_.begin() + count, last_.begin());
    std::copy(other.values_.begin(), other.values_.begin() + static_cast<std::ptrdiff_t>(used_), values_.begin());
    for (int i = 0; i < size_; ++i) at(i, i) += factor * diagonal[i];
  }
  /// The factor takes the place of the matrix. False where it is not positive definite.
  bool factor() {
    for (int c = 0; c < size_; ++c) {
      const int below = last_[c] - c;
      const double pivot = at(c, c);
      if (!(pivot > 0.0)) return false;
      const double root = std::sqrt(pivot);
      at(c, c) = root;
      Column column(&at(c, c) + 1, below);
      column *= 1.0 / root;
      for (int i = 0; i < below; ++i) {
        // Column c + 1 + i from its diagonal down to the last row of column c.
        Column(&at(c + 1 + i, c + 1 + i), below - i) -= column[i] * column.tail(below - i);
      }
    }
    return true;
  }
  /// After `factor`, in place.
  void solve(Eigen::VectorXd& right) {
    for (int c = 0; c < size_; ++c) {
      const int below = last_[c] - c;
      right[c] /= at(c, c);
      right.segment(c + 1, below) -= right[c] * Column(&at(c, c) + 1, below);
    }
    for (int c = size_ - 1; c >= 0; --c) {
      const int below = last_[c] - c;
      right[c] = (right[c] - Column(&at(c, c) + 1, below).dot(right.segment(c + 1, below))) / at(c, c);
    }
  }

 private:
  using Column = Eigen::Map<Eigen::VectorXd>;
  int size_ = 0;
  std::size_t used_ = 0;
  std::vector<double> values_;
  std::vector<std::size_t> start_;  // of a column, less its number
  std::vector<int> last_;
};

}  // namespace shosa::feet
