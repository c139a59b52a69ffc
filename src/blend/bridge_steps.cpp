#include "blend/bridge_steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "blend/constants.h"
#include "blend/interval_planner.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr double kPerSwing = 1.2;      // time from one foot's step to the other's, in swings
constexpr double kMostTravel_m = 0.8;  // of the hips over a foot that stands
constexpr double kEarly = 0.12;  // share of a swing by which a foot on its way at the end lifts earlier than its clip
                                 // suggests: it has to catch up
constexpr double kShortStep_m = 0.25;  // a body that hardly gets on takes no more steps than of this length
constexpr double kLead_m = 0.1;        // of one foot before the other, along the way

double level_norm(const Vec3d& v) {
  return std::hypot(v.x(), v.z());
}

// The hips' way over the ground, as `HipsBlend` has it over a bridge, and the heading.
struct BodyWay {
  Vec3d from_m, to_m, leave, arrive;  // metres, metres per frame
  double from_rad = 0.0, turn_rad = 0.0;
  double begin = 0.0, end = 1.0;

  double share(double frame) const { return std::clamp((frame - begin) / (end - begin), 0.0, 1.0); }
  Vec3d hips_m(double frame) const {
    const double x = share(frame), length = end - begin, w = cubic_step(x);
    return from_m + (to_m - from_m) * w + leave * (length * x * (1.0 - x) * (1.0 - x)) -
           arrive * (length * (1.0 - x) * x * x);
  }
  Quatd turn(double frame) const {
    const double x = share(frame);
    return about_y(from_rad + turn_rad * cubic_step(x));
  }
};

// How a foot stands beside the hips, seen along the heading; `height_m` in the world.
struct Stance {
  Vec3d beside_m = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();
  double height_m = 0.0;
};

class Steps {
 public:
  Steps(SourceFeet& feet, const Junction& j, std::span<const FootBridge> bridges, std::span<const double> swings)
      : feet_(feet), bridges_(bridges), begin_(j.plan.lower.frames.begin), end_(j.plan.lower.frames.end) {
    swing_ = 0.5 * (swings[0] + swings[1]);
    const Quatd placed = j.place.turn();
    const auto next_hips = [&](double frame) { return Vec3d(placed * feet.next_hips_m(frame) + j.place.shift_m); };
    const double h = frames_of(kDifference_s, feet.frame_time_s());
    way_.begin = begin_;
    way_.end = end_;
    way_.from_m = feet.previous_hips_m(begin_);
    way_.to_m = next_hips(end_);
    way_.leave = (way_.from_m - feet.previous_hips_m(begin_ - h)) / h;
    way_.arrive = (next_hips(end_ + h) - way_.to_m) / h;
    way_.from_rad = feet.previous_heading_rad(begin_);
    way_.turn_rad = wrap_angle(feet.next_heading_rad(static_cast<int>(end_)) + j.place.yaw_rad - way_.from_rad);
    for (std::size_t k = 0; k < 2; ++k) {
      before_[k] = stance_before(k);
      after_[k] = stance_after(k, j.place);
    }
  }

  std::vector<FootWay> plan() {
    land_and_lift();
    choose_first();
    if (!count_steps()) return {};
    for (int i = 0; i < count_; ++i) {
      // The first foot lifts at once, and the last one lands at the end: legs are not stretched while they wait.
      const double half = 0.5 * std::min(swing_, count_ > 1 ? slot_ : to_ - from_);
      const double middle =
          count_ > 1 ? from_ + half + (to_ - from_ - 2.0 * half) * i / (count_ - 1) : 0.5 * (from_ + to_);
      const auto k = static_cast<std::size_t>(i % 2 == 0 ? first_ : 1 - first_);
      moves_[k].push_back({middle - half, middle + half});
    }
    std::vector<FootWay> ways(2);
    for (std::size_t k = 0; k < 2; ++k) ways[k] = way_of(k);
    return ways;
  }

 private:
  struct Move {
    double lift, landing;
  };
  bool lands(std::size_t k) const { return !bridges_[k].leaves; }   // it is in the air at the begin
  bool lifts(std::size_t k) const { return !bridges_[k].arrives; }  // and at the end

