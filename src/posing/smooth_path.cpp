#include "posing/smooth_path.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>

namespace shosa::posing {

namespace {

constexpr std::array<double, 4> kThirdDifference = {-1.0, 3.0, -3.0, 1.0};

}  // namespace

std::vector<Vec3d> smooth_path(std::span<const SmoothPathFrame> frames) {
  // Variables in the order of time keep the band of the matrix narrow.
  std::vector<int> variable(frames.size());
  std::vector<int> of_hold;
  int variables = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const int hold = frames[f].held_by;
    if (hold < 0) {
      variable[f] = variables++;
      continue;
    }
    if (hold >= static_cast<int>(of_hold.size())) of_hold.push_back(variables++);
    variable[f] = of_hold[hold];
  }

  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(frames.size() * 17);
  Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(variables, 3);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    entries.emplace_back(variable[f], variable[f], frames[f].weight);
    right.row(variable[f]) += frames[f].weight * (frames[f].wanted - frames[f].given).transpose();
  }
  for (std::size_t f = 0; f + 3 < frames.size(); ++f) {
    double span = frames[f].span_frames;
    for (std::size_t a = 1; a < 4; ++a) span = std::min(span, frames[f + a].span_frames);
    const double stiffness = std::pow(span, 6);
    Vec3d given = Vec3d::Zero();
    for (std::size_t a = 0; a < 4; ++a) given += kThirdDifference[a] * frames[f + a].given;
    for (std::size_t a = 0; a < 4; ++a) {
      const int row = variable[f + a];
      right.row(row) -= stiffness * kThirdDifference[a] * given.transpose();
      for (std::size_t b = 0; b < 4; ++b) {
        entries.emplace_back(row, variable[f + b], stiffness * kThirdDifference[a] * kThirdDifference[b]);
      }
    }
  }
  Eigen::SparseMatrix<double> matrix(variables, variables);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
  const Eigen::MatrixX3d solution = factor.solve(right);

  std::vector<Vec3d> path(frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    path[f] = solution.row(variable[f]).transpose() + frames[f].given;
  }
  return path;
}

}  // namespace shosa::posing
