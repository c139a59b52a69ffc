#include "blend/foot_setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"

namespace shosa::blend {

namespace {

constexpr double kStanceSearch_s = 0.1;  // around the begin and end of a blend, for a foot at its stillest
constexpr double kLevel_m = 0.03;        // feet stand at the same level when they differ by no more
constexpr double kMaxDrift_m = 0.12;     // a foot that drifts further while it stands is meant to
constexpr double kEase_s = 0.08;         // in which a foot comes to its place and leaves it
constexpr double kHoldLeaves = 0.3;      // of that: how long before the source lifts it, and how long after, it leaves
constexpr double kFootCoast_s = 0.1;     // how long a foot goes on where its clip has ended
constexpr double kMaxSpeed_mps = 15.0;   // of a foot; what is faster is a broken frame
constexpr double kMaxStray_m = 0.6;      // of a foot that stands, from where the next motion has it
constexpr double kStep_s = 0.4;          // in which it steps there otherwise …
constexpr double kStepPace_mps = 1.5;    // … or longer, if that is faster in the mean
constexpr double kWholeOffset_m = 0.05;  // of a standing foot: one that takes a step to go
constexpr double kStill_m = 0.002;       // within 0.04 s
constexpr double kLittle_m = 0.005;      // of drift
constexpr int kStanceSamples = 7;
constexpr double kCarryClearance_m = 0.06;  // of a foot that is carried over at `kFullSpeed_mps` or faster
constexpr double kFullSpeed_mps = 0.4;
constexpr double kMaxLift_m = 0.15;
constexpr double kMaxRise_mps2 = 80.0;  // of the lift alone: 32 lift / time^2
constexpr int kPathSamples = 12;
constexpr double kRest_mps = 0.2;       // of a heel: it has come down
constexpr double kFootLength_m = 0.12;  // from the anchor to the heel: what a turn is worth

int search_frames(const SourceFeet& feet) {
  return std::max(1, static_cast<int>(std::lround(kStanceSearch_s / feet.frame_time_s())));
}

int ease_frames(const SourceFeet& feet) {
  return std::max(1, static_cast<int>(std::lround(kEase_s / feet.frame_time_s())));
}

template <class FootAt>
int stillest(FrameInterval window, double length_m, const FootAt& foot_at) {
  int best = window.begin;
  double least = std::numeric_limits<double>::infinity();
  const int samples = std::min(kStanceSamples, window.length() + 1);
  for (int i = 0; i < samples; ++i) {
    const int f = window.begin + (samples > 1 ? window.length() * i / (samples - 1) : 0);
    const FootPose now = foot_at(f), later = foot_at(f + 1);
    const double speed =
        (later.anchor_m - now.anchor_m).norm() + length_m * now.rotation.angularDistance(later.rotation);
    if (speed < least) {
      least = speed;
      best = f;
    }
  }
  return best;
}

double flat_norm(const Vec3d& v) {
  return std::hypot(v.x(), v.z());
}

// The frames of `range` up to its end (or from its begin on, `from_begin`) in which the anchor stands without a break;
// empty where it does not stand there within a few frames.
template <class Stands>
FrameInterval run_of(const FrameInterval& range, bool from_begin, const Stands& stands) {
  constexpr int kSlack = 3;
  FrameInterval run{0, -1};
  int missed = 0;
  for (int i = 0; i <= range.length(); ++i) {
    const int f = from_begin ? range.begin + i : range.end - i;
    if (stands(f)) {
      if (run.length() < 0) run = {f, f};
      (from_begin ? run.end : run.begin) = f;
    } else if (run.length() >= 0 || ++missed > kSlack) {
      break;
    }
  }
  return run;
}

FootHold hold_previous(SourceFeet& feet, const Junction& j, std::size_t k, int until, bool stands) {
  const auto foot_at = [&](double f) { return feet.previous(j.warp.at(f), k); };
  const FrameInterval run = run_of({feet.input().previous.times.core.end, until}, false,
                                   [&](int f) { return feet.previous_anchor_stands(j.warp.at(f), k); });
  const int ease = ease_frames(feet);
  if (run.length() < ease) return {};
  const int begin = stillest({run.begin, std::min(run.end, run.begin + search_frames(feet))}, 0.0, foot_at);
  // A foot that stands on is not left: the source is not looked at later. One that stands still in its source leaves
  // its place with it; one that drifts is freed of that first.
  int end = std::max(stands ? until : run.end - ease / 2, begin);
  const bool still = flat_norm(foot_at(run.end - 1).anchor_m - foot_at(end).anchor_m) < kStill_m;
  if (still && !stands) end = std::max(end, run.end - static_cast<int>(kHoldLeaves * ease));
  FootHold hold{
      .begin = static_cast<double>(begin), .end = static_cast<double>(end), .ease = static_cast<double>(ease)};
  hold.place_m = foot_at(std::min(begin + ease / 2, end)).anchor_m;
  hold.source_m = foot_at(end).anchor_m;
  hold.leave = still ? 2.0 * kHoldLeaves * ease : ease;
  return flat_norm(hold.place_m - hold.source_m) > kMaxDrift_m ? FootHold{} : hold;
}

FootHold hold_next(SourceFeet& feet, const Junction& j, std::size_t k, int from, bool stands) {
  const auto foot_at = [&](double f) { return feet.next(f, k); };
  const int last = std::max(feet.next_times().core.begin - 1, j.plan.lower.frames.end);
  const FrameInterval run = run_of({from, last}, true, [&](int f) { return feet.next_anchor_stands(f, k); });
  const int ease = ease_frames(feet);
  if (run.length() < ease) return {};
  const int end = stillest({std::max(run.begin, run.end - search_frames(feet)), run.end}, 0.0, foot_at);
  int begin = std::min(run.begin + ease / 2, end);
  if (stands && flat_norm(foot_at(end).anchor_m - foot_at(from).anchor_m) < kLittle_m) begin = std::min(from, end);
  FootHold hold{.begin = static_cast<double>(begin),
                .end = static_cast<double>(end),
                .ease = static_cast<double>(ease),
                .of_previous = false};
  hold.place_m = foot_at(std::max(end - ease / 2, begin)).anchor_m;
  hold.source_m = foot_at(begin).anchor_m;
  hold.leave = flat_norm(foot_at(run.begin + 1).anchor_m - hold.source_m) < kStill_m ? 0.5 * ease : ease;
  return flat_norm(hold.place_m - hold.source_m) > kMaxDrift_m ? FootHold{} : hold;
}

FootPose held(FootPose foot, const FootHold& hold, double frame) {
  foot.anchor_m += hold.shift_m(frame, foot.anchor_m);
  return foot;
}

// A foot that is carried over must not drag: its path, mixed of both motions' own, is lifted as far as it takes.
double lift_of(SourceFeet& feet, const Junction& j, std::size_t k) {
  const FootPass& pass = j.feet[k];
  const analysis::FootContactTrack& track = feet.input().next.contacts().feet[k];
  const double rest_m = track.points.toe >= 0 ? track.toe_rest_m : track.heel_rest_m;
  std::array<Vec3d, kPathSamples + 1> path;
  const double step = (pass.end - pass.begin) / kPathSamples;
  for (int i = 0; i <= kPathSamples; ++i) {
    const double f = pass.begin + step * i, u = pass.share(f);
    const double before_m = feet.previous_ground_m(j.warp.at(f), k);
    const double after_m = j.place.shift_m.y() + feet.next_ground_m(f, k);
    const FootPose previous = held(feet.previous(j.warp.at(f), k), pass.previous_hold, f);
    Vec3d& p = path[i];
    p = pass.kind == PassKind::land ? Vec3d(previous.anchor_m + pass.landing_shift_m * u)
                                    : mixed(previous, held(feet.next_placed(f, k), pass.next_hold, f), u).anchor_m;
    p.y() -= before_m + (after_m - before_m) * u + rest_m;
  }
  double lift_m = 0.0;
  for (int i = 2; i < kPathSamples - 1; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double speed_mps = flat_norm(path[at + 1] - path[at - 1]) / (2.0 * step * feet.frame_time_s());
    const double wanted_m = kCarryClearance_m * std::min(1.0, speed_mps / kFullSpeed_mps);
    lift_m = std::max(lift_m, (wanted_m - path[at].y()) / pass.arc(pass.begin + step * i));
  }
  const double time_s = (pass.end - pass.begin) * feet.frame_time_s();
  return std::min({lift_m, kMaxLift_m, kMaxRise_mps2 * time_s * time_s / 32.0});
}

}  // namespace

FootMeeting meeting(SourceFeet& feet, const FootPass& pass, std::size_t k, double previous_frame, double next_frame) {
  FootMeeting m;
  m.previous = feet.previous(previous_frame, k);
  m.next = feet.next(next_frame, k);
  m.anchor_in_foot_m = feet.anchor_in_foot_m(k);
  m.previous_level_m = feet.previous_level_m(previous_frame, k);
  m.next_level_m = feet.next_level_m(next_frame, k);
  if (pass.kind == PassKind::stand) {
    pass.previous_hold.to_place(m.previous.anchor_m);
    pass.next_hold.to_place(m.next.anchor_m);
  }
  return m;
}

FootMeeting meeting_of_stances(SourceFeet& feet, const Junction& j, std::size_t k) {
  const FootPass& pass = j.feet[k];
  const int around = search_frames(feet);
  const int begin = static_cast<int>(pass.begin), end = static_cast<int>(pass.end);
  const FootHold &ours = pass.previous_hold, &theirs = pass.next_hold;
  double previous_frame = ours.hold_frame(), next_frame = theirs.hold_frame();
  if (!ours.active()) {
    FrameInterval window{begin, std::min(end, begin + 2 * around)};
    if (const FrameInterval* stance = stance_at(feet.input().previous.times.feet[k], begin); stance != nullptr) {
      window.end = std::clamp(stance->end - 1, window.begin, window.end);
    }
    previous_frame = stillest(window, kFootLength_m, [&](int f) { return feet.previous(f, k); });
  }
  if (!theirs.active()) {
    FrameInterval window{pass.next_from, pass.next_from};
    if (const FrameInterval* stance = stance_at(feet.next_times().feet[k], end); stance != nullptr) {
      window = {std::max(stance->begin, end - around), std::min(stance->end - 1, end + around)};
      if (window.length() < 0) window = {stance->begin, stance->begin};
    }
    next_frame = stillest(window, kFootLength_m, [&](int f) { return feet.next(f, k); });
  }
  return meeting(feet, pass, k, j.warp.at(previous_frame), next_frame);
}

namespace {

// The frame, within a few, at which the heel of the next motion's foot has come to rest as well.
int settled_frame(SourceFeet& feet, std::size_t k, int from, int last) {
  const auto heel_at = [&](int f) {
    const FootPose foot = feet.next(f, k);
    return feet.input().rig.ankle_of(foot, feet.anchor_in_foot_m(k));
  };
  last = std::min(last, from + search_frames(feet));
  Vec3d heel = heel_at(from);
  for (int f = from; f < last; ++f) {
    const Vec3d later = heel_at(f + 1);
    if (flat_norm(later - heel) < kRest_mps * feet.frame_time_s()) return f;
    heel = later;
  }
  return from;
}

}  // namespace

void hold_feet(SourceFeet& feet, Junction& j) {
  for (std::size_t k = 0; k < j.feet.size(); ++k) {
    FootPass& pass = j.feet[k];
    const bool stands = pass.kind == PassKind::stand;
    if (stands) {
      // A foot that stands does not rock back onto its heel only because the next motion's has just come down.
      const FrameInterval* stance = stance_at(feet.next_times().feet[k], pass.next_from);
      int last = stance != nullptr ? stance->end : pass.next_from;
      if (!j.plan.hold) last = std::min(last, feet.next_times().core.begin - 2);
      int flat = pass.next_from;
      while (flat < last && !feet.next_anchor_stands(flat, k)) ++flat;
      if (flat < last) pass.next_from = flat;
      pass.next_from = settled_frame(feet, k, pass.next_from, last);
    }
    double until = stands ? std::min<double>(pass.previous_until, pass.end) : pass.begin;
    until = std::min<double>(until, feet.input().previous.times.end);
    const double from = stands ? std::max<double>(pass.next_from, pass.begin) : pass.end;
    pass.previous_hold = hold_previous(feet, j, k, static_cast<int>(until), stands);
    pass.next_hold = hold_next(feet, j, k, static_cast<int>(from), stands);
  }
}

void coast_feet(SourceFeet& feet, Junction& j) {
  const auto believable = [&](const Vec3d& speed) {
    return Vec3d(speed.norm() < kMaxSpeed_mps * feet.frame_time_s() ? speed : Vec3d::Zero());
  };
  const double decay = kFootCoast_s / feet.frame_time_s(), h = search_frames(feet) / 4;
  const double last = feet.input().previous.times.end, first = j.plan.at;
  for (std::size_t k = 0; k < j.feet.size(); ++k) {
    FootPass& pass = j.feet[k];
    pass.previous_coast = {.edge = last, .decay = decay};
    pass.next_coast = {.edge = first, .decay = decay};
    if (pass.kind != PassKind::swing) continue;
    if (stance_at(feet.input().previous.times.feet[k], static_cast<int>(last)) == nullptr) {
      pass.previous_coast.speed_m_per_frame =
          believable((feet.previous(last, k).anchor_m - feet.previous(last - h, k).anchor_m) / h);
    }
    if (stance_at(feet.next_times().feet[k], static_cast<int>(first)) == nullptr) {
      pass.next_coast.speed_m_per_frame =
          believable((feet.next(first + h, k).anchor_m - feet.next(first, k).anchor_m) / h);
    }
  }
}

namespace {

// A foot that would have to stay further away than its leg allows is set down where the next motion stands, as soon as
// it can.
void step_over(const SourceFeet& feet, const FootMeeting& m, std::size_t k, Junction& j) {
  FootPass& pass = j.feet[k];
  const double stray_m = flat_norm(m.previous.anchor_m - (j.place.turn() * m.next.anchor_m + j.place.shift_m));
  if (stray_m < kMaxStray_m) return;
  // As long as a step of that length takes, where the next motion stands on it then.
  const auto stands_after = [&](double time_s) {
    const int frames = static_cast<int>(std::lround(time_s / feet.frame_time_s()));
    return stance_at(feet.next_times().feet[k], static_cast<int>(pass.begin) + frames) != nullptr ? frames : 0;
  };
  int length = stands_after(std::max(kStep_s, stray_m / kStepPace_mps));
  if (length == 0) length = stands_after(kStep_s);
  if (length == 0) return;
  pass.kind = PassKind::swing;
  pass.end = pass.begin + length;
  pass.lifted = kLifted;
  pass.release = {};
  pass.previous_hold = {};
  pass.next_hold = {};
}

}  // namespace

void finish_feet(SourceFeet& feet, std::span<const FootMeeting> meetings, Junction& j) {
  const Quatd turn = j.place.turn();
  const bool adapts = j.plan.hold.has_value();
  const double s0_begin = j.plan.lower.frames.begin;
  for (std::size_t k = 0; k < j.feet.size(); ++k) {
    FootPass& pass = j.feet[k];
    if (adapts && pass.kind == PassKind::stand) step_over(feet, meetings[k], k, j);
    pass.next_hold.place_m = turn * pass.next_hold.place_m + j.place.shift_m;
    pass.next_coast.speed_m_per_frame = turn * pass.next_coast.speed_m_per_frame;
    pass.next_hold.source_m = turn * pass.next_hold.source_m + j.place.shift_m;
    if (pass.kind == PassKind::stand) {
      const FootMeeting& m = meetings[k];
      pass.offset.shift_m = m.previous.anchor_m - (turn * m.next.anchor_m + j.place.shift_m);
      pass.offset.shift_m.y() = m.previous_level_m - (m.next_level_m + j.place.shift_m.y());
      if (std::abs(pass.offset.shift_m.y()) < kLevel_m) pass.offset.shift_m.y() = 0.0;
      pass.offset.yaw_rad = wrap_angle(foot_heading_rad(m.previous, m.anchor_in_foot_m) -
                                       foot_heading_rad(m.next, m.anchor_in_foot_m) - j.place.yaw_rad);
      pass.offset_share = std::min(1.0, pass.offset.shift_m.norm() / kWholeOffset_m);
      pass.next_first = held(feet.next_placed(pass.next_from, k), pass.next_hold, pass.next_from);
      const double until = std::min<double>(pass.previous_until, pass.end);
      pass.previous_until = static_cast<int>(until);
      pass.previous_last = held(feet.previous(j.warp.at(until), k), pass.previous_hold, until);
      // Outside an adaptation the core is whole again: what is left of an offset goes before it begins.
      const double core = feet.next_times().core.begin - 1;
      if (!adapts && pass.release.end > core) {
        pass.release = {s0_begin, std::max<double>(core, s0_begin + 1), 0.0, 0.0};
      }
      time_turn(feet, j, k, pass);
      continue;
    }
    if (pass.kind == PassKind::land) {
      const FootPose before = held(feet.previous(j.warp.at(pass.end), k), pass.previous_hold, pass.end);
      const FootPose after = held(feet.next_placed(pass.end, k), pass.next_hold, pass.end);
      pass.landing_shift_m = after.anchor_m - before.anchor_m;
      pass.landing_turn = after.rotation * before.rotation.conjugate();
    }
    const double middle = 0.5 * (pass.begin + pass.end);
    pass.between = feet.previous(j.warp.at(middle), k).rotation.conjugate() * feet.next_placed(middle, k).rotation;
    if (pass.between.w() < 0.0) pass.between.coeffs() = -pass.between.coeffs();
    pass.lift_m = lift_of(feet, j, k);
  }
}

}  // namespace shosa::blend
