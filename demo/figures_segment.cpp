// Figures 6 to 8 of seed 000: a step looped, a stride narrowed, a step down joined to walking.

#include <algorithm>
#include <cmath>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "shosa/core/clip_edit.h"
#include "shosa/segment/footsteps.h"
#include "shosa/segment/join.h"
#include "shosa/segment/loop.h"

namespace shosa::demo {

namespace {

constexpr double kLanding_m = 0.001;
/// Captured feet roll on while they lie, and their lowest points differ from stance to stance.
constexpr double kCapturedLanding_m = 0.005;
/// A stance that the end of the clip cuts shorter does not show where the foot comes to lie.
constexpr double kShownStance_s = 0.3;

/// Captured feet may be as bad as they came. `stands` is the clip that says when they should stand.
void check_feet(Figure& figure, const FigureClip& shown, const FigureClip& stands, const Cast& cast,
                const SourceMotion& source) {
  FeetQuality bound = kGoodFeet;
  if (cast.captured) {
    const FeetQuality own = feet_quality({"", "", source.clip(), source.body_map()});
    bound = {std::max(bound.slide_mps, own.slide_mps), std::max(bound.penetration_m, own.penetration_m)};
  }
  const FeetQuality feet = feet_quality(shown, stands);
  at_most(figure, "foot slide while standing", feet.slide_mps, bound.slide_mps, "m/s");
  at_most(figure, "foot under the ground", feet.penetration_m, bound.penetration_m, "m");
}

/// No break at the seams beyond what the motion has between any other two frames.
void check_seams(Figure& figure, const FigureClip& shown, std::span<const int> seams) {
  const ClipPositions positions = clip_positions(shown.clip);
  const double dt = shown.clip.frame_time_s();
  Break at_seams;
  for (const int frame : seams) {
    const Break here = break_at(positions, frame, dt);
    at_seams.position_m = std::max(at_seams.position_m, here.position_m);
    at_seams.velocity_mps = std::max(at_seams.velocity_mps, here.velocity_mps);
  }
  const Break elsewhere = worst_break(positions, dt, seams);
  at_most(figure, "break of a joint's path at a seam (bound: the largest elsewhere)", at_seams.position_m,
          std::max(1e-4, elsewhere.position_m), "m");
  at_most(figure, "change of a joint's velocity at a seam (bound: the largest elsewhere)", at_seams.velocity_mps,
          std::max(0.01, elsewhere.velocity_mps), "m/s");
}

double fastest_fall_mps(const FigureClip& shown) {
  const ClipPositions positions = clip_positions(shown.clip);
  const JointIndex root = root_joint(shown.body_map);
  double fastest = 0.0;
  for (int f = 1; f < positions.frame_count(); ++f) {
    const double down_m = positions.joint(f - 1, root).y() - positions.joint(f, root).y();
    fastest = std::max(fastest, down_m / shown.clip.frame_time_s());
  }
  return fastest;
}

/// Distance of the landings in a file from the places asked for.
struct LandingErrors {
  double worst_m = 0.0;
  int found = 0;
};
LandingErrors landing_errors(const std::vector<Landing>& found, const std::vector<segment::Footstep>& plan) {
  LandingErrors errors;
  for (const segment::Footstep& step : plan) {
    double nearest = 1e300;
    for (const Landing& landing : found) {
      if (landing.foot != step.foot) continue;
      const double flat =
          std::hypot(landing.ankle_m.x() - step.position_m.x(), landing.ankle_m.z() - step.position_m.z());
      nearest = std::min(nearest, std::max(flat, std::abs(landing.ground_m - step.position_m.y())));
    }
    errors.worst_m = std::max(errors.worst_m, nearest);
    if (nearest < 0.05) ++errors.found;
  }
  return errors;
}

}  // namespace

Result<Figure> loop_figure(const Cast& cast, const Workshop& shop) {
  // Walking up to speed, so that the two ends of a cycle differ and there is something to join.
  const auto walk = cast.find(cast.captured ? "walk_normal" : "start");
  if (!walk) return std::unexpected(walk.error());
  constexpr double kFrom_s = 2.0;
  segment::LoopParams params{.cycles = 4, .straight = true};
  if (!cast.captured) {
    params.from_s = kFrom_s;
    params.to_s = kFrom_s + 2.0 * 0.5333333333;
  }
  const auto loop = segment::make_loop((*walk)->studied, params);
  if (!loop) return std::unexpected(loop.error());

  Figure figure;
  figure.text = fmt::format(
      "One cycle of {} ({} frames), whose ends are {:.1f} cm apart, is edited to end as it begins and laid end to end "
      "four times.",
      (*walk)->from, loop->frames_per_cycle, 100.0 * loop->distance_m);
  const auto shown = shop.add_clip(figure, "000-fig-6", "Four cycles of one", loop->clip, (*walk)->body_map());
  if (!shown) return std::unexpected(shown.error());
  const int n = loop->frames_per_cycle;
  const std::vector<int> seams = {n, 2 * n, 3 * n};
  check_seams(figure, *shown, seams);
  check_feet(figure, *shown, *shown, cast, **walk);
  at_most(figure, "hips fall (bound: as fast as in the walk, and 0.15)", fastest_fall_mps(*shown),
          fastest_fall_mps({"", "", (*walk)->clip(), (*walk)->body_map()}) + 0.15, "m/s");
  const auto drawn = add_strip(shop, figure, "000-fig-6", "Four cycles, side and top", *shown,
                               {.views = {draw::ViewName::side, draw::ViewName::top}, .count = 17});
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

Result<Figure> stride_figure(const Cast& cast, const Workshop& shop) {
  const auto walk = cast.find("walk_normal");
  if (!walk) return std::unexpected(walk.error());
  const std::vector<double> shares = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};
  const auto source = segment::footstep_source((*walk)->studied);
  if (!source) return std::unexpected(source.error());
  const auto plan = segment::stride_plan(*source, shares);
  if (!plan) return std::unexpected(plan.error());
  const auto made = segment::walk_footsteps(*plan);
  if (!made) return std::unexpected(made.error());

  // What comes after the plan goes on with steps of its own.
  const auto planned =
      cut(made->clip, 0.0, std::min(made->steps.back().time_s + kShownStance_s, made->clip.last_time_s()));
  if (!planned) return std::unexpected(planned.error());
  std::vector<segment::Footstep> seen;
  for (std::size_t i = 0; i < plan->steps.size(); ++i) {
    if (made->steps[i].time_s + 0.99 * kShownStance_s <= planned->last_time_s()) seen.push_back(plan->steps[i]);
  }

  Figure figure;
  figure.text = fmt::format("{} lands where a plan of {} places says; each step is shorter than the last.",
                            (*walk)->from, plan->steps.size());
  const auto shown = shop.add_clip(figure, "000-fig-7", "Stride narrowed to 40 %", *planned, (*walk)->body_map());
  if (!shown) return std::unexpected(shown.error());
  const auto places = landings(*shown);
  const LandingErrors errors = landing_errors(places, seen);
  at_most(figure, "landing error", errors.worst_m, cast.captured ? kCapturedLanding_m : kLanding_m, "m");
  at_least(figure, "planned places landed on", errors.found, double(seen.size()), "");
  at_least(figure, "planned places whose stance is shown", double(seen.size()), 4.0, "");
  double first = 0.0, last = 0.0;
  int grown = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i - 1].time.begin_s <= 0.0) continue;  // Stood there from the first frame on.
    const Vec3d step = places[i].ankle_m - places[i - 1].ankle_m;
    const double length = std::hypot(step.x(), step.z());
    if (first > 0.0 && length > last) ++grown;
    if (first == 0.0) first = length;
    last = length;
  }
  at_most(figure, "steps longer than the one before", grown, 0.0, "");
  at_most(figure, "length of the last step against the first", last / first, 0.6, "");
  // A plan keeps the times of its walk.
  const auto timed = cut((*walk)->clip(), 0.0, shown->clip.last_time_s());
  if (!timed) return std::unexpected(timed.error());
  check_feet(figure, *shown, {"", "", *timed, (*walk)->body_map()}, cast, **walk);
  const auto drawn = add_strip(shop, figure, "000-fig-7", "Each step shorter than the last", *shown,
                               {.views = {draw::ViewName::side, draw::ViewName::top}, .count = 10});
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

