#include "shosa/blend/player.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "blend/bridge.h"
#include "blend/joined_contacts.h"
#include "blend/junction.h"
#include "blend/momentum.h"
#include "blend/transition.h"

namespace shosa::blend {

namespace {

// Motions that can be under way at once; a deeper one stands still in its first frame.
constexpr int kMaxDepth = 8;
constexpr double kEntryWalk_mps = 1.4;
constexpr double kEntryPace_s = 0.1;  // span of the hips' velocity

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

struct MotionPlayer::State {
  struct Instance {
    std::shared_ptr<const Motion> motion;
    int at = 0;
    GroundMove place;
    MotionTimes times;  ///< As it plays: feet as the junction hands them over.
    std::optional<Junction> junction;

    /// The junction and what momentum changes lie between these frames.
    double begin() const {
      if (!junction) return -INFINITY;
      return junction->momentum.active() ? std::min<double>(junction->begin, held) : junction->begin;
    }
    double end() const {
      if (!junction) return -INFINITY;
      return junction->momentum.active() ? std::max(junction->end, junction->momentum.end()) : junction->end;
    }
    int held = 0;  ///< Nothing changes up to here.
  };

  explicit State(const Motion& motion) : rig(motion), scratch(kMaxDepth) {
    for (JunctionScratch& s : scratch) {
      s.next = s.previous = Pose(motion.clip().joint_count());
      s.next_world = s.previous_world = s.out_world = rig.make_world();
    }
    forward_kinematics(rig.skeleton(), Pose::rest(rig.skeleton()), body_world);  // takes its size
  }

  void pose_of(const Instance& instance, double frame, Pose& pose) const {
    motion_pose(*instance.motion, instance.at, frame, pose);
    move_posture(instance.place, pose);
  }

  // What plays at a frame when `index` is the last motion.
  void evaluate(std::size_t index, double frame, int depth, Pose& out) {
    while (index > 0 && frame <= instances[index].begin()) --index;
    const Instance& instance = instances[index];
    if (index == 0 || frame >= instance.end() || depth >= kMaxDepth) return pose_of(instance, frame, out);
    const Junction& junction = *instance.junction;
    if (frame <= junction.begin) {
      evaluate(index - 1, frame, depth, out);
    } else if (frame >= junction.end) {
      motion_pose(*instance.motion, instance.at, frame, out);
      move_posture(junction.place, out);
    } else {
      JunctionScratch& room = scratch[depth];
      motion_pose(*instance.motion, instance.at, frame, room.next);
      move_posture(junction.place, room.next);
      if (frame < junction.previous_until) evaluate(index - 1, junction.warp.at(frame), depth + 1, room.previous);
      blend::evaluate(junction, rig, *instance.motion, frame, room, out);
    }
    if (junction.momentum.active()) junction.momentum.apply(frame, rig, body_world, out);
  }

  // How many frames later than planned a motion that keeps its place has to begin, so that the body gets there no
  // faster than it walks, or than it moves on either side.
  int late_for_way(const PreviousMotion& previous, const Motion& next, TransitionPlan plan) {
    bridge_intervals(previous, next, plan);
    const FrameInterval bridge = plan.lower.frames;
    const int h = std::max(1, static_cast<int>(std::lround(kEntryPace_s / frame_time_s)));
    Pose pose;
    RigWorld world = rig.make_world();
    const auto hips_m = [&](int frame, bool of_next) {
      if (of_next) {
        motion_pose(next, plan.at, frame, pose);
        move_posture(instances.back().place, pose);
      } else {
        evaluate(instances.size() - 1, frame, 0, pose);
      }
      rig.world(pose, world);
      return world[rig.hips()].position;
    };
    const auto level = [](const Vec3d& v) { return Vec3d(v.x(), 0.0, v.z()); };
    const Vec3d from = hips_m(bridge.begin, false), to = hips_m(bridge.end, true), way = level(to - from);
    const Vec3d leave = level(from - hips_m(bridge.begin - h, false)) / h,
                arrive = level(hips_m(bridge.end + h, true) - to) / h;
    const double pace = std::max({kEntryWalk_mps * frame_time_s, leave.norm(), arrive.norm()});
    // The cubic's speed halfway is 1.5 way / T - (leave + arrive) / 4: a body that has to turn back takes longer.
    const double along = (leave + arrive).dot(way) / std::max(way.norm(), 1e-9);
    const double time = 1.5 * way.norm() / std::max(pace + 0.25 * along, 0.3 * pace);
    const int late = static_cast<int>(std::ceil(time)) - bridge.length();
    return late <= 0 ? 0 : late + std::max(0, previous.times.end - plan.at);
  }

  // The last motion has been joined; now its body keeps its momentum.
  void keep_momentum(const analysis::FootContacts& contacts) {
    const std::size_t last = instances.size() - 1;
    Instance& instance = instances.back();
    BodyChange change = blend::keep_momentum({.next = *instance.motion,
                                              .contacts = contacts,
                                              .feet = instance.times.feet,
                                              .joined = [&](int frame, Pose& pose) { evaluate(last, frame, 0, pose); },
                                              .held = instance.held,
                                              .core = instance.at + instance.motion->core.begin,
                                              .end = instance.times.end});
    instance.place.shift_m += change.shift_m;
    instance.junction->momentum = std::move(change);
  }

  PreviousMotion last_motion() const {
    const Instance& last = instances.back();
    return {last.motion.get(), last.at, last.times};
  }

  PlanParams params;
  double frame_time_s = 1.0;
  Rig rig;
  std::deque<Instance> instances;
  std::vector<JunctionScratch> scratch;
  WorldPose body_world;
  int forgotten = 0;
};

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
  if (bridges && is_bridged(previous, plan, params.keep_place)) {
    bridge_intervals(previous, *motion, plan);
  }
  const int min_move = std::max(1, static_cast<int>(std::lround(s.params.min_move_s / s.frame_time_s)));
  const std::size_t last = s.instances.size() - 1;
  const JunctionInput input{.rig = s.rig,
                            .previous = previous,
                            .previous_place = s.instances.back().place,
                            .next = *motion,
                            .previous_pose = [&](double frame, Pose& pose) { s.evaluate(last, frame, 0, pose); },
                            .keep_place = params.keep_place,
                            .keep_velocities = s.params.search};
  State::Instance instance{.motion = motion, .at = plan.at};
  instance.junction = make_junction(input, plan, min_move);
  instance.place = instance.junction->place;
  instance.times = times_at(*motion, plan.at);
  instance.times.feet = joined_times(instance.junction->feet, previous.times, instance.times);
  // Legs whose feet set out earlier than the other joints are part of the blend.
  if (!plan.hold && !instance.junction->is_bridge()) {
    for (const FootPass& pass : instance.junction->feet) {
      if (pass.kind == PassKind::stand) continue;
      const int begin = std::max(static_cast<int>(std::floor(pass.begin)), previous.times.core.end + 1);
      plan.lower.frames.begin = std::min(plan.lower.frames.begin, begin);
    }
  }
  instance.held = previous.times.core.end;
  s.instances.push_back(std::move(instance));
  // Places that are kept are the user's word.
  if (s.params.momentum && s.params.search && !params.keep_place) s.keep_momentum(contacts());
  AddReport report = report_of(std::move(plan), s.frame_time_s);
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
  std::vector<PlayedMotion> played;
  for (const State::Instance& instance : state_->instances) {
    played.push_back(
        {instance.motion.get(), instance.at, instance.place, instance.junction ? &instance.junction->feet : nullptr});
  }
  return joined_contacts(played, state_->frame_time_s);
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
