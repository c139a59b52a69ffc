// A dog lies down hind legs first, or drops at once: the hurry value decides (the seed's figures 12 and 13).

#include "graph_tools.h"
#include "shosa/graph/player.h"

int main() {
  using namespace shosa;
  using sample::failure, sample::shipped_set;

  const auto set = shipped_set({"dog_stand", "dog_lie_down", "dog_drop"});
  if (!set) return failure(set.error());
  // Two ways from standing (0) to lying (3, 4), told apart by their first links, which take equally long.
  const double down_s = set->clips[1].clip().last_time_s(), dropped_s = set->clips[2].clip().last_time_s();
  const auto net =
      graph::MotionGraph::create({"dog_stand", "dog_lie_down", "dog_drop"},
                                 {{.id = 0, .clip = 0, .time_s = 1.0, .default_link = 0, .name = "stand"},
                                  {.id = 1, .clip = 1, .time_s = 0.3},
                                  {.id = 2, .clip = 2, .time_s = 0.3},
                                  {.id = 3, .clip = 1, .time_s = down_s, .default_link = 5, .name = "lie"},
                                  {.id = 4, .clip = 2, .time_s = dropped_s, .default_link = 6, .name = "lie"}},
                                 {{.id = 0, .from = 0, .to = 0, .time_s = 1.0},
                                  {.id = 1, .from = 0, .to = 1, .time_s = 0.3, .hurry = 40},
                                  {.id = 2, .from = 0, .to = 2, .time_s = 0.3, .hurry = 60},
                                  {.id = 3, .from = 1, .to = 3, .time_s = down_s - 0.3},
                                  {.id = 4, .from = 2, .to = 4, .time_s = dropped_s - 0.3},
                                  {.id = 5, .from = 3, .to = 3, .time_s = 0.3},
                                  {.id = 6, .from = 4, .to = 4, .time_s = 0.3}});
  if (!net) return failure(net.error());

  graph::Planner planner(*net);
  for (int hurry = 0; hurry <= 100; ++hurry) {
    const auto plan = planner.plan(0, {.targets = net->nodes_named("lie"), .hurry = hurry});
    const bool at_once = plan->nodes[1] == 2;
    if (at_once != (hurry >= 50)) return failure(fmt::format("hurry {} takes the wrong way", hurry));
  }
  for (const int hurry : {20, 80}) {
    auto player = graph::Player::create(*net, *set, 0, {.keep_feet = false});
    if (!player) return failure(player.error());
    Clip played(set->skeleton, 340, 1.0 / 60.0);
    Pose pose;
    for (int f = 0; f < played.frame_count(); ++f) {
      if (f == 1 && !player->command({.targets = net->nodes_named("lie"), .hurry = hurry}))
        return failure("the command was refused");
      player->step(pose);
      played.set_frame(f, pose);
    }
    const auto strip = draw::draw_strip(played, set->body_map,
                                        {.layout = draw::StripLayout::cells,
                                         .count = 10,
                                         .from_s = 0.9,
                                         .to_s = hurry < 50 ? 5.4 : 3.2,
                                         .title = fmt::format("lie down, hurry {}", hurry),
                                         .width_px = 1100.0});
    if (!strip) return failure(strip.error());
    if (!sample::save(strip->canvas, fmt::format("dog_{}.png", hurry))) return 1;
  }
  fmt::print("hurry 0 to 49: hind legs first; 50 to 100: at once\n");
}
