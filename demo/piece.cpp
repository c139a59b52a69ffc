// The joint piece: a minute of one character under one list of commands: a graph with actions in it, footsteps over
// stairs, drags, and reaches along minimum-jerk ways.

#include <cmath>
#include <map>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/run_cast.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/timeline.h"

namespace shosa::demo {

namespace {

/// Four steps up and four down, 12 cm high and 40 cm deep.
constexpr std::string_view kScript = R"({
 "clips": {"stand": "idle", "stroll": "walk_slow", "walk": "walk_normal", "jog": "run_slow", "run": "run_fast",
           "guard": "guard", "punch left": "punch_left", "kick": "kick",
           "dodge": "dodge", "two step": "hiphop_two_step", "rock": "hiphop_rock", "jump": "jump",
           "pick up": "pick_up", "wave": "wave", "bow": "bow"},
 "ground": {"edges": [
   {"at": [0, 27.74], "rise_m": 0.12}, {"at": [0, 28.14], "rise_m": 0.12}, {"at": [0, 28.54], "rise_m": 0.12},
   {"at": [0, 28.94], "rise_m": 0.12}, {"at": [0, 30.75], "rise_m": -0.12}, {"at": [0, 31.15], "rise_m": -0.12},
   {"at": [0, 31.55], "rise_m": -0.12}, {"at": [0, 31.95], "rise_m": -0.12}]},
 "duration_s": 64,
 "commands": [
  {"at_s": 1.0, "go": "run", "hurry": 60}, {"at_s": 5, "place_m": [0, 24]},
  {"at_s": 8.5, "reach": "head", "frame": "body", "to_m": [0, 1.4, 0.1], "duration_s": 0.5, "until_s": 9.7},
  {"at_s": 13.1, "once": "punch left"}, {"at_s": 16.4, "once": "kick"}, {"at_s": 19.2, "once": "dodge"},
  {"at_s": 21.5, "once": "two step"}, {"at_s": 24.9, "once": "rock"}, {"at_s": 30.0, "once": "jump"},
  {"at_s": 32.4, "place_m": [0, 26], "heading_deg": 0},
  {"at_s": 36.2, "steps": [
   {"foot": "right", "at": [-0.09, 26.5]}, {"foot": "left", "at": [0.09, 27.0]},
   {"foot": "right", "at": [-0.09, 27.5]}, {"foot": "left", "at": [0.09, 27.9]},
   {"foot": "right", "at": [-0.09, 28.3]}, {"foot": "left", "at": [0.09, 28.7]},
   {"foot": "right", "at": [-0.09, 29.1]}, {"foot": "left", "at": [0.09, 29.6]},
   {"foot": "right", "at": [-0.09, 30.1]}, {"foot": "left", "at": [0.09, 30.6]},
   {"foot": "right", "at": [-0.09, 31.03]}, {"foot": "left", "at": [0.09, 31.43]},
   {"foot": "right", "at": [-0.09, 31.83]}, {"foot": "left", "at": [0.09, 32.23]},
   {"foot": "right", "at": [-0.09, 32.7]}, {"foot": "left", "at": [0.09, 33.17]},
   {"foot": "right", "at": [-0.09, 33.17]}]},
  {"at_s": 48.6, "reach": "right_hand", "to_m": [-0.35, 1.7, 33.43], "until_s": 51.1},
  {"at_s": 51.8, "once": "pick up"}, {"at_s": 55.6, "once": "wave"}, {"at_s": 59.8, "once": "bow"}]})";

/// The farthest that the ball of a foot stands from the places of a plan.
double worst_landing_m(const FigureClip& shown, const documents::RunCommand& command) {
  // Until a foot lies flat; it may turn about its ball later.
  constexpr double kFlat_s = 0.2;
  const auto& plan = std::get<character::GoSteps>(command.command);
  const std::vector<Landing> places = landings(shown);
  double worst_m = 0.0;
  for (int i = 0; i < plan.count; ++i) {
    double nearest_m = 1e300;
    for (const Landing& landing : places) {
      if (landing.foot != command.feet[i] || landing.time.begin_s < command.at_s) continue;
      const auto toes = landing.foot == "left" ? body::Role::left_toes : body::Role::right_toes;
      const Vec3d ball = place_at(shown, toes, landing.time.begin_s + kFlat_s);
      const character::Point& place = plan.steps[i].place;
      nearest_m = std::min(nearest_m, std::hypot(ball.x() - place.x_m, ball.z() - place.z_m));
    }
    worst_m = std::max(worst_m, nearest_m);
  }
  return worst_m;
}

