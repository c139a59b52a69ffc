// A frame of a running character: playing alone, and with ground, steering and a reach; crowds of 1, 2, 4 … characters.

#include <benchmark/benchmark.h>

#include "shosa/character/character.h"
#include "shosa/core/parallel.h"
#include "tests/support/shipped_gaits.h"

namespace {

using namespace shosa;
using namespace shosa::character;

std::shared_ptr<const CharacterData> shipped() {
  static const auto data = test::shipped_gaits({"idle", "walk_slow", "walk_normal", "run_slow"});
  return data;
}

struct Waves {
  feet::GroundPoint operator()(double x_m, double z_m) const {
    return {0.05 * std::sin(1.3 * x_m) * std::cos(1.1 * z_m)};
  }
};
const Waves kWaves;

Character make(bool full) {
  auto character = Character::create(shipped());
  (void)character->command(GoDirection{0.0, 1.3});
  if (full) {
    character->set_ground(kWaves);
    for (int f = 0; f < 120; ++f) character->update(1.0 / 60.0);
  }
  return std::move(*character);
}

void frame(benchmark::State& state) {
  const bool full = state.range(0) != 0;
  Character character = make(full);
  const JointIndex hand = character.data().set().body_map.joint(body::Role::right_hand);
  const auto ball = [&] { return Vec3d(character.place().x_m - 0.3, 1.3, character.place().z_m + 0.45); };
  const Handle reach = full ? character.command(Reach{hand, ball()}).value() : kNoHandle;
  for (auto _ : state) {
    if (full) character.move_target(reach, ball());
    character.update(1.0 / 60.0);
    benchmark::DoNotOptimize(character.pose());
  }
  state.SetLabel(full ? "ground, steering, reach" : "playing");
}
BENCHMARK(frame)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void crowd(benchmark::State& state) {
  std::vector<Character> characters;
  for (int c = 0; c < state.range(0); ++c) characters.push_back(make(false));
  for (auto _ : state) {
    parallel_for(characters.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) characters[c].update(1.0 / 60.0);
    });
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(crowd)->RangeMultiplier(2)->Range(256, 2048)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
