#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "shosa/analysis/metrics.h"

namespace shosa::analysis {
namespace {

using Complex = std::complex<double>;

/// In place, length a power of two; `sign` -1 forward, +1 backward (not scaled).
void radix2(std::vector<Complex>& values, int sign) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1) {
    const std::size_t half = length / 2;
    std::vector<Complex> roots(half);
    for (std::size_t k = 0; k < half; ++k) {
      roots[k] = std::polar(1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
    }
    for (std::size_t start = 0; start < n; start += length) {
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = values[start + k], b = values[start + k + half] * roots[k];
        values[start + k] = a + b;
        values[start + k + half] = a - b;
      }
    }
  }
}

}  // namespace

// Bluestein 1970: the transform of any length as a convolution with a chirp, done by powers of two.
std::vector<double> real_power_spectrum(std::span<const double> signal) {
  const std::size_t n = signal.size();
  if (n == 0) return {};
  std::size_t padded = 1;
  while (padded < 2 * n - 1) padded <<= 1;
  std::vector<Complex> chirp(n), a(padded), b(padded);
  for (std::size_t k = 0; k < n; ++k) {
    // k^2 modulo 2n keeps the angle exact for long signals.
    const auto square = static_cast<double>((k * k) % (2 * n));
    chirp[k] = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
    a[k] = signal[k] * chirp[k];
    b[k] = std::conj(chirp[k]);
    if (k > 0) b[padded - k] = b[k];
  }
  radix2(a, -1);
  radix2(b, -1);
  for (std::size_t k = 0; k < padded; ++k) a[k] *= b[k];
  radix2(a, 1);
  std::vector<double> power(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double real = (a[k] * chirp[k]).real() / static_cast<double>(padded);
    power[k] = real * real;
  }
  return power;
}

}  // namespace shosa::analysis
