#include "motions/foot_path.h"

#include <algorithm>
#include <cmath>

#include "scenes/limbs.h"
#include "scenes/plan.h"
#include "shosa/core/rotations.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

using scenes::hermite;

constexpr double kMostClear_m = 0.03;  ///< A step that is lifted higher on its way need not clear the floor by more.

Quatd pitched(double yaw_rad, double pitch_rad) {
  return about_y(yaw_rad) * Quatd(Eigen::AngleAxisd(pitch_rad, Vec3d::UnitX()));
}

/// The ankle of a foot that turns over a point of its sole which stays where the flat foot has it.
Vec3d rolled(const Foothold& hold, const Vec3d& pivot_from_ankle, double yaw_rad, double pitch_rad) {
  const Vec3d flat = hold.ground_m + Vec3d(0, kAnkleHeight_m, 0);
  return flat + about_y(hold.yaw_rad) * pivot_from_ankle - pitched(yaw_rad, pitch_rad) * pivot_from_ankle;
}

double turned(const std::vector<FootTurn>& turns, double from, double begin_s, double time_s) {
  double angle = from, before = from;
  for (const FootTurn& turn : turns) {
    if (turn.begin_s < begin_s) continue;
    angle += (turn.angle_rad - before) * solve::minimum_jerk_value(time_s, turn.begin_s, turn.end_s);
    before = turn.angle_rad;
  }
  return angle;
}

}  // namespace

Quatd foot_rotation(const FootState& state) {
  return pitched(state.yaw_rad, state.pitch_rad);
}

double lowest_m(const FootState& state) {
  const Quatd foot = foot_rotation(state);
  const Quatd toes = foot * Quatd(Eigen::AngleAxisd(state.toe_pitch_rad, Vec3d::UnitX()));
  const Vec3d ball = state.ankle + foot * kBallFromAnkle;
  // The ball's joint is 2 cm and the tip 1 cm above the sole.
  return std::min(
      {ball.y() - 0.02, (ball + toes * kTipFromBall).y() - 0.01, (state.ankle + foot * kHeelFromAnkle).y()});
}

const Foothold& FootPath::hold_after(int steps) const {
  return steps == 0 ? script_.start : script_.steps[static_cast<std::size_t>(steps) - 1].to;
}

FootState FootPath::standing(int steps, double time_s) const {
  const Foothold& hold = hold_after(steps);
  const Step* came = steps > 0 ? &script_.steps[static_cast<std::size_t>(steps) - 1] : nullptr;
  const Step* goes = steps < static_cast<int>(script_.steps.size()) ? &script_.steps[steps] : nullptr;
  FootState state{.yaw_rad = hold.yaw_rad};

  // Down: from the strike's pitch to flat, over the heel or over the ball.
  if (came != nullptr && came->flat_s > 0 && time_s < came->land_s + came->flat_s) {
    const double x = (time_s - came->land_s) / came->flat_s;
    // A minimum-jerk turn that has begun in the air.
    constexpr double kBegun = 0.4;
    const double rest = 1.0 - solve::minimum_jerk_value(kBegun + (1.0 - kBegun) * x, 0.0, 1.0);
    state.pitch_rad = came->strike_rad * rest / (1.0 - solve::minimum_jerk_value(kBegun, 0.0, 1.0));
    state.toe_pitch_rad = -std::max(0.0, state.pitch_rad);
    state.ankle = rolled(hold, came->strike_rad < 0 ? kHeelFromAnkle : kBallFromAnkle, hold.yaw_rad, state.pitch_rad);
    return state;
  }
  // Off: the heel rises faster and faster.
  const double begin_s = came != nullptr ? came->land_s : -1e9;
  double pitch = turned(script_.heel, 0.0, begin_s, time_s);
  state.yaw_rad = turned(script_.pivot, hold.yaw_rad, begin_s, time_s);
  if (goes != nullptr && goes->push_s > 0 && time_s > goes->lift_s - goes->push_s) {
    const double x = std::min(1.0, (time_s - goes->lift_s + goes->push_s) / goes->push_s);
    pitch += (goes->push_rad - pitch) * (1.0 - goes->push_late + goes->push_late * x) * x * x * (1.8 - 0.8 * x);
  }
  state.pitch_rad = pitch;
  state.toe_pitch_rad = -pitch;
  state.ankle = rolled(hold, kBallFromAnkle, state.yaw_rad, pitch);
  return state;
}