  // The free time between the landings of feet in the air at the begin and the lifts of those at the end.
  void land_and_lift() {
    from_ = begin_;
    to_ = end_;
    for (std::size_t k = 0; k < 2; ++k) {
      landing_[k] = lands(k) ? bridges_[k].arrive_end : begin_;
      lifting_[k] = lifts(k) ? std::max(bridges_[k].leave_begin - kEarly * swing_, begin_) : end_;
    }
    if (lands(0) && lands(1)) {
      const std::size_t late = landing_[0] <= landing_[1] ? 1 : 0;
      landing_[late] = std::max(landing_[late], landing_[1 - late] + 0.6 * swing_);
    }
    if (lifts(0) && lifts(1)) {
      const std::size_t early = lifting_[0] <= lifting_[1] ? 0 : 1;
      lifting_[early] = std::min(lifting_[early], lifting_[1 - early] - 0.6 * swing_);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      from_ = std::max(from_, landing_[k]);
      to_ = std::min(to_, lifting_[k]);
    }
  }

  // Which foot steps first, and which must be the last; -1: either.
  void choose_first() {
    const Vec3d way = way_.to_m - way_.from_m, ahead = Vec3d(way.x(), 0.0, way.z()) / std::max(level_norm(way), 1e-9);
    const auto lead_m = [&](const FootPose& a, const FootPose& b) { return (a.anchor_m - b.anchor_m).dot(ahead); };
    first_ = lead_m(bridges_[0].from, bridges_[1].from) <= 0.0 ? 0 : 1;
    if (lands(0) != lands(1)) first_ = lands(0) ? 1 : 0;
    if (lands(0) && lands(1)) first_ = landing_[0] <= landing_[1] ? 0 : 1;
    // Who stands ahead at the end has come last.
    const double end_lead_m = lead_m(bridges_[0].to, bridges_[1].to);
    last_ = std::abs(end_lead_m) < kLead_m ? -1 : end_lead_m > 0.0 ? 0 : 1;
    if (lifts(0) != lifts(1)) last_ = lifts(0) ? 1 : 0;
    if (lifts(0) && lifts(1)) last_ = lifting_[0] <= lifting_[1] ? 1 : 0;
  }

  bool count_steps() {
    const double time = to_ - from_;
    if (!(time > 0.5 * swing_)) return false;
    const double way_m = level_norm(way_.hips_m(to_) - way_.hips_m(from_)), pace = way_m / time;
    double slot = kPerSwing * swing_;
    if (pace * (2.0 * slot - swing_) > kMostTravel_m) {
      const double stance = kMostTravel_m / pace;
      slot = stance >= swing_ ? 0.5 * (stance + swing_) : stance;
    }
    const bool all_stand = !lands(0) && !lands(1) && !lifts(0) && !lifts(1);
    const int least = all_stand ? 2 : 1;
    count_ = std::max(1, static_cast<int>(std::lround((time - std::min(swing_, slot)) / slot)) + 1);
    count_ = std::max(least, std::min(count_, static_cast<int>(std::ceil(way_m / kShortStep_m))));
    // The steps alternate from the first to the last foot.
    if (last_ >= 0 && (count_ % 2 == 1) != (first_ == last_)) {
      count_ += count_ > least && time / count_ < slot ? -1 : 1;
    }
    slot_ = time / count_;
    return slot_ > 0.4 * swing_;
  }

