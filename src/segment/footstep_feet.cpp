#include "segment/footstep_feet.h"

#include <algorithm>
#include <cmath>

#include "segment/hump.h"
#include "segment/rotation_vector.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/segment/path_coefficients.h"
#include "shosa/segment/path_edit.h"

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
// Over which a foot takes up its captured speed as it leaves the ground, and gives it up as it comes down.
constexpr double kFade_s = 0.12;

/// The mean over `half` entries to both sides; fewer toward the end, where it is the entry itself.
std::vector<double> averaged(const std::vector<double>& list, int half) {
  std::vector<double> out(list.size());
  const int last = static_cast<int>(list.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    const int reach = std::min(half, last - i);
    double sum = 0.0;
    for (int j = i - reach; j <= i + reach; ++j) sum += list[static_cast<std::size_t>(std::max(j, 0))];
    out[static_cast<std::size_t>(i)] = sum / (2 * reach + 1);
  }
  return out;
}

class Roller {
 public:
  Roller(const Clip& clip, StandingFoot& foot) : dt_s_(clip.frame_time_s()), foot_(foot) {
    WorldPose world;
    Pose pose;
    const JointIndex toe = foot.toe_local.empty() ? kNoJoint : foot.limb->toe;
    for (int f = 0; f < clip.frame_count(); ++f) {
      clip.get_frame(f, pose);
      forward_kinematics(clip.skeleton(), pose, world);
      place_.push_back(world.positions[static_cast<std::size_t>(foot.limb->end)]);
      turn_.push_back(world.rotations[static_cast<std::size_t>(foot.limb->end)]);
      if (toe == kNoJoint) continue;
      toe_world_.push_back(world.rotations[static_cast<std::size_t>(toe)]);
      toe_local_.push_back(pose.rotation(toe).cast<double>());
      const auto parent = static_cast<std::size_t>(clip.skeleton().parent(toe));
      toe_parent_.push_back(turn_.back().conjugate() * world.rotations[parent]);
    }
    if (!foot.tips_in_toes.empty()) {
      for (const Vec3d& tip : foot.tips_in_toes) tip_ += tip / static_cast<double>(foot.tips_in_toes.size());
    }
  }

