#include "shosa/solve/block_tridiagonal.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>

namespace shosa::solve {

namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

BlockTridiagonal::BlockTridiagonal(const std::vector<int>& sizes) {
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    start_.push_back(size_);
    size_ += sizes[g];
    group_.insert(group_.end(), index(sizes[g]), static_cast<int>(g));
    own_.emplace_back(Eigen::MatrixXd::Zero(sizes[g], sizes[g]));
    if (g + 1 < sizes.size()) next_.emplace_back(Eigen::MatrixXd::Zero(sizes[g + 1], sizes[g]));
  }
}

void BlockTridiagonal::set_zero() {
  for (Eigen::MatrixXd& block : own_) block.setZero();
  for (Eigen::MatrixXd& block : next_) block.setZero();
}

void BlockTridiagonal::add(int row, int column, double value) {
  if (row < column) std::swap(row, column);
  const int low = group_[index(column)], high = group_[index(row)];
  assert(high - low <= 1);
  (high == low ? own_ : next_)[index(low)](row - start_[index(high)], column - start_[index(low)]) += value;
}

Eigen::VectorXd BlockTridiagonal::times(const Eigen::VectorXd& vector) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(size_);
  for (std::size_t g = 0; g < own_.size(); ++g) {
    const auto part = vector.segment(start_[g], own_[g].rows());
    out.segment(start_[g], own_[g].rows()) += own_[g].selfadjointView<Eigen::Lower>() * part;
    if (g + 1 == own_.size()) break;
    out.segment(start_[g + 1], own_[g + 1].rows()) += next_[g] * part;
    out.segment(start_[g], own_[g].rows()) += next_[g].transpose() * vector.segment(start_[g + 1], own_[g + 1].rows());
  }
  return out;
}

bool BlockTridiagonal::factor() {
  for (std::size_t g = 0; g < own_.size(); ++g) {
    if (own_[g].rows() > 0) {
      const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(own_[g]);
      if (factor.info() != Eigen::Success) return false;
    }
    if (g + 1 == own_.size() || own_[g].rows() == 0 || own_[g + 1].rows() == 0) continue;
    own_[g].triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(next_[g]);
    own_[g + 1].selfadjointView<Eigen::Lower>().rankUpdate(next_[g], -1.0);
  }
  return true;
}

void BlockTridiagonal::solve(Eigen::Ref<Eigen::MatrixXd> right) const {
  const auto rows = [&](std::size_t g) { return right.middleRows(start_[g], own_[g].rows()); };
  for (std::size_t g = 0; g < own_.size(); ++g) {
    if (g > 0) rows(g) -= next_[g - 1] * rows(g - 1);
    own_[g].triangularView<Eigen::Lower>().solveInPlace(rows(g));
  }
  for (std::size_t g = own_.size(); g-- > 0;) {
    if (g + 1 < own_.size()) rows(g) -= next_[g].transpose() * rows(g + 1);
    own_[g].triangularView<Eigen::Lower>().transpose().solveInPlace(rows(g));
  }
}

}  // namespace shosa::solve
