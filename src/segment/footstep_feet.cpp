#include "segment/footstep_feet.h"

#include <algorithm>
#include <cmath>

#include "segment/captured_foot.h"
#include "segment/hump.h"
#include "segment/path_coefficients.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::segment {
namespace {

// A heel higher than this over its middle, and rising to the end of the flat part, is no longer flat.
constexpr double kHeelRises_rad = 0.004;
// Toes turned by less than this lie on the ground; beyond it they count, without a kink.
constexpr double kToesRise_rad = 0.03;
constexpr double kToesSmooth_s = 0.025;
constexpr double kTremble_s = 0.05;
// By how much a stance may be shorter than its contact, at either end, and from which speed on.
constexpr double kTrim_s = 0.035;
constexpr double kMoves_mps = 0.12;

/// The mean over `half` entries to both sides; fewer toward the end, where it is the entry itself.
std::vector<double> averaged(const std::vector<double>& list, int half) {
  std::vector<double> out(list.size());
  const int last = static_cast<int>(list.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    const int reach = std::min(half, last - i);
    double sum = 0.0;
    for (int j = i - reach; j <= i + reach; ++j) sum += list[std::max(j, 0)];
    out[i] = sum / (2 * reach + 1);
  }
  return out;
}

class Roller {
 public:
  Roller(const Clip& clip, StandingFoot& foot) : foot_(foot), captured_(captured_foot(clip, *foot.limb)) {
    if (!foot.tips_in_toes.empty()) {
      for (const Vec3d& tip : foot.tips_in_toes) tip_ += tip / static_cast<double>(foot.tips_in_toes.size());
    }
  }

  void roll() {
    for (StillStance& stance : foot_.stances) {
      if (!stance.flat) continue;
      trim(stance);
      stand(stance);
    }
    for (StillStance& stance : foot_.stances) {
      if (!stance.flat && stance.first == 0 && flat_ != nullptr) push_off(stance);
    }
    for (std::size_t s = 0; s <= foot_.stances.size(); ++s) {
      const int frames = captured_.frame_count();
      spread_over_swing(captured_, s == 0 ? -1 : foot_.stances[s - 1].last,
                        s == foot_.stances.size() ? frames : foot_.stances[s].first, foot_);
    }
  }

 private:
  static std::size_t at(int f) { return static_cast<std::size_t>(f); }

  double heel_up_rad(const Quatd& turn) const {
    const Vec3d sole = foot_.ball_in_foot - foot_.heel_in_foot;
    return -std::asin(std::clamp((turn * sole).y() / std::max(sole.norm(), 1e-6), -1.0, 1.0));
  }

  // A stance begins and ends where the point that is to stand still moves no faster than captured feet slide: contacts
  // may be found a frame early, or late.
  void trim(StillStance& stance) const {
    const int most = std::max(1, static_cast<int>(kTrim_s / captured_.dt_s));
    const auto moves = [&](int f, int g) {
      const auto heel = [&](int i) {
        return Vec3d(captured_.place_m[at(i)] + captured_.turn[at(i)] * foot_.heel_in_foot);
      };
      const auto tip = [&](int i) {
        const Vec3d ball = captured_.place_m[at(i)] + captured_.turn[at(i)] * foot_.ball_in_foot;
        return captured_.toe_world.empty() ? ball : Vec3d(ball + captured_.toe_world[at(i)] * tip_);
      };
      return (g > f ? (heel(g) - heel(f)).norm() : (tip(g) - tip(f)).norm()) > kMoves_mps * captured_.dt_s;
    };
    if (stance.first > 0 && stance.heel_first == stance.first) {
      for (int i = 0; i < most && stance.first + 1 < stance.flat_first && moves(stance.first, stance.first + 1); ++i)
        stance.heel_first = ++stance.first;
    }
    if (stance.last + 1 < captured_.frame_count() && stance.ball_last == stance.last) {
      for (int i = 0; i < most && stance.last - 1 > stance.flat_last && moves(stance.last, stance.last - 1); ++i)
        stance.ball_last = --stance.last;
    }
  }

