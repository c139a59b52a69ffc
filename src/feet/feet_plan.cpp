#include "feet/feet_plan.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

/// A swing that no stance ends is led back to the motion within this time.
constexpr double kBack_s = 0.4;
/// In which the speed at an end of a swing dies out: as short as the knots can follow.
constexpr double kRate_s = 0.15;
/// A foot that is not where its stance asks comes there within this time.
constexpr double kCome_s = 0.1;
/// Nearer to it than this it is there: metres and radians.
constexpr double kThere = 1e-4;
/// Of a knot's distance: knots nearer to a stance are the base's.
constexpr double kOff = 1.0;

}  // namespace

FeetPlan::FeetPlan(const FollowedBody& body)
    : feet_(body.legs.size()), step_s_(body.params.step_s), knot_samples_(body.params.knot_samples) {
  groups_.push_back({});
  for (int foot = 0; foot < static_cast<int>(feet_); ++foot) {
    const int own = 3 + 6 * foot;
    groups_.push_back({.kind = Kind::over_ground, .foot = foot, .unknown = own, .has = {true, false, true}});
    groups_.push_back({.kind = Kind::height, .foot = foot, .unknown = own, .has = {false, true, false}});
    if (!body.legs[foot].has_ball) continue;
    groups_.push_back({.kind = Kind::turn, .foot = foot, .unknown = own + 3});
  }
  const int knots = kBefore + 1 + (body.params.most_samples - 1) / knot_samples_;
  difference_.assign(static_cast<std::size_t>(knots * per_frame()), 0.0);
  held_.resize(static_cast<std::size_t>(per_frame()));
}

void FeetPlan::reset() {
  samples_ = knots_ = 0;
}

double FeetPlan::sample_at(double time_s) const {
  return std::clamp((time_s - begin_s_) / step_s_, 0.0, samples_ - 1.0);
}

const FeetPlan::Given* FeetPlan::given_at(const Group& group, double sample) const {
  // Times that were added up are off by rounding.
  constexpr double kSame = 1e-6;
  for (int i = 0; i < group.given_count; ++i) {
    const Given& given = group.given[i];
    if (sample >= given.first - kSame && sample <= given.last + kSame) return &given;
  }
  return nullptr;
}

Vec3d FeetPlan::asked(const Group& group, const Given& given, const Vec3d& ball_m, const Quatd& rotation) {
  if (group.kind == Kind::turn) return log_rotation(given.rotation * rotation.conjugate());
  return given.place_m - ball_m;
}

Rates FeetPlan::asked_rates(const Group& group, const Given& given, int axis, int sample,
                            std::span<const FootMotion> motion) const {
  const FootMotion& foot = motion[group.foot];
  const auto value = [&](int at) {
    const auto i = static_cast<std::size_t>(at);
    return asked(group, given, foot.ball_m[i], foot.rotation[i])[axis];
  };
  // From inside the stance: what the motion does beyond it is not asked for.
  if (given.last - given.first < 2) return {value(sample), 0.0, 0.0};
  // Its acceleration there is mostly noise, which a whole swing would have to undo.
  const int middle = std::clamp(sample, given.first + 1, given.last - 1);
  const double before = value(middle - 1), at = value(middle), after = value(middle + 1);
  const double v = (after - before + 2.0 * (sample - middle) * (after - 2.0 * at + before)) / (2.0 * step_s_);
  return {sample == middle ? at : value(sample), v, 0.0};
}

void FeetPlan::lay_out(double time_s, const FeetPlan& before, std::span<const FootMotion> motion,
                       std::span<const std::span<const Stance>> stances) {
  begin_s_ = time_s;
  samples_ = static_cast<int>(motion.front().ball_m.size());
  knots_ = kBefore + 1 + (samples_ - 1) / knot_samples_;
  std::fill(difference_.begin(), difference_.end(), 0.0);
  std::fill(held_.begin(), held_.end(), Rates{});
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    group.given_count = group.swing_count = 0;
    std::array<Rates, 3> held;
    const Group& was = before.groups_[i];
    const double sample = before.sample_at(time_s);
    const Given* stood = before.is_empty() ? nullptr : before.given_at(was, sample);
    // What it stood on then, in the samples of now.
    Given still = stood ? *stood : Given{};
    still.first = 0,
    still.last = stood ? std::min(samples_ - 1, stood->last - static_cast<int>(std::lround(sample))) : 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!group.has[axis] || before.is_empty()) continue;
      held[axis] = stood ? asked_rates(group, still, axis, 0, motion) : before.swung(was, axis, sample);
      // An acceleration held as well would be handed on from plan to plan and grow when each frame is planned.
      held[axis].a = 0.0;
    }
    lay_out(group, held, before.is_empty(), motion, group.foot < 0 ? std::span<const Stance>() : stances[group.foot]);
  }
}

