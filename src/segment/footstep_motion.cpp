#include "segment/footstep_motion.h"

#include <algorithm>

#include "shosa/core/rotations.h"

namespace shosa::segment {
namespace {

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
      lifts_(source_->swings_.size() * kLifts),
      wish_m_(static_cast<std::size_t>(source_->clip().frame_count()), 0.0),
      rise_m_(static_cast<std::size_t>(source_->clip().frame_count()), 0.0),
      heel_rad_(source_->feet_.feet.size(), rise_m_),
      heel_paths_rad_(2 * source_->feet_.feet.size(), rise_m_) {
  reset();
}

void FootstepMotion::reset() {
  for (std::size_t s = 0; s < places_.size(); ++s) places_[s] = {.place_m = source_->steps_[s].place_m};
  update();
}

void FootstepMotion::set_place(int step, const StepPlace& place) {
  places_[step] = place;
}

void FootstepMotion::update(const feet::GroundView* terrain, double clearance_m, int shown) {
  for (std::size_t s = 0; s < places_.size(); ++s) {
    Carry& carry = carries_[s];
    carry = {about_y(places_[s].turn_rad), places_[s].tilt, source_->steps_[s].place_m, places_[s].place_m};
    // On a slope it is still the ankle that stands over the place.
    const SourceStep& step = source_->steps_[s];
    const StillStance& stance = source_->feet_.feet[step.foot].stances[step.stance];
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
      const Carry& carry = carries_[step];
      Vec3d moved = carry.level(own.hips_m);
      moved.y() = carry.to.y() - carry.from.y();
      knot.target += moved / static_cast<double>(own.steps.size());
      knot.turn += places_[step].turn_rad / static_cast<double>(own.steps.size());
    }
  }
  // Slopes through three knots; at the end the path goes on rigidly.
  const auto count = knots_.size();
  for (std::size_t k = 0; k < count; ++k) {
    Knot& knot = knots_[k];
    const auto frame = [&](std::size_t i) { return source_->knots_[i].frame; };
    if (k == 0 || k + 1 == count) {
      const std::size_t a = k == 0 ? 0 : k - 1, b = std::min(a + 1, count - 1);
      const double span = b > a ? frame(b) - frame(a) : 1.0;
      knot.source_slope = (knots_[b].source - knots_[a].source) / span;
      // The first step may be cut short by the clip's begin: the body comes along at the speed of the step to follow.
      knot.target_slope =
          k == 0 ? Vec3d((knots_[b].target - knots_[a].target) / span) : Vec3d(about_y(knot.turn) * knot.source_slope);
      knot.target_slope.y() = 0.0;
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
  const int kept = shown < 0 ? 0 : std::min(shown + 2, source_->clip().frame_count());
  plan_hips(kept);
  for (std::size_t i = 0; terrain != nullptr && i < source_->swings_.size(); ++i) {
    const auto& swing = source_->swings_[i];
    const int step = swing.to < 0 ? swing.from : swing.to;
    if (step >= 0) lift_swing(i, source_->steps_[step].foot, *terrain, clearance_m);
  }
  plan_heels(kept);
}

int FootstepMotion::frame_to_decide(int step) const {
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    if (std::ranges::count(source_->knots_[k].steps, step) == 0) continue;
    const int body = k >= 2 ? static_cast<int>(source_->knots_[k - 2].frame) : -1;
    int swing = source_->clip().frame_count() - 1;
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
  const Vec3d& own = source_->hips_m_[frame];
  Vec3d sway = own - line;
  sway.y() = 0.0;
  const Quatd spin = about_y(turn);
  return {own + offset + (turn == 0.0 ? Vec3d(Vec3d::Zero()) : Vec3d(spin * sway - sway)), spin};
}

Vec3d FootstepMotion::hips(int frame) const {
  return stand(frame).hips;
}

FootstepMotion::Foot FootstepMotion::foot(int which, int frame) const {
  return stand(frame).feet[which].foot;
}

ReconstructReport FootstepMotion::evaluate(int frame, Reconstructor& reconstructor, Pose& pose) const {
  source_->clip().get_frame(frame, pose);
  const Stand now = stand(frame);
  PointGoal goals[kMostFeet + 1];
  EndTurn turns[kMostFeet];
  std::size_t count = 0;
  goals[count++] = {0, now.hips, false};
  std::size_t feet = 0;
  for (std::size_t i = 0; i < source_->feet_.feet.size() && i < kMostFeet; ++i) {
    const StandingFoot& own = source_->feet_.feet[i];
    goals[count++] = {own.limb->end_point, now.feet[i].foot.place_m, true};
    turns[feet++] = {own.limb->end, now.feet[i].foot.turn};
    if (own.toe_local.empty()) continue;
    const Quatd toes = now.feet[i].toes * own.toe_local[frame];
    pose.set_rotation(own.limb->toe, toes.cast<float>());
  }
  return reconstructor.solve(
      pose, {.points = std::span(goals, count), .turns = std::span(turns, feet), .body_turn = now.spin}, pose);
}

}  // namespace shosa::segment
