// Figures 6, 8, 9 and 10 of seed 002: links dragged while others are pinned, at rest and over a walk.

#include <algorithm>
#include <cmath>
#include <limits>

#include "demo/knees.h"
#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/posing_tools.h"
#include "shosa/core/angles.h"

namespace shosa::demo {

namespace {

constexpr double kPin_m = 0.001;
constexpr double kDrag_m = 1e-4;
/// Ranges have low priority; goals that need a little more get it.
constexpr double kRange_deg = 3.0;

constexpr std::initializer_list<body::Role> kFeetAndHands = {body::Role::left_foot,  body::Role::left_toes,
                                                             body::Role::right_foot, body::Role::right_toes,
                                                             body::Role::left_hand,  body::Role::right_hand};

Result<void> check_ranges(Figure& figure, const std::string& what, const FigureClip& shown, double start_deg) {
  const auto use = range_use(shown);
  if (!use) return std::unexpected(use.error());
  at_most(figure, what + "joint out of its range (bound: what the start has, and 3)", use->worst_deg(),
          start_deg + kRange_deg, "deg");
  return {};
}

/// Legs have a thickness that no solver here knows of.
double nearest_knees_m(const FigureClip& shown) {
  const ClipPositions positions = clip_positions(shown.clip);
  const JointIndex left = shown.body_map.joint(body::Role::left_lower_leg);
  const JointIndex right = shown.body_map.joint(body::Role::right_lower_leg);
  double nearest = std::numeric_limits<double>::infinity();
  for (int f = 0; f < positions.frame_count(); ++f)
    nearest = std::min(nearest, (positions.joint(f, left) - positions.joint(f, right)).norm());
  return nearest;
}

}  // namespace

Result<Figure> single_drags_figure(const Cast& cast, const Workshop& shop) {
  const auto stand = cast.find("idle");
  if (!stand) return std::unexpected(stand.error());
  const Clip start = held((*stand)->clip(), 0, 1.5);
  const body::BodyMap& map = (*stand)->body_map();
  auto edit = human_edit(start, map);
  if (!edit) return std::unexpected(edit.error());
  const auto balance = human_balance(start.skeleton(), map);
  if (!balance) return std::unexpected(balance.error());
  edit->balance = *balance;
  edit->desired_weight = 3.0;  // Near the posture it began with.
  edit->pins = pins_on(map, kFeetAndHands);

  Figure figure;
  figure.text =
      "Hands and feet are pinned. Pelvis, head and left shoulder are dragged in turn; the whole body follows.";
  Clip postures(start.skeleton_ptr(), 4, 1.0, start.translated());
  postures.set_frame(0, start.frame(0));
  struct Drag {
    body::Role role;
    const char* name;
    Vec3d by_m;  // To the body's left, up, ahead.
  };
  const Vec3d ahead = forward_of(start, map), left = Vec3d::UnitY().cross(ahead);
  int frame = 1;
  // The pelvis goes back as it goes down, as in sitting: straight down, ankles at their bound tip the trunk over.
  for (const Drag& drag :
       {Drag{body::Role::hips, "pelvis", {0.06, -0.11, -0.08}}, Drag{body::Role::head, "head", {0.0, -0.12, 0.22}},
        Drag{body::Role::left_upper_arm, "shoulder", {0.1, -0.14, 0.14}}}) {
    const Vec3d by_m = drag.by_m.x() * left + drag.by_m.y() * Vec3d::UnitY() + drag.by_m.z() * ahead;
    edit->drags = {{.joint = map.joint(drag.role),
                    .keys = {{0.0, Vec3d::Zero()}, {1.0, by_m}},
                    .relative = true,
                    .hold_last = true}};
    const auto made = posing::edit_motion(start, *edit);
    if (!made) return std::unexpected(made.error());
    const auto shown = shop.add_clip(figure, std::string("002-fig-6-") + drag.name,
                                     fmt::format("{} dragged", drag.name), made->clip, map);
    if (!shown) return std::unexpected(shown.error());
    const std::string what = std::string(drag.name) + ": ";
    const Vec3d moved = place_at(*shown, drag.role, 1e9) - place_at(*shown, drag.role, 0.0);
    at_most(figure, what + "drag error at the end", (moved - by_m).norm(), kDrag_m, "m");
    at_most(figure, what + "pinned hand or foot moved by",
            largest_drift_m(*shown, roles_of(shown->body_map, kFeetAndHands)), kPin_m, "m");
    check_knees(figure, what, *shown, start);
    if (drag.role == body::Role::hips && map.has(body::Role::neck)) {
      const auto trunk = [&](double time_s) {
        return (place_at(*shown, body::Role::neck, time_s) - place_at(*shown, body::Role::hips, time_s)).normalized();
      };
      at_most(figure, what + "trunk tipped over by", std::acos(trunk(0.0).dot(trunk(1e9))) * kDegPerRad, 30.0, "deg");
    }
    if (!cast.captured) at_least(figure, what + "distance of the knees", nearest_knees_m(*shown), 0.1, "m");
    if (const auto ok = check_ranges(figure, what, *shown, 0.0); !ok) return std::unexpected(ok.error());
    postures.set_frame(frame++, made->clip.frame(made->clip.frame_count() - 1));
  }
  draw::StripParams strip;
  strip.views = {draw::ViewName::three_quarter};
  strip.layout = draw::StripLayout::cells;
  strip.times_s = {0.0, 1.0, 2.0, 3.0};
  strip.time_labels = false;
  strip.width_px = 900.0;
  const auto drawn = draw::draw_strip(postures, map, strip);
  if (!drawn) return std::unexpected(drawn.error());
  if (const auto added = shop.add_picture(figure, "002-fig-6",
                                          "The posture as it was; pelvis, head, left shoulder dragged", drawn->canvas);
      !added)
    return std::unexpected(added.error());
  return figure;
}

Result<Figure> pick_up_figure(const Cast& cast, const Workshop& shop) {
  const auto stand = cast.find("idle");
  if (!stand) return std::unexpected(stand.error());
  const Clip start = held((*stand)->clip(), 0, 4.0);
  const body::BodyMap& map = (*stand)->body_map();
  auto edit = human_edit(start, map);
  if (!edit) return std::unexpected(edit.error());
  const WorldPose world = forward_kinematics(start.skeleton(), start.frame(0));
  const auto at = [&](body::Role role) { return world.positions[map.joint(role)]; };
  // Beside the right foot, a little ahead, the wrist a hand over the floor.
  const Vec3d hand = at(body::Role::right_hand);
  const Vec3d floor = at(body::Role::right_foot) + forward_of(start, map) * 0.42 + Vec3d(0.0, 0.12, 0.0);
  edit->desired_weight = 3.0;  // The body stands up again once the hand lets it.
  edit->pins = pins_on(map, {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot,
                             body::Role::right_toes, body::Role::left_hand});
  edit->drags = {
      {.joint = map.joint(body::Role::right_hand), .keys = {{0.0, hand}, {1.9, floor}, {2.1, floor}, {4.0, hand}}}};
  const auto made = posing::edit_motion(start, *edit);
  if (!made) return std::unexpected(made.error());

  Figure figure;
  figure.text =
      "Toes, heels and the left hand are pinned; the right hand is dragged to the floor and back within 4 s: the body "
      "picks something up.";
  const auto shown = shop.add_clip(figure, "002-fig-8", "Picking something up", made->clip, map);
  if (!shown) return std::unexpected(shown.error());
  at_most(figure, "drag error at the floor", (place_at(*shown, body::Role::right_hand, 1.9) - floor).norm(), kPin_m,
          "m");
  at_most(figure, "drag error at the end", (place_at(*shown, body::Role::right_hand, 4.0) - hand).norm(), kPin_m, "m");
  at_most(figure, "pinned hand or foot moved by",
          largest_drift_m(
              *shown, roles_of(shown->body_map, {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot,
                                                 body::Role::right_toes, body::Role::left_hand})),
          kPin_m, "m");
  check_knees(figure, "", *shown, start);
  at_most(figure, "duration against the seed's 4 s", std::abs(shown->clip.last_time_s() - 4.0), 0.02, "s");
  if (const auto ok = check_ranges(figure, "", *shown, 0.0); !ok) return std::unexpected(ok.error());
  const auto drawn = add_strip(
      shop, figure, "002-fig-8", "Right hand dragged down and up", *shown,
      {.views = {draw::ViewName::three_quarter}, .layout = draw::StripLayout::cells, .count = 7, .width_px = 1000.0});
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

Result<Figure> walk_before_figure(const Cast& cast, const Workshop& shop) {
  const auto walk = cast.find("walk_normal");
  if (!walk) return std::unexpected(walk.error());
  Figure figure;
  figure.text = fmt::format("{}, as it is before the next figure edits it.", (*walk)->from);
  const auto shown = shop.add_clip(figure, "002-fig-9", "The walk as it was", (*walk)->clip(), (*walk)->body_map());
  if (!shown) return std::unexpected(shown.error());
  const FigureClip source{"", "", (*walk)->clip(), (*walk)->body_map()};
  at_most(figure, "feet in the file against the motion it came from",
          largest_distance_m(*shown, source, roles_of(shown->body_map, kFeet)), kPin_m, "m");
  const FeetQuality feet = feet_quality(*shown);
  if (!cast.captured) at_most(figure, "foot slide while standing", feet.slide_mps, 0.01, "m/s");
  const auto drawn = add_strip(shop, figure, "002-fig-9", "The walk as it was", *shown, {.count = 8});
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

Result<Figure> dodge_figure(const Cast& cast, const Workshop& shop) {
  const auto found = cast.find("walk_normal");
  if (!found) return std::unexpected(found.error());
  const Clip& walk = (*found)->clip();
  const body::BodyMap& map = (*found)->body_map();
  auto edit = human_edit(walk, map);
  if (!edit) return std::unexpected(edit.error());
  edit->desired_weight = 3.0;

  // In shares of the clip, so that any walk will do: down and aside, stay, back.
  const double end = walk.last_time_s();
  const auto on_frame = [&](double share) { return walk.nearest_frame(share * end) * walk.frame_time_s(); };
  const double t0 = on_frame(0.25), t1 = on_frame(0.42), t2 = on_frame(0.52), t3 = on_frame(0.7);
  const Vec3d ahead = forward_of(walk, map), left = Vec3d::UnitY().cross(ahead);
  const Vec3d duck = -0.1 * left - Vec3d(0.0, 0.25, 0.0), guard = 0.2 * ahead + Vec3d(0.0, 0.25, 0.0);
  const auto layer = [&](body::Role role, const Vec3d& by) {
    return posing::DragLayer{.joint = map.joint(role),
                             .keys = {{t0, Vec3d::Zero()}, {t1, by}, {t2, by}, {t3, Vec3d::Zero()}},
                             .relative = true,
                             .fade_in_s = 0.3,
                             .fade_out_s = 0.3};
  };
  std::vector<posing::MotionEditParams> layers;
  edit->pins = pins_on(map, kFeet);
  edit->drags = {layer(body::Role::head, duck)};
  layers.push_back(*edit);
  edit->pins.push_back({.joint = map.joint(body::Role::head)});
  edit->drags = {layer(body::Role::left_hand, guard)};
  layers.push_back(*edit);
  const auto made = posing::edit_motion(walk, layers);
  if (!made) return std::unexpected(made.error());
  const auto once = posing::edit_motion(walk, layers[0]);
  if (!once) return std::unexpected(once.error());

  Figure figure;
  figure.text =
      "The walk of the figure before, edited twice: first the head is dragged down and aside, then the left hand up. "
      "The steps stay as they were.";
  const auto shown = shop.add_clip(figure, "002-fig-10", "The walk dodges something that flies", made->clip, map);
  if (!shown) return std::unexpected(shown.error());
  const FigureClip before{"", "", walk, map};
  at_most(figure, "feet against the walk as it was",
          largest_distance_m(*shown, before, roles_of(shown->body_map, kFeet)), kPin_m, "m");
  at_most(figure, "feet turned against the walk as it was",
          largest_turn_deg(*shown, before, roles_of(shown->body_map, {body::Role::left_foot, body::Role::right_foot})),
          2.0, "deg");
  const double when = walk.nearest_frame(t1) * walk.frame_time_s();
  const Vec3d head = place_at(*shown, body::Role::head, when) - place_at(before, body::Role::head, when);
  at_most(figure, "head against where it was dragged", (head - duck).norm(), kPin_m, "m");
  const FigureClip after_one{"", "", once->clip, map};
  const Vec3d hand = place_at(*shown, body::Role::left_hand, when) - place_at(after_one, body::Role::left_hand, when);
  at_most(figure, "left hand against where it was dragged", (hand - guard).norm(), kPin_m, "m");
  check_knees(figure, "", *shown, walk);
  const FeetQuality feet = feet_quality(*shown, before), feet_before = feet_quality(before);
  at_most(figure, "foot slide while standing (bound: the walk's own, and 1 mm/s)", feet.slide_mps,
          feet_before.slide_mps + 0.001, "m/s");
  const Excess over = excess(unevenness(shown->clip), unevenness(walk));
  at_most(figure, "jump between frames beyond the walk's own", over.step_m, 0.012, "m");
  at_most(figure, "turn between frames beyond the walk's own", over.turn_deg, 3.0, "deg");

  draw::StripParams strip;
  strip.count = 8;
  strip.width_px = 1000.0;
  strip.from_s = t0 - 0.1;
  strip.to_s = t3 + 0.1;
  strip.ghost = {.clip = &walk, .body_map = &map, .label = "the walk as it was"};
  const auto drawn =
      add_strip(shop, figure, "002-fig-10", "The walk ducks; behind it, faint, the walk as it was", *shown, strip);
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

}  // namespace shosa::demo