void FeetPlan::lay_out(Group& group, std::array<Rates, 3> held, bool is_first, std::span<const FootMotion> motion,
                       std::span<const Stance> stances) {
  for (const Stance& stance : stances) {
    const bool gives = group.kind == Kind::turn     ? stance.rotation.has_value()
                       : group.kind == Kind::height ? stance.ball_m && !stance.rises
                                                    : stance.ball_m.has_value();
    const int first = std::max(stance.first, 0), last = std::min(stance.last, samples_ - 1);
    if (!gives || last < first || group.given_count == kMostStances) continue;
    Given given{first, last};
    if (stance.ball_m) given.place_m = *stance.ball_m;
    if (stance.rotation) given.rotation = *stance.rotation;
    // In the order of time.
    int at = group.given_count++;
    for (; at > 0 && group.given[static_cast<std::size_t>(at) - 1].first > first; --at) {
      group.given[at] = group.given[static_cast<std::size_t>(at) - 1];
    }
    group.given[at] = given;
  }

  if (group.given_count > 0 && group.given[0].first == 0) {
    Given& stands = group.given[0];
    bool there = true;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (!group.has[a]) continue;
      const Rates asks = asked_rates(group, stands, axis, 0, motion);
      if (is_first) held[a] = asks;
      there = there && std::abs(asks.x - held[a].x) < kThere;
      if (there) held[a] = asks;
    }
    if (!there) stands.first = std::min(stands.last, static_cast<int>(std::lround(kCome_s / step_s_)));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (group.has[a]) held_[group.unknown + axis] = held[a];
  }

  std::array<Rates, 3> from = held, to;
  int begin = 0;
  for (int i = 0; i < group.given_count; ++i) {
    const Given& given = group.given[i];
    for (int axis = 0; axis < 3; ++axis) {
      if (group.has[axis]) {
        to[axis] = asked_rates(group, given, axis, given.first, motion);
      }
    }
    if (given.first > begin) add_swing(group, begin, given.first, true, from, to);
    for (int axis = 0; axis < 3; ++axis) {
      if (group.has[axis]) {
        from[axis] = asked_rates(group, given, axis, given.last, motion);
      }
    }
    begin = given.last;
  }
  if (begin < samples_ - 1) add_swing(group, begin, samples_ - 1, false, from, {});
}

void FeetPlan::add_swing(Group& group, int begin, int end, bool ends, const std::array<Rates, 3>& from,
                         const std::array<Rates, 3>& to) {
  Swing& swing = group.swings[group.swing_count++];
  swing = {.begin = begin, .end = end, .ends = ends};
  double length_s = (end - begin) * step_s_;
  if (!ends) length_s = std::min(length_s, kBack_s);
  const double rate_s = std::min(kRate_s, 0.5 * length_s);
  for (std::size_t a = 0; a < 3; ++a) {
    swing.base[a] = Quintic({.x = from[a].x}, {.x = to[a].x}, length_s);
    swing.leaves[a] = Quintic({.v = from[a].v}, {}, rate_s);
    swing.arrives[a] = Quintic({}, {.v = to[a].v}, rate_s);
  }
  swing.arrives_s = length_s - rate_s;
  const double off = kOff * knot_samples_;
  swing.first_knot = kBefore + static_cast<int>(std::ceil((begin + off) / knot_samples_ - 1e-9));
  swing.last_knot = ends ? kBefore + static_cast<int>(std::floor((end - off) / knot_samples_ + 1e-9)) : knots_ - 1;
}

const FeetPlan::Swing& FeetPlan::swing_at(const Group& group, double sample) const {
  int i = 0;
  while (i + 1 < group.swing_count && sample > group.swings[i].end) ++i;
  return group.swings[i];
}

