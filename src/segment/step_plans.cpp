#include <algorithm>
#include <cmath>

#include "segment/footstep_motion.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/segment/footsteps.h"

namespace shosa::segment {
namespace {

Vec3d way_of(const SourceStep& step) {
  return toward(step.heading_rad);
}

/// Landings with the step before each: what lengths are measured from.
struct Landing {
  const SourceStep* step;
  Vec3d from_last_m;  ///< From the place of the step before.
};
std::vector<Landing> landings_of(const FootstepSource& source) {
  std::vector<Landing> out;
  const auto steps = source.steps();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!steps[s].lands) continue;
    // The last step of another foot; a foot may also stand twice in a row, cut by the clip's begin.
    std::size_t before = s;
    while (before > 0 && steps[before - 1].foot == steps[s].foot) --before;
    before = before > 0 ? before - 1 : s - std::min<std::size_t>(s, 1);
    out.push_back({&steps[s], steps[s].place_m - steps[before].place_m});
  }
  return out;
}

const std::string& foot_name(const FootstepSource& source, const SourceStep& step) {
  return source.feet().feet[step.foot].name;
}

/// From the ankle to the farthest point of the toes, along the body's way, on the largest foot.
double toe_length_m(const FootstepSource& source) {
  double most = 0.0;
  for (const SourceStep& step : source.steps()) {
    const StandingFoot& foot = source.feet().feet[step.foot];
    const StillStance& stance = foot.stances[step.stance];
    const Vec3d way = way_of(step);
    most = std::max(most, (stance.turn * foot.ball_in_foot).dot(way));
    const auto f = static_cast<std::size_t>(stance.flat_first);
    for (const Vec3d& tip : foot.tips_in_toes) {
      const Vec3d from_ankle = foot.toe_local.empty() ? tip : Vec3d(foot.ball_in_foot + foot.toe_local[f] * tip);
      most = std::max(most, (stance.turn * from_ankle).dot(way));
    }
  }
  return most;
}

}  // namespace

std::vector<OwnStep> own_steps(const FootstepSource& source) {
  std::vector<OwnStep> out;
  for (const SourceStep& step : source.steps()) {
    out.push_back({{foot_name(source, step), step.place_m, step.heading_rad}, step.lands});
  }
  return out;
}

Result<StepPlan> stride_plan(std::shared_ptr<const FootstepSource> source, std::span<const double> shares) {
  if (shares.empty()) return fail(ErrorCode::invalid_argument, "no stride; expected at least one share");
  for (const double share : shares) {
    if (!(share > 0.0) || !(share <= 3.0))
      return fail(ErrorCode::invalid_argument, "stride {}, expected more than 0 and at most 3 times", share);
  }
  StepPlan plan{.source = source, .steps = {}, .terrain = {}};
  Vec3d place = Vec3d::Zero();
  for (const Landing& landing : landings_of(*source)) {
    if (plan.steps.empty() && landing.from_last_m.isZero(0.0)) {
      place = landing.step->place_m;
    } else {
      if (plan.steps.empty()) place = landing.step->place_m - landing.from_last_m;
      const double share = shares[std::min(plan.steps.size(), shares.size() - 1)];
      const Vec3d way = way_of(*landing.step);
      place += landing.from_last_m + (share - 1.0) * landing.from_last_m.dot(way) * way;
    }
    plan.steps.push_back(
        {.foot = foot_name(*source, *landing.step), .position_m = place, .heading_rad = landing.step->heading_rad});
  }
  return plan;
}

Result<StepPlan> stairs_plan(std::shared_ptr<const FootstepSource> source, const StairsPlanParams& params) {
  if (!std::isfinite(params.rise_m) || !(params.tread_m > 0.05) || params.count < 1 || params.before < 1 ||
      params.after < 0) {
    return fail(ErrorCode::invalid_argument, "stairs of {} m by {} m, {} treads, {} steps before and {} after",
                params.rise_m, params.tread_m, params.count, params.before, params.after);
  }
  const int wanted = params.before + params.count + params.after;
  std::vector<Landing> landings = landings_of(*source);
  if (static_cast<int>(landings.size()) < wanted) {
    auto looped = source->looped(wanted / 2 + 3);
    if (!looped) return std::unexpected(looped.error());
    source = std::move(*looped);
    landings = landings_of(*source);
    if (static_cast<int>(landings.size()) < wanted) {
      return fail(ErrorCode::not_possible, "{} landings for {} steps", landings.size(), wanted);
    }
  }

  // Up, the heel is set down just behind the edge, so that the toes have room before the next; down, farther out, so
  // that the heel clears the edge that it comes from.
  const double toes_m = toe_length_m(*source);
  const double room_m = params.rise_m > 0.0 ? std::clamp(params.tread_m - 0.07 - toes_m, -0.03, 0.06) : 0.14;
  StepPlan plan{.source = source, .steps = {}, .terrain = {}};
  const SourceStep& last_level = *landings[static_cast<std::size_t>(params.before) - 1].step;
  const double own_heading = landings[params.before].step->heading_rad,
               heading = params.heading_rad.value_or(own_heading);
  // The last level step ends a foot's length before the flight. The walk is put where the flight is.
  const Vec3d own_way = toward(own_heading);
  const Vec3d own_edge = last_level.place_m + (toes_m + 0.12) * own_way;
  if (params.heading_rad) plan.start.yaw_rad = wrap_angle(heading - own_heading);
  Vec3d edge = params.at_m.value_or(own_edge);
  edge.y() = own_edge.y();
  if (params.heading_rad || params.at_m) plan.start.shift_m = edge - plan.start.turn() * own_edge;
  plan.terrain = stairs_terrain({.first_edge_m = edge,
                                 .heading_rad = heading,
                                 .rise_m = params.rise_m,
                                 .tread_m = params.tread_m,
                                 .count = params.count});
  // Along the flight and across it.
  const Vec3d way = toward(heading), side = Vec3d::UnitY().cross(way);
  Vec3d place = Vec3d::Zero();
  // All that a clip has: where it turns round, it is not to come back over the edges.
  const int count = source->cycles() > 0 ? wanted : static_cast<int>(landings.size());
  for (int i = 0; i < count; ++i) {
    const Landing& landing = landings[i];
    const bool level = i < params.before;
    if (level) {
      place = plan.start * landing.step->place_m;
    } else {
      const Vec3d ahead = way_of(*landing.step), across = Vec3d::UnitY().cross(ahead);
      const double along = (place - edge).dot(way);
      const int tread = i - params.before;
      const double to = tread < params.count ? tread * params.tread_m + room_m : along + landing.from_last_m.dot(ahead);
      place += landing.from_last_m.dot(across) * side + (to - along) * way;
    }
    place.y() = plan.terrain->height_m(place.x(), place.z());
    plan.steps.push_back({.foot = foot_name(*source, *landing.step),
                          .position_m = place,
                          .heading_rad = level ? landing.step->heading_rad + plan.start.yaw_rad : heading});
  }
  return plan;
}

Result<StepPlan> terrain_plan(std::shared_ptr<const FootstepSource> source, const Terrain& terrain) {
  StepPlan plan{.source = source, .steps = {}, .terrain = terrain};
  for (const Landing& landing : landings_of(*source)) {
    Vec3d place = landing.step->place_m;
    place.y() = terrain.height_m(place.x(), place.z());
    plan.steps.push_back(
        {.foot = foot_name(*source, *landing.step), .position_m = place, .heading_rad = landing.step->heading_rad});
  }
  return plan;
}

}  // namespace shosa::segment
