// Characters through the C API: a frame with its plain arrays, a crowd, and the memory that one more character takes.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <vector>

#include "shosa/c/shosa.h"
#include "tests/c/make_kind.h"

namespace {

struct Stage {
  shosa_context* context = nullptr;
  shosa_character_kind kind = 0;

  Stage() {
    shosa_context_create(nullptr, &context);
    make_kind(context, {"idle", "walk_slow", "walk_normal", "run_slow"}, &kind);
  }
  ~Stage() { shosa_context_destroy(context); }

  shosa_character walker() const {
    shosa_character made = 0;
    shosa_character_create(context, kind, nullptr, &made);
    shosa_character_go_direction(context, made, nullptr, nullptr);
    return made;
  }
};

void making_a_kind(benchmark::State& state) {
  for (auto _ : state) {
    const Stage stage;
    if (stage.kind == 0) state.SkipWithError("no kind");
  }
}
BENCHMARK(making_a_kind)->Unit(benchmark::kMillisecond);

void frame(benchmark::State& state) {
  const Stage stage;
  const shosa_character hero = stage.walker();
  shosa_character_facts facts = SHOSA_CHARACTER_FACTS_INIT;
  for (auto _ : state) {
    shosa_character_update(stage.context, hero, 1.0 / 60.0);
    shosa_character_get_facts(stage.context, hero, &facts);
    benchmark::DoNotOptimize(facts);
  }
}
BENCHMARK(frame)->Unit(benchmark::kMicrosecond);

void crowd(benchmark::State& state) {
  const Stage stage;
  std::vector<shosa_character> crowd;
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < state.range(0); ++i) crowd.push_back(stage.walker());
  state.counters["kB_each"] =
      static_cast<double>(mallinfo2().uordblks - before) / 1000.0 / static_cast<double>(state.range(0));
  for (auto _ : state)
    shosa_characters_update(stage.context, crowd.data(), static_cast<uint32_t>(crowd.size()), 1.0 / 60.0);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(crowd)->RangeMultiplier(2)->Range(256, 2048)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