/// One lane per command, in the colour of the method that answers it.
Result<draw::Canvas> times_picture(const documents::RunScript& script, const documents::RanScript& ran, double end_s) {
  const std::map<std::string, std::pair<const char*, int>> methods = {{"go", {"motion graph", 1}},
                                                                      {"place_m", {"motion graph", 1}},
                                                                      {"steps", {"footsteps", 2}},
                                                                      {"reach", {"pin and drag", 3}},
                                                                      {"once", {"", 0}}};
  std::vector<draw::Lane> lanes;
  for (std::size_t i = 0; i < ran.commands.size(); ++i) {
    const documents::RanCommand& command = ran.commands[i];
    const auto& [method, colour] = methods.at(command.what);
    const std::string& name = command.word.empty() ? command.what : command.word;
    const double until_s = script.commands[i].until_s.value_or(command.reached_s.value_or(end_s));
    lanes.push_back({*method == '\0' ? name : fmt::format("{} ({})", name, method),
                     {{{command.at_s, until_s}, "", {}}},
                     draw::series_colour(colour)});
  }
  const auto drawn = draw::draw_timeline(
      {.lanes = std::move(lanes), .range = TimeInterval{0.0, end_s}, .width_px = 1200.0, .lane_height_px = 14.0});
  if (!drawn) return std::unexpected(drawn.error());
  return drawn->canvas;
}

}  // namespace

Result<Figure> piece_figure(const Cast& cast, const Workshop& shop) {
  const auto made = run_cast(cast, kScript);
  if (!made) return std::unexpected(made.error());
  const documents::RunScript& script = made->script;

  Figure figure;
  figure.text =
      "One character under one list of commands: told to run in a hurry, then to walk to a place, it ducks on its way "
      "(head drawn down), fights, dances, jumps, walks over stairs by a footstep plan, reaches for something and holds "
      "it, picks something up, waves and bows.";
  const auto shown = shop.add_clip(figure, "piece", "A minute of one character", made->ran.motion.clips.at(0),
                                   made->ran.motion.body_map);
  if (!shown) return std::unexpected(shown.error());

  // The whole.
  all_met(figure, made->ran);
  at_least(figure, "duration", shown->clip.duration_s(), 55.0, "s");
  at_most(figure, "duration", shown->clip.duration_s(), 65.0, "s");
  at_most(figure, "foot slide while standing", feet_quality(*shown).slide_mps, 0.02, "m/s");
  const auto ground = [&](double x, double z) {
    return feet::GroundPoint{.height_m = script.ground->height_m(x, z) + kSole_m};
  };
  at_most(figure, "heel, ball or toe tip under the ground", deepest_sole_m(shown->clip, feet::GroundView(ground)), 0.02,
          "m");
  const Excess over = excess(unevenness(shown->clip), made->sources, kRunStep_m, kRunTurn_deg);
  // Knees that were straight bend at once when a foot leaves in a hurry or comes down a step.
  at_most(figure, "jump between frames beyond the sources' own and a captured run's", over.step_m, 0.03, "m");
  at_most(figure, "turn between frames beyond the sources' own and a captured run's", over.turn_deg, 8.0, "deg");

  // Graph: at full speed within a time that only a hurried way allows.
  const Vec3d way = place_at(*shown, body::Role::hips, 3.6) - place_at(*shown, body::Role::hips, 3.3);
  at_least(figure, "graph: speed 2.5 s after the command", std::hypot(way.x(), way.z()) / 0.3, 4.0, "m/s");
  const Vec3d stands = place_at(*shown, body::Role::hips, 13.0);
  at_most(figure, "graph: hips from the place asked for", std::hypot(stands.x(), stands.z() - 24.0), 0.1, "m");

  // Duck: what it goes under is so high.
  double off_m = 0.0;
  for (double t = 9.1; t <= 9.7; t += shown->clip.frame_time_s())
    off_m = std::max(off_m, std::abs(place_at(*shown, body::Role::head, t).y() - 1.4));
  at_most(figure, "duck: head from the height it was drawn to while walking", off_m, 0.005, "m");

  // Footsteps, and the reach that lasts.
  for (const documents::RunCommand& command : script.commands) {
    if (command.what == "steps")
      at_most(figure, "footsteps: balls of the feet from their places", worst_landing_m(*shown, command), 0.04, "m");
  }
  at_most(figure, "reach: hand from its goal",
          (place_at(*shown, body::Role::right_hand, 51.0) - Vec3d(-0.35, 1.7, 33.43)).norm(), 0.005, "m");

  const double end_s = shown->clip.last_time_s();
  const auto drawn_times = times_picture(script, made->ran, end_s);
  if (!drawn_times) return std::unexpected(drawn_times.error());
  if (const auto added = shop.add_picture(figure, "piece-times", "What is told when", *drawn_times); !added)
    return std::unexpected(added.error());
  std::vector<double> shown_s;
  for (double t = 0.5; t < end_s; t += 2.0) shown_s.push_back(t);
  const auto strip = add_strip(shop, figure, "piece", "A posture every two seconds", *shown,
                               {.views = {draw::ViewName::three_quarter},
                                .layout = draw::StripLayout::cells,
                                .times_s = shown_s,
                                .width_px = 2000.0});
  if (!strip) return std::unexpected(strip.error());
  return figure;
}

}  // namespace shosa::demo
