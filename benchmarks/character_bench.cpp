// A frame of a running character: its graph alone, the character that only plays it (the difference is what idle
// features cost), and one with ground, steering and a reach; snapshots; crowds of n, 2 n and 4 n characters with the
// memory that one takes and how many two cores could do at 60 Hz. Crowds are measured in processor time of all threads,
// so that what else a machine does is left out.

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

enum class Load {
  plain,    ///< Plays its graph on level ground; everything else is idle.
  full,     ///< On waves, steered, one hand on a target.
  steered,  ///< As full, without parts of the body that are led.
  played    ///< As full, carried over the ground as a whole.
};
constexpr const char* kLoads[] = {"plain", "full", "steered", "played"};

Character make(Load load) {
  auto character = Character::create(shipped());
  if (load == Load::plain) {
    (void)character->command(GoState{shipped()->state_at_speed(1.3)});
  } else {
    (void)character->command(GoDirection{0.0, 1.3});
    character->set_ground(kWaves);
  }
  for (int f = 0; f < 120; ++f) character->update(1.0 / 60.0);
  if (load == Load::steered) character->set_detail(Detail::steered);
  if (load == Load::played) character->set_detail(Detail::played);
  const JointIndex hand = shipped()->set().body_map.joint(body::Role::right_hand);
  if (load == Load::full) (void)character->command(Reach{hand, {-0.3, 1.3, 0.45}, 0.0, Frame::body});
  return std::move(*character);
}

void graph_alone(benchmark::State& state) {
  auto player = shipped()->player().another(shipped()->states()[shipped()->state_at_speed(1.3)].nodes.front());
  Pose pose;
  for (auto _ : state) {
    player->step(pose);
    benchmark::DoNotOptimize(pose);
  }
}
BENCHMARK(graph_alone)->Unit(benchmark::kMicrosecond);

void frame(benchmark::State& state) {
  Character character = make(static_cast<Load>(state.range(0)));
  for (auto _ : state) {
    character.update(1.0 / 60.0);
    benchmark::DoNotOptimize(character.pose());
  }
  state.SetLabel(kLoads[state.range(0)]);
}
BENCHMARK(frame)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void snapshot(benchmark::State& state) {
  Character character = make(Load::full);
  std::vector<std::byte> bytes(character.snapshot_size());
  for (auto _ : state) {
    (void)character.snapshot(bytes);
    (void)character.restore(bytes);
  }
  state.counters["bytes"] = static_cast<double>(bytes.size());
}
BENCHMARK(snapshot)->Unit(benchmark::kMicrosecond);

void crowd(benchmark::State& state) {
  const auto load = static_cast<Load>(state.range(1));
  (void)make(load);
  const auto before = mallinfo2().uordblks;
  std::vector<Character> characters;
  characters.reserve(static_cast<std::size_t>(state.range(0)));
  for (int c = 0; c < state.range(0); ++c) characters.push_back(make(load));
  state.counters["kB_each"] =
      static_cast<double>(mallinfo2().uordblks - before) / 1024.0 / static_cast<double>(characters.size());
  for (auto _ : state) update_all(characters, 1.0 / 60.0);
  const double frames = static_cast<double>(state.iterations() * state.range(0));
  state.counters["us_each"] =
      benchmark::Counter(1e-6 * frames, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["two_cores_at_60_Hz"] = benchmark::Counter(2.0 * frames / 60.0, benchmark::Counter::kIsRate);
  state.SetLabel(kLoads[state.range(1)]);
}
BENCHMARK(crowd)
    ->ArgsProduct({{256, 512, 1024}, {0, 1, 2, 3}})
    ->ArgNames({"characters", "load"})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