  void roll() {
    for (Stance& stance : foot_.stances) {
      if (!stance.flat) continue;
      trim(stance);
      stand(stance);
    }
    for (Stance& stance : foot_.stances) {
      if (!stance.flat && stance.first == 0 && flat_ != nullptr) push_off(stance);
    }
    for (std::size_t s = 0; s <= foot_.stances.size(); ++s) {
      const int frames = static_cast<int>(place_.size());
      swing(s == 0 ? -1 : foot_.stances[s - 1].last, s == foot_.stances.size() ? frames : foot_.stances[s].first);
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
  void trim(Stance& stance) const {
    const int most = std::max(1, static_cast<int>(kTrim_s / dt_s_));
    const auto moves = [&](int f, int g) {
      const auto heel = [&](int i) { return Vec3d(place_[at(i)] + turn_[at(i)] * foot_.heel_in_foot); };
      const auto tip = [&](int i) {
        const Vec3d ball = place_[at(i)] + turn_[at(i)] * foot_.ball_in_foot;
        return toe_world_.empty() ? ball : Vec3d(ball + toe_world_[at(i)] * tip_);
      };
      return (g > f ? (heel(g) - heel(f)).norm() : (tip(g) - tip(f)).norm()) > kMoves_mps * dt_s_;
    };
    if (stance.first > 0 && stance.heel_first == stance.first) {
      for (int i = 0; i < most && stance.first + 1 < stance.flat_first && moves(stance.first, stance.first + 1); ++i)
        stance.heel_first = ++stance.first;
    }
    if (stance.last + 1 < static_cast<int>(place_.size()) && stance.ball_last == stance.last) {
      for (int i = 0; i < most && stance.last - 1 > stance.flat_last && moves(stance.last, stance.last - 1); ++i)
        stance.ball_last = --stance.last;
    }
  }

  // The flat part without the heel's (or the toes') beginning rise.
  void shorten(Stance& stance) const {
    std::vector<double> ups;
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) ups.push_back(heel_up_rad(turn_[at(f)]));
    const auto middle = ups.begin() + static_cast<std::ptrdiff_t>(ups.size() / 2);
    std::nth_element(ups.begin(), middle, ups.end());
    const auto up = [&](int f) { return heel_up_rad(turn_[at(f)]) - *middle; };
    while (stance.flat_last > stance.flat_first + 1 && up(stance.flat_last) > kHeelRises_rad &&
           up(stance.flat_last) >= up(stance.flat_last - 1)) {
      --stance.flat_last;
    }
    while (stance.flat_first + 1 < stance.flat_last && up(stance.flat_first) < -kHeelRises_rad &&
           up(stance.flat_first) <= up(stance.flat_first + 1)) {
      ++stance.flat_first;
    }
  }

  void stand(Stance& stance) {
    const int long_first = stance.flat_first, long_last = stance.flat_last;
    shorten(stance);
    const int a = stance.flat_first, b = stance.flat_last;
    stance.turn = mean_rotation(turn_, a, b);
    stance.place_m.setZero();
    for (int f = a; f <= b; ++f) stance.place_m += place_[at(f)] / (b - a + 1);
    if (stance.heel_first == long_first) stance.heel_first = a;
    if (stance.ball_last == long_last) stance.ball_last = b;

    const Quatd toes = toe_world_.empty() ? stance.turn : mean_rotation(toe_world_, a, b);
    stance.ground_m = std::min(stance.place_m.y(), (stance.place_m + stance.turn * foot_.ball_in_foot).y());
    for (const Vec3d& tip : foot_.tips_in_toes) {
      const Vec3d base = toe_world_.empty() ? stance.place_m : Vec3d(stance.place_m + stance.turn * foot_.ball_in_foot);
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

    // The place that is least wrong over the whole stance.
    Vec3d shift = Vec3d::Zero();
    for (int f = stance.first; f <= stance.last; ++f) shift += place_[at(f)] - foot_.place_m[at(f)];
    shift /= stance.last - stance.first + 1;
    shift.y() = 0.0;
    stance.place_m += shift;
    for (int f = stance.first; f <= stance.last; ++f) foot_.place_m[at(f)] += shift;
  }

  // A stance that the clip's begin cuts to its end, on the toes: as captured, with the tip where it is on the mean but
  // for its tremble. The foot it would be when flat lies with its toes on that place.
  void push_off(Stance& stance) {
    if (toe_world_.empty() || tip_.norm() < 1e-3) return;
    const auto tip = [&](int f) {
      return Vec3d(place_[at(f)] + turn_[at(f)] * foot_.ball_in_foot + toe_world_[at(f)] * tip_);
    };
    Vec3d stands = Vec3d::Zero();
    for (int f = stance.first; f <= stance.last; ++f) stands += tip(f) / (stance.last - stance.first + 1);
    const int half = static_cast<int>(kTremble_s / dt_s_);
    for (int f = stance.first; f <= stance.last; ++f) {
      const int first = std::max(stance.first, f - half), last = std::min(stance.last, f + half);
      Vec3d shift = Vec3d::Zero();
      for (int g = first; g <= last; ++g) shift += (stands - tip(g)) / (last - first + 1);
      put(f, place_[at(f)] + shift, turn_[at(f)]);
      put_toes(f, toe_world_[at(f)]);
    }
    stance.flat_first = stance.flat_last = stance.heel_first = stance.first;
    stance.ball_last = stance.last;
    stance.place_m = stands - stance.turn * (foot_.ball_in_foot + toes_in_flat_foot_ * tip_);
    stance.ground_m =
        std::min({stance.place_m.y(), (stance.place_m + stance.turn * foot_.ball_in_foot).y(), stands.y()});
  }

  // From flat over the ball, then over the tip of the toes.
  void leave(const Stance& stance, const Quatd& toes) {
    const int b = stance.flat_last;
    const Vec3d held = log_rotation(stance.turn * turn_[at(b)].conjugate());
    const Vec3d ball = stance.place_m + stance.turn * foot_.ball_in_foot;
    // How far down the toes point.
    const auto down = [&](int f) {
      return -std::asin(std::clamp((toe_world_[at(f)] * tip_).y() / tip_.norm(), -1.0, 1.0));
    };
    // Captured toes tremble: they turn as far as they stay turned up to the end, and smoothly.
    std::vector<double> rise(at(stance.last - b + 1), 0.0);
    if (!toe_world_.empty() && tip_.norm() > 1e-3) {
      double least = 10.0;
      for (int f = stance.last; f >= b; --f) {
        least = std::min(least, down(f) - down(b));
        rise[at(f - b)] = std::max(least, 0.0);
      }
      rise = averaged(rise, static_cast<int>(kToesSmooth_s / dt_s_));
    }
    Vec3d along = stance.turn * (foot_.ball_in_foot - foot_.heel_in_foot);
    along.y() = 0.0;
    along.normalize();
    const Vec3d axis = Vec3d::UnitY().cross(along);
    for (int f = b + 1; f <= stance.last; ++f) {
      const double kept = 1.0 - minimum_jerk(static_cast<double>(f - b) / (stance.last - b));
      const Quatd turn = exp_rotation(kept * held) * turn_[at(f)];
      Vec3d ball_now = ball;
      Quatd toes_now = toes;
      if (const double pitch = past(rise[at(f - b)], kToesRise_rad); pitch > 0.0) {
        toes_now = Quatd(Eigen::AngleAxisd(pitch, axis)) * toes;
        ball_now = ball + toes * tip_ - toes_now * tip_;
      }
      // Captured balls rise and slide a little: what counts for the leg is that the ankle is as high as captured.
      Quatd rolled = turn;
      const double height = place_[at(f)].y() - place_[at(b)].y() + stance.place_m.y();
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
  void land(const Stance& stance) {
    const int a = stance.flat_first;
    const Vec3d held = log_rotation(stance.turn * turn_[at(a)].conjugate());
    Vec3d toe_held = Vec3d::Zero();
    if (!toe_local_.empty()) toe_held = log_rotation(toe_local_[at(a)].conjugate() * foot_.toe_local[at(a)]);
    for (int f = a - 1; f >= stance.first; --f) {
      const double kept = 1.0 - minimum_jerk(static_cast<double>(a - f) / (a - stance.first));
      const Quatd turn = exp_rotation(kept * held) * turn_[at(f)];
      // A ball may be still before the heel is, with the toes up: it is the heel that stands then.
      const bool toes_up = heel_up_rad(turn) < heel_up_rad(stance.turn);
      const Vec3d& pivot = f >= stance.heel_first || toes_up ? foot_.heel_in_foot : foot_.ball_in_foot;
      put(f, foot_.place_m[at(f + 1)] + foot_.turn[at(f + 1)] * pivot - turn * pivot, turn);
      if (!toe_local_.empty())
        foot_.toe_local[at(f)] = (toe_local_[at(f)] * exp_rotation(kept * toe_held)).normalized();
    }
  }

  void put(int f, const Vec3d& place, const Quatd& turn) {
    foot_.place_m[at(f)] = place;
    foot_.turn[at(f)] = turn.normalized();
  }
  void put_toes(int f, const Quatd& world_from_toes) {
    if (toe_local_.empty()) return;
    foot_.toe_local[at(f)] = ((foot_.turn[at(f)] * toe_parent_[at(f)]).conjugate() * world_from_toes).normalized();
  }

  // What the stances changed, shared out over the swing between them: by delta, and its speed dies out over a short
  // time.
  void swing(int from, int to) {
    const int frames = static_cast<int>(place_.size());
    if ((from < 0 && to >= frames) || to - from < 2) return;
    std::vector<double> share(at(to - from + 1), 0.0);
    if (from >= 0 && to < frames) {
      const auto speeds = path_speeds(std::vector<Vec3d>(place_.begin() + from, place_.begin() + to + 1));
      double total = 0.0, sum = 0.0;
      for (const double r : speeds) total += r;
      for (std::size_t i = 0; i < share.size(); ++i) {
        share[i] = total > 0.0 ? sum / total : static_cast<double>(i) / (to - from);
        if (i < speeds.size()) sum += speeds[i];
      }
    }
    const int a = from < 0 ? to : from, b = to >= frames ? from : to;
    const bool leaves = from > 0, lands = to + 1 < frames;
    const double fade = std::min(kFade_s / dt_s_, static_cast<double>(to - from));
    const auto faded = [&](double t) { return t < fade ? t * (1.0 - t / fade) * (1.0 - t / fade) : 0.0; };
    const auto spread = [&](const auto& change, const auto& apply) {
      const Vec3d first = change(a), last = change(b);
      const Vec3d first_speed = leaves ? Vec3d(first - change(a - 1)) : Vec3d(Vec3d::Zero());
      const Vec3d last_speed = lands ? Vec3d(change(b + 1) - last) : Vec3d(Vec3d::Zero());
      for (int f = from + 1; f < to; ++f) {
        const double x = share[at(f - from)];
        apply(f, Vec3d((1.0 - x) * first + x * last + (leaves ? faded(f - from) : 0.0) * first_speed -
                       (lands ? faded(to - f) : 0.0) * last_speed));
      }
    };
    spread([&](int f) { return Vec3d(foot_.place_m[at(f)] - place_[at(f)]); },
           [&](int f, const Vec3d& change) { foot_.place_m[at(f)] = place_[at(f)] + change; });
    spread([&](int f) { return log_rotation(foot_.turn[at(f)] * turn_[at(f)].conjugate()); },
           [&](int f, const Vec3d& change) { foot_.turn[at(f)] = (exp_rotation(change) * turn_[at(f)]).normalized(); });
    if (toe_local_.empty()) return;
    spread([&](int f) { return log_rotation(toe_local_[at(f)].conjugate() * foot_.toe_local[at(f)]); },
           [&](int f, const Vec3d& change) {
             foot_.toe_local[at(f)] = (toe_local_[at(f)] * exp_rotation(change)).normalized();
           });
  }

  double dt_s_;
  StandingFoot& foot_;
  Vec3d tip_ = Vec3d::Zero();
  const Stance* flat_ = nullptr;  // the longest
  Quatd toes_in_flat_foot_ = Quatd::Identity();
  std::vector<Vec3d> place_;
  std::vector<Quatd> turn_, toe_world_, toe_local_, toe_parent_;  // toe_parent_: foot_from_parent of the toes
};

}  // namespace

void roll_as_captured(const Clip& clip, StandingFoot& foot) {
  if (!foot.stances.empty()) Roller(clip, foot).roll();
}

}  // namespace shosa::segment