  // The flat part without the heel's (or the toes') beginning rise.
  void shorten(StillStance& stance) const {
    std::vector<double> ups;
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) ups.push_back(heel_up_rad(captured_.turn[at(f)]));
    const auto middle = ups.begin() + static_cast<std::ptrdiff_t>(ups.size() / 2);
    std::nth_element(ups.begin(), middle, ups.end());
    const auto up = [&](int f) { return heel_up_rad(captured_.turn[at(f)]) - *middle; };
    while (stance.flat_last > stance.flat_first + 1 && up(stance.flat_last) > kHeelRises_rad &&
           up(stance.flat_last) >= up(stance.flat_last - 1)) {
      --stance.flat_last;
    }
    while (stance.flat_first + 1 < stance.flat_last && up(stance.flat_first) < -kHeelRises_rad &&
           up(stance.flat_first) <= up(stance.flat_first + 1)) {
      ++stance.flat_first;
    }
  }

  void stand(StillStance& stance) {
    const int long_first = stance.flat_first, long_last = stance.flat_last;
    shorten(stance);
    const int a = stance.flat_first, b = stance.flat_last;
    stance.turn = mean_rotation(captured_.turn, a, b);
    stance.place_m.setZero();
    for (int f = a; f <= b; ++f) stance.place_m += captured_.place_m[at(f)] / (b - a + 1);
    if (stance.heel_first == long_first) stance.heel_first = a;
    if (stance.ball_last == long_last) stance.ball_last = b;

    const Quatd toes = captured_.toe_world.empty() ? stance.turn : mean_rotation(captured_.toe_world, a, b);
    stance.ground_m = std::min(stance.place_m.y(), (stance.place_m + stance.turn * foot_.ball_in_foot).y());
    for (const Vec3d& tip : foot_.tips_in_toes) {
      const Vec3d base =
          captured_.toe_world.empty() ? stance.place_m : Vec3d(stance.place_m + stance.turn * foot_.ball_in_foot);
      stance.ground_m = std::min(stance.ground_m, (base + toes * tip).y());
    }
    for (int f = a; f <= b; ++f) {
      put(f, stance.place_m, stance.turn);
      put_toes(f, toes);
    }
    leave(stance, toes);
    land(stance);
    if (flat_ == nullptr || b - a > flat_->flat_last - flat_->flat_first) {
      flat_ = &stance;
      toes_in_flat_foot_ = stance.turn.conjugate() * toes;
    }

    centre_stance(captured_, stance, foot_);
  }

  // A stance that the clip's begin cuts to its end, on the toes: as captured, with the tip where it is on the mean but
  // for its tremble. The foot it would be when flat lies with its toes on that place.
  void push_off(StillStance& stance) {
    if (captured_.toe_world.empty() || tip_.norm() < 1e-3) return;
    const auto tip = [&](int f) {
      return Vec3d(captured_.place_m[at(f)] + captured_.turn[at(f)] * foot_.ball_in_foot +
                   captured_.toe_world[at(f)] * tip_);
    };
    Vec3d stands = Vec3d::Zero();
    for (int f = stance.first; f <= stance.last; ++f) stands += tip(f) / (stance.last - stance.first + 1);
    const int half = static_cast<int>(kTremble_s / captured_.dt_s);
    for (int f = stance.first; f <= stance.last; ++f) {
      const int first = std::max(stance.first, f - half), last = std::min(stance.last, f + half);
      Vec3d shift = Vec3d::Zero();
      for (int g = first; g <= last; ++g) shift += (stands - tip(g)) / (last - first + 1);
      put(f, captured_.place_m[at(f)] + shift, captured_.turn[at(f)]);
      put_toes(f, captured_.toe_world[at(f)]);
    }
    stance.flat_first = stance.flat_last = stance.heel_first = stance.first;
    stance.ball_last = stance.last;
    stance.place_m = stands - stance.turn * (foot_.ball_in_foot + toes_in_flat_foot_ * tip_);
    stance.ground_m =
        std::min({stance.place_m.y(), (stance.place_m + stance.turn * foot_.ball_in_foot).y(), stands.y()});
  }

