// The joint piece: all five methods in one continuous motion of about a minute.

#include <algorithm>
#include <cmath>
#include <map>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/piece_parts.h"
#include "demo/piece_stairs.h"
#include "demo/posing_tools.h"
#include "demo/submovement_tools.h"
#include "shosa/blend/compose.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/ground_move.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/timeline.h"

namespace shosa::demo {

namespace {

/// A point of a body given in the frame of its hips, so that it can be compared wherever the body stands.
Vec3d in_hips(const FigureClip& shown, double time_s, const Vec3d& point_m) {
  const WorldPose world = forward_kinematics(shown.clip.skeleton(), shown.clip.frame(shown.clip.nearest_frame(time_s)));
  const auto hips = static_cast<std::size_t>(root_joint(shown.body_map));
  return world.rotations[hips].conjugate() * (point_m - world.positions[hips]);
}

/// Where a part came to lie on the ground of the whole.
GroundMove placement(const FigureClip& whole, double whole_s, const FigureClip& part, double part_s) {
  const auto hips_of = [](const FigureClip& shown, double time_s) {
    const WorldPose world =
        forward_kinematics(shown.clip.skeleton(), shown.clip.frame(shown.clip.nearest_frame(time_s)));
    const auto hips = static_cast<std::size_t>(root_joint(shown.body_map));
    return std::pair(world.positions[hips], world.rotations[hips]);
  };
  const auto [to, to_turn] = hips_of(whole, whole_s);
  const auto [from, from_turn] = hips_of(part, part_s);
  const Quatd turn = to_turn * from_turn.conjugate();
  GroundMove placed{2.0 * std::atan2(turn.y(), turn.w())};
  placed.shift_m = to - placed.turn() * from;
  return placed;
}

/// One lane per motion; those that another method than composing made say so, each in its colour.
Result<draw::Canvas> times_picture(const Clip& clip, std::vector<draw::Lane> lanes) {
  const auto drawn = draw::draw_timeline({.lanes = std::move(lanes),
                                          .range = TimeInterval{0.0, clip.last_time_s()},
                                          .width_px = 1200.0,
                                          .lane_height_px = 14.0});
  if (!drawn) return std::unexpected(drawn.error());
  return drawn->canvas;
}

}  // namespace

Result<Figure> piece_figure(const Cast& cast, const Workshop& shop) {
  const auto parts = find_all(
      cast, {"guard", "punch_left", "kick", "punch_right", "hiphop_two_step", "hiphop_rock", "raise_hand", "wave",
             "bow", "dodge", "jump", "pick_up", "run_fast", "run_slow", "walk_fast", "walk_normal", "idle"});
  if (!parts) return std::unexpected(parts.error());
  const body::BodyMap& map = (*parts)[0]->body_map();
  const RunTimes times;
  const auto run = run_part(cast, times);
  if (!run) return std::unexpected(run.error());
  const auto stairs = make_stairs_walk(cast);
  if (!stairs) return std::unexpected(stairs.error());
  const auto reach = reach_part(*(*parts)[6]);
  if (!reach) return std::unexpected(reach.error());

  struct Entry {
    std::string name;
    analysis::StudiedClip studied;
    std::optional<TimeInterval> core;
  };
  const auto of = [&](std::size_t i) { return Entry{(*parts)[i]->from, (*parts)[i]->studied, (*parts)[i]->core}; };
  const std::vector<Entry> entries = {
      {"run", analysis::study(*run, map), TimeInterval{0.2, run->last_time_s() - 0.4}},
      {"guard", (*parts)[0]->studied, TimeInterval{0.3, 1.2}},
      of(1),
      of(2),
      of(3),
      of(9),
      of(4),
      of(5),
      of(10),
      {"stairs", analysis::study(stairs->clip, map), TimeInterval{0.4, stairs->clip.last_time_s() - 0.5}},
      {"reach", analysis::study(reach->clip, map), (*parts)[6]->core},
      of(11),
      of(7),
      of(8)};
  std::vector<blend::ScoreMotion> score;
  Unevenness sources;
  for (const Entry& entry : entries) {
    auto motion = blend::prepare_motion(entry.studied, {.core = entry.core});
    if (!motion) return std::unexpected(motion.error());
    score.push_back({*motion, std::nullopt});
  }
  for (std::size_t i = 0; i < parts->size(); ++i) sources.take_worst(unevenness((*parts)[i]->clip()));
  const auto made = blend::compose(score);
  if (!made) return std::unexpected(made.error());
  Dodge dodge;
  const auto dodged = with_dodge(made->clip, map, dodge);
  if (!dodged) return std::unexpected(dodged.error());

  Figure figure;
  figure.text =
      "One continuous motion: told to run in a hurry, then to walk, ducks under something (head dragged down), stops, "
      "fights, dances, jumps, walks over stairs by a footstep plan, reaches for a goal that was moved, picks something "
      "up, "
      "waves and bows.";
  const auto shown = shop.add_clip(figure, "piece", "All five methods in one motion", *dodged, map);
  if (!shown) return std::unexpected(shown.error());

  // The whole.
  at_least(figure, "duration", shown->clip.duration_s(), 55.0, "s");
  at_most(figure, "duration", shown->clip.duration_s(), 65.0, "s");
  const FeetQuality feet = feet_quality(*shown);
  at_most(figure, "foot slide while standing", feet.slide_mps, 0.02, "m/s");
  at_most(figure, "foot under the ground", feet.penetration_m, 0.005, "m");
  const Excess over = excess(unevenness(shown->clip), sources, kRunStep_m, kRunTurn_deg);
  at_most(figure, "jump between frames beyond the sources' own and a captured run's", over.step_m, 0.01, "m");
  at_most(figure, "turn between frames beyond the sources' own and a captured run's", over.turn_deg, 3.0, "deg");

  // Graph: at full speed within a time that only a hurried way allows.
  const double dt = shown->clip.frame_time_s();
  const Vec3d way =
      place_at(*shown, body::Role::hips, times.run_s + 2.6) - place_at(*shown, body::Role::hips, times.run_s + 2.3);
  at_least(figure, "graph: speed 2.5 s after the command", std::hypot(way.x(), way.z()) / 0.3, 4.0, "m/s");

  // Drag: the head against the motion without the dodge.
  const FigureClip before{"", "", made->clip, map};
  const Vec3d ducked = place_at(*shown, body::Role::head, dodge.t1) - place_at(before, body::Role::head, dodge.t1);
  at_most(figure, "drag: head against where it was dragged", (ducked - dodge.by_m).norm(), 0.001, "m");
  at_most(figure, "drag: feet against the run as it was", largest_distance_m(*shown, before, roles_of(map, kFeet)),
          0.002, "m");
  at_most(figure, "drag: feet turned against the run as it was",
          largest_turn_deg(*shown, before, roles_of(map, {body::Role::left_foot, body::Role::right_foot})), 1.0, "deg");

  // Blend: everything joined, cores as they were.
  int joined = 0;
  std::vector<double> begin_s = {0.0};
  for (const auto& join : made->joins) {
    joined += join.report.executed ? 1 : 0;
    begin_s.push_back(join.report.at_s);
  }
  at_least(figure, "blend: motions joined", joined, static_cast<double>(score.size() - 1), "");
  if (begin_s.size() < entries.size()) return fail(ErrorCode::not_possible, "not every motion was joined");

  // Footsteps: landings against the plan, where the walk came to lie.
  const auto place_of = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(entries, name, &Entry::name) - entries.begin());
  };
  const std::size_t stairs_at = place_of("stairs"), reach_at = place_of("reach");
  const FigureClip walk{"", "", stairs->clip, map};
  // On a frame: half a frame may be rounded to either side.
  const double middle_s = (stairs->clip.frame_count() / 2) * stairs->clip.frame_time_s();
  const GroundMove lies = placement(*shown, begin_s[stairs_at] + middle_s, walk, middle_s);
  const auto places = landings(*shown), own_places = landings(walk);
  // What lands after the core may be changed by the join to what follows.
  const double core_end_s = entries[stairs_at].core->end_s;
  const auto in_core = [&](const segment::Footstep& step) {
    return std::ranges::any_of(own_places, [&](const Landing& own) {
      return own.foot == step.foot && own.time.begin_s < core_end_s &&
             std::hypot(own.ankle_m.x() - step.position_m.x(), own.ankle_m.z() - step.position_m.z()) < 0.02;
    });
  };
  constexpr double kFlat_s = 0.25;
  double worst_m = 0.0;
  int compared = 0;
  for (const segment::Footstep& step : stairs->steps) {
    if (!in_core(step)) continue;
    ++compared;
    const Vec3d wanted = lies * step.position_m;
    double nearest = 1e300;
    for (const Landing& landing : places) {
      if (landing.foot != step.foot || landing.time.end_s < begin_s[stairs_at]) continue;
      // Once it is flat: a foot that stands for long may be moved by what follows.
      const Vec3d ankle = place_at(*shown, step.foot == "left" ? body::Role::left_foot : body::Role::right_foot,
                                   landing.time.begin_s + kFlat_s);
      const double flat = std::hypot(ankle.x() - wanted.x(), ankle.z() - wanted.z());
      nearest = std::min(nearest, std::max(flat, std::abs(landing.ground_m - wanted.y())));
    }
    worst_m = std::max(worst_m, nearest);
  }
  at_least(figure, "footsteps: landings compared", compared, static_cast<double>(stairs->steps.size()) - 2.0, "");
  at_most(figure, "footsteps: landing error on stairs", worst_m, 0.005, "m");
  // Soles: on the treads while on the stairs, on the floor before and after.
  const double on_s = begin_s[stairs_at], off_s = begin_s[stairs_at + 1], end_s = shown->clip.last_time_s();
  const auto on_treads = [&](double x, double z) {
    const Vec3d there = lies.inverse() * Vec3d(x, 0.0, z);
    return feet::GroundPoint{.height_m = stairs->terrain.height_m(there.x(), there.z()) + lies.shift_m.y()};
  };
  const segment::Terrain flat = segment::flat_terrain(kSole_m);
  const feet::GroundView treads(on_treads), floor(flat);
  double in_floor_m = 0.0, in_treads_m = 0.0;
  for (const auto& [from_s, to_s, ground, deepest] :
       {std::tuple{0.0, on_s, &floor, &in_floor_m}, std::tuple{on_s, off_s, &treads, &in_treads_m},
        std::tuple{off_s, end_s, &floor, &in_floor_m}}) {
    const auto stretch = cut(shown->clip, from_s, to_s);
    if (!stretch) return std::unexpected(stretch.error());
    *deepest = std::max(*deepest, deepest_sole_m(*stretch, *ground));
  }
  at_most(figure, "footsteps: heel, ball or toe tip under the treads", in_treads_m, 0.005, "m");
  at_most(figure, "heel, ball or toe tip under the floor elsewhere", in_floor_m, 0.005, "m");

  // Reach: the hand, seen from the hips, against the goal seen from the hips.
  const FigureClip reaching{"", "", reach->clip, map};
  const double reach_s = begin_s[reach_at] + reach->time_s;
  const Vec3d hand = in_hips(*shown, reach_s, place_at(*shown, kHand, reach_s));
  const Vec3d goal = in_hips(reaching, reach->time_s, reach->goal_m);
  at_most(figure, "submovements: hand from the edited goal", (hand - goal).norm(), 0.005, "m");

  const std::map<std::string, std::pair<const char*, draw::Colour>> methods = {
      {"run", {"run (motion graph)", draw::series_colour(1)}},
      {"stairs", {"stairs (footsteps)", draw::series_colour(2)}},
      {"reach", {"reach (submovements)", draw::series_colour(3)}}};
  std::vector<draw::Lane> lanes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double until_s = i + 1 < entries.size() ? begin_s[i + 1] : shown->clip.last_time_s();
    const auto method = methods.find(entries[i].name);
    const bool composed = method == methods.end();
    lanes.push_back({composed ? entries[i].name : method->second.first,
                     {{{begin_s[i], std::max(begin_s[i], until_s)}, "", {}}},
                     composed ? draw::series_colour(0) : method->second.second});
    if (i == 0) lanes.push_back({"duck (dragged)", {{{dodge.t0, dodge.t3}, "", {}}}, draw::series_colour(4)});
  }
  const auto drawn_times = times_picture(shown->clip, std::move(lanes));
  if (!drawn_times) return std::unexpected(drawn_times.error());
  if (const auto added = shop.add_picture(figure, "piece-times", "What is played when", *drawn_times); !added)
    return std::unexpected(added.error());
  std::vector<double> shown_s;
  for (double t = 0.5; t < shown->clip.last_time_s(); t += 2.0) shown_s.push_back(std::round(t / dt) * dt);
  const auto strip = add_strip(shop, figure, "piece", "A posture every two seconds", *shown,
                               {.views = {draw::ViewName::three_quarter},
                                .layout = draw::StripLayout::cells,
                                .times_s = shown_s,
                                .width_px = 2000.0});
  if (!strip) return std::unexpected(strip.error());
  return figure;
}

}  // namespace shosa::demo
