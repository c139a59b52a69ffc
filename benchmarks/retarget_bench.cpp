// A walk of 10 s at 60 Hz put onto a body of other proportions: turns alone, and with feet and hands held.

#include <benchmark/benchmark.h>

#include "scenes/scenes.h"
#include "shosa/retarget/retarget.h"

namespace shosa::retarget {
namespace {

std::shared_ptr<const Skeleton> stranger() {
  const auto human = scenes::humanoid();
  std::vector<Joint> joints(human->joints().begin(), human->joints().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("lower_leg")) joint.rest_translation_m *= 0.85f;
    if (joint.name.ends_with("foot")) joint.rest_translation_m *= 1.2f;
  }
  const auto sites = human->end_sites();
  return std::make_shared<const Skeleton>(*Skeleton::create(std::move(joints), {sites.begin(), sites.end()}));
}

void walk(benchmark::State& state, bool keep) {
  const Clip clip = scenes::walk({.duration_s = 10.0}).clip;
  const auto target = stranger();
  const body::BodyMap map = body::guess_body_map(clip.skeleton()), target_map = body::guess_body_map(*target);
  for (auto _ : state) {
    auto result =
        retarget_motion(analysis::study(clip, map), target, target_map, {.keep_feet = keep, .keep_hands = keep});
    if (!result) state.SkipWithError(result.error().message.c_str());
    benchmark::DoNotOptimize(result);
  }
  state.counters["frames_per_s"] =
      benchmark::Counter(clip.frame_count(), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(walk, turns_alone, false)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(walk, feet_and_hands_held, true)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace shosa::retarget
