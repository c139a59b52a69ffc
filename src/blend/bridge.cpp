#include "blend/bridge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blend/bridge_steps.h"
#include "blend/constants.h"
#include "blend/interval_planner.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"

namespace shosa::blend {

namespace {

constexpr double kSwing_s = 0.45;                // of a foot whose clips show no whole move
constexpr double kLeastSwing_s = 0.1;            // what of a move must lie on the bridge
constexpr double kLeaves = 0.5, kArrives = 0.5;  // shares of a move
constexpr double kMeanSpeed_mps = 4.0;           // of a foot from where it stands to where it is wanted, at most
constexpr double kLeastBridge_s = 0.25;          // a shorter gap is widened, between the cores
constexpr double kLongBridge_s = 0.75;           // a longer one takes as many steps as it needs
constexpr double kFreePace_s = 1.0;              // a body that runs does so for no longer where nothing asks for it
constexpr double kTurns_s = 0.6;                 // a heading goes on turning for no longer
constexpr double kSnap_m = 0.2;  // a foot that stands on both sides is moved so far to stand at one place

// How long the foot moves from lift to landing, by what both clips show; frames.
double swing_frames(const FootTimes& ours, const MotionTimes& previous, const FootTimes& theirs,
                    const MotionTimes& next, double otherwise) {
  double sum = 0.0;
  int count = 0;
  const auto add = [&](const FootTimes& foot, const MotionTimes& times) {
    for (const FrameInterval& move : foot.moving) {
      if (move.begin <= times.begin || move.end >= times.end) continue;
      sum += move.length();
      ++count;
    }
  };
  add(ours, previous);
  add(theirs, next);
  return count > 0 ? sum / count : otherwise;
}

// Where steps from stance to stance find room, in the order of the feet: one after another, whose foot is furthest
// behind first, between the landings and lifts of the others.
void time_steps(std::span<FootBridge> bridges, std::span<const double> swings, const Vec3d& way_m, double begin,
                double end) {
  std::vector<std::size_t> steps;
  double from = begin, to = end;
  for (std::size_t k = 0; k < bridges.size(); ++k) {
    const FootBridge& foot = bridges[k];
    if (foot.stands) continue;
    if (foot.leaves && foot.arrives) {
      steps.push_back(k);
    } else if (foot.arrives) {
      from = std::max(from, foot.arrive_end);
    } else if (foot.leaves) {
      to = std::min(to, foot.leave_begin);
    }
  }
  if (steps.empty()) return;
  std::ranges::stable_sort(steps, {}, [&](std::size_t k) { return bridges[k].from.anchor_m.dot(way_m); });
  const double count = static_cast<double>(steps.size());
  if ((to - from) / count < 0.6 * swings[steps.front()]) {
    from = begin;
    to = end;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    FootBridge& foot = bridges[steps[i]];
    const double slot = (to - from) / count, length = std::min(swings[steps[i]], slot);
    const double middle = from + slot * (static_cast<double>(i) + 0.5);
    foot.leave_begin = middle - 0.5 * length;
    foot.leave_end = foot.leave_begin + kLeaves * length;
    foot.arrive_end = middle + 0.5 * length;
    foot.arrive_begin = foot.arrive_end - kArrives * length;
    const Vec3d step_m = foot.to.anchor_m - foot.from.anchor_m;
    foot.clearance_m = std::min(kLift_m, kLiftShare * std::hypot(step_m.x(), step_m.z()));
  }
}

// Hips and heading go on as they moved on both sides; then the foot that stands on both sides nearest to one place does
// so at one.
void place_bridge(SourceFeet& feet, Junction& j) {
  const FrameInterval s0 = j.plan.lower.frames;
  const JunctionInput& in = feet.input();
  const int begin = s0.begin, end = s0.end, h = frames_of(kPace_s, feet.frame_time_s());
  const double length = s0.length();
  const double turn0 = wrap_angle(feet.previous_heading_rad(begin) - feet.previous_heading_rad(begin - h)) / h;
  const double turn1 = wrap_angle(feet.next_heading_rad(end + h) - feet.next_heading_rad(end)) / h;
  j.place.yaw_rad =
      wrap_angle(feet.previous_heading_rad(begin) +
                 0.5 * (turn0 + turn1) * std::min(length, kTurns_s / feet.frame_time_s()) - feet.next_heading_rad(end));
  const Quatd turn = j.place.turn();
  const Vec3d hips0 = feet.previous_hips_m(begin), hips1 = turn * feet.next_hips_m(end);
  const Vec3d pace0 = (hips0 - feet.previous_hips_m(begin - h)) / h,
              pace1 = (turn * feet.next_hips_m(end + h) - hips1) / h;
  Vec3d way_m = 0.5 * (pace0 + pace1) * length;
  const double pace = std::hypot(way_m.x(), way_m.z()) / length, walk = kWalk_mps * feet.frame_time_s();
  if (const double free = kFreePace_s / feet.frame_time_s(); length > free && pace > walk) {
    way_m *= (free + (length - free) * walk / pace) / length;
  }
  Vec3d shift = hips0 + way_m - hips1;
  Vec3d nearest = Vec3d::Constant(kSnap_m);
  bool snaps = false;
  for (std::size_t k = 0; k < feet.next_times().feet.size(); ++k) {
    if (stance_at(in.previous.times.feet[k], begin) == nullptr || stance_at(feet.next_times().feet[k], end) == nullptr)
      continue;
    Vec3d apart = feet.previous(begin, k).anchor_m - (turn * feet.next(end, k).anchor_m + shift);
    apart.y() = 0.0;
    if (apart.norm() > kSnap_m || (snaps && apart.norm() >= nearest.norm())) continue;
    nearest = apart;
    snaps = true;
  }
  if (snaps) shift += nearest;
  shift.y() = in.previous_place.shift_m.y() + in.previous.motion->floor_m - in.next.floor_m;
  j.place.shift_m = shift;
}

FootPass pass_of(const FootWay& way, const FrameInterval& s0) {
  FootPass pass;
  const FootBridge &first = way.steps.front(), &last = way.steps.back();
  pass.kind = first.stands ? PassKind::stand : PassKind::swing;
  pass.begin = first.stands || !first.leaves ? s0.begin : first.leave_begin;
  pass.end = first.stands || !last.arrives ? s0.end : last.arrive_end;
  pass.next_from = s0.end;
  pass.previous_until = s0.begin;
  pass.release = {static_cast<double>(s0.begin), static_cast<double>(s0.end), 0.0, 0.0};
  return pass;
}

}  // namespace

bool is_bridged(const PreviousMotion& previous, const TransitionPlan& plan, bool keep_place) {
  return keep_place || previous.times.end < plan.at;
}

void bridge_intervals(const PreviousMotion& previous, const Motion& next, TransitionPlan& plan) {
  const int core0 = previous.times.core.end, core1 = plan.at + next.core.begin;
  FrameInterval bridge{std::min(plan.lower.frames.begin, plan.upper.frames.begin),
                       std::max(plan.lower.frames.end, plan.upper.frames.end)};
  if (previous.times.end < plan.at) bridge = {previous.times.end, plan.at};
  const int least = frames_of(kLeastBridge_s, next.clip().frame_time_s());
  if (bridge.length() < least) {
    const int more = (least - bridge.length() + 1) / 2;
    bridge = {bridge.begin - more, bridge.end + more};
  }
  bridge.begin = std::max(bridge.begin, core0 + 1);
  bridge.end = std::max(std::min(bridge.end, core1 - 1), bridge.begin + 1);
  plan.choice = {.method = JoinMethod::bridge};
  plan.hold.reset();
  plan.step.reset();
  for (BlendInterval* interval : {&plan.lower, &plan.upper}) {
    interval->kind = BlendKind::pose_pose;
    interval->frames = bridge;
    interval->weight = {static_cast<double>(bridge.begin), static_cast<double>(bridge.end), 0.0, 0.0};
  }
}

void bridge_feet(SourceFeet& feet, Junction& j) {
  const FrameInterval s0 = j.plan.lower.frames;
  const MotionTimes& previous = feet.input().previous.times;
  const MotionTimes& next = feet.next_times();
  const double least = kLeastSwing_s / feet.frame_time_s();
  const double begin = s0.begin, end = s0.end;
  j.feet.assign(next.feet.size(), {});
  if (feet.input().keep_place) {
    j.place = feet.input().previous_place;
  } else {
    place_bridge(feet, j);
  }
  const bool is_long = (end - begin) * feet.frame_time_s() > kLongBridge_s;
  std::vector<FootBridge> bridges(next.feet.size());
  std::vector<double> swings(next.feet.size());
  for (std::size_t k = 0; k < bridges.size(); ++k) {
    FootBridge& foot = bridges[k];
    const FootTimes &ours = previous.feet[k], &theirs = next.feet[k];
    foot.from = feet.previous(begin, k);
    foot.to = feet.next_placed(end, k);
    foot.leaves = stance_at(ours, s0.begin) != nullptr;
    foot.arrives = stance_at(theirs, s0.end) != nullptr;
    swings[k] = swing_frames(ours, previous, theirs, next, kSwing_s / feet.frame_time_s());
    const Vec3d apart_m = foot.to.anchor_m - foot.from.anchor_m;
    // One that takes several steps has not that far to go in its last one.
    const double way = is_long ? 0.0 : apart_m.norm() / (kMeanSpeed_mps * feet.frame_time_s());
    if (foot.leaves && foot.arrives && std::hypot(apart_m.x(), apart_m.z()) < kSamePlace_m) {
      foot.stands = true;
      foot.arrive_begin = begin;
      foot.arrive_end = end;
    } else if (foot.leaves && !foot.arrives) {
      // What the next motion still shows of the move says when it began.
      double shown = 0.0;
      for (const FrameInterval& move : theirs.moving) {
        if (move.contains(s0.end)) shown = move.end - end;
      }
      foot.leave_begin = std::clamp(end - std::max({swings[k] - shown, least, way}), begin, end - 1.0);
      foot.leave_end = std::min(end, foot.leave_begin + kLeaves * swings[k]);
    } else if (foot.arrives && !foot.leaves) {
      double shown = 0.0;
      for (const FrameInterval& move : ours.moving) {
        if (move.contains(s0.begin)) shown = begin - move.begin;
      }
      foot.arrive_end = std::clamp(begin + std::max({swings[k] - shown, least, way}), begin + 1.0, end);
      // Where the bridge reaches into the next clip, that one shows when it lands.
      const double lands = stance_at(theirs, s0.end)->begin;
      if (lands > next.begin) foot.arrive_end = std::clamp(lands, begin + std::min(least, end - begin), end);
      foot.arrive_begin = std::max(begin, foot.arrive_end - kArrives * swings[k]);
    }
  }
  const Vec3d way_m = j.place.turn() * feet.next_hips_m(end) + j.place.shift_m - feet.previous_hips_m(begin);
  const bool all_stand = std::ranges::all_of(bridges, [](const FootBridge& foot) { return foot.stands; });
  j.bridges.clear();
  if (is_long && !all_stand) j.bridges = take_steps(feet, j, bridges, swings);
  if (j.bridges.empty()) {
    time_steps(bridges, swings, {way_m.x(), 0.0, way_m.z()}, begin, end);
    for (const FootBridge& foot : bridges) j.bridges.push_back({{foot}});
  }
  for (std::size_t k = 0; k < j.bridges.size(); ++k) j.feet[k] = pass_of(j.bridges[k], s0);
}

}  // namespace shosa::blend
