// A character crosses rough ground, goes up some stairs, and is put into bytes half-way: what is restored from them
// goes on as the first one does.

#include "character_tools.h"
#include "shosa/character/height_field.h"

int main() {
  using namespace shosa;
  using namespace shosa::character;
  using sample::failure;

  const auto data = sample::character_data({"idle", "walk_normal", "walk_fast"});
  if (!data) return failure(data.error());

  // A field of stones, 10 cm high, up to the first step at z = 5 m.
  constexpr int kColumns = 20, kRows = 40;
  std::vector<float> heights(kColumns * kRows);
  for (int i = 0; i < kColumns * kRows; ++i)
    heights[i] = 0.05f * static_cast<float>(std::sin(1.7 * i) + std::sin(0.9 * i * i));
  const HeightField stones{heights.data(), kColumns, kRows, 0.5, -5.0, -5.0};
  const auto ground = [&](double x, double z) -> feet::GroundPoint {
    if (z < 5.0) return stones(x, z);
    return {0.17 * std::min(6.0, std::floor((z - 5.0) / 0.3) + 1.0)};
  };

  auto hero = Character::create(*data), other = Character::create(*data);
  if (!hero || !other) return failure("no character");
  hero->set_ground(ground);
  other->set_ground(ground);
  const auto going = hero->command(GoPlace{.place = {0.0, 9.0}});
  if (!going) return failure(going.error());
  double highest_m = 0.0;
  for (int frame = 0; frame < 1200; ++frame) {
    hero->update(1.0 / 60.0);
    if (frame == 300) {
      if (const auto restored = other->restore(hero->snapshot()); !restored) return failure(restored.error());
    }
    if (frame > 300) other->update(1.0 / 60.0);
    highest_m = std::max(highest_m, sample::joint_at(*hero, 0).y());
  }
  const bool same = std::ranges::equal(hero->pose().rotation_lanes(), other->pose().rotation_lanes());
  fmt::print("{} at ({:.2f}, {:.2f}), hips up to {:.2f} m; the restored one is {}\n",
             status_name(hero->outcome(*going).status), hero->place().x_m, hero->place().z_m, highest_m,
             same ? "the same to the bit" : "elsewhere");
  return hero->outcome(*going).status == Status::done && same ? 0 : 1;
}
