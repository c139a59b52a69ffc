// A frame of a running character: playing alone, and with ground, steering and a reach; snapshots; crowds of 256, 512,
// … characters of each detail, and the memory that one takes.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "shosa/character/character.h"
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

void snapshot(benchmark::State& state) {
  Character character = make(true);
  std::vector<std::byte> bytes(character.snapshot_size());
  for (auto _ : state) {
    (void)character.snapshot(bytes);
    (void)character.restore(bytes);
  }
  state.counters["bytes"] = static_cast<double>(bytes.size());
}
BENCHMARK(snapshot)->Unit(benchmark::kMicrosecond);

void crowd(benchmark::State& state) {
  (void)make(true);
  const auto before = mallinfo2().uordblks;
  std::vector<Character> characters;
  characters.reserve(static_cast<std::size_t>(state.range(0)));
  const auto detail = static_cast<Detail>(state.range(1));
  for (int c = 0; c < state.range(0); ++c) {
    characters.push_back(make(detail == Detail::full));
    characters.back().set_detail(detail);
    const JointIndex hand = shipped()->set().body_map.joint(body::Role::right_hand);
    if (detail == Detail::full) (void)characters.back().command(Reach{hand, {-0.3, 1.3, 0.45}, 0.0, Frame::body});
  }
  state.counters["kB_each"] =
      static_cast<double>(mallinfo2().uordblks - before) / 1024.0 / static_cast<double>(characters.size());
  for (auto _ : state) update_all(characters, 1.0 / 60.0);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(crowd)
    ->ArgsProduct({{256, 1024},
                   {static_cast<int>(Detail::full), static_cast<int>(Detail::steered),
                    static_cast<int>(Detail::played)}})
    ->ArgNames({"characters", "detail"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
