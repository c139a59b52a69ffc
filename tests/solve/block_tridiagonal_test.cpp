#include "shosa/solve/block_tridiagonal.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace shosa::solve {
namespace {

/// A random positive definite matrix of the shape, in both forms. Groups of every size, some empty.
struct Both {
  BlockTridiagonal banded;
  Eigen::MatrixXd dense;
};
Both random_matrix(const std::vector<int>& sizes, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<int> group;
  for (std::size_t g = 0; g < sizes.size(); ++g)
    group.insert(group.end(), static_cast<std::size_t>(sizes[g]), static_cast<int>(g));
  const int n = static_cast<int>(group.size());
  Both out{BlockTridiagonal(sizes), Eigen::MatrixXd::Zero(n, n)};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (group[i] - group[j] > 1) continue;
      const double entry = i == j ? 20.0 : value(generator);
      // The mirror image comes by itself.
      out.banded.add(i % 2 == 0 ? i : j, i % 2 == 0 ? j : i, entry);
      out.dense(i, j) = out.dense(j, i) = entry;
    }
  }
  return out;
}

TEST(BlockTridiagonal, SolvesWhatADenseFactorSolves) {
  for (const std::vector<int>& sizes : {std::vector{3, 1, 4, 2}, std::vector{5}, std::vector{0, 2, 3, 0, 0, 4, 1, 0}}) {
    Both both = random_matrix(sizes, 7);
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(both.dense.rows(), 2);
    EXPECT_LT((both.banded.times(right.col(0)) - both.dense * right.col(0)).norm(), 1e-12);
    Eigen::MatrixXd x = right;
    ASSERT_TRUE(both.banded.factor());
    both.banded.solve(x);
    EXPECT_LT((both.dense * x - right).norm(), 1e-10);
  }
}

TEST(BlockTridiagonal, AMatrixThatIsNotPositiveDefiniteIsRefused) {
  Both both = random_matrix({3, 3, 3}, 3);
  both.banded.add(4, 4, -100.0);
  EXPECT_FALSE(both.banded.factor());
}

TEST(BlockTridiagonal, ZeroForgetsWhatWasAdded) {
  Both both = random_matrix({2, 2}, 5);
  both.banded.set_zero();
  EXPECT_TRUE(both.banded.times(Eigen::VectorXd::Ones(4)).isZero());
}

}  // namespace
}  // namespace shosa::solve
