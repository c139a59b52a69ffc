// Going by a footstep plan, and what going is as bytes.

#include <algorithm>
#include <cmath>

#include "character/going.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kStepTime_s = 0.55;      ///< Of a walk: says which gait fits steps of a length.
constexpr double kMostDrift_mps = 0.6;    ///< Of the body beside what the clips do, to come to its next place.
constexpr double kSlowestPlanned = 0.65;  ///< Of a gait's own speed.
constexpr double kMissed_m = 0.05;
constexpr double kLeastSwing_s = 0.25;  ///< A foot that was in the air for less had no time to step.
constexpr double kComeOver_per_s = 2.5, kOver_m = 0.02;

Vec3d at_place(const Point& point) {
  return {point.x_m, 0.0, point.z_m};
}

}  // namespace

std::optional<GoSteps::Step> Going::step_for(int foot) const {
  const auto* plan = std::get_if<GoSteps>(&order_);
  if (plan == nullptr || next_point_ >= plan->count || plan->steps[next_point_].foot != foot) return std::nullopt;
  return plan->steps[next_point_];
}

void Going::lifted(int foot, double time_s) {
  if (step_for(foot)) lifted_s_ = time_s;
}

bool Going::landed(int foot, double off_m, double time_s) {
  if (!step_for(foot)) return false;
  const bool misses = off_m > kMissed_m;
  if (misses && time_s - lifted_s_ < kLeastSwing_s) return false;
  missed_ = misses;
  lifted_s_ = kNotYet_s;
  ++next_point_;
  return true;
}

Going::Ended Going::go_steps(const GoSteps& plan, const Whereabouts& at, graph::Player& player) {
  const int still = data_->still_state();
  if (still < 0) return {true, Status::given_up, Reason::no_still_state};
  if (missed_) return {true, Status::given_up, Reason::out_of_reach};
  if (at.time_s - since_s_ > 2.0 * kStepTime_s * (next_point_ + 4))
    return {true, Status::given_up, next_point_ == 0 ? Reason::unreachable : Reason::out_of_reach};
  wish_ = {}, aims_ = {};
  if (next_point_ >= plan.count) {
    // The body comes over its last step while the other foot closes.
    if (wanted_ != still) become(still, graph::kNoHurry, player);
    rate_to_ = 1.0;
    const GoSteps::Step& last = plan.steps[plan.count - 1];
    if (player.next_landing(last.foot).known) {
      aims_[last.foot] = {true, at_place(last.place), 0.0};
      return {};
    }
    const Vec3d off = at.feet->offset_m(last.foot);
    wish_.drift_mps = kComeOver_per_s * off;
    return data_->is_in(still, player) && off.norm() < kOver_m ? Ended{true, Status::done, Reason::none} : Ended{};
  }
  // Where two steps on and the one before lie says where the body goes.
  const Vec3d from = next_point_ > 0 ? at_place(plan.steps[next_point_ - 1].place) : at.hips_m;
  const int on = std::min(next_point_ + 1, plan.count - 1);
  Vec3d way = at_place(plan.steps[on].place) - from;
  way.y() = 0.0;
  // One gait for the whole plan: the one that goes on whose steps are most like its own.
  const Vec3d whole = at_place(plan.steps[plan.count - 1].place) - at_place(plan.steps[0].place);
  const double speed_mps = whole.norm() / std::max(1, plan.count - 1) / kStepTime_s;
  int moving = -1;
  for (int i = 0; i < static_cast<int>(data_->states().size()); ++i) {
    const auto off = [&](int state) { return std::abs(data_->states()[state].speed_mps - speed_mps); };
    const State& state = data_->states()[i];
    if (state.gait && (moving < 0 || off(i) < off(moving))) moving = i;
  }
  if (moving < 0) return {true, Status::given_up, Reason::no_such_speed};
  if (wanted_ != moving) become(moving, graph::kNoHurry, player);
  if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
  // People take short steps at a slower beat; and the body has more time to come to its next place.
  rate_to_ = std::clamp(speed_mps / data_->states()[moving].speed_mps, kSlowestPlanned, 1.0);
  if (way.norm() > 0.1) wish_.heading_rad = heading_of(way);
  const GoSteps::Step& step = plan.steps[next_point_];
  if (step.heading_rad) wish_.heading_rad = step.heading_rad;
  // Whichever foot is in the air: its landing in the clip comes to lie where it shall be. One whose turn it is not
  // comes down half-way.
  for (int f = 0; f < static_cast<int>(data_->feet()->feet.size()); ++f) {
    const graph::Landing landing = player.next_landing(f);
    if (!landing.known) continue;
    const Vec3d clip = at.world_from_plane * landing.ball_m;
    Footing::Landing& aim = aims_[f];
    aim.on = true;
    if (f == step.foot) {
      aim.ball_m = at_place(step.place);
      if (step.heading_rad) aim.turn_rad = wrap_angle(*step.heading_rad - at.facing_rad);
    } else {
      const Vec3d across = about_y(at.facing_rad) * Vec3d::UnitX(), other = at.feet->ball_m(step.foot);
      aim.ball_m = 0.5 * (other + at_place(step.place));
      aim.ball_m += across.dot(clip - aim.ball_m) * across;
    }
    const Vec3d off = aim.ball_m - clip;
    wish_.drift_mps = Vec3d(off.x(), 0.0, off.z()) / std::max(landing.in_s, 0.25);
    if (wish_.drift_mps.norm() > kMostDrift_mps) wish_.drift_mps *= kMostDrift_mps / wish_.drift_mps.norm();
  }
  return {};
}

void visit_state(StateBytes& bytes, Point& p) {
  bytes(p.x_m, p.z_m);
}
void visit_state(StateBytes& bytes, Facing& f) {
  bytes(f.point, f.heading_rad);
}
void visit_state(StateBytes& bytes, GoState& go) {
  bytes(go.state, go.hurry);
}
void visit_state(StateBytes& bytes, GoDirection& go) {
  bytes(go.heading_rad, go.speed_mps, go.facing);
}
void visit_state(StateBytes& bytes, GoPlace& go) {
  bytes(go.place, go.heading_rad, go.speed_mps, go.facing);
}
void visit_state(StateBytes& bytes, GoPath& go) {
  bytes(go.points, go.count, go.speed_mps);
}
void visit_state(StateBytes& bytes, Stop& stop) {
  bytes(stop.ahead_m);
}
void visit_state(StateBytes& bytes, PlayOnce& once) {
  bytes(once.state, once.core_at_s);
}
void visit_state(StateBytes& bytes, Face& face) {
  bytes(face.point, face.heading_rad);
}
void visit_state(StateBytes& bytes, GoSteps::Step& step) {
  bytes(step.foot, step.place, step.heading_rad);
}
void visit_state(StateBytes& bytes, GoSteps& go) {
  bytes(go.steps, go.count);
}

void Going::visit_state(StateBytes& bytes) {
  bytes(order_, handle_, phase_, wanted_, gait_, before_, since_s_, stop_ends_m_, stopped_s_, stood_s_, stands_m_,
        faces_rad_, next_point_, missed_, lifted_s_, rate_, rate_to_, wish_.heading_rad, wish_.drift_mps,
        wish_.twist_rad, core_reached_);
}

}  // namespace shosa::character
