#pragma once

#include <Eigen/Core>
#include <functional>

namespace shosa::motions {

/// The rows [first, last] of `line` (one a frame), in the columns [from, from + columns), become those of least
///   sum (third difference of q)^2 + (2 pi / (share * n))^6 sum (q - g)^2,
/// g what they were and n their number, at most 30. The differences reach into the rows on both sides, which stay.
void relax(Eigen::MatrixXd& line, int first, int last, double share, int from, int columns);

/// 0 at both ends of a swing of `count` frames, 1 between.
double inside(int frame, int count);

/// How much of the clearance is asked for at a share of the swing.
double clearing(double air);

/// Raises the foot of a swing of `count` frames, smoothly and not at its ends, until `lack_m` is nowhere above
/// 0.1 mm, in 40 rounds at most.
void raise_clear(int count, const std::function<double(int)>& lack_m, const std::function<void(int, double)>& raise);

}  // namespace shosa::motions
