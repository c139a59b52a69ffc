#pragma once

#include <string>
#include <vector>

namespace shosa::draw {

struct Tick {
  double value = 0.0;
  std::string label;  ///< As many decimals as the step needs, the same for all.
};

/// Round values (1, 2 or 5 x 10^n apart) within [low, high], at most `most` + 1 of them and as many as fit.
/// Needs finite low < high and most >= 1 (assert).
std::vector<Tick> linear_ticks(double low, double high, int most);

/// Powers of ten within [low, high], every n-th where more than `most` would fit; where fewer than two fit, also 2 and
/// 5 times them. Needs 0 < low < high and most >= 1 (assert).
std::vector<Tick> log_ticks(double low, double high, int most);

}  // namespace shosa::draw
