#include "blend/player_state.h"

#include <algorithm>

#include "blend/bridge.h"
#include "blend/constants.h"
#include "blend/joined_contacts.h"
#include "blend/momentum.h"
#include "shosa/core/angles.h"

namespace shosa::blend {

namespace {

// Where it is too hard more time is given in such steps, up to this.
constexpr double kWaits_s = 0.15, kMostWait_s = 0.9;
// The clips' own steps, so much later, are preferred to steps that neither shows.
constexpr double kOwnSteps_s = 0.3;

}  // namespace

MotionPlayer::State::State(const Motion& motion) : rig(motion), scratch(kMaxDepth) {
  for (JunctionScratch& s : scratch) {
    s.next = s.previous = Pose(motion.clip().joint_count());
    s.next_world = s.previous_world = s.out_world = rig.make_world();
  }
  forward_kinematics(rig.skeleton(), Pose::rest(rig.skeleton()), body_world);  // takes its size
}

void MotionPlayer::State::pose_of(const Instance& instance, double frame, Pose& pose) const {
  motion_pose(*instance.motion, instance.at, frame, pose);
  move_posture(instance.place, pose);
}

void MotionPlayer::State::evaluate(std::size_t index, double frame, int depth, Pose& out) {
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

int MotionPlayer::State::late_for_way(const PreviousMotion& previous, const Motion& next, TransitionPlan plan) {
  bridge_intervals(previous, next, plan);
  const FrameInterval bridge = plan.lower.frames;
  const int h = std::max(1, static_cast<int>(std::lround(kPace_s / frame_time_s)));
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
  const Vec3d from = hips_m(bridge.begin, false), to = hips_m(bridge.end, true), way = level(to - from);
  const Vec3d leave = level(from - hips_m(bridge.begin - h, false)) / h,
              arrive = level(hips_m(bridge.end + h, true) - to) / h;
  const double pace = std::max({kWalk_mps * frame_time_s, leave.norm(), arrive.norm()});
  // The cubic's speed halfway is 1.5 way / T - (leave + arrive) / 4: a body that has to turn back takes longer.
  const double along = (leave + arrive).dot(way) / std::max(way.norm(), 1e-9);
  const double time = 1.5 * way.norm() / std::max(pace + 0.25 * along, 0.3 * pace);
  const int late = static_cast<int>(std::ceil(time)) - bridge.length();
  return late <= 0 ? 0 : late + std::max(0, previous.times.end - plan.at);
}

PreviousMotion MotionPlayer::State::last_motion() const {
  const Instance& last = instances.back();
  return {last.motion.get(), last.at, last.times};
}

analysis::FootContacts MotionPlayer::State::contacts() const {
  std::vector<PlayedMotion> played;
  for (const Instance& instance : instances) {
    played.push_back(
        {instance.motion.get(), instance.at, instance.place, instance.junction ? &instance.junction->feet : nullptr});
  }
  return joined_contacts(played, frame_time_s);
}

double MotionPlayer::State::keep_momentum(const Motion& previous) {
  const std::size_t last = instances.size() - 1;
  Instance& instance = instances.back();
  const analysis::FootContacts planned = contacts();
  MomentumInput input{.next = *instance.motion,
                      .contacts = planned,
                      .feet = instance.times.feet,
                      .joined = [&](int frame, Pose& pose) { evaluate(last, frame, 0, pose); },
                      .held = instance.held,
                      .core = instance.at + instance.motion->core.begin,
                      .end = instance.times.end};
  BodyChange change = blend::keep_momentum(input);
  instance.place.shift_m += change.shift_m;
  instance.junction->momentum = std::move(change);
  return strain(input, previous);
}

MotionPlayer::State::Joined MotionPlayer::State::carry_out(const PreviousMotion& previous,
                                                           const std::shared_ptr<const Motion>& motion,
                                                           const TransitionPlan& plan, bool keep_place) {
  const int min_move = std::max(1, static_cast<int>(std::lround(params.min_move_s / frame_time_s)));
  const std::size_t last = instances.size() - 1;
  const JunctionInput input{.rig = rig,
                            .previous = previous,
                            .previous_place = instances.back().place,
                            .next = *motion,
                            .previous_pose = [&](double frame, Pose& pose) { evaluate(last, frame, 0, pose); },
                            .keep_place = keep_place,
                            .keep_velocities = params.search};
  Joined joined{.plan = plan, .instance = {.motion = motion, .at = plan.at}};
  Instance& instance = joined.instance;
  instance.junction = make_junction(input, plan, min_move);
  instance.place = instance.junction->place;
  instance.times = times_at(*motion, plan.at);
  instance.times.feet = joined_times(instance.junction->feet, previous.times, instance.times);
  // Legs whose feet set out earlier than the other joints are part of the blend.
  if (!plan.hold && !instance.junction->is_bridge()) {
    for (const FootPass& pass : instance.junction->feet) {
      if (pass.kind == PassKind::stand) continue;
      const int begin = std::max(static_cast<int>(std::floor(pass.begin)), previous.times.core.end + 1);
      joined.plan.lower.frames.begin = std::min(joined.plan.lower.frames.begin, begin);
    }
  }
  instance.held = previous.times.core.end;
  // Places that are kept are the user's word.
  if (!params.momentum || !params.search || keep_place) return joined;
  instances.push_back(std::move(instance));
  joined.strain = keep_momentum(*previous.motion);
  instance = std::move(instances.back());
  instances.pop_back();
  return joined;
}

MotionPlayer::State::Joined MotionPlayer::State::join(const PreviousMotion& previous,
                                                      const std::shared_ptr<const Motion>& motion,
                                                      const TransitionPlan& plan, bool keep_place, bool may_wait) {
  const bool bridges = params.bridge && params.search;
  const auto attempt = [&](TransitionPlan tried, bool steps) {
    if (steps) {
      tried.lower.frames = {previous.times.core.end + 1, tried.at + motion->core.begin - 1};
      tried.upper.frames = tried.lower.frames;
    }
    if (steps || (bridges && is_bridged(previous, tried, keep_place))) bridge_intervals(previous, *motion, tried);
    return carry_out(previous, motion, tried, keep_place);
  };
  Joined best = attempt(plan, false);
  const auto consider = [&](int later, bool steps) {
    if (best.strain <= 1.0 || params.given.any()) return;
    const TransitionPlan other = plan_transition(previous, *motion, plan.at + later, previous.times.core.end, params);
    if (!other.executed) return;
    if (Joined tried = attempt(other, steps); tried.strain < best.strain) best = std::move(tried);
  };
  const auto frames_of = [&](double time_s) { return static_cast<int>(std::lround(time_s / frame_time_s)); };
  const int step = std::max(1, frames_of(kWaits_s)), most = may_wait ? frames_of(kMostWait_s) : 0;
  for (int later = 0; later <= most && best.strain > 1.0; later += step) {
    if (later > 0) consider(later, false);
    if (const int sooner = may_wait ? later - frames_of(kOwnSteps_s) : 0; sooner >= 0 && bridges)
      consider(sooner, true);
  }
  return best;
}

}  // namespace shosa::blend
