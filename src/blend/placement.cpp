#include "blend/placement.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"

namespace shosa::blend {

namespace {

constexpr double kMaxFootTurn_rad = 0.6;  // a standing foot is turned no further against its leg; then the body is
constexpr double kMaxBodyTurn_rad = 1.6;  // and the body is turned no further to follow a foot that carries it

// Where the body is compared: begin and end of the blend, the middle of a shared move, the landing of a foot.
std::pair<double, int> body_frames(const TransitionPlan& plan, const TimeWarp& warp) {
  const MethodChoice& choice = plan.choice;
  if (choice.method == JoinMethod::transition) {
    const int middle = (std::max(choice.previous_move.begin, choice.next_move.begin) +
                        std::min(choice.previous_move.end, choice.next_move.end)) /
                       2;
    return {middle, middle};
  }
  if (choice.method == JoinMethod::connection) {
    return {warp.at(plan.lower.frames.end), plan.lower.frames.end};
  }
  return {plan.lower.frames.begin, plan.lower.frames.end};
}

double turn_of(SourceFeet& feet, std::span<const FootMeeting> support, double previous_frame, int next_frame,
               bool adapts) {
  const double yaw = feet.previous_heading_rad(previous_frame) - feet.next_heading_rad(next_frame);
  double excess = 0.0;
  for (const FootMeeting& m : support) {
    const double foot = wrap_angle(foot_heading_rad(m.previous, m.anchor_in_foot_m) -
                                   foot_heading_rad(m.next, m.anchor_in_foot_m) - yaw);
    excess += adapts ? foot - std::clamp(foot, -kMaxFootTurn_rad, kMaxFootTurn_rad)
                     : std::clamp(foot, -kMaxBodyTurn_rad, kMaxBodyTurn_rad);
  }
  return wrap_angle(support.empty() ? yaw : yaw + excess / static_cast<double>(support.size()));
}

Vec3d shift_of(SourceFeet& feet, std::span<const FootMeeting> support, const Quatd& turn, double previous_frame,
               int next_frame) {
  if (!support.empty()) {
    Vec3d shift = Vec3d::Zero();
    for (const FootMeeting& m : support) {
      Vec3d foot = m.previous.anchor_m - turn * m.next.anchor_m;
      foot.y() = m.previous_level_m - m.next_level_m;
      shift += foot;
    }
    return shift / static_cast<double>(support.size());
  }
  // Nothing stands: hips over hips.
  const JunctionInput& in = feet.input();
  Vec3d shift = feet.previous_hips_m(previous_frame) - turn * feet.next_hips_m(next_frame);
  shift.y() = in.previous_place.shift_m.y() + in.previous.motion->floor_m - in.next.floor_m;
  return shift;
}

}  // namespace

std::vector<FootMeeting> place_next(SourceFeet& feet, Junction& j) {
  const MethodChoice& choice = j.plan.choice;
  std::vector<FootMeeting> meetings(j.feet.size()), support, landing;
  for (std::size_t k = 0; k < j.feet.size(); ++k) {
    const FootPass& pass = j.feet[k];
    const bool is_chosen = static_cast<int>(k) == choice.foot;
    if (pass.kind == PassKind::stand) {
      meetings[k] = meeting_of_stances(feet, j, k);
      if (choice.method != JoinMethod::adaptation_with_step || !is_chosen) support.push_back(meetings[k]);
      continue;
    }
    // A foot that both motions stand on until it swings carries the body as well.
    const int lifts = static_cast<int>(pass.begin);
    const double shown = j.warp.at(pass.begin);
    if (pass.kind == PassKind::swing && !is_chosen &&
        stance_at(feet.input().previous.times.feet[k], static_cast<int>(std::lround(shown))) != nullptr &&
        stance_at(feet.next_times().feet[k], lifts) != nullptr) {
      support.push_back(meeting(feet, pass, k, shown, lifts));
    }
    if (pass.kind == PassKind::land) landing.push_back(meeting(feet, pass, k, j.warp.at(pass.end), pass.end));
  }
  // A foot that is still to land turns in the air: only feet that stand turn the body.
  std::vector<FootMeeting> standing = support;
  if (support.empty()) support = landing;
  if (support.empty() && choice.foot >= 0 && j.feet[choice.foot].kind == PassKind::stand) {
    support.push_back(meetings[choice.foot]);
    standing = support;
  }

  if (feet.input().keep_place) {
    j.place = feet.input().previous_place;
    return meetings;
  }
  const auto [previous_frame, next_frame] = body_frames(j.plan, j.warp);
  j.place.yaw_rad = turn_of(feet, standing, previous_frame, next_frame, j.plan.hold.has_value());
  j.place.shift_m = shift_of(feet, support, j.place.turn(), previous_frame, next_frame);
  return meetings;
}

}  // namespace shosa::blend
