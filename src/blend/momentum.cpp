#include "blend/momentum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "blend/constants.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/feet/join_feet.h"

namespace shosa::blend {

namespace {

constexpr double kKnot_s = 1.0 / 60.0;  // the change is found at knots so far apart
constexpr double kBefore_s = 0.15;      // of what lies around, so that accelerations are known
constexpr double kSettles_s = 0.3;      // the next core is itself, somewhere else, so long after its begin
constexpr double kAfter_s = 0.7;        // the window lasts so long after its begin,
constexpr double kLift_s = 0.6;         // … until a foot that keeps its place has made its step,
constexpr double kLongest_s = 2.0;      // … and no longer than this

// What a body is allowed where motions meet: to be pushed so much harder than in its sources, or with `kPush_mps2`; to
// fall faster than in its sources or with g, by what differences of samples make of it; knees that kink more;
// joints that are moved more abruptly.
constexpr double kHarder = 1.2, kFaster = 1.05, kGravity_mps2 = 9.81, kKink_rad = 0.17, kJump = 1.5;
constexpr double kIntoCore_s = 0.1;  // it is looked at up to so far into the next core,

// Between knots: cubic Hermite with the slopes of the neighbours' difference. Where the change rests on one side of a
// knot it rests at it, so that what stands stands between knots too.
void spread(const std::vector<Vec3d>& knots, int stride, std::vector<Vec3d>& out) {
  const int count = static_cast<int>(knots.size());
  const auto slope = [&](int i) -> Vec3d {
    if (i == 0 || i == count - 1) return Vec3d::Zero();
    const Vec3d before = knots[i] - knots[i - 1], after = knots[i + 1] - knots[i];
    return before.isZero(0.0) || after.isZero(0.0) ? Vec3d(Vec3d::Zero()) : Vec3d(0.5 * (before + after));
  };
  for (int i = 0; i + 1 < count; ++i) {
    const Vec3d &a = knots[i], &b = knots[i + 1], m0 = slope(i), m1 = slope(i + 1);
    for (int s = 0; s < stride; ++s) {
      const double x = s / static_cast<double>(stride);
      out.push_back(a + (b - a) * cubic_step(x) + m0 * (x * (1.0 - x) * (1.0 - x)) - m1 * (x * x * (1.0 - x)));
    }
  }
  out.push_back(knots.back());
}

// What is planned, on the time of the window, and where the feet are seen to stand in it: a foot that comes to rest
// before it is due, or rests between two steps, would be seen to slide.
analysis::FootContacts contacts_of(const Clip& window, const analysis::FootContacts& planned, const body::BodyMap& map,
                                   double by_s) {
  analysis::FootContacts contacts = planned;
  const auto found = analysis::find_foot_contacts(window, clip_positions(window), map);
  const auto add = [&](std::vector<TimeInterval>& list, const std::vector<TimeInterval>* seen) {
    for (TimeInterval& interval : list) interval = {interval.begin_s + by_s, interval.end_s + by_s};
    if (seen != nullptr) list = analysis::interval_union(list, *seen);
  };
  for (std::size_t k = 0; k < contacts.feet.size(); ++k) {
    analysis::FootContactTrack& foot = contacts.feet[k];
    const analysis::FootContactTrack* seen = found ? found->find(foot.points.name) : nullptr;
    add(foot.heel, seen != nullptr ? &seen->heel : nullptr);
    add(foot.toe, seen != nullptr ? &seen->toe : nullptr);
    add(foot.joined, seen != nullptr ? &seen->joined : nullptr);
    for (analysis::FootContact& stance : foot.stances) {
      stance.time = {stance.time.begin_s + by_s, stance.time.end_s + by_s};
    }
  }
  return contacts;
}

// `count` frames of a motion, from `first` on, each `stride` after the one before.
Clip sampled(const Clip& like, int first, int stride, int count, const std::function<void(int, Pose&)>& motion) {
  std::vector<JointIndex> all(static_cast<std::size_t>(like.joint_count()));
  std::iota(all.begin(), all.end(), 0);
  Clip out(like.skeleton_ptr(), count, stride * like.frame_time_s(), std::move(all));
  Pose pose;
  for (int i = 0; i < count; ++i) {
    motion(first + i * stride, pose);
    out.set_frame(i, pose);
  }
  return out;
}

}  // namespace

double strain(const MomentumInput& in, const Motion& previous) {
  const double dt = in.next.clip().frame_time_s();
  const auto frames_of = [&](double time_s) { return static_cast<int>(std::lround(time_s / dt)); };
  const int around = frames_of(kBefore_s), first = in.held - around;
  const int count = std::min(in.core + frames_of(kIntoCore_s) + around, in.end) - first + 1;
  const auto seen = analysis::study(sampled(in.next.clip(), first, 1, count, in.joined), in.next.map());
  const analysis::BodyFigures body = analysis::measure_body(analysis::observe_body(seen), around, count - around);
  const analysis::MotionQuality quality = analysis::measure_quality(seen);
  const auto larger = [&](auto figures, auto field) {
    return std::max(previous.*figures.*field, in.next.*figures.*field);
  };
  using analysis::BodyFigures, analysis::MotionQuality;
  const double push = std::max(kPush_mps2, kHarder * larger(&Motion::body, &BodyFigures::com_acceleration_mps2));
  const double fall = kFaster * std::max(kGravity_mps2, larger(&Motion::body, &BodyFigures::com_fall_mps2));
  const double kink = kKink_rad + larger(&Motion::body, &BodyFigures::knee_kink_rad);
  const double jump = kJump * larger(&Motion::quality, &MotionQuality::peak_acceleration_mps2);
  return std::max({body.com_acceleration_mps2 / push, body.com_fall_mps2 / fall, body.knee_kink_rad / kink,
                   quality.peak_acceleration_mps2 / jump});
}

BodyChange keep_momentum(const MomentumInput& in) {
  const Clip& clip = in.next.clip();
  const double dt = clip.frame_time_s();
  const auto frames_of = [&](double time_s) { return static_cast<int>(std::lround(time_s / dt)); };
  const int stride = std::max(1, frames_of(kKnot_s));
  const double knot_s = stride * dt;
  int until = in.core + frames_of(kAfter_s);
  for (const FootTimes& foot : in.feet) {
    const FrameInterval* stance = stance_at(foot, in.held);
    if (stance != nullptr && stance->end < in.end) until = std::max(until, stance->end + frames_of(kLift_s));
  }
  until = std::min({until, in.core + frames_of(kLongest_s), in.end});
  const int before = std::max(3, static_cast<int>(std::ceil(kBefore_s / knot_s)));
  const int first = in.held - before * stride, count = (until - first) / stride + 1;
  const int core = in.core - first;
  if (core <= before * stride || core > (count - 1) * stride) return {};

  Clip window = sampled(clip, first, stride, count, in.joined);
  analysis::FootContacts contacts = contacts_of(window, in.contacts, in.next.map(), -first * dt);
  auto studied = analysis::study(std::move(window), in.next.map(), std::move(contacts));
  if (!studied) return {};
  const auto solved =
      feet::join_feet(*studied, {.held_s = before * knot_s, .core_s = core * dt, .settled_s = core * dt + kSettles_s});
  if (!solved) return {};

  BodyChange out{.first = first, .shift_m = solved->shift_m};
  for (std::size_t k = 0; k < in.contacts.feet.size(); ++k) {
    const body::FootPoints& points = in.contacts.feet[k].points;
    out.legs.push_back(
        {{.hip = points.limb, .knee = points.knee, .ankle = points.joint, .flexion_axis = in.next.knee_axes[k]},
         points.toe >= 0 ? points.toe : points.joint});
  }
  spread(solved->change.root_m, stride, out.change.root_m);
  out.change.feet.resize(out.legs.size());
  for (std::size_t k = 0; k < out.legs.size(); ++k) {
    spread(solved->change.feet[k].ball_m, stride, out.change.feet[k].ball_m);
    spread(solved->change.feet[k].turn_rad, stride, out.change.feet[k].turn_rad);
  }
  return out;
}

void BodyChange::apply(double frame, const Rig& rig, WorldPose& world, Pose& pose) const {
  const double u = std::clamp(frame - first, 0.0, static_cast<double>(change.root_m.size() - 1));
  const auto i = static_cast<std::size_t>(u);
  const auto at = [&](const std::vector<Vec3d>& list) -> Vec3d {
    return i + 1 < list.size() ? Vec3d(list[i] + (u - static_cast<double>(i)) * (list[i + 1] - list[i])) : list[i];
  };
  std::array<feet::BallChange, kMaxFeet> balls;
  const std::size_t count = std::min(legs.size(), kMaxFeet);
  for (std::size_t k = 0; k < count; ++k) balls[k] = {at(change.feet[k].ball_m), at(change.feet[k].turn_rad)};
  feet::apply_change(rig.skeleton(), rig.hips(), std::span(legs).first(count), at(change.root_m),
                     std::span(balls).first(count), world, pose);
}

}  // namespace shosa::blend