  Stance stance_of(const FootPose& foot, const Vec3d& hips_m, double heading_rad) const {
    const Quatd back = about_y(-heading_rad);
    return {back * Vec3d(foot.anchor_m - hips_m), back * foot.rotation, foot.anchor_m.y()};
  }
  // The middle of the stance nearest the bridge, rather of one that the clip shows from begin to end.
  static std::optional<int> middle_of(std::span<const FrameInterval> stances, const MotionTimes& times, bool last) {
    std::optional<int> found;
    bool whole_found = false;
    for (const FrameInterval& stance : stances) {
      const bool whole = stance.begin > times.begin && stance.end < times.end;
      if (found && (whole_found != whole ? whole_found : !last)) continue;
      found = (stance.begin + stance.end) / 2;
      whole_found = whole;
    }
    return found;
  }
  std::optional<Stance> stance_before(std::size_t k) {
    const MotionTimes& times = feet_.input().previous.times;
    const auto frame = middle_of(times.feet[k].standing, times, true);
    if (!frame) return std::nullopt;
    const FootPose foot = feet_.previous(*frame, k);
    return stance_of(foot, feet_.previous_hips_m(*frame), feet_.previous_heading_rad(*frame));
  }
  std::optional<Stance> stance_after(std::size_t k, const GroundMove& place) {
    const MotionTimes& times = feet_.next_times();
    const auto frame = middle_of(times.feet[k].standing, times, false);
    if (!frame) return std::nullopt;
    const FootPose foot = feet_.next(*frame, k);
    Stance stance = stance_of(foot, feet_.next_hips_m(*frame), feet_.next_heading_rad(*frame));
    stance.height_m += place.shift_m.y();
    return stance;
  }

  FootPose place_at(std::size_t k, double frame) const {
    const double x = way_.share(frame);
    const Stance none{.height_m = bridges_[k].from.anchor_m.y()};
    const Stance a = before_[k].value_or(after_[k].value_or(none)), b = after_[k].value_or(a);
    const Quatd turn = way_.turn(frame);
    FootPose pose{way_.hips_m(frame) + turn * (a.beside_m + (b.beside_m - a.beside_m) * x),
                  (turn * a.rotation.slerp(x, b.rotation)).normalized()};
    pose.anchor_m.y() = a.height_m + (b.height_m - a.height_m) * x;
    return pose;
  }

  FootWay way_of(std::size_t k) const {
    FootWay way;
    const std::vector<Move>& moves = moves_[k];
    FootPose stance = bridges_[k].from;
    // Where it stands from a landing on.
    const auto stands_from = [&](double landing, std::size_t next_move) {
      const bool final = next_move >= moves.size();
      if (final && !lifts(k)) return bridges_[k].to;
      return place_at(k, 0.5 * (landing + (final ? lifting_[k] : moves[next_move].lift)));
    };
    if (lands(k)) {
      FootBridge step = bridges_[k];
      step.arrives = true;
      step.arrive_end = landing_[k];
      step.arrive_begin = std::max(begin_, landing_[k] - 0.5 * swing_);
      stance = step.to = stands_from(landing_[k], 0);
      way.steps.push_back(step);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      FootBridge step;
      step.leaves = step.arrives = step.straight = true;
      step.from = stance;
      stance = step.to = stands_from(moves[i].landing, i + 1);
      step.leave_begin = moves[i].lift;
      step.arrive_end = moves[i].landing;
      step.clearance_m = std::min(kLift_m, kLiftShare * level_norm(step.to.anchor_m - step.from.anchor_m));
      way.steps.push_back(step);
    }
    if (lifts(k)) {
      FootBridge step = bridges_[k];
      step.leaves = true;
      step.arrives = false;
      step.from = stance;
      step.leave_begin = lifting_[k];
      step.leave_end = std::min(end_, lifting_[k] + (0.5 + kEarly) * swing_);
      way.steps.push_back(step);
    }
    if (way.steps.empty()) way.steps.push_back(bridges_[k]);
    return way;
  }

  SourceFeet& feet_;
  std::span<const FootBridge> bridges_;
  double begin_, end_, swing_ = 0.0, from_ = 0.0, to_ = 0.0, slot_ = 0.0;
  BodyWay way_;
  int first_ = 0, last_ = -1, count_ = 0;
  std::array<double, 2> landing_{}, lifting_{};
  std::array<std::optional<Stance>, 2> before_, after_;
  std::array<std::vector<Move>, 2> moves_;
};

}  // namespace

std::vector<FootWay> take_steps(SourceFeet& feet, const Junction& junction, std::span<const FootBridge> bridges,
                                std::span<const double> swings) {
  if (bridges.size() != 2) return {};
  return Steps(feet, junction, bridges, swings).plan();
}

}  // namespace shosa::blend
