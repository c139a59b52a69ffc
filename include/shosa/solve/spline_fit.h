#pragma once

#include <Eigen/Core>
#include <vector>

namespace shosa::solve {

/// One value per frame; three or four parts of it are used.
using SplineSignal = std::vector<Eigen::Vector4d>;

/// Least-squares control points of a uniform cubic B-spline with knots `spacing` quarters of a frame apart. O(frames).
std::vector<Eigen::Vector4d> fit_spline(const SplineSignal& signal, int spacing);

}  // namespace shosa::solve
