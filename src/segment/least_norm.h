#pragma once

namespace shosa::segment {

/// The least-norm p with sum r_j p_j t_j = dx and sum r_j p_j = dv over j in [first, n), t_j = n - 1 - j (equation 15).
///
/// In coordinates centred on the mean m of t (weights r^2) the 2 x 2 matrix A A^T is diagonal, so nothing cancels:
///   alpha_j = r_j (t_j - m) / Q,   beta_j = r_j (1 / S - m (t_j - m) / Q),   S = sum r^2, Q = sum r^2 (t - m)^2.
struct LeastNorm {
  double weight = 0.0;  ///< S
  double mean = 0.0;    ///< m
  double spread = 0.0;  ///< Q

  template <class Speed>
  LeastNorm(int first, int n, const Speed& r) {
    double moment = 0.0;
    for (int j = first; j < n; ++j) {
      weight += r(j) * r(j);
      moment += r(j) * r(j) * (n - 1 - j);
    }
    if (!(weight > 0.0)) return;
    mean = moment / weight;
    for (int j = first; j < n; ++j) spread += r(j) * r(j) * (n - 1 - j - mean) * (n - 1 - j - mean);
  }

  /// Rank 2: at least two samples move, neither of them negligibly.
  bool regular() const { return weight > 0.0 && spread > 1e-12 * weight; }
  double alpha(double r, double t) const { return r * (t - mean) / spread; }
  double beta(double r, double t) const { return r * (1.0 / weight - mean * (t - mean) / spread); }
};

/// Where the velocity form may act: after the last rest in [first, n), or, where the path ends at rest, in that rest.
template <class Speed>
int tail_begin(int first, int n, const Speed& r) {
  int begin = n - 1;
  const bool ends_at_rest = !(r(begin) > 0.0);
  while (begin > first && !(r(begin - 1) > 0.0) == ends_at_rest) --begin;
  return begin < n - 2 ? begin : n - 2;
}

/// Calls `put(i, gamma_i, epsilon_i)` for i = first..n + 1: the double sums of r_j alpha_j and r_j beta_j, equations
/// (12) and (13).
template <class Speed, class Put>
void integrate(int first, int n, const Speed& r, const LeastNorm& least, const Put& put) {
  double gamma_v = 0.0, gamma_x = 0.0, epsilon_v = 0.0, epsilon_x = 0.0;
  for (int i = first; i <= n + 1; ++i) {
    put(i, gamma_x, epsilon_x);
    gamma_x += gamma_v;
    epsilon_x += epsilon_v;
    if (i >= n) continue;
    gamma_v += r(i) * least.alpha(r(i), n - 1 - i);
    epsilon_v += r(i) * least.beta(r(i), n - 1 - i);
  }
}

}  // namespace shosa::segment
