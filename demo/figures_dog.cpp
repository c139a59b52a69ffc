// Figures 12 and 13 of seed 004: a dog lies down hind legs first, or drops at once.

#include <cmath>

#include "demo/gait_graph.h"
#include "demo/graph_picture.h"
#include "demo/make_figures.h"
#include "demo/measure.h"

namespace shosa::demo {

namespace {

constexpr int kGentle = 40, kAbrupt = 60;
constexpr double kLieDown_s = 0.5;

struct DogGraph {
  graph::MotionSet set;
  graph::MotionGraph graph;
};

/// Two ways from standing (node 0) to lying (nodes named "lie"); their characteristic links play equally long.
Result<std::unique_ptr<DogGraph>> make_dog_graph(const Cast& cast) {
  const auto parts = find_all(cast, {"dog_stand", "dog_lie_down", "dog_drop"});
  if (!parts) return std::unexpected(parts.error());
  const double lain_s = (*parts)[1]->clip().last_time_s(), dropped_s = (*parts)[2]->clip().last_time_s();
  auto set = graph::make_motion_set(
      {{"dog_lie_down", (*parts)[1]->clip()}, {"dog_stand", (*parts)[0]->clip()}, {"dog_drop", (*parts)[2]->clip()}},
      (*parts)[0]->body_map());
  if (!set) return std::unexpected(set.error());
  const double entry_s = 0.4, rest_s = 0.3;
  auto net =
      graph::MotionGraph::create({"dog_lie_down", "dog_stand", "dog_drop"},
                                 {{.id = 0, .clip = 1, .time_s = 0.5, .default_link = 0, .name = "stand"},
                                  {.id = 1, .clip = 0, .time_s = entry_s, .default_link = 3},
                                  {.id = 2, .clip = 2, .time_s = entry_s, .default_link = 4},
                                  {.id = 3, .clip = 0, .time_s = lain_s - rest_s, .default_link = 5, .name = "lie"},
                                  {.id = 4, .clip = 2, .time_s = dropped_s - rest_s, .default_link = 7, .name = "lie"},
                                  {.id = 5, .clip = 0, .time_s = lain_s, .default_link = 6, .name = "lie"},
                                  {.id = 6, .clip = 2, .time_s = dropped_s, .default_link = 8, .name = "lie"}},
                                 {{.id = 0, .from = 0, .to = 0, .time_s = 0.5},
                                  {.id = 1, .from = 0, .to = 1, .time_s = entry_s, .hurry = kGentle},
                                  {.id = 2, .from = 0, .to = 2, .time_s = entry_s, .hurry = kAbrupt},
                                  {.id = 3, .from = 1, .to = 3, .time_s = lain_s - rest_s - entry_s},
                                  {.id = 4, .from = 2, .to = 4, .time_s = dropped_s - rest_s - entry_s},
                                  {.id = 5, .from = 3, .to = 5, .time_s = rest_s},
                                  {.id = 6, .from = 5, .to = 3, .time_s = 0.1},
                                  {.id = 7, .from = 4, .to = 6, .time_s = rest_s},
                                  {.id = 8, .from = 6, .to = 4, .time_s = 0.1}});
  if (!net) return std::unexpected(net.error());
  return std::make_unique<DogGraph>(DogGraph{std::move(*set), std::move(*net)});
}

Result<Clip> lie_down(const DogGraph& dog, int hurry, double seconds) {
  auto player = graph::Player::create(dog.graph, dog.set, 0);
  if (!player) return std::unexpected(player.error());
  Clip played(dog.set.skeleton, static_cast<int>(std::lround(60.0 * seconds)) + 1, 1.0 / 60.0);
  Pose pose;
  for (int f = 0; f < played.frame_count(); ++f) {
    if (f == static_cast<int>(60.0 * kLieDown_s)) {
      const auto taken = player->command({.targets = dog.graph.nodes_named("lie"), .hurry = hurry});
      if (!taken) return std::unexpected(taken.error());
    }
    player->step(pose);
    played.set_frame(f, pose);
  }
  return played;
}

/// When a joint has come down half of its way.
double half_way_down_s(const FigureClip& shown, JointIndex joint) {
  const ClipPositions positions = clip_positions(shown.clip);
  const int last = positions.frame_count() - 1;
  const double half = 0.5 * (positions.joint(0, joint).y() + positions.joint(last, joint).y());
  int f = 0;
  while (f < last && positions.joint(f, joint).y() > half) ++f;
  return f * shown.clip.frame_time_s();
}

}  // namespace

Result<Figure> dog_graph_figure(const Cast& cast, const Workshop& shop) {
  const auto dog = make_dog_graph(cast);
  if (!dog) return std::unexpected(dog.error());
  graph::Planner planner((*dog)->graph);
  int wrong = 0;
  for (int hurry = 1; hurry <= 100; ++hurry) {
    const auto plan = planner.plan(0, {.targets = (*dog)->graph.nodes_named("lie"), .hurry = hurry});
    if (!plan) return std::unexpected(plan.error());
    const bool at_once = plan->reachable && plan->nodes[1] == 2;
    if (!plan->reachable || at_once != (hurry >= 50)) ++wrong;
  }
  Figure figure;
  figure.text =
      "Two ways from standing to lying: hind legs first with hurry 40, at once with hurry 60. A command up to 49 "
      "takes the first, from 50 on the second.";
  at_most(figure, "hurry values that take the other way", wrong, 0.0, "");
  if (const auto added = shop.add_picture(figure, "004-fig-12", "The graph; numbers are hurry values",
                                          draw_graph((*dog)->graph, nullptr));
      !added)
    return std::unexpected(added.error());
  return figure;
}

Result<Figure> dog_figure(const Cast& cast, const Workshop& shop) {
  const auto dog = make_dog_graph(cast);
  if (!dog) return std::unexpected(dog.error());
  Figure figure;
  figure.text =
      "The dog told to lie down: calmly it sits first and then lets its chest down, in a hurry it drops at once.";
  for (const auto& [hurry, name, seconds] : {std::tuple{20, "calm", 5.5}, std::tuple{80, "hurried", 3.0}}) {
    const auto played = lie_down(**dog, hurry, seconds);
    if (!played) return std::unexpected(played.error());
    const std::string file = std::string("004-fig-13-") + name;
    const auto shown =
        shop.add_clip(figure, file, fmt::format("Lying down, hurry {}", hurry), *played, (*dog)->set.body_map);
    if (!shown) return std::unexpected(shown.error());
    const std::string what = std::string(name) + ": ";
    const JointIndex hips = root_joint(shown->body_map);
    const JointIndex chest = shown->body_map.joint(body::Role::chest);
    if (chest == kNoJoint) return fail(ErrorCode::not_possible, "the dog has no chest");
    const double lead = half_way_down_s(*shown, chest) - half_way_down_s(*shown, hips);
    if (hurry < 50)
      at_least(figure, what + "chest is half way down after the hips by", lead, 0.3, "s");
    else
      at_most(figure, what + "chest is half way down after the hips by", std::abs(lead), 0.15, "s");
    const ClipPositions positions = clip_positions(shown->clip);
    const double down = positions.joint(positions.frame_count() - 1, hips).y() / positions.joint(0, hips).y();
    at_most(figure, what + "height of the hips at the end, share of standing", down, 0.6, "");
    const FeetQuality feet = feet_quality(*shown);
    at_most(figure, what + "foot slide while standing", feet.slide_mps, 0.02, "m/s");
    Unevenness sources;
    for (const auto& clip : (*dog)->set.clips) sources.take_worst(unevenness(clip.clip()));
    const Excess over = excess(unevenness(shown->clip), sources);
    at_most(figure, what + "jump between frames beyond the sources' own", over.step_m, 0.01, "m");
    at_most(figure, what + "turn between frames beyond the sources' own", over.turn_deg, 3.0, "deg");
    const auto drawn =
        add_strip(shop, figure, file, fmt::format("Lying down, hurry {}", hurry), *shown,
                  {.layout = draw::StripLayout::cells, .count = 8, .from_s = 0.4, .to_s = seconds - 0.3});
    if (!drawn) return std::unexpected(drawn.error());
  }
  return figure;
}

}  // namespace shosa::demo
