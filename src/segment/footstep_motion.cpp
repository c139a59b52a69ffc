#include "shosa/segment/footstep_motion.h"

#include <algorithm>
#include <cmath>

#include "shosa/segment/path_coefficients.h"

namespace shosa::segment {
namespace {

Quatd about_y(double angle) {
  return Quatd(std::cos(0.5 * angle), 0.0, std::sin(0.5 * angle), 0.0);
}

/// Rises from 0 to 1 at `at` and falls to 0 again, without speed at either end or at the top.
double hump(double x, double at) {
  return x < at ? minimum_jerk(x / at) : minimum_jerk((1.0 - x) / (1.0 - at));
}

/// Cubic Hermite basis.
template <class T>
T hermite(const T& p0, const T& m0, const T& p1, const T& m1, double span, double x) {
  const double x2 = x * x, x3 = x2 * x;
  return (2.0 * x3 - 3.0 * x2 + 1.0) * p0 + span * (x3 - 2.0 * x2 + x) * m0 + (3.0 * x2 - 2.0 * x3) * p1 +
         span * (x3 - x2) * m1;
}

}  // namespace

FootstepMotion::FootstepMotion(std::shared_ptr<const FootstepSource> source)
    : source_(std::move(source)),
      places_(source_->steps_.size()),
      carries_(source_->steps_.size()),
      knots_(source_->knots_.size()),
      lifts_(source_->swings_.size() * kLifts) {
  reset();
}

void FootstepMotion::reset() {
  for (std::size_t s = 0; s < places_.size(); ++s) places_[s] = {.place_m = source_->steps_[s].place_m};
  update();
}

void FootstepMotion::set_place(int step, const StepPlace& place) {
  places_[static_cast<std::size_t>(step)] = place;
}

void FootstepMotion::update(const Terrain* terrain, double clearance_m) {
  for (std::size_t s = 0; s < places_.size(); ++s) {
    Carry& carry = carries_[s];
    carry = {about_y(places_[s].turn_rad), places_[s].tilt, source_->steps_[s].place_m, places_[s].place_m};
    // On a slope it is still the ankle that stands over the place.
    const SourceStep& step = source_->steps_[s];
    const Stance& stance =
        source_->feet_.feet[static_cast<std::size_t>(step.foot)].stances[static_cast<std::size_t>(step.stance)];
    const Vec3d ankle = carry.tilt * Vec3d(0.0, stance.place_m.y() - stance.ground_m, 0.0);
    carry.to -= Vec3d(ankle.x(), 0.0, ankle.z());
  }

  // The line through the hips at mid-stance, before and after. Where several feet stand, their mean.
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    const FootstepSource::Knot& own = source_->knots_[k];
    Knot& knot = knots_[k];
    knot.source = own.hips_m;
    knot.source.y() = 0.0;
    knot.target = Vec3d::Zero();
    knot.turn = 0.0;
    for (const int step : own.steps) {
      const Carry& carry = carries_[static_cast<std::size_t>(step)];
      Vec3d moved = carry.level(own.hips_m);
      moved.y() = carry.to.y() - carry.from.y();
      knot.target += moved / static_cast<double>(own.steps.size());
      knot.turn += places_[static_cast<std::size_t>(step)].turn_rad / static_cast<double>(own.steps.size());
    }
  }
  // Slopes through three knots; at the ends the path goes on rigidly.
  const auto count = knots_.size();
  for (std::size_t k = 0; k < count; ++k) {
    Knot& knot = knots_[k];
    const auto frame = [&](std::size_t i) { return source_->knots_[i].frame; };
    if (k == 0 || k + 1 == count) {
      const std::size_t a = k == 0 ? 0 : k - 1, b = std::min(a + 1, count - 1);
      knot.source_slope = b > a ? Vec3d((knots_[b].source - knots_[a].source) / (frame(b) - frame(a))) : Vec3d::Zero();
      knot.target_slope = about_y(knot.turn) * knot.source_slope;
      knot.turn_slope = 0.0;
      continue;
    }
    const double before = frame(k) - frame(k - 1), after = frame(k + 1) - frame(k);
    const auto slope = [&](const auto& a, const auto& b, const auto& c) {
      return ((b - a) * (after / before) + (c - b) * (before / after)) / (before + after);
    };
    knot.source_slope = slope(knots_[k - 1].source, knot.source, knots_[k + 1].source);
    knot.target_slope = slope(knots_[k - 1].target, knot.target, knots_[k + 1].target);
    knot.turn_slope = slope(knots_[k - 1].turn, knot.turn, knots_[k + 1].turn);
  }

