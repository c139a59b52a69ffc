#include "shosa/blend/player.h"

#include <algorithm>
#include <cmath>

#include "blend/player_state.h"

namespace shosa::blend {

namespace {

AddReport report_of(TransitionPlan plan, double frame_time_s) {
  AddReport report{.executed = plan.executed,
                   .reason = plan.reason,
                   .at_s = plan.at * frame_time_s,
                   .earliest_s = plan.earliest * frame_time_s,
                   .method = plan.choice.method,
                   .by_contacts = plan.by_contacts};
  const auto add = [&](const BlendInterval& blend) {
    report.blends.push_back(
        {blend.part, blend.kind, {blend.frames.begin * frame_time_s, blend.frames.end * frame_time_s}});
  };
  if (plan.executed) {
    add(plan.lower);
    add(plan.upper);
    if (plan.hold) add(*plan.hold);
    if (plan.step) add(*plan.step);
  }
  report.plan = std::make_shared<const TransitionPlan>(std::move(plan));
  return report;
}

}  // namespace

MotionPlayer::MotionPlayer(std::unique_ptr<State> state) : state_(std::move(state)) {}
MotionPlayer::~MotionPlayer() = default;
MotionPlayer::MotionPlayer(MotionPlayer&&) noexcept = default;
MotionPlayer& MotionPlayer::operator=(MotionPlayer&&) noexcept = default;

Result<MotionPlayer> MotionPlayer::create(std::shared_ptr<const Motion> first, const PlanParams& params,
                                          double first_at_s) {
  if (const auto checked = check(params); !checked) return std::unexpected(checked.error());
  if (first == nullptr) return fail(ErrorCode::invalid_argument, "no motion, expected one to begin with");
  auto state = std::make_unique<State>(*first);
  state->params = params;
  state->frame_time_s = first->clip().frame_time_s();
  const double at = std::round(first_at_s / state->frame_time_s);
  if (!(std::abs(at) < 1e8)) {
    return fail(ErrorCode::invalid_argument, "the first motion at {} s, expected a time within reason", first_at_s);
  }
  State::Instance instance{.motion = first, .at = static_cast<int>(at)};
  instance.times = times_at(*first, instance.at);
  state->instances.push_back(std::move(instance));
  return MotionPlayer(std::move(state));
}

Result<AddReport> MotionPlayer::add(std::shared_ptr<const Motion> motion, const AddParams& params) {
  State& s = *state_;
  if (motion == nullptr) return fail(ErrorCode::invalid_argument, "no motion to add");
  if (const auto why = mismatch(*s.instances.back().motion, *motion)) {
    return fail(ErrorCode::not_possible, "{}", *why);
  }
  PreviousMotion previous = s.last_motion();
  const double now_frame = std::ceil(params.now_s / s.frame_time_s);
  const int now = now_frame > -1e8 ? static_cast<int>(std::min(now_frame, 1e8)) : -(1 << 26);
  if (params.interrupt) previous.times.core.end = std::min(previous.times.core.end, now);

  s.params.given = params.given;
  TransitionPlan plan;
  if (params.at_s) {
    const double at = std::round(*params.at_s / s.frame_time_s);
    if (!(std::abs(at) < 1e8)) {
      return fail(ErrorCode::invalid_argument, "a motion at {} s, expected a time within reason", *params.at_s);
    }
    plan = plan_transition(previous, *motion, static_cast<int>(at), now, s.params);
  } else {
    plan = plan_transition_auto(previous, *motion, now, s.params);
  }
  const bool bridges = s.params.bridge && s.params.search;
  // Where it could be at once is not where it is: it takes time to get there. Twice, because a later bridge begins
  // elsewhere.
  for (int round = 0; round < 2 && !params.at_s && params.keep_place && bridges && plan.executed; ++round) {
    const int late = s.late_for_way(previous, *motion, plan);
    if (late > 0) plan = plan_transition(previous, *motion, plan.at + late, now, s.params);
  }
  if (!plan.executed) return report_of(std::move(plan), s.frame_time_s);

  // Nothing that was played is held elsewhere.
  previous.times.core.end = std::max(previous.times.core.end, now);
  State::Joined joined = s.join(previous, motion, plan, params.keep_place, !params.at_s);
  s.instances.push_back(std::move(joined.instance));
  AddReport report = report_of(std::move(joined.plan), s.frame_time_s);
  report.settled_s = s.instances.back().end() * s.frame_time_s;
  return report;
}

void MotionPlayer::frame(double time_s, Pose& pose) {
  State& s = *state_;
  double frame = time_s / s.frame_time_s;
  // Times are multiples of the frame time up to rounding.
  if (const double whole = std::round(frame); std::abs(frame - whole) < 1e-6) frame = whole;
  s.evaluate(s.instances.size() - 1, frame, 0, pose);
}

double MotionPlayer::frame_time_s() const {
  return state_->frame_time_s;
}

double MotionPlayer::begin_s() const {
  return state_->instances.front().at * state_->frame_time_s;
}

double MotionPlayer::end_s() const {
  return state_->instances.back().times.end * state_->frame_time_s;
}

int MotionPlayer::motion_count() const {
  return static_cast<int>(state_->instances.size()) + state_->forgotten;
}

analysis::FootContacts MotionPlayer::contacts() const {
  return state_->contacts();
}

void MotionPlayer::forget_before(double time_s) {
  State& s = *state_;
  const double frame = time_s / s.frame_time_s;
  while (s.instances.size() > 1) {
    const Junction& junction = *s.instances[1].junction;
    if (junction.previous_until >= frame) break;
    s.instances.pop_front();
    ++s.forgotten;
  }
}

}  // namespace shosa::blend
