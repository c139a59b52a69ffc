#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "character/foot_ground.h"
#include "character/footing.h"
#include "character/gaze.h"
#include "character/going.h"
#include "character/layers.h"
#include "character/live_goals.h"
#include "character/scratch.h"
#include "character/steering.h"
#include "shosa/character/character.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::character {

inline constexpr double kFacing_s = 0.25;    ///< Over which the sway of a gait is smoothed out of where it faces.
inline constexpr double kLongestStep = 0.5;  ///< Of the leg's length: that a push may ask for, …
inline constexpr int kMostSteps = 3;         ///< … one after the other.
/// How fast people rise and sink on stairs: 17 cm a step.
inline constexpr double kClimb_mps = 0.31;
inline constexpr double kLeastClimbing_mps = 0.3;  ///< Over the ground: a body goes on at least at this speed.
inline constexpr double kSeesAhead = 0.9, kSeesBehind = 0.4;  ///< Of the leg's length: the stride that it looks over.
inline constexpr double kSlowsDown_s = 1.2;                   ///< From a run to a walk.
inline constexpr int kRecords = 64, kMostEvents = 64;

/// A character between its calls.
struct Character::Impl {
  struct Record {
    Handle handle = kNoHandle;
    Outcome outcome;
  };

  std::shared_ptr<const CharacterData> data;
  graph::Player player;
  Steering steering;
  Footing footing;
  Layers layers;
  Gaze gaze;
  LiveGoals goals;
  Going going;
  feet::GroundView ground;

  double tick_s;          ///< Length of a step.
  double time_s = 0.0;    ///< As asked for by `update` …
  double ticked_s = 0.0;  ///< … and as computed.
  Pose now, before, shown;
  analysis::GroundPlace place, place_before, shown_place, step;
  double facing_rad = 0.0, speed_mps = 0.0, clip_speed_mps = 0.0;
  Vec3d velocity_mps = Vec3d::Zero();  ///< Of the hips over the ground, in the last step.
  Detail detail = Detail::full, detail_before = Detail::full;
  Vec3d hips_m = Vec3d::Zero();
  std::uint8_t standing = 0;
  std::array<Record, kRecords> records;
  Handle last_handle = 0;
  std::array<Event, kMostEvents> events;
  int event_count = 0, events_shown = 0;  ///< Those of the last update come first; commands have told the others since.
  Handle push = kNoHandle;                ///< The push that is being caught.
  int state = -1;

  Impl(std::shared_ptr<const CharacterData> shared, graph::Player fresh)
      : data(std::move(shared)),
        player(std::move(fresh)),
        footing(data->feet(), data->skeleton()),
        layers(*data),
        gaze(data->set()),
        goals(*data),
        going(*data),
        tick_s(data->params().frame_time_s) {
    now = before = shown = Pose::rest(data->skeleton());
    (void)thread_scratch<Scratch>(data->skeleton().joint_count());  // so that frames on this thread allocate nothing
  }

  Record* find(Handle handle) {
    Record& record = records[handle % kRecords];
    return handle != kNoHandle && record.handle == handle ? &record : nullptr;
  }
  void end(Handle handle, Status status, Reason reason = Reason::none) {
    if (Record* record = find(handle); record != nullptr && record->outcome.status == Status::active)
      record->outcome.status = status, record->outcome.reason = reason;
  }
  Handle next_handle() {
    // What is still active is not forgotten.
    do {
      if (++last_handle == kNoHandle) ++last_handle;
    } while (records[last_handle % kRecords].outcome.status == Status::active);
    records[last_handle % kRecords] = {last_handle, {.status = Status::active}};
    return last_handle;
  }
  void tell(EventKind kind, Handle handle = kNoHandle, int index = -1) {
    if (event_count < kMostEvents) events[event_count++] = {kind, ticked_s, handle, index};
  }
  void give_up(Handle handle, Reason reason) {
    end(handle, Status::given_up, reason);
    tell(EventKind::given_up, handle);
  }
  /// What commands told since the last update is of the next one.
  void forget_events() {
    std::copy(events.begin() + events_shown, events.begin() + event_count, events.begin());
    event_count -= events_shown;
    events_shown = 0;
  }
  Whereabouts whereabouts() const {
    const analysis::GroundPlace in_clip = player.place();
    return {ticked_s,
            steering.world_from_plane() * Vec3d(in_clip.x_m, 0.0, in_clip.z_m),
            hips_m,
            facing_rad,
            speed_mps,
            clip_speed_mps,
            steering.world_from_plane(),
            steering.turn_radps(),
            steering.drift_mps().norm(),
            &footing,
            gait_room_mps()};
  }

  Footing::Input foot_input() const {
    Footing::Input input;
    input.standing = player.state().standing;
    for (int f = 0; f < static_cast<int>(data->feet()->feet.size()); ++f) {
      input.landing[f] = player.next_landing(f);
      input.aim[f] = going.aim(f);
      input.planned = going.by_steps() && steering.pushed_mps().isZero(0.0);
    }
    input.world_from_plane = steering.world_from_plane();
    input.drift_mps = steering.drift_mps();
    input.turn_radps = steering.turn_radps();
    input.gait_mps = clip_speed_mps;
    input.ahead_m = steering.capture_m(kLongestStep * data->feet()->leg_m, data->feet()->hips_m);
    input.pushed_mps = steering.pushed_mps();
    input.step_s = tick_s;
    return input;
  }

