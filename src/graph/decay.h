#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/core/state_bytes.h"
#include "shosa/core/types.h"

namespace shosa::graph {

/// A difference that dies out, or comes to what shall be left of it, with no rate and no change of rate at the end.
///
/// From x0 with rate v0 to x1 over `length_s`. The rate dies out first, over `rate_s`, which would leave the
/// difference at x0 + v0 rate_s / 2; from there it goes along p, the minimum-jerk step from 1 to 0. With G(u) the
/// integral of p from u to 1:
///     x(t) = x1 + (x0 + v0 rate / 2 - x1) p(t / length) - v0 rate G(t / rate).
/// Nothing swings beyond: |x'| <= |v0| at first, then 1.875 |x0 + v0 rate / 2 - x1| / length.
class Decay {
 public:
  static constexpr double kRate_s = 0.15;

  /// What is left when the rate has died out.
  static Vec3d left(const Vec3d& x0, const Vec3d& v0, double rate_s = kRate_s) { return x0 + (0.5 * rate_s) * v0; }

  void start(const Vec3d& x0, const Vec3d& v0, double length_s, double rate_s = kRate_s,
             const Vec3d& x1 = Vec3d::Zero()) {
    left_ = left(x0, v0, rate_s) - x1, v0_ = v0, end_ = x1, rate_s_ = rate_s;
    length_s_ = std::max(length_s, rate_s), time_s_ = 0.0;
  }
  void advance(double time_s) { time_s_ += time_s; }
  bool is_over() const { return time_s_ >= length_s_; }
  double length_s() const { return length_s_; }

  /// Now, or after some more time.
  Vec3d value(double after_s = 0.0) const {
    const double time_s = time_s_ + after_s;
    if (time_s >= length_s_) return end_;
    const double s = time_s / length_s_;
    Vec3d value = end_ + left_ * (1.0 - minimum_jerk_step(s));
    if (time_s < rate_s_) {
      const double u = time_s / rate_s_, u4 = u * u * u * u;
      value -= v0_ * (rate_s_ * (0.5 - u + u4 * (2.5 - 3.0 * u + u * u)));
    }
    return value;
  }
  Vec3d rate() const {
    if (is_over()) return Vec3d::Zero();
    const double s = time_s_ / length_s_, u = time_s_ / rate_s_;
    Vec3d rate = left_ * (-30.0 * s * s * (1.0 - s) * (1.0 - s) / length_s_);
    if (u < 1.0) rate += v0_ * (1.0 - minimum_jerk_step(u));
    return rate;
  }
  /// The same difference measured from elsewhere.
  void shift(const Vec3d& by) { end_ += by; }
  void visit_state(StateBytes& bytes) { bytes(left_, v0_, end_, length_s_, rate_s_, time_s_); }

 private:
  Vec3d left_ = Vec3d::Zero(), v0_ = Vec3d::Zero(), end_ = Vec3d::Zero();
  double length_s_ = 0.0, rate_s_ = kRate_s, time_s_ = 0.0;
};

inline Vec3d bounded(const Vec3d& v, double most) {
  return v * std::min(1.0, most / std::max(1e-9, v.norm()));
}

/// What follows a wanted value as a critically damped spring does, with bounded speed and acceleration: neither it nor
/// its rate ever steps, however the wanted value jumps.
class Follower {
 public:
  struct Pace {
    double per_s, most_speed, most_acceleration;
  };
  /// With v* = k (wanted - x) / 2 bounded, x'' = 2 k (v* - x') bounded.
  void follow(const Vec3d& wanted, const Pace& pace, double time_s) {
    const int steps = std::max(1, static_cast<int>(std::ceil(time_s / kStep_s - 1e-9)));
    const double step_s = time_s / steps;
    for (int i = 0; i < steps; ++i) {
      const Vec3d speed = bounded(0.5 * pace.per_s * (wanted - value_), pace.most_speed);
      rate_ += step_s * bounded(2.0 * pace.per_s * (speed - rate_), pace.most_acceleration);
      value_ += step_s * rate_;
    }
  }
  const Vec3d& value() const { return value_; }
  void visit_state(StateBytes& bytes) { bytes(value_, rate_); }

 private:
  static constexpr double kStep_s = 1.0 / 60.0;  ///< Longer ones would swing.
  Vec3d value_ = Vec3d::Zero(), rate_ = Vec3d::Zero();
};

/// How long a difference must last so that it adds no more than `speed` (same unit per second) to a motion.
inline double decay_length_s(double size, double speed) {
  return 1.875 * size / speed;
}

/// `vector` plus a whole turn where that lies nearer to `before`: what a difference was a frame ago.
inline Vec3d unwound(const Vec3d& vector, const Vec3d& before) {
  const double angle = vector.norm();
  if (angle < 1e-9) return vector;
  const Vec3d other = vector * (1.0 - 2.0 * M_PI / angle);
  return (other - before).squaredNorm() < (vector - before).squaredNorm() ? other : vector;
}

/// A difference and its rate now, from what it was one, two and three frames ago.
///
/// Where its last step differs from the one before by more than a fifth of `broken`, noise may be in it, and a sample
/// that was captured wrongly must not throw a limb about: then the rate is the smaller of both steps, and none where
/// they go against each other. A last value off by more than `broken` is such a sample, and what the two before it
/// foretell is taken.
struct Measured {
  Vec3d value, rate;
};
inline Measured measured(const Vec3d& last, const Vec3d& before, const Vec3d& earlier, double frame_time_s,
                         double broken) {
  Vec3d step = last - before;
  if ((step - (before - earlier)).norm() > 0.2 * broken) {
    for (int i = 0; i < 3; ++i) {
      const double a = last[i] - before[i], b = before[i] - earlier[i];
      step[i] = a * b <= 0.0 ? 0.0 : std::abs(a) < std::abs(b) ? a : b;
    }
  }
  const Vec3d foretold = before + step;
  return {(last - foretold).norm() > broken ? foretold : last, step / frame_time_s};
}

}  // namespace shosa::graph
