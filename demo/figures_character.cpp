// The running character: one script of commands, as a program or a page would give them.

#include <cmath>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/run_cast.h"

namespace shosa::demo {

namespace {

/// Clips are the parts of the cast. Clicked places over stairs and a ball that moves along; then what comes to mind.
constexpr std::string_view kScript = R"({
 "clips": {"stand": "idle", "stroll": "walk_slow", "walk": "walk_normal", "run": "run_slow", "guard": "guard",
           "punch": "punch_right", "kick": "kick", "jump": "jump", "dance": "hiphop_two_step", "wave": "wave", "bow": "bow"},
 "ground": {"stairs": {"at": [0, 2], "rise_m": 0.17, "tread_m": 0.3, "count": 5}}, "duration_s": 56,
 "commands": [
  {"at_s": 0.5, "place_m": [0, 5.5], "speed_mps": 0.8},
  {"at_s": 2.5, "reach": "right_hand", "keys": [{"time_s": 2.5, "position": [-0.35, 1.45, 1.9]},
                                                {"time_s": 8.5, "position": [-0.35, 2.2, 5.4]}], "until_s": 9.5},
  {"at_s": 11, "place_m": [1.5, 8], "heading_deg": 180, "speed_mps": 2.5},
  {"at_s": 18, "once": "punch"}, {"at_s": 21, "once": "kick"}, {"at_s": 25, "once": "jump"}, {"at_s": 29, "once": "dance"},
  {"at_s": 35, "reach": "right_hand", "to_m": [1.1, 1.8, 6.1], "until_s": 38},
  {"at_s": 39, "push_mps": [0.5, 0, 0]},
  {"at_s": 42, "face_deg": 90},
  {"at_s": 46, "once": "wave"}, {"at_s": 51, "once": "bow"}]})";

}  // namespace

Result<Figure> character_figure(const Cast& cast, const Workshop& shop) {
  const auto made = run_cast(cast, kScript);
  if (!made) return std::unexpected(made.error());
  const documents::RanScript& ran = made->ran;

  Figure figure;
  figure.text =
      "One running character under one list of commands: up stairs to a place that was clicked while it reaches for a "
      "ball that moves along, in a hurry to another, a punch, a kick, a jump, a dance, a thing reached for and held, a "
      "push caught with a step, a turn, a wave and a bow.";
  const auto shown = shop.add_clip(figure, "character", "A character that is told what to do while it plays",
                                   ran.motion.clips.at(0), ran.motion.body_map);
  if (!shown) return std::unexpected(shown.error());

  all_met(figure, ran);
  double longest_s = 0.0;
  for (const documents::RanCommand& command : ran.commands)
    longest_s = std::max(longest_s, command.reached_s.value_or(command.at_s) - command.at_s);
  at_most(figure, "longest from a command to its end", longest_s, 10.0, "s");
  const auto off_m = [&](double time_s, double x_m, double z_m) {
    const Vec3d hips = place_at(*shown, body::Role::hips, time_s);
    return std::hypot(hips.x() - x_m, hips.z() - z_m);
  };
  at_most(figure, "hips from the first place", off_m(10.9, 0.0, 5.5), 0.1, "m");
  at_most(figure, "hips from the second place", off_m(17.9, 1.5, 8.0), 0.1, "m");
  // The ball has gone along for long enough to be met.
  double ball_m = 0.0;
  for (double t = 4.0; t <= 8.5; t += 0.05) {
    const double share = (t - 2.5) / 6.0;
    const Vec3d ball(-0.35, 1.45 + 0.75 * share, 1.9 + 3.5 * share);
    ball_m = std::max(ball_m, (place_at(*shown, body::Role::right_hand, t) - ball).norm());
  }
  at_most(figure, "hand from the moving ball", ball_m, 0.03, "m");
  at_most(figure, "hand from the thing that it holds",
          (place_at(*shown, body::Role::right_hand, 37.9) - Vec3d(1.1, 1.8, 6.1)).norm(), 0.02, "m");
  at_most(figure, "foot slide while standing", feet_quality(*shown).slide_mps, 0.02, "m/s");
  const Excess over = excess(unevenness(shown->clip), made->sources, kRunStep_m, kRunTurn_deg);
  at_most(figure, "jump between frames beyond the sources' own and a captured run's", over.step_m, 0.06, "m");

  std::vector<double> times_s;
  for (double t = 0.5; t < shown->clip.last_time_s(); t += 2.0) times_s.push_back(t);
  const auto strip = add_strip(shop, figure, "character", "A posture every two seconds", *shown,
                               {.views = {draw::ViewName::three_quarter},
                                .layout = draw::StripLayout::cells,
                                .times_s = times_s,
                                .width_px = 2000.0});
  if (!strip) return std::unexpected(strip.error());
  return figure;
}

}  // namespace shosa::demo
