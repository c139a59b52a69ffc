#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "shosa/core/types.h"

namespace shosa::scenes {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every compiler and library, unlike <random>'s
/// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In [0, count).
  int index(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }

  /// Uniform on the unit sphere.
  Vec3d direction() {
    const double y = uniform(-1.0, 1.0);
    const double angle = uniform(0.0, 2.0 * std::numbers::pi);
    const double r = std::sqrt(1.0 - y * y);
    return {r * std::cos(angle), y, r * std::sin(angle)};
  }
  /// Uniform over all rotations (Shoemake 1992).
  Quatd rotation() {
    const double u = uniform();
    const double a = uniform(0.0, 2.0 * std::numbers::pi), b = uniform(0.0, 2.0 * std::numbers::pi);
    const double p = std::sqrt(1.0 - u), q = std::sqrt(u);
    return Quatd(q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b));
  }

 private:
  std::uint64_t state_;
};

}  // namespace shosa::scenes
