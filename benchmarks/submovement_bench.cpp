// The two solvers in the same run, cma_es being the method of Ueno et al. (docs/methods/submovements.md), and its
// growth with the length.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/submovement/body.h"
#include "tests/submovement/plain_greedy.h"

namespace {

using namespace shosa;
using namespace shosa::submovement;

constexpr double kStep = 1.0 / 60.0;

// Three submovements on 3 s at 60 Hz, each overlapping the next.
PositionModel three() {
  return {.start_m = {0.1, 1.0, 0.2},
          .submovements = {{0.3, 1.1, {0.3, 0.2, 0.0}}, {0.9, 1.7, {0.2, -0.1, 0.3}}, {1.5, 2.5, {-0.1, 0.3, 0.2}}}};
}
RotationModel three_turns() {
  return {.submovements = {{0.3, 1.1, {1.0, 0.2, 0.0}}, {0.9, 1.7, {0.2, -0.8, 0.3}}, {1.5, 2.5, {-0.1, 0.3, 1.2}}}};
}

template <class Find>
auto timed(benchmark::State& state, const Find& find) {
  auto found = find();
  for (auto _ : state) found = find();
  state.counters["count"] = static_cast<double>(found->model.submovements.size());
  state.counters["evaluations"] = static_cast<double>(found->evaluations);
  return *found;
}

void position_3s(benchmark::State& state, const DecomposeParams& params) {
  const auto samples = sample_positions(three(), 181, kStep);
  const auto found = timed(state, [&] { return decompose_positions(samples, kStep, params); });
  state.counters["rms_mm"] = 1e3 * found.rms_m;
}
BENCHMARK_CAPTURE(position_3s, fast, DecomposeParams{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(position_3s, cma_es, DecomposeParams{.solver = Solver::cma_es, .count = 3})
    ->Unit(benchmark::kMillisecond);

// Twenty sums of three with 2 mm of noise in turn; the counter is the median CPU time of single runs.
void position_3s_noisy(benchmark::State& state) {
  std::vector<std::vector<Vec3d>> cases;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scenes::Random random(seed);
    PositionModel model;
    double time = random.uniform(0.2, 0.4);
    for (int k = 0; k < 3; ++k) {
      const double duration = random.uniform(0.5, 0.9);
      model.submovements.push_back({time, time + duration, random.uniform(0.2, 0.5) * random.direction()});
      time += random.uniform(0.5, 1.0) * duration;
    }
    cases.push_back(sample_positions(model, 181, kStep));
    // 2 mm in each axis.
    for (Vec3d& x : cases.back()) x += 0.006 * random.uniform(-1.0, 1.0) * random.direction();
  }
  std::vector<double> times_ms;
  std::size_t at = 0, counted = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    const auto found = decompose_positions(cases[at++ % cases.size()], kStep);
    times_ms.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    counted += found->model.submovements.size() == 3;
  }
  std::nth_element(times_ms.begin(), times_ms.begin() + static_cast<std::ptrdiff_t>(times_ms.size() / 2),
                   times_ms.end());
  state.counters["median_ms"] = times_ms[times_ms.size() / 2];
  state.counters["count_right"] = static_cast<double>(counted) / static_cast<double>(times_ms.size());
}
BENCHMARK(position_3s_noisy)->Unit(benchmark::kMillisecond);

void rotation_3s(benchmark::State& state, const DecomposeParams& params) {
  const auto samples = sample_rotations(three_turns(), 181, kStep);
  const auto found = timed(state, [&] { return decompose_rotations(samples, kStep, params); });
  state.counters["rms_deg"] = 57.29577951 * found.rms_rad;
}
BENCHMARK_CAPTURE(rotation_3s, fast, DecomposeParams{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rotation_3s, cma_es, DecomposeParams{.solver = Solver::cma_es, .count = 3})
    ->Unit(benchmark::kMillisecond);

std::optional<io::MotionFile> captured(const std::string& name, std::optional<double> fps_is = {}) {
  auto motion = io::read_motion(std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / (name + ".bvh"),
                                {.fps_is = fps_is, .drop_tpose = true});
  if (!motion) return std::nullopt;
  return std::move(*motion);
}

std::vector<Vec3d> right_hand(const io::MotionFile& motion) {
  const Clip& clip = motion.clips[0];
  const ClipPositions positions = clip_positions(clip);
  std::vector<Vec3d> samples;
  for (int i = 0; i < clip.frame_count(); ++i)
    samples.push_back(positions.joint(i, motion.body_map.joint(body::Role::right_hand)));
  return samples;
}

// A captured walk, 31 joints, 2.9 s at 120 Hz; the scene's walk where there is no capture.
void whole_body_3s(benchmark::State& state) {
  const auto motion = captured("02_01");
  const Clip clip = motion ? motion->clips[0] : scenes::walk({.duration_s = 3.0}).clip;
  BodyResult made;
  const std::clock_t begin = std::clock();
  for (auto _ : state) made = *decompose_body(clip);
  // The time of a row is the wall's; this is the sum over all cores.
  state.counters["cpu_ms"] =
      1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / static_cast<double>(state.iterations());
  state.counters["joints"] = clip.joint_count();
  state.counters["clip_s"] = clip.duration_s();
  state.counters["submovements"] = made.body.submovement_count();
  state.counters["rms_mm"] = 1e3 * made.position_rms_m;
}
BENCHMARK(whole_body_3s)->Unit(benchmark::kMillisecond)->UseRealTime();

// `cma_es` at the count that `fast` chose, on captured right hands.
void captured_hand(benchmark::State& state, const char* file, Solver solver) {
  const auto motion = captured(file);
  if (!motion) {
    state.SkipWithError("no captured data");
    return;
  }
  const Clip& clip = motion->clips[0];
  const std::vector<Vec3d> samples = right_hand(*motion);
  DecomposeParams params;
  if (solver == Solver::cma_es) {
    params.count = static_cast<int>(decompose_positions(samples, clip.frame_time_s())->model.submovements.size());
    params.solver = solver;
  }
  PositionDecomposition found;
  for (auto _ : state) found = *decompose_positions(samples, clip.frame_time_s(), params);
  state.counters["clip_s"] = clip.duration_s();
  state.counters["count"] = static_cast<double>(found.model.submovements.size());
  state.counters["rms_mm"] = 1e3 * found.rms_m;
}
BENCHMARK_CAPTURE(captured_hand, drink_fast, "79_38", Solver::fast)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(captured_hand, drink_cma_es, "79_38", Solver::cma_es)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(captured_hand, pick_up_fast, "26_09", Solver::fast)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(captured_hand, pick_up_cma_es, "26_09", Solver::cma_es)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(captured_hand, lift_a_box_fast, "115_06", Solver::fast)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(captured_hand, lift_a_box_cma_es, "115_06", Solver::cma_es)->Unit(benchmark::kMillisecond);

// Counts on captured right hands, at 5 mm of distance and at 5 mm in each axis, with a plain greedy fit at the same
// error beside them. Subject 79 and 143 are read at 60 Hz (docs/methods/submovements.md, "Results").
void captured_counts(benchmark::State& state, const char* file, double fps_is) {
  const auto motion = captured(file, fps_is);
  if (!motion) {
    state.SkipWithError("no captured data");
    return;
  }
  const std::vector<Vec3d> samples = right_hand(*motion);
  const double step_s = motion->clips[0].frame_time_s(), axis_m = 0.005 * std::sqrt(3.0);
  PositionDecomposition found;
  for (auto _ : state) found = *decompose_positions(samples, step_s);
  state.counters["clip_s"] = motion->clips[0].duration_s();
  state.counters["count"] = static_cast<double>(found.model.submovements.size());
  state.counters["greedy"] = test::plain_greedy_count(samples, step_s, 0.005);
  const auto coarse = decompose_positions(samples, step_s, {.max_error_m = axis_m});
  state.counters["axis_count"] = static_cast<double>(coarse->model.submovements.size());
  state.counters["axis_greedy"] = test::plain_greedy_count(samples, step_s, axis_m);
}
BENCHMARK_CAPTURE(captured_counts, drink, "79_38", 60)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, bend_pick_up, "26_09", 120)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, pick_up, "111_17", 120)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, pick_up_set_down, "69_68", 120)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, window, "79_44", 60)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, punch, "143_23", 60)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, lift_a_box, "115_06", 120)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(captured_counts, box, "79_08", 60)->Unit(benchmark::kMillisecond)->Iterations(1);

// A walking hand, minutes long: time per second of motion stays the same.
void growth(benchmark::State& state) {
  const double seconds = static_cast<double>(state.range(0));
  const Clip clip = scenes::walk({.duration_s = seconds}).clip;
  const ClipPositions positions = clip_positions(clip);
  const JointIndex hand = clip.skeleton().find("right_hand");
  std::vector<Vec3d> samples;
  for (int i = 0; i < clip.frame_count(); ++i) samples.push_back(positions.joint(i, hand));
  PositionDecomposition found;
  for (auto _ : state) found = *decompose_positions(samples, clip.frame_time_s());
  state.SetComplexityN(state.range(0));
  state.counters["per_second"] = static_cast<double>(found.model.submovements.size()) / seconds;
  state.counters["rms_mm"] = 1e3 * found.rms_m;
}
BENCHMARK(growth)->Arg(20)->Arg(40)->Arg(80)->Arg(160)->Arg(600)->Complexity()->Unit(benchmark::kMillisecond);

}  // namespace