FootState FootPath::flying(const Step& step, int index, double time_s) const {
  const FootState from = standing(index, step.lift_s);
  FootState to = standing(index + 1, step.land_s);
  const double length_s = step.land_s - step.lift_s;
  const double x = (time_s - step.lift_s) / length_s;
  FootState state{.stands = false, .free_air = !step.via.empty()};

  // The speed with which the push leaves the ground is kept, and the leg draws the foot off at once.
  const double tick = 1e-3;
  Vec3d leave = 0.3 * (to.ankle - from.ankle) / length_s;
  // A sliding step stays low.
  const double rise = std::min(1.0, 70.0 * step.clear_m);
  leave.y() = 0.15 * rise;
  if (step.push_s > 0) leave += (from.ankle - standing(index, step.lift_s - tick).ankle) / tick;
  Vec3d arrive = step.above < 1.0 ? Vec3d(Vec3d::Zero()) : Vec3d(step.land_speed * (to.ankle - from.ankle) / length_s);
  arrive.y() = -0.25 * rise;

  if (step.via.empty()) {
    state.ankle =
        hermite<Vec3d>(from.ankle, leave, to.ankle, arrive, step.above * length_s, std::min(1.0, x / step.above));
    state.ankle.y() = hermite<double>(from.ankle.y(), leave.y(), to.ankle.y(), arrive.y(), length_s, x);
    state.ankle.y() += step.clear_m * 16.0 * x * x * (1.0 - x) * (1.0 - x);
    state.yaw_rad = from.yaw_rad + (to.yaw_rad - from.yaw_rad) * solve::minimum_jerk_value(x, 0.0, 1.0);
    // The foot is raised at the ankle before it lands, so that it need not be carried high.
    constexpr double kRaised = 0.92;
    state.pitch_rad =
        hermite<double>(from.pitch_rad, 1.5 * rise, to.pitch_rad, 0.0, kRaised * length_s, std::min(1.0, x / kRaised));
  } else {
    // Through the waypoints with the speed of their neighbours' chord; the turning point rests.
    struct Place {
      double time_s;
      Vec3d ankle;
      double pitch;
      Vec3d velocity;
      double rate;
      double yaw;
    };
    std::vector<Place> places = {{step.lift_s, from.ankle, from.pitch_rad, leave, 0.0, from.yaw_rad}};
    for (const Via& via : step.via)
      places.push_back({via.time_s, via.ankle_m, via.pitch_rad, Vec3d::Zero(), 0.0, via.yaw_rad});
    places.push_back({step.land_s, to.ankle, to.pitch_rad, arrive, 0.0, to.yaw_rad});
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
      const double span = places[i + 1].time_s - places[i - 1].time_s;
      places[i].velocity = (places[i + 1].ankle - places[i - 1].ankle) / span;
      places[i].rate = (places[i + 1].pitch - places[i - 1].pitch) / span;
    }
    std::size_t i = 0;
    while (i + 2 < places.size() && time_s > places[i + 1].time_s) ++i;
    const Place &a = places[i], &b = places[i + 1];
    const double span = b.time_s - a.time_s, u = (time_s - a.time_s) / span;
    state.ankle = hermite<Vec3d>(a.ankle, a.velocity, b.ankle, b.velocity, span, u);
    state.yaw_rad = a.yaw + (b.yaw - a.yaw) * solve::minimum_jerk_value(u, 0.0, 1.0);
    state.pitch_rad = hermite<double>(a.pitch, a.rate, b.pitch, b.rate, span, u);
  }
  // The toes straighten once they have left the ground.
  state.toe_pitch_rad = from.toe_pitch_rad * (1.0 - solve::minimum_jerk_value(x, 0.0, 0.6)) +
                        to.toe_pitch_rad * solve::minimum_jerk_value(x, 0.6, 1.0);
  state.guide_share = step.smooth;
  state.air = x;
  state.clear_m = std::min(step.clear_m, kMostClear_m);
  state.ground_m = std::min(hold_after(index).ground_m.y(), hold_after(index + 1).ground_m.y());
  return state;
}

FootState FootPath::at(double time_s) const {
  // Frames often fall on a landing; rounding must not decide differently from one cycle to the next.
  constexpr double kRounding_s = 1e-9;
  int landed = 0;
  for (const Step& step : script_.steps) {
    if (time_s < step.land_s - kRounding_s) {
      if (time_s > step.lift_s + kRounding_s) return flying(step, landed, time_s);
      break;
    }
    ++landed;
  }
  return standing(landed, time_s);
}

std::vector<TimeInterval> FootPath::toe_contacts(double end_s) const {
  std::vector<TimeInterval> list;
  const TimeInterval whole{0.0, end_s};
  double begin_s = -1e9;
  for (const Step& step : script_.steps) {
    scenes::add_clipped(list, {begin_s, step.lift_s}, whole);
    begin_s = step.strike_rad < 0 ? step.land_s + step.flat_s : step.land_s;
  }
  scenes::add_clipped(list, {begin_s, 1e9}, whole);
  return list;
}

std::vector<TimeInterval> FootPath::heel_contacts(double end_s) const {
  // Sampled finely: heel turns, pivots and pushes all lift it.
  std::vector<TimeInterval> list;
  const double tick = 1.0 / 240.0;
  const int count = static_cast<int>(std::floor(end_s / tick + 1e-9));
  int run = -1;
  Vec3d place = Vec3d::Zero();
  for (int i = 0; i <= count + 1; ++i) {
    const FootState state = at(std::min(i * tick, end_s));
    const Vec3d heel = state.ankle + foot_rotation(state) * kHeelFromAnkle;
    const bool still =
        i <= count && state.stands && state.pitch_rad < 0.01 && (run < 0 || (heel - place).norm() < 1e-4);
    if (still && run < 0) {
      run = i;
      place = heel;
    } else if (!still && run >= 0) {
      if (i - 1 - run >= 8) list.push_back({run * tick, (i - 1) * tick});
      run = state.stands && state.pitch_rad < 0.01 && i <= count ? i : -1;
      place = heel;
    }
  }
  return list;
}

}  // namespace shosa::motions
