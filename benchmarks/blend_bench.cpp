// One transition's search and set-up, one frame of the player, and a long score. Captured clips of 31 joints at 120 Hz
// where they are there, clips made in code otherwise.

#include <benchmark/benchmark.h>

#include <filesystem>

#include "blend/transition.h"
#include "scenes/scenes.h"
#include "shosa/blend/compose.h"
#include "shosa/io/motion_file.h"

namespace shosa::blend {
namespace {

std::shared_ptr<const Motion> motion(const char* captured, const Clip& made) {
  const auto path = std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / captured;
  if (auto file = io::read_motion(path, {.drop_tpose = true}); file && !file->clips.empty()) {
    return *prepare_motion(analysis::study(file->clips.front(), file->body_map));
  }
  return *prepare_motion(analysis::study(made, body::guess_body_map(made.skeleton())));
}

// Two walks and a run of one performer.
struct Clips {
  std::shared_ptr<const Motion> walk = motion("16_15.bvh", scenes::walk({.fps = 120.0}).clip);
  std::shared_ptr<const Motion> turn = motion("16_17.bvh", scenes::walk({.fps = 120.0, .turn_rad_per_m = 0.5}).clip);
  std::shared_ptr<const Motion> run = motion(
      "16_35.bvh",
      scenes::run({.fps = 120.0, .speed_mps = 3.0, .step_s = 0.37, .duty = 0.33, .foot_clearance_m = 0.16}).clip);
};
const Clips& clips() {
  static const Clips all;
  return all;
}

void BM_AddAuto(benchmark::State& state) {
  int evaluations = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto player = MotionPlayer::create(clips().walk);
    state.ResumeTiming();
    evaluations = player->add(clips().turn)->plan->evaluations;
  }
  state.counters["pose pairs"] = evaluations;
}
BENCHMARK(BM_AddAuto)->Unit(benchmark::kMicrosecond);

void BM_AddAtATime(benchmark::State& state) {
  auto first = MotionPlayer::create(clips().walk);
  const double at_s = first->add(clips().turn)->at_s;
  for (auto _ : state) {
    state.PauseTiming();
    auto player = MotionPlayer::create(clips().walk);
    state.ResumeTiming();
    benchmark::DoNotOptimize(player->add(clips().turn, {.at_s = at_s}));
  }
}
BENCHMARK(BM_AddAtATime)->Unit(benchmark::kMicrosecond);

void BM_FrameInABlend(benchmark::State& state) {
  auto player = MotionPlayer::create(clips().walk);
  const auto report = player->add(clips().run);
  const FrameInterval blend = report->plan->lower.frames;
  Pose pose;
  double share = 0.0;
  for (auto _ : state) {
    share = share > 0.9 ? 0.05 : share + 0.013;
    player->frame((blend.begin + share * blend.length()) * player->frame_time_s(), pose);
    benchmark::DoNotOptimize(pose);
  }
}
BENCHMARK(BM_FrameInABlend)->Unit(benchmark::kNanosecond);

void BM_FrameOfOneMotion(benchmark::State& state) {
  auto player = MotionPlayer::create(clips().walk);
  Pose pose;
  double time_s = 0.0;
  for (auto _ : state) {
    time_s = time_s > 2.0 ? 0.0 : time_s + 0.0071;
    player->frame(time_s, pose);
    benchmark::DoNotOptimize(pose);
  }
}
BENCHMARK(BM_FrameOfOneMotion)->Unit(benchmark::kNanosecond);

void BM_ScoreOf1000(benchmark::State& state) {
  std::vector<ScoreMotion> score;
  for (int i = 0; i < 1000; ++i) {
    score.push_back({i % 3 == 0 ? clips().walk : i % 3 == 1 ? clips().turn : clips().run, std::nullopt});
  }
  double played_s = 0.0, spent_s = 0.0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const auto made = compose(score);
    spent_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    played_s += made->clip.duration_s();
  }
  state.counters["times real time"] = played_s / spent_s;
}
BENCHMARK(BM_ScoreOf1000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace shosa::blend
