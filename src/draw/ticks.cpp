#include "draw/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace shosa::draw {

std::vector<Tick> linear_ticks(double low, double high, int most) {
  assert(std::isfinite(low) && std::isfinite(high) && low < high && most >= 1);
  // Divided before they are subtracted, and bounded, so that any two finite numbers have a finite step.
  const double least_step = std::clamp(high / most - low / most, 1e-300, 1e300);
  int exponent = static_cast<int>(std::floor(std::log10(least_step)));
  const double power = std::pow(10.0, exponent);
  double factor = 10.0;
  for (const double candidate : {1.0, 2.0, 5.0}) {
    if (candidate * power >= least_step * (1.0 - 1e-9)) {
      factor = candidate;
      break;
    }
  }
  if (factor == 10.0) {
    ++exponent;
  }
  const double step = factor * power;
  const int decimals = std::max(0, -exponent);
  const bool plain = std::max(std::abs(low), std::abs(high)) < 1e6 && decimals <= 6;

  std::vector<Tick> ticks;
  const double slack = 1e-9 * step;
  // Counted: beyond 2^53 steps from 0 adding one no longer changes a double, and the same tick would come for ever.
  const double first = std::ceil((low - slack) / step);
  for (int k = 0; k <= most && (first + k) * step <= high + slack; ++k) {
    const double value = first + k == 0.0 ? 0.0 : (first + k) * step;
    if (!ticks.empty() && value <= ticks.back().value) {
      continue;
    }
    ticks.push_back({value, plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.3g}", value)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int most) {
  assert(low > 0.0 && low < high && std::isfinite(high) && most >= 1);
  const double first = std::floor(std::log10(low));
  const double last = std::ceil(std::log10(high));
  const double stride = std::max(1.0, std::ceil((last - first) / most));
  const auto in_steps = [&](std::initializer_list<double> factors) {
    std::vector<Tick> ticks;
    for (double n = std::ceil(first / stride) * stride - stride; n <= last; n += stride) {
      for (const double factor : factors) {
        const double value = factor * std::pow(10.0, n);
        if (value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9)) {
          ticks.push_back(
              {value, value >= 1e-3 && value < 1e6 ? fmt::format("{:g}", value) : fmt::format("{:.0e}", value)});
        }
      }
    }
    return ticks;
  };
  std::vector<Tick> ticks = in_steps({1.0});
  return ticks.size() >= 2 ? ticks : in_steps({1.0, 2.0, 5.0});
}

}  // namespace shosa::draw
