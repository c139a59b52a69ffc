#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "feet/foot_motion.h"
#include "shosa/feet/feet_follower.h"

namespace shosa::feet {

/// One number, its speed and its acceleration.
struct Rates {
  double x = 0.0, v = 0.0, a = 0.0;
};

/// From rates at one time to rates `length_s` later, along a polynomial of the fifth degree.
class Quintic {
 public:
  Quintic() = default;
  Quintic(const Rates& from, const Rates& to, double length_s);
  /// Before its begin and behind its end as there.
  Rates at(double time_s) const;
  double value(double time_s) const {
    const double u = std::clamp(time_s / length_s_, 0.0, 1.0);
    return c_[0] + u * (c_[1] + u * (c_[2] + u * (c_[3] + u * (c_[4] + u * c_[5]))));
  }

 private:
  std::array<double, 6> c_ = {};
  double length_s_ = 1.0;
};

inline Quintic::Quintic(const Rates& from, const Rates& to, double length_s) : length_s_(length_s) {
  // x(u) = sum c_i u^i, with u = t / length.
  const double t = length_s;
  c_[0] = from.x, c_[1] = from.v * t, c_[2] = 0.5 * from.a * t * t;
  const double x = to.x - c_[0] - c_[1] - c_[2], v = to.v * t - c_[1] - 2.0 * c_[2], a = to.a * t * t - 2.0 * c_[2];
  c_[3] = 10.0 * x - 4.0 * v + 0.5 * a;
  c_[4] = -15.0 * x + 7.0 * v - a;
  c_[5] = 6.0 * x - 3.0 * v + 0.5 * a;
}

inline Rates Quintic::at(double time_s) const {
  const double u = std::clamp(time_s / length_s_, 0.0, 1.0), per = 1.0 / length_s_;
  return {c_[0] + u * (c_[1] + u * (c_[2] + u * (c_[3] + u * (c_[4] + u * c_[5])))),
          per * (c_[1] + u * (2.0 * c_[2] + u * (3.0 * c_[3] + u * (4.0 * c_[4] + u * 5.0 * c_[5])))),
          per * per * (2.0 * c_[2] + u * (6.0 * c_[3] + u * (12.0 * c_[4] + u * 20.0 * c_[5])))};
}

/// How far a motion is changed from a time on, as `FeetFollower` found it.
///
/// Numbers that are given together form a group: the root's shift; of each foot the ball's shift over the ground, its
/// height, and the foot's turn. Where a stance gives a group it is what the stance asks, computed in each frame. In
/// between lies a swing: a base that takes over value and speed at both ends, plus what the solve found at the knots
/// beyond it, which is 0 at both ends.
class FeetPlan {
 public:
  static constexpr int kMostStances = 12;
  /// Held knots before the first sample, for differences in time: the change goes on backwards with its rates.
  static constexpr int kBefore = 2;

  explicit FeetPlan(const FollowedBody& body);

  /// A group of a foot, or of the root (-1).
  enum class Kind {
    root,
    over_ground,
    height,
    turn
  };
  struct Given {
    int first = 0, last = 0;  ///< Samples.
    Vec3d place_m = Vec3d::Zero();
    Quatd rotation = Quatd::Identity();
  };
  struct Swing {
    int begin = 0, end = 0;                  ///< Samples.
    bool ends = false;                       ///< In a stance; else with the window.
    int first_knot = 0, last_knot = -1;      ///< Free.
    std::array<Quintic, 3> base;             ///< From value to value, at rest at both ends …
    std::array<Quintic, 3> leaves, arrives;  ///< … and the speeds there, which die out soon.
    double arrives_s = 0.0;                  ///< Into the swing: from then on.
  };
  struct Group {
    Kind kind = Kind::root;
    int foot = -1;
    int unknown = 0;  ///< Of a frame: where axis 0 is.
    std::array<bool, 3> has = {true, true, true};
    int given_count = 0, swing_count = 0;
    std::array<Given, kMostStances> given;
    std::array<Swing, kMostStances + 1> swings;
  };

  void reset();
  /// Lays out stances and swings of a window from `time_s` on, as a change that goes on from `before`.
  void lay_out(double time_s, const FeetPlan& before, std::span<const FootMotion> motion,
               std::span<const std::span<const Stance>> stances);

  int per_frame() const { return 3 + 6 * static_cast<int>(feet_); }
  int knot_count() const { return knots_; }  ///< With those before.
  double knot_s() const { return knot_samples_ * step_s_; }
  /// Of a knot: its sample; negative before the window.
  int sample_of(int knot) const { return (knot - kBefore) * knot_samples_; }
  double begin_s() const { return begin_s_; }
  bool covers(double time_s) const {
    return samples_ > 0 && time_s >= begin_s_ && time_s <= begin_s_ + (samples_ - 1) * step_s_;
  }
  bool is_empty() const { return samples_ == 0; }
  std::span<const Group> groups() const { return groups_; }

  const Given* given_at(const Group& group, double sample) const;
  /// What a stance asks for: the change of a motion that has ball and foot there.
  static Vec3d asked(const Group& group, const Given& given, const Vec3d& ball_m, const Quatd& rotation);
  /// In a swing, or in one that is nearest where the sample lies in none.
  Rates swung(const Group& group, int axis, double sample) const;
  /// The values alone, for all axes at once.
  Vec3d swung_values(const Group& group, double sample) const;
  /// Of the base alone at a knot.
  double base(const Group& group, int axis, int knot) const;
  bool is_free(const Group& group, int knot) const;
  double& difference(const Group& group, int axis, int knot) {
    return difference_[knot * per_frame() + group.unknown + axis];
  }
  /// The sample at a time, within the window.
  double sample_at(double time_s) const;
  /// Rates at the window's begin, per unknown.
  const Rates& held(int unknown) const { return held_[unknown]; }

 private:
  Rates asked_rates(const Group& group, const Given& given, int axis, int sample,
                    std::span<const FootMotion> motion) const;
  /// `held`: its rates now. `is_first`: nothing was shown before.
  void lay_out(Group& group, std::array<Rates, 3> held, bool is_first, std::span<const FootMotion> motion,
               std::span<const Stance> stances);
  void add_swing(Group& group, int begin, int end, bool ends, const std::array<Rates, 3>& from,
                 const std::array<Rates, 3>& to);
  /// Between two knots, or a knot and an end of the swing: the knots, -1 for an end, and where that is.
  struct Stretch {
    int from = -1, to = -1;
    double begin_s = 0.0, end_s = 0.0;  ///< Into the swing.
  };
  Stretch stretch_at(const Swing& swing, double sample) const;
  Rates base_rates(const Swing& swing, int axis, double into_s) const;
  Rates knot_rates(const Group& group, const Swing& swing, int axis, int knot) const;
  const Swing& swing_at(const Group& group, double sample) const;

  std::size_t feet_;
  double step_s_;
  int knot_samples_;
  double begin_s_ = 0.0;
  int samples_ = 0, knots_ = 0;
  std::vector<Group> groups_;
  std::vector<double> difference_;
  std::vector<Rates> held_;
};

}  // namespace shosa::feet