  void begin(const analysis::GroundPlace& at) {
    steering.begin(at);
    player.step(now);
    footing.begin(player.world(), foot_input(), ground);
    footing.place(now, player.world(), foot_input(), ground);
    look_at_root();
    facing_rad = place.heading_rad, speed_mps = 0.0;
    before = shown = now;
    place_before = shown_place = place;
    standing = footing.standing();
    state = data->state_of(player.next_node());
  }

  void settle_on_ground() {
    now = player.pose();
    footing.begin(player.world(), foot_input(), ground);
    footing.place(now, player.world(), foot_input(), ground);
    before = shown = now;
  }

  void look_at_root() {
    // The hips as they are shown: feet that are kept hold them back from where the clips are.
    const GroundMove& world = steering.world_from_plane();
    hips_m = level(world * player.world().positions[data->feet()->hips]);
    place = {hips_m.x(), hips_m.z(), wrap_angle(world.yaw_rad + player.place().heading_rad)};
  }

  /// What the ground ahead and just behind, over the length of a stride, lets a body do over the ground.
  double climbing_speed_mps() const {
    const double leg_m = data->feet()->leg_m;
    const auto seen_m = [&](double along_m) { return height_m(ground, hips_m + along_m * toward(facing_rad)); };
    const double steep =
        std::abs(seen_m(kSeesAhead * leg_m) - seen_m(-kSeesBehind * leg_m)) / ((kSeesAhead + kSeesBehind) * leg_m);
    return std::max(kLeastClimbing_mps, kClimb_mps / std::max(steep, 1e-6));
  }

  /// Of gaits, which may be shortened, from a stride behind to as far ahead as it takes to come into a slower one.
  double gait_room_mps() const {
    double steepest = 0.0;
    if (ground.is_level() || going.by_steps()) return std::numeric_limits<double>::infinity();
    const double stride_m = (kSeesAhead + kSeesBehind) * data->feet()->leg_m;
    const Vec3d ahead = toward(facing_rad);
    const auto seen_m = [&](double along_m) { return height_m(ground, hips_m + along_m * ahead); };
    const int steps = static_cast<int>(std::ceil(kSlowsDown_s * std::max(speed_mps, going.asked_mps()) / stride_m));
    double before_m = seen_m(-stride_m);
    for (int i = 0; i <= steps; ++i) {
      const double next_m = seen_m(i * stride_m);
      steepest = std::max(steepest, std::abs(next_m - before_m) / stride_m);
      before_m = next_m;
    }
    const double climbing_mps = std::min(climbing_speed_mps(), kClimb_mps / std::max(steepest, 1e-6));
    return std::max(climbing_mps, kLeastClimbing_mps) + Footing::kMostShortened_mps;
  }

  void steer() {
    Vec3d pivot = Vec3d::Zero();
    int down = 0;
    double braking = -1e9;
    const Vec3d pushed = steering.pushed_mps();
    for (int f = 0; f < static_cast<int>(data->feet()->feet.size()); ++f) {
      if (!(standing & (1u << f))) continue;
      pivot += footing.ball_m(f), ++down;
      if (!pushed.isZero(0.0)) braking = std::max(braking, footing.offset_m(f).dot(pushed.normalized()));
    }
    pivot = down > 0 ? Vec3d(pivot / down) : hips_m;
    if (!pushed.isZero(0.0)) steering.fall(down > 0 ? braking : 0.0, data->feet()->hips_m, tick_s);
    Steering::Wish wish = going.wish();
    if (!ground.is_level() && !going.by_steps()) {
      // On stairs and slopes steps are shorter, so that one is no higher than people's.
      const double too_fast_mps = std::max(clip_speed_mps - climbing_speed_mps(), footing.shortened_mps());
      const double most_mps = std::min(clip_speed_mps - kLeastClimbing_mps, Footing::kMostShortened_mps);
      const double slowed_mps = std::clamp(too_fast_mps, 0.0, std::max(most_mps, 0.0));
      const double forward = velocity_mps.dot(toward(facing_rad)) < 0.0 ? -1.0 : 1.0;
      wish.drift_mps -= forward * slowed_mps * toward(facing_rad);
    }
    steering.step(wish, pivot, facing_rad, speed_mps, tick_s);
  }

  void go() {
    const Handle handle = going.handle();
    const Going::Ended ended = going.step(whereabouts(), player);
    if (handle == kNoHandle) return;
    if (going.core_reached()) tell(EventKind::core_reached, handle);
    if (!ended.ended) return;
    end(handle, ended.status, ended.reason);
    tell(ended.status == Status::given_up ? EventKind::given_up : EventKind::goal_met, handle);
    going.release();
  }

