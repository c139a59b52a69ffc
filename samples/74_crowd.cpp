// A crowd: a thousand characters, each with a place of its own, worked out the less the farther away they are.

#include <chrono>

#include "character_tools.h"

int main() {
  using namespace shosa;
  using namespace shosa::character;
  using sample::failure;

  const auto data = sample::character_data({"idle", "walk_slow", "walk_normal", "run_slow"});
  if (!data) return failure(data.error());
  std::vector<Character> crowd;
  for (int c = 0; c < 1000; ++c) {
    auto one = Character::create(*data, {.place = {1.5 * (c % 40) - 30.0, 1.5 * (c / 40), 0.1 * c}});
    if (!one) return failure(one.error());
    const Point place{1.5 * ((7 * c) % 40) - 30.0, 1.5 * (c / 40)};
    if (!one->command(GoPlace{.place = place, .speed_mps = 0.8 + 0.001 * c})) return failure("refused");
    crowd.push_back(std::move(*one));
  }

  // The camera stands at the origin.
  const auto start = std::chrono::steady_clock::now();
  constexpr int kFrames = 120;
  for (int frame = 0; frame < kFrames; ++frame) {
    for (Character& one : crowd) {
      const double far_m = std::hypot(one.place().x_m, one.place().z_m);
      one.set_detail(far_m < 10.0 ? Detail::full : far_m < 25.0 ? Detail::steered : Detail::played);
    }
    update_all(crowd, 1.0 / 60.0);
  }
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double way_m = 0.0;
  for (const Character& one : crowd) way_m += one.speed_mps() / static_cast<double>(crowd.size());
  fmt::print("{} characters: {:.1f} ms a frame, {:.1f} m/s on average, {} bytes a snapshot\n", crowd.size(),
             1000.0 * took_s / kFrames, way_m, crowd.front().snapshot_size());
  return way_m > 0.2 ? 0 : 1;
}