  // From flat over the ball, then over the tip of the toes.
  void leave(const StillStance& stance, const Quatd& toes) {
    const int b = stance.flat_last;
    const Vec3d held = log_rotation(stance.turn * captured_.turn[at(b)].conjugate());
    const Vec3d ball = stance.place_m + stance.turn * foot_.ball_in_foot;
    // How far down the toes point.
    const auto down = [&](int f) {
      return -std::asin(std::clamp((captured_.toe_world[at(f)] * tip_).y() / tip_.norm(), -1.0, 1.0));
    };
    // Captured toes tremble: they turn as far as they stay turned up to the end, and smoothly.
    std::vector<double> rise(at(stance.last - b + 1), 0.0);
    if (!captured_.toe_world.empty() && tip_.norm() > 1e-3) {
      double least = 10.0;
      for (int f = stance.last; f >= b; --f) {
        least = std::min(least, down(f) - down(b));
        rise[at(f - b)] = std::max(least, 0.0);
      }
      rise = averaged(rise, static_cast<int>(kToesSmooth_s / captured_.dt_s));
    }
    Vec3d along = stance.turn * (foot_.ball_in_foot - foot_.heel_in_foot);
    along.y() = 0.0;
    along.normalize();
    const Vec3d axis = Vec3d::UnitY().cross(along);
    for (int f = b + 1; f <= stance.last; ++f) {
      const double kept = 1.0 - minimum_jerk_step(static_cast<double>(f - b) / (stance.last - b));
      const Quatd turn = exp_rotation(kept * held) * captured_.turn[at(f)];
      Vec3d ball_now = ball;
      Quatd toes_now = toes;
      if (const double pitch = past(rise[at(f - b)], kToesRise_rad); pitch > 0.0) {
        toes_now = Quatd(Eigen::AngleAxisd(pitch, axis)) * toes;
        ball_now = ball + toes * tip_ - toes_now * tip_;
      }
      // Captured balls rise and slide a little: what counts for the leg is that the ankle is as high as captured.
      Quatd rolled = turn;
      const double height = captured_.place_m[at(f)].y() - captured_.place_m[at(b)].y() + stance.place_m.y();
      for (int i = 0; i < 2; ++i) {
        const Vec3d to_ankle = -(rolled * foot_.ball_in_foot);
        const double behind = -to_ankle.dot(along), length = std::max(to_ankle.norm(), 1e-3);
        const double missing = height - ball_now.y() - to_ankle.y();
        rolled = Quatd(Eigen::AngleAxisd(std::clamp(missing * behind / (length * length), -0.1, 0.1), axis)) * rolled;
      }
      put(f, ball_now - rolled * foot_.ball_in_foot, rolled);
      put_toes(f, toes_now);
    }
  }

  // Onto the heel (or the ball, where that comes down first), then flat.
  void land(const StillStance& stance) {
    const int a = stance.flat_first;
    const Vec3d held = log_rotation(stance.turn * captured_.turn[at(a)].conjugate());
    Vec3d toe_held = Vec3d::Zero();
    if (!captured_.toe_local.empty())
      toe_held = log_rotation(captured_.toe_local[at(a)].conjugate() * foot_.toe_local[at(a)]);
    for (int f = a - 1; f >= stance.first; --f) {
      const double kept = 1.0 - minimum_jerk_step(static_cast<double>(a - f) / (a - stance.first));
      const Quatd turn = exp_rotation(kept * held) * captured_.turn[at(f)];
      // A ball may be still before the heel is, with the toes up: it is the heel that stands then.
      const bool toes_up = heel_up_rad(turn) < heel_up_rad(stance.turn);
      const Vec3d& pivot = f >= stance.heel_first || toes_up ? foot_.heel_in_foot : foot_.ball_in_foot;
      put(f, foot_.place_m[at(f + 1)] + foot_.turn[at(f + 1)] * pivot - turn * pivot, turn);
      if (!captured_.toe_local.empty())
        foot_.toe_local[at(f)] = (captured_.toe_local[at(f)] * exp_rotation(kept * toe_held)).normalized();
    }
  }

  void put(int f, const Vec3d& place, const Quatd& turn) {
    foot_.place_m[at(f)] = place;
    foot_.turn[at(f)] = turn.normalized();
  }
  void put_toes(int f, const Quatd& world_from_toes) {
    if (captured_.toe_local.empty()) return;
    foot_.toe_local[at(f)] =
        ((foot_.turn[at(f)] * captured_.toe_parent[at(f)]).conjugate() * world_from_toes).normalized();
  }

  StandingFoot& foot_;
  const CapturedFoot captured_;
  Vec3d tip_ = Vec3d::Zero();
  const StillStance* flat_ = nullptr;  // the longest
  Quatd toes_in_flat_foot_ = Quatd::Identity();
};

}  // namespace

void roll_as_captured(const Clip& clip, StandingFoot& foot) {
  if (!foot.stances.empty()) Roller(clip, foot).roll();
}

}  // namespace shosa::segment