  std::fill(lifts_.begin(), lifts_.end(), Lift{});
  if (terrain == nullptr) return;
  for (std::size_t i = 0; i < source_->swings_.size(); ++i) {
    const auto& swing = source_->swings_[i];
    if (swing.from < 0 || swing.to < 0) continue;
    lift_swing(i, source_->steps_[static_cast<std::size_t>(swing.to)].foot, *terrain, clearance_m);
  }
}

int FootstepMotion::frame_to_decide(int step) const {
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    if (std::ranges::count(source_->knots_[k].steps, step) == 0) continue;
    const int body = k >= 2 ? static_cast<int>(source_->knots_[k - 2].frame) : -1;
    int swing = source_->clip_.frame_count() - 1;
    for (const auto& own : source_->swings_) {
      if (own.to == step) swing = own.from < 0 ? -1 : own.first;
    }
    return std::min(body, swing);
  }
  return -1;
}

double FootstepMotion::lift_m(int step) const {
  double height = 0.0;
  for (std::size_t i = 0; i < source_->swings_.size(); ++i) {
    if (source_->swings_[i].to != step) continue;
    for (int l = 0; l < kLifts; ++l) height += lifts_[i * kLifts + static_cast<std::size_t>(l)].height_m;
  }
  return height;
}

void FootstepMotion::path_at(double frame, Vec3d& offset, double& turn, Vec3d& line) const {
  const auto& own = source_->knots_;
  const auto after =
      std::upper_bound(own.begin(), own.end(), frame, [](double f, const auto& k) { return f < k.frame; });
  Vec3d target;
  if (after == own.begin() || after == own.end()) {
    const std::size_t k = after == own.begin() ? 0 : own.size() - 1;
    const Knot& knot = knots_[k];
    line = knot.source + (frame - own[k].frame) * knot.source_slope;
    target = knot.target + (frame - own[k].frame) * knot.target_slope;
    turn = knot.turn;
  } else {
    const auto b = static_cast<std::size_t>(after - own.begin()), a = b - 1;
    const double span = own[b].frame - own[a].frame, x = (frame - own[a].frame) / span;
    line = hermite<Vec3d>(knots_[a].source, knots_[a].source_slope, knots_[b].source, knots_[b].source_slope, span, x);
    target =
        hermite<Vec3d>(knots_[a].target, knots_[a].target_slope, knots_[b].target, knots_[b].target_slope, span, x);
    turn = hermite<double>(knots_[a].turn, knots_[a].turn_slope, knots_[b].turn, knots_[b].turn_slope, span, x);
  }
  offset = target - line;
}

FootstepMotion::Track FootstepMotion::track(int frame) const {
  Vec3d offset, line;
  double turn = 0.0;
  path_at(frame, offset, turn, line);
  const Vec3d& own = source_->hips_m_[static_cast<std::size_t>(frame)];
  Vec3d sway = own - line;
  sway.y() = 0.0;
  const Quatd spin = about_y(turn);
  return {own + offset + (turn == 0.0 ? Vec3d(Vec3d::Zero()) : Vec3d(spin * sway - sway)), spin};
}

Vec3d FootstepMotion::hips(int frame) const {
  const auto [path, spin] = track(frame);
  Vec3d at = path;
  // Legs that stand keep their length: the mean, by load, of where each would have the hips.
  double sum = 0.0, load = 0.02;
  for (std::size_t i = 0; i < source_->legs_.size(); ++i) {
    const auto& leg = source_->legs_[i][static_cast<std::size_t>(frame)];
    if (!(leg.load > 0.0)) continue;
    const Vec3d from_ankle = at + spin * leg.hip_from_hips - foot(static_cast<int>(i), frame).place_m;
    const double level = from_ankle.x() * from_ankle.x() + from_ankle.z() * from_ankle.z();
    const double height = std::sqrt(std::max(leg.length_m * leg.length_m - level, 0.09 * leg.length_m * leg.length_m));
    sum += leg.load * (height - from_ankle.y());
    load += leg.load;
  }
  at.y() += sum / load;
  return at;
}