Result<Figure> step_down_figure(const Cast& cast, const Workshop& shop) {
  const auto parts = find_all(cast, {"stop", "step_down", "start", "walk_normal"});
  if (!parts) return std::unexpected(parts.error());
  const SourceMotion &stop = *(*parts)[0], &down = *(*parts)[1], &start = *(*parts)[2], &walk = *(*parts)[3];
  const auto stretch = [](const SourceMotion& motion, double begin_s, double end_s) {
    return segment::JoinPart{motion.studied, motion.clip().nearest_frame(begin_s), motion.clip().nearest_frame(end_s)};
  };
  // The step down begins and ends at rest, and what has to change for it changes in the last steps of the stop.
  const auto joined = segment::join_segments(
      {.parts = {stretch(stop, 0.0, 1.0), stretch(stop, 1.0, 2.6), stretch(down, 0.0, 2.7), stretch(start, 0.0, 3.6)}});
  if (!joined) return std::unexpected(joined.error());
  const auto source = segment::footstep_source(walk.studied);
  if (!source) return std::unexpected(source.error());
  const auto plan = segment::stairs_plan(*source, {.rise_m = -0.15, .tread_m = 0.35, .count = 4});
  if (!plan) return std::unexpected(plan.error());
  const auto stairs = segment::walk_footsteps(*plan);
  if (!stairs) return std::unexpected(stairs.error());
  const auto flight_clip =
      cut(stairs->clip, 0.0, std::min(stairs->steps.back().time_s + kShownStance_s, stairs->clip.last_time_s()));
  if (!flight_clip) return std::unexpected(flight_clip.error());

  Figure figure;
  figure.text = fmt::format(
      "{}, {} and {}, made apart, are edited to meet and laid end to start. Below, a level walk comes down stairs: no "
      "motion on stairs is needed.",
      stop.from, down.from, start.from);
  const auto shown = shop.add_clip(figure, "000-fig-8", "Walk, step down, walk", joined->clip, walk.body_map());
  if (!shown) return std::unexpected(shown.error());
  std::vector<int> seams;
  for (const auto& seam : joined->seams) seams.push_back(seam.frame);
  check_seams(figure, *shown, seams);
  double own = 0.0;
  for (const SourceMotion* part : {&stop, &down, &start}) {
    own = std::max(own, root_velocity_step_mps({"", "", part->clip(), part->body_map()}));
  }
  at_most(figure, "change of the hips' velocity within a frame (bound: the parts' own, and 5 cm/s)",
          root_velocity_step_mps(*shown), own + 0.05, "m/s");
  check_feet(figure, *shown, *shown, cast, stop);
  const auto places = landings(*shown);
  const double drop = places.empty() ? 0.0 : places.front().ground_m - places.back().ground_m;
  at_most(figure, "difference between the drop and the step's 18 cm", std::abs(drop - 0.18), 0.002, "m");

  const auto flight =
      shop.add_clip(figure, "000-fig-8-stairs", "The level walk on stairs of 15 cm", *flight_clip, walk.body_map());
  if (!flight) return std::unexpected(flight.error());
  const LandingErrors errors = landing_errors(landings(*flight), plan->steps);
  at_most(figure, "stairs: landing error", errors.worst_m, kLanding_m, "m");
  at_least(figure, "stairs: planned places landed on", errors.found, double(plan->steps.size()), "");
  at_most(figure, "stairs: foot slide while standing", feet_quality(*flight).slide_mps, kGoodFeet.slide_mps, "m/s");
  at_most(figure, "stairs: sole under the treads", deepest_sole_m(flight->clip, *plan->terrain),
          kGoodFeet.penetration_m, "m");
  for (const auto& [clip, name, caption] : {std::tuple{&*shown, "000-fig-8", "Walk, step down, walk"},
                                            std::tuple{&*flight, "000-fig-8-stairs", "The level walk on stairs"}}) {
    const auto drawn = add_strip(shop, figure, name, caption, *clip, {.times_s = times_by_way(*clip, 11)});
    if (!drawn) return std::unexpected(drawn.error());
  }
  return figure;
}

}  // namespace shosa::demo
