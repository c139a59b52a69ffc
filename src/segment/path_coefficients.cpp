#include "segment/path_coefficients.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "segment/least_norm.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::segment {

double linear_share(int sample, int last) {
  return static_cast<double>(sample) / last;
}

PathCoefficients path_coefficients(std::span<const double> speeds, int most_tail) {
  const int n = static_cast<int>(speeds.size()) - 1;
  assert(n >= 1);
  const auto size = static_cast<std::size_t>(n) + 2;
  const auto r = [&](int j) { return speeds[j]; };
  const auto even = [](int) { return 1.0; };
  PathCoefficients out;
  out.delta.assign(size, 0.0);
  out.gamma.assign(size, 0.0);
  out.epsilon.assign(size, 0.0);
  out.tail_epsilon.assign(size, 0.0);

  // Section 3.2, equation (10).
  double fastest = 0.0;
  for (const double speed : speeds) fastest = std::max(fastest, speed);
  double total = 0.0;
  for (int j = 0; j < n; ++j) total += r(j);
  out.eased = !(total > 1e-12 * fastest * n) || !(total > 0.0);
  double sum = 0.0;
  for (int i = 0; i <= n + 1; ++i) {
    out.delta[i] = out.eased ? minimum_jerk_step(static_cast<double>(i) / n) : sum / total;
    if (i <= n) sum += r(i);
  }
  out.delta[n] = 1.0;
  out.end_share = out.eased ? 0.0 : r(n) / total;
  out.delta.back() = 1.0 + out.end_share;
  if (n < 2) {
    out.even_epsilon = out.even_tail = true;
    return out;
  }

  // Section 3.3, equations (15) to (19). The seed takes the SVD of an n x n matrix of rank 2; this is the same in O(n).
  const auto both = [&](int i, double gamma, double epsilon) {
    out.gamma[i] = gamma;
    out.epsilon[i] = epsilon;
  };
  const LeastNorm whole(0, n, r);
  out.even_epsilon = !whole.regular();
  if (out.even_epsilon) {
    integrate(0, n, even, LeastNorm(0, n, even), both);
  } else {
    integrate(0, n, r, whole, both);
  }

  const auto tail_only = [&](int i, double, double epsilon) { out.tail_epsilon[i] = epsilon; };
  out.tail_begin = tail_begin(0, n, r);
  if (most_tail > 0) out.tail_begin = std::max(out.tail_begin, n - std::max(most_tail, 2));
  const LeastNorm tail(out.tail_begin, n, r);
  out.even_tail = !tail.regular();
  if (out.even_tail) {
    integrate(out.tail_begin, n, even, LeastNorm(out.tail_begin, n, even), tail_only);
  } else {
    integrate(out.tail_begin, n, r, tail, tail_only);
  }
  return out;
}

}  // namespace shosa::segment