// How much more the leg leans forward over the foot than in the source, and the axis across the foot.
double FootstepMotion::lean_rad(int which, int frame, const Foot& carried, Vec3d& axis) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto f = static_cast<std::size_t>(frame);
  const auto& leg = source_->legs_[static_cast<std::size_t>(which)][f];
  const Track body = track(frame);
  Vec3d forward = body.spin * Vec3d(own.forward);
  forward.y() = 0.0;
  forward.normalize();
  axis = Vec3d::UnitY().cross(forward);
  const Vec3d before = body.spin * (source_->hips_m_[f] + leg.hip_from_hips - own.place_m[f]);
  const Vec3d now = body.hips + body.spin * leg.hip_from_hips - carried.place_m;
  const double lean =
      std::atan2(now.dot(forward), std::max(now.y(), 0.1)) - std::atan2(before.dot(forward), std::max(before.y(), 0.1));
  // A foot that stands on its ball or heel may come down flat, but not through the ground.
  double least = -0.6, most = 0.6;
  const int step = source_->step_at_[static_cast<std::size_t>(which)][f];
  if (step >= 0 && leg.pivot != 0) {
    const Carry& carry = carries_[static_cast<std::size_t>(step)];
    const Stance& stance =
        own.stances[static_cast<std::size_t>(source_->steps_[static_cast<std::size_t>(step)].stance)];
    const Vec3d sole = own.ball_in_foot - own.heel_in_foot;
    const double length = std::max(sole.norm(), 1e-6);
    const auto rise = [&](const Quatd& turn) { return std::asin(std::clamp((turn * sole).y() / length, -1.0, 1.0)); };
    const double heel_up = rise(carry.tilt * carry.turn * stance.turn) - rise(carried.turn);
    (leg.pivot == 1 ? least : most) =
        leg.pivot == 1 ? std::max(least, std::min(0.0, -heel_up)) : std::min(most, std::max(0.0, -heel_up));
  }
  return std::clamp(lean, least, most);
}

// A foot rolls off as far as its leg leans: less after a short step, more after a long one or up a stair.
FootstepMotion::Foot FootstepMotion::foot(int which, int frame) const {
  Foot out = carried_foot(which, frame);
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto& leg = source_->legs_[static_cast<std::size_t>(which)][static_cast<std::size_t>(frame)];
  if (!(leg.roll > 0.0)) return out;
  Vec3d axis;
  const double lean = leg.roll * lean_rad(which, frame, out, axis);
  if (lean == 0.0) return out;
  const Quatd pitch(Eigen::AngleAxisd(lean, axis));
  if (leg.pivot != 0) {
    const Vec3d arm = out.turn * (leg.pivot == 1 ? own.ball_in_foot : own.heel_in_foot);
    out.place_m += arm - pitch * arm;
  }
  out.turn = pitch * out.turn;
  return out;
}

Quatd FootstepMotion::toe_turn(int which, int frame) const {
  const auto& leg = source_->legs_[static_cast<std::size_t>(which)][static_cast<std::size_t>(frame)];
  if (!(leg.toes > 0.0) || !(leg.roll > 0.0)) return Quatd::Identity();
  const Foot carried = carried_foot(which, frame);
  Vec3d axis;
  const double lean = leg.toes * leg.roll * lean_rad(which, frame, carried, axis);
  return carried.turn.conjugate() * Quatd(Eigen::AngleAxisd(-lean, axis)) * carried.turn;
}

FootstepMotion::Foot FootstepMotion::carried_foot(int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto f = static_cast<std::size_t>(frame);
  const int step = source_->step_at_[static_cast<std::size_t>(which)][f];
  if (step >= 0) {
    const Carry& carried = carries_[static_cast<std::size_t>(step)];
    return {carried * own.place_m[f], carried.tilt * carried.turn * own.turn[f]};
  }
  const auto swing = static_cast<std::size_t>(source_->swing_at_[static_cast<std::size_t>(which)][f]);
  Foot out = swing_foot(source_->swings_[swing], which, frame);
  const auto& s = source_->swings_[swing];
  const double x = static_cast<double>(frame - s.first) / std::max(1, s.last - s.first);
  for (std::size_t l = 0; l < kLifts; ++l) {
    const Lift& lift = lifts_[swing * kLifts + l];
    if (lift.height_m > 0.0) out.place_m.y() += lift.height_m * hump(x, lift.at);
  }
  return out;
}