bool FeetPlan::is_free(const Group& group, int knot) const {
  for (int i = 0; i < group.swing_count; ++i) {
    const Swing& swing = group.swings[i];
    if (knot >= swing.first_knot && knot <= swing.last_knot) return true;
  }
  return false;
}

double FeetPlan::base(const Group& group, int axis, int knot) const {
  if (group.swing_count == 0) return 0.0;
  const Swing& swing = swing_at(group, sample_of(knot));
  return base_rates(swing, axis, (sample_of(knot) - swing.begin) * step_s_).x;
}

Rates FeetPlan::base_rates(const Swing& swing, int axis, double into_s) const {
  const auto a = static_cast<std::size_t>(axis);
  const Rates base = swing.base[a].at(into_s), leaves = swing.leaves[a].at(into_s),
              arrives = swing.arrives[a].at(into_s - swing.arrives_s);
  return {base.x + leaves.x + arrives.x, base.v + leaves.v + arrives.v, base.a + leaves.a + arrives.a};
}

Rates FeetPlan::knot_rates(const Group& group, const Swing& swing, int axis, int knot) const {
  const auto value = [&](int k) {
    if (k < swing.first_knot || k > swing.last_knot) return 0.0;
    return difference_[k * per_frame() + group.unknown + axis];
  };
  const double h = knot_s(), at = value(knot);
  if (!swing.ends && knot == swing.last_knot) return {at, 0.0, 0.0};
  const double before = value(knot - 1), after = value(knot + 1);
  return {at, (after - before) / (2.0 * h), (after - 2.0 * at + before) / (h * h)};
}

FeetPlan::Stretch FeetPlan::stretch_at(const Swing& swing, double sample) const {
  const int knot = kBefore + static_cast<int>(std::floor(sample / knot_samples_));
  const auto into_s = [&](int k) { return (sample_of(k) - swing.begin) * step_s_; };
  if (knot < swing.first_knot) return {-1, swing.first_knot, 0.0, into_s(swing.first_knot)};
  if (knot < swing.last_knot) return {knot, knot + 1, into_s(knot), into_s(knot + 1)};
  const double last_s = into_s(swing.last_knot);
  if (swing.ends) return {swing.last_knot, -1, last_s, (swing.end - swing.begin) * step_s_};
  // The window's last knot is held.
  return {swing.last_knot, swing.last_knot, last_s, last_s + step_s_};
}

Rates FeetPlan::swung(const Group& group, int axis, double sample) const {
  if (group.swing_count == 0) return {};
  const Swing& swing = swing_at(group, sample);
  const double into_s = (sample - swing.begin) * step_s_;
  const Rates out = base_rates(swing, axis, into_s);
  if (swing.last_knot < swing.first_knot) return out;
  const Stretch stretch = stretch_at(swing, sample);
  const Rates from = stretch.from < 0 ? Rates{} : knot_rates(group, swing, axis, stretch.from),
              to = stretch.to < 0 ? Rates{} : knot_rates(group, swing, axis, stretch.to);
  const Rates more = Quintic(from, to, stretch.end_s - stretch.begin_s).at(into_s - stretch.begin_s);
  return {out.x + more.x, out.v + more.v, out.a + more.a};
}

Vec3d FeetPlan::swung_values(const Group& group, double sample) const {
  Vec3d out = Vec3d::Zero();
  if (group.swing_count == 0) return out;
  const Swing& swing = swing_at(group, sample);
  const double into_s = (sample - swing.begin) * step_s_;
  const bool has_knots = swing.last_knot >= swing.first_knot;
  const Stretch stretch = has_knots ? stretch_at(swing, sample) : Stretch{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (!group.has[a]) continue;
    out[axis] =
        swing.base[a].value(into_s) + swing.leaves[a].value(into_s) + swing.arrives[a].value(into_s - swing.arrives_s);
    if (!has_knots) continue;
    const Rates from = stretch.from < 0 ? Rates{} : knot_rates(group, swing, axis, stretch.from),
                to = stretch.to < 0 ? Rates{} : knot_rates(group, swing, axis, stretch.to);
    out[axis] += Quintic(from, to, stretch.end_s - stretch.begin_s).value(into_s - stretch.begin_s);
  }
  return out;
}

}  // namespace shosa::feet
