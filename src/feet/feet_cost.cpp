#include <algorithm>
#include <array>
#include <cmath>

#include "feet/feet_problem.h"

namespace shosa::feet {

Vec3d FeetProblem::acceleration_mps2(const Eigen::VectorXd& x, int frame) const {
  return terms().acceleration_mps2(x.data(), frame);
}

double FeetProblem::cost(const Eigen::VectorXd& x, Normal* normal) const {
  double sum = 0.0;
  if (normal == nullptr) {
    terms().visit(x.data(), [&](double value, std::span<const Slope>) { sum += value * value; });
    return sum;
  }
  number();
  normal->matrix.set_zero();
  normal->border.setZero();
  normal->corner.setZero();
  normal->gradient.setZero();
  std::array<Slope, kLongestRow> free;
  std::vector<Slope> shared;
  terms().visit(x.data(), [&](double value, std::span<const Slope> slopes) {
    sum += value * value;
    std::size_t count = 0;
    shared.clear();
    for (const Slope& slope : slopes) {
      const int variable = variable_[slope.unknown];
      if (variable < 0 || slope.value == 0.0) continue;
      if (variable < banded_) {
        free[count++] = {variable, slope.value};
        continue;
      }
      // Several unknowns of a row may follow one shift.
      const auto same = std::ranges::find(shared, variable - banded_, &Slope::unknown);
      if (same == shared.end()) {
        shared.push_back({variable - banded_, slope.value});
      } else {
        same->value += slope.value;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      normal->gradient[free[i].unknown] += free[i].value * value;
      for (std::size_t j = 0; j <= i; ++j) {
        normal->matrix.add(free[i].unknown, free[j].unknown, free[i].value * free[j].value);
      }
      for (const Slope& of : shared) normal->border(free[i].unknown, of.unknown) += free[i].value * of.value;
    }
    for (const Slope& of : shared) {
      normal->gradient[banded_ + of.unknown] += of.value * value;
      for (const Slope& with : shared) normal->corner(of.unknown, with.unknown) += of.value * with.value;
    }
  });
  return sum;
}

void FeetProblem::residuals(const Eigen::VectorXd& x, std::vector<double>& values,
                            std::vector<std::vector<Slope>>& slopes) const {
  values.clear();
  slopes.clear();
  terms().visit(x.data(), [&](double value, std::span<const Slope> row) {
    values.push_back(value);
    slopes.emplace_back(row.begin(), row.end());
  });
}

}  // namespace shosa::feet
