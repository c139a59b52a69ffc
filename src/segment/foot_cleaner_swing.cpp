#include <algorithm>
#include <cmath>
#include <limits>

#include "segment/foot_cleaner.h"
#include "segment/rotation_vector.h"
#include "shosa/segment/path_edit.h"
#include "shosa/segment/smooth_below.h"

namespace shosa::segment {
namespace {

// Over which a foot takes up its captured speed as it leaves the ground, and gives it up as it comes down.
constexpr double kFade_s = 0.12;
// Over about which a foot is raised that would go below the ground.
constexpr double kRaise_s = 0.04;

}  // namespace

// What the stances changed, shared out over the swings between them.
void FootCleaner::swing() {
  for (std::size_t s = 0; s <= out_.stances.size(); ++s) {
    const int from = s == 0 ? -1 : out_.stances[s - 1].last;
    const int to = s == out_.stances.size() ? frames_ : out_.stances[s].first;
    if (out_.stances.empty() || to - from < 2) continue;
    const int a = from < 0 ? to : from, b = to >= frames_ ? from : to;
    std::vector<double> share(static_cast<std::size_t>(to - from + 1), 0.0);
    if (from >= 0 && to < frames_) {
      const std::vector<Vec3d> way(place_.begin() + from, place_.begin() + to + 1);
      const auto speeds = path_speeds(way);
      double total = 0.0, sum = 0.0;
      for (const double r : speeds) total += r;
      for (std::size_t i = 0; i < share.size(); ++i) {
        share[i] = total > 0.0 ? sum / total : static_cast<double>(i) / (to - from);
        if (i < speeds.size()) sum += speeds[i];
      }
    }
    const auto place_off = [&](int f) {
      return Vec3d(out_.place_m[static_cast<std::size_t>(f)] - place_[static_cast<std::size_t>(f)]);
    };
    const auto turn_off = [&](int f) {
      return log_rotation(out_.turn[static_cast<std::size_t>(f)] * turn_[static_cast<std::size_t>(f)].conjugate());
    };
    const auto toe_off = [&](int f) {
      return limb_.toe == kNoJoint ? Vec3d(Vec3d::Zero())
                                   : log_rotation(toe_local_[static_cast<std::size_t>(f)].conjugate() *
                                                  out_.toe_local[static_cast<std::size_t>(f)]);
    };
    // How fast each change still changes where the foot leaves or comes down: it dies out over a short time, so that
    // a foot that is let go takes up the captured speed without a jerk.
    const bool leaves = from > 0, lands = to + 1 < frames_;
    const double fade = std::min(kFade_s / clip_.frame_time_s(), static_cast<double>(to - from));
    const auto faded = [&](double t) { return t < fade ? t * (1.0 - t / fade) * (1.0 - t / fade) : 0.0; };
    struct Change {
      Vec3d from, to, from_speed, to_speed;
    };
    const auto change = [&](const auto& off) {
      Change out{off(a), off(b), Vec3d::Zero(), Vec3d::Zero()};
      if (leaves) out.from_speed = out.from - off(a - 1);
      if (lands) out.to_speed = off(b + 1) - out.to;
      return out;
    };
    const Change place = change(place_off), turn = change(turn_off), toe = change(toe_off);
    for (int f = from + 1; f < to; ++f) {
      const auto i = static_cast<std::size_t>(f);
      const double x = share[static_cast<std::size_t>(f - from)];
      const double out = leaves ? faded(f - from) : 0.0, in = lands ? faded(to - f) : 0.0;
      const auto at = [&](const Change& c) {
        return Vec3d((1.0 - x) * c.from + x * c.to + out * c.from_speed - in * c.to_speed);
      };
      out_.place_m[i] = place_[i] + at(place);
      out_.turn[i] = (exp_rotation(at(turn)) * turn_[i]).normalized();
      if (limb_.toe != kNoJoint) out_.toe_local[i] = (toe_local_[i] * exp_rotation(at(toe))).normalized();
    }
    const auto ground = [&](std::size_t stance) { return out_.stances[stance].ground_m; };
    clear_ground(from, to, std::min(ground(s == 0 ? s : s - 1), ground(s == out_.stances.size() ? s - 1 : s)));
  }
}

/// World y of the lowest of ankle, ball and tips.
double FootCleaner::lowest_at(const Vec3d& place, const Quatd& turn, const Quatd& world_from_toes) const {
  const Vec3d ball = place + turn * out_.ball_in_foot;
  double y = std::min(place.y(), ball.y());
  for (const Vec3d& tip : out_.tips_in_toes) {
    y = std::min(y, limb_.toe == kNoJoint ? (place + turn * tip).y() : (ball + world_from_toes * tip).y());
  }
  return y;
}

// A foot that was laid on the ground comes from lower down than the captured one, and its toes, still turned, would go
// into the ground: they go no deeper than the ground of the stances, or than the captured ones went.
void FootCleaner::clear_ground(int from, int to, double ground_m) {
  const auto count = static_cast<std::size_t>(to - from - 1);
  // Two entries of 0 before and after stand for the stances, which stay.
  std::vector<double> weight(count + 4, 1.0), target(count + 4, 0.0), lift(count + 4, 0.0);
  std::vector<double> most(count + 4, std::numeric_limits<double>::infinity());
  bool deep = false;
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(from + 1) + k;
    const Quatd toes = limb_.toe == kNoJoint ? out_.turn[i] : Quatd(out_.turn[i] * toe_parent_[i] * out_.toe_local[i]);
    const double now = lowest_at(out_.place_m[i], out_.turn[i], toes);
    const double before = lowest_at(place_[i], turn_[i], limb_.toe == kNoJoint ? turn_[i] : toe_world_[i]);
    most[k + 2] = now - std::min(ground_m, before);
    deep |= most[k + 2] < 0.0;
  }
  if (!deep) return;
  for (const std::size_t k : {count + 2, count + 3}) weight[k] = 1e6;
  smooth_below({weight, target, most, std::pow(kRaise_s / clip_.frame_time_s(), 4), 2}, lift);
  for (std::size_t k = 0; k < count; ++k) out_.place_m[static_cast<std::size_t>(from + 1) + k].y() -= lift[k + 2];
}

}  // namespace shosa::segment