FootstepMotion::Foot FootstepMotion::swing_foot(const FootstepSource::Swing& swing, int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto f = static_cast<std::size_t>(frame);
  // Where a foot has no stance before or after, it goes with the body's first or last.
  const auto first = static_cast<std::size_t>(source_->knots_.front().steps.front()),
             last = static_cast<std::size_t>(source_->knots_.back().steps.back());
  const Carry& a = carries_[swing.from < 0 ? first : static_cast<std::size_t>(swing.from)];
  const Carry& b = carries_[swing.to < 0 ? last : static_cast<std::size_t>(swing.to)];
  const double x = swing.share[static_cast<std::size_t>(frame - swing.first)];
  const Vec3d& p = own.place_m[f];
  // Up a stair a foot rises before it goes forward, down a stair it goes forward before it sinks. Steps that are
  // shorter than the source's give their surplus up early, so that toes do not run into the riser.
  const double step_up = (b.to.y() - b.from.y()) - (a.to.y() - a.from.y());
  const double bend = 1.0 + 2.0 * std::min(1.0, std::abs(step_up) / 0.12);
  const double y = std::clamp(x, 0.0, 1.0);
  const double early = 1.0 - std::pow(1.0 - y, bend), late = std::pow(y, 0.5 + 0.5 * bend);
  const Vec3d pa = a * p, pb = b * p;
  const double level = step_up == 0.0 ? x : early;
  const double rise = step_up == 0.0 ? x : (step_up > 0.0 ? early : late);
  const Vec3d place((1.0 - level) * pa.x() + level * pb.x(), (1.0 - rise) * pa.y() + rise * pb.y(),
                    (1.0 - level) * pa.z() + level * pb.z());
  return {place, (a.tilt * a.turn).slerp(x, b.tilt * b.turn) * own.turn[f]};
}

// Adds humps until no point of the sole is below the ground plus what clearance the phase allows.
void FootstepMotion::lift_swing(std::size_t index, int which, const Terrain& terrain, double clearance_m) {
  constexpr double kMost_m = 0.45;
  const auto& swing = source_->swings_[index];
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const int frames = swing.last - swing.first;
  if (frames < 3) return;
  for (std::size_t l = 0; l < kLifts; ++l) {
    double worst = 0.0, height = 0.0, at = 0.5;
    for (int f = swing.first + 1; f < swing.last; ++f) {
      const double x = static_cast<double>(f - swing.first) / frames;
      const Foot foot = this->foot(which, f);
      const double room = clearance_m * std::min(1.0, 5.0 * std::min(x, 1.0 - x));
      const auto i = static_cast<std::size_t>(f);
      double need = 0.0;
      const auto check = [&](const Vec3d& point, double sole) {
        need = std::max(need, terrain.height_m(point.x(), point.z()) + sole + room - point.y());
      };
      // Heights are those of joints: each may come as near to the ground as it is when the foot is flat.
      check(foot.place_m + foot.turn * own.heel_in_foot, source_->sole_m_[static_cast<std::size_t>(which)].heel);
      check(foot.place_m + foot.turn * own.ball_in_foot, source_->sole_m_[static_cast<std::size_t>(which)].ball);
      if (!own.toe_local.empty()) {
        const Quatd toes = foot.turn * own.toe_local[i];
        for (const Vec3d& tip : own.tips_in_toes)
          check(foot.place_m + foot.turn * own.ball_in_foot + toes * tip,
                source_->sole_m_[static_cast<std::size_t>(which)].tip);
      }
      // What little a hump can do at the very ends is not asked of it.
      const double weight = hump(x, std::clamp(x, 0.12, 0.88));
      if (weight > 0.3 && need > 1e-4 && need > worst) {
        worst = need;
        height = std::min(need / weight, kMost_m);
        at = std::clamp(x, 0.12, 0.88);
      }
    }
    if (worst <= 0.0) return;
    for (std::size_t k = 0; k < l; ++k) height = std::min(height, kMost_m - lifts_[index * kLifts + k].height_m);
    if (height <= 0.0) return;
    lifts_[index * kLifts + l] = {at, height};
  }
}

ReconstructReport FootstepMotion::evaluate(int frame, Reconstructor& reconstructor, Pose& pose) const {
  source_->clip_.get_frame(frame, pose);
  constexpr std::size_t kMostFeet = 4;
  PointGoal goals[kMostFeet + 1];
  EndTurn turns[kMostFeet];
  std::size_t count = 0;
  goals[count++] = {0, hips(frame), false};
  std::size_t feet = 0;
  for (std::size_t i = 0; i < source_->feet_.feet.size() && i < kMostFeet; ++i) {
    const StandingFoot& own = source_->feet_.feet[i];
    const Foot at = foot(static_cast<int>(i), frame);
    goals[count++] = {own.limb->end_point, at.place_m, true};
    turns[feet++] = {own.limb->end, at.turn};
    if (own.toe_local.empty()) continue;
    const Quatd toes = toe_turn(static_cast<int>(i), frame) * own.toe_local[static_cast<std::size_t>(frame)];
    pose.set_rotation(own.limb->toe, toes.cast<float>());
  }
  return reconstructor.solve(pose,
                             {.points = std::span(goals, count),
                              .turns = std::span(turns, feet),
                              .body_turn = track(frame).spin,
                              .hips = HipsRule::reach},
                             pose);
}

}  // namespace shosa::segment