  void tick() {
    std::swap(before, now);
    place_before = place;
    if (detail != detail_before) change_detail();
    go();
    player.set_rate(going.rate());
    steer();
    const analysis::GroundPlace in_plane = player.place();
    player.step(now);
    clip_speed_mps +=
        tick_s / kFacing_s *
        (std::hypot(player.place().x_m - in_plane.x_m, player.place().z_m - in_plane.z_m) / tick_s - clip_speed_mps);
    const int met = player.state().commanded ? -1 : data->state_of(player.next_node());
    if (met >= 0 && met != state) {
      state = met;
      tell(EventKind::state_reached, kNoHandle, met);
    }
    if (detail == Detail::played)
      footing.carry(now, foot_input(), ground, hips_m);
    else
      footing.place(now, player.world(), foot_input(), ground);
    look_at_root();
    velocity_mps = Vec3d(place.x_m - place_before.x_m, 0.0, place.z_m - place_before.z_m) / tick_s;
    const double share = tick_s / kFacing_s;
    speed_mps += share * (velocity_mps.norm() - speed_mps);
    // What steering turns is no sway.
    facing_rad += steering.turn_radps() * tick_s;
    facing_rad = wrap_angle(facing_rad + share * wrap_angle(place.heading_rad - facing_rad));
    // Where a foot comes down in this step, the next one says whether the other has to follow.
    const bool landed = (footing.standing() & ~standing) != 0;
    tell_feet();
    if (push != kNoHandle && steering.pushed_mps().isZero(0.0) && !footing.stepping() && !landed) {
      end(push, Status::done);
      tell(EventKind::goal_met, std::exchange(push, kNoHandle));
    }
    if (detail == Detail::full) lead_parts();
    ticked_s += tick_s;
  }
  /// What is over the motion: layers, gaze, and goals.
  void lead_parts() {
    layers.twist(going.wish().twist_rad);
    layers.apply(now, tick_s);
    if (layers.ended() != kNoHandle) {
      end(layers.ended(), Status::done);
      tell(EventKind::goal_met, layers.ended());
    }
    gaze.apply(data->skeleton(), now, tick_s);
    goals.apply(now, standing, {{hips_m.x(), hips_m.z(), facing_rad}, footing.hips_rise_m(), velocity_mps, speed_mps},
                tick_s);
    for (const LiveGoals::Slot& slot : goals.used_slots()) {
      Record* record = slot.kind == LiveGoals::Kind::none ? nullptr : find(slot.handle);
      if (record == nullptr) continue;
      if (slot.given_up && record->outcome.status == Status::active) {
        give_up(slot.handle, Reason::out_of_reach);
        goals.let_go(slot.handle);
      }
      tell_met(*record, goals.met(slot.handle));
    }
    if (Record* record = find(gaze.handle())) tell_met(*record, gaze.met());
  }
  void tell_feet() {
    for (int f = 0; f < static_cast<int>(data->feet()->feet.size()); ++f) {
      const unsigned bit = 1u << f;
      if (!((footing.standing() ^ standing) & bit)) continue;
      const bool down = (footing.standing() & bit) != 0;
      tell(down ? EventKind::foot_down : EventKind::foot_up, kNoHandle, f);
      if (!down) going.lifted(f, ticked_s);
      const auto planned = down ? going.step_for(f) : std::nullopt;
      if (!planned) continue;
      const Vec3d& ball = footing.ball_m(f);
      if (going.landed(f, std::hypot(ball.x() - planned->place.x_m, ball.z() - planned->place.z_m), ticked_s))
        tell(EventKind::step_met, going.handle(), going.steps_met() - 1);
    }
    standing = footing.standing();
  }
  void change_detail() {
    if (detail_before == Detail::played) footing.begin(player.world(), foot_input(), ground);
    if (detail_before == Detail::full) layers.pause(), gaze.pause(), goals.pause();
    detail_before = detail;
  }
  void visit_state(StateBytes& bytes);
  void tell_met(Record& record, bool met) {
    if (record.outcome.met == met || record.outcome.status != Status::active) return;
    record.outcome.met = met;
    tell(met ? EventKind::goal_met : EventKind::goal_lost, record.handle);
  }

  void show() {
    const double back = std::clamp((ticked_s - time_s) / tick_s, 0.0, 1.0);
    if (back < 1e-6) {
      shown = now;
      shown_place = place;
      return;
    }
    const auto share = static_cast<float>(1.0 - back);
    for (JointIndex j = 0; j < shown.joint_count(); ++j) {
      shown.set_rotation(j, before.rotation(j).slerp(share, now.rotation(j)));
      shown.set_translation(j, before.translation(j) + share * (now.translation(j) - before.translation(j)));
    }
    shown_place = {
        place_before.x_m + (1.0 - back) * (place.x_m - place_before.x_m),
        place_before.z_m + (1.0 - back) * (place.z_m - place_before.z_m),
        wrap_angle(place_before.heading_rad + (1.0 - back) * wrap_angle(place.heading_rad - place_before.heading_rad))};
  }
};

}  // namespace shosa::character
