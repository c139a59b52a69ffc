#pragma once

#include <Eigen/Core>

#include "shosa/core/state_bytes.h"

namespace shosa::character {

/// Values that are led to where they should be by the smoothest way there: least integral of jerk squared, from the
/// place, rate and acceleration they have to rest at the target after `time_s` (Flash and Hogan 1985; Hoff and Arbib
/// 1993). The target may be another one in every frame: what is left of the way is the best from there, so that the
/// values are smooth to the acceleration whatever happens.
template <int N>
struct MinJerk {
  using Values = Eigen::Matrix<double, N, 1>;
  Values value = Values::Zero(), rate = Values::Zero(), acceleration = Values::Zero();

  /// One step of `step_s` towards rest at `target` in `time_s` from now.
  void lead(const Values& target, double time_s, double step_s) {
    if (time_s <= step_s) {
      // No time is left: at the target, with what rate a step of this length has.
      rate = (target - value) / step_s;
      acceleration.setZero();
      value = target;
      return;
    }
    const double t = time_s, h = step_s;
    const Values way = target - value;
    // x(s) = value + rate s + acceleration s^2 / 2 + c3 s^3 + c4 s^4 + c5 s^5.
    const Values c3 = (10.0 * way - 6.0 * rate * t - 1.5 * acceleration * t * t) / (t * t * t);
    const Values c4 = (-15.0 * way + 8.0 * rate * t + 1.5 * acceleration * t * t) / (t * t * t * t);
    const Values c5 = (6.0 * way - 3.0 * rate * t - 0.5 * acceleration * t * t) / (t * t * t * t * t);
    value += h * (rate + h * (0.5 * acceleration + h * (c3 + h * (c4 + h * c5))));
    const Values next_rate = rate + h * (acceleration + h * (3.0 * c3 + h * (4.0 * c4 + h * 5.0 * c5)));
    acceleration += h * (6.0 * c3 + h * (12.0 * c4 + h * 20.0 * c5));
    rate = next_rate;
  }
  /// The same towards a target that goes on at `target_rate`: it is met after `time_s`, and at its rate.
  void meet(const Values& target, const Values& target_rate, double time_s, double step_s) {
    value -= target, rate -= target_rate;
    lead(Values::Zero(), time_s, step_s);
    value += target + step_s * target_rate, rate += target_rate;
  }
  /// Moved from outside: the rate follows, the acceleration is forgotten.
  void put(const Values& at, double step_s) {
    rate = (at - value) / step_s;
    acceleration.setZero();
    value = at;
  }
  void rest(const Values& at) { value = at, rate.setZero(), acceleration.setZero(); }
  void visit_state(StateBytes& bytes) { bytes(value, rate, acceleration); }
  bool is_zero() const { return value.isZero(0.0) && rate.isZero(0.0) && acceleration.isZero(0.0); }
};

}  // namespace shosa::character
