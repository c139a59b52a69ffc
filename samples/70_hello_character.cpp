// A character that goes where it is told, up some stairs, and reaches for something on the way.

#include "graph_tools.h"
#include "shosa/character/character.h"
#include "shosa/graph/link_gaits.h"

int main() {
  using namespace shosa;
  using namespace shosa::character;
  using sample::failure;

  // Once: clips, a graph of them, and what characters share.
  auto clips = sample::shipped_set({"idle", "walk_normal", "run_slow"});
  if (!clips) return failure(clips.error());
  const auto set = std::make_shared<const graph::MotionSet>(std::move(*clips));
  auto gaits = graph::link_gaits(*set);
  if (!gaits) return failure(gaits.error());
  const auto data = CharacterData::create(std::make_shared<const graph::MotionGraph>(std::move(gaits->graph)), set);
  if (!data) return failure(data.error());

  auto hero = Character::create(*data);
  if (!hero) return failure(hero.error());
  const auto stairs = [](double, double z) -> feet::GroundPoint {
    return {0.17 * std::clamp(std::floor((z - 2.0) / 0.3) + 1.0, 0.0, 5.0)};
  };
  hero->set_ground(stairs);
  const auto going = hero->command(GoPlace{.place = {0.0, 6.0}});
  const JointIndex hand = set->body_map.joint(body::Role::right_hand);
  if (!going || !hero->command(Reach{.joint = hand, .target_m = {-0.4, 1.4, 1.2}})) return failure("refused");

  // Every frame: `pose()` is what a renderer shows.
  for (int frame = 0; frame < 900; ++frame) hero->update(1.0 / 60.0);
  fmt::print("{} at ({:.2f}, {:.2f})\n", status_name(hero->outcome(*going).status), hero->place().x_m,
             hero->place().z_m);
  return hero->outcome(*going).status == Status::done ? 0 : 1;
}
