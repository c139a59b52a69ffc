// Sampling, blending and forward kinematics: cost per character-frame.

#include <benchmark/benchmark.h>

#include <random>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"

namespace shosa {
namespace {

// Two clips of 61 joints, 2 s at 60 Hz: 0.26 MB together, in the second-level cache.
struct Pair {
  std::shared_ptr<const Skeleton> skeleton;
  Clip a, b;
  explicit Pair(int joints)
      : skeleton(scenes::random_tree(joints, 1)),
        a(scenes::random_clip(skeleton, 120, 2)),
        b(scenes::random_clip(skeleton, 120, 3)) {}
};

struct Workspace {
  Pose a, b;
  std::vector<Eigen::Matrix4f> world;
};

void character_frame(const Pair& pair, double time_s, float weight, Workspace& work) {
  sample(pair.a, time_s, work.a);
  sample(pair.b, time_s, work.b);
  mix_poses(work.a, work.b, weight, work.a);
  world_matrices(*pair.skeleton, work.a, work.world);
}

void play(benchmark::State& state, bool random_seek) {
  const Pair pair(static_cast<int>(state.range(0)));
  Workspace work{Pose(pair.skeleton->joint_count()), Pose(pair.skeleton->joint_count()),
                 std::vector<Eigen::Matrix4f>(static_cast<std::size_t>(pair.skeleton->joint_count()))};
  std::mt19937 random(7);
  std::vector<double> times(1024);
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = random_seek ? pair.a.last_time_s() * double(random()) / double(random.max())
                           : std::fmod(double(i) / 144.0, pair.a.last_time_s());
  }
  std::size_t i = 0;
  for (auto _ : state) {
    character_frame(pair, times[i++ & 1023], 0.4f, work);
    benchmark::DoNotOptimize(work.world.data());
    benchmark::ClobberMemory();
  }
}

void forward_play(benchmark::State& state) {
  play(state, false);
}
void random_seek(benchmark::State& state) {
  play(state, true);
}
BENCHMARK(forward_play)->Arg(31)->Arg(61)->Arg(122)->Arg(244);
BENCHMARK(random_seek)->Arg(61);

// Many characters, each with its own time and pose, one thread; the counter is the cost of one.
void crowd(benchmark::State& state) {
  const Pair pair(61);
  const auto characters = static_cast<std::size_t>(state.range(0));
  std::vector<Workspace> work(characters, {Pose(61), Pose(61), std::vector<Eigen::Matrix4f>(61)});
  double time_s = 0.0;
  for (auto _ : state) {
    for (std::size_t c = 0; c < characters; ++c) {
      character_frame(pair, std::fmod(time_s + 0.013 * double(c), pair.a.last_time_s()), 0.4f, work[c]);
    }
    time_s += 1.0 / 60.0;
    benchmark::ClobberMemory();
  }
  state.counters["s_per_character"] = benchmark::Counter(double(state.iterations()) * double(characters),
                                                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(crowd)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

void matrices_of_a_crowd_on_all_cores(benchmark::State& state) {
  const Pair pair(61);
  const auto characters = static_cast<std::size_t>(state.range(0));
  const std::vector<Pose> poses(characters, pair.a.frame(5));
  std::vector<Eigen::Matrix4f> world(characters * 61);
  for (auto _ : state) {
    world_matrices(*pair.skeleton, poses, world);
    benchmark::ClobberMemory();
  }
  state.counters["s_per_character"] = benchmark::Counter(double(state.iterations()) * double(characters),
                                                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(matrices_of_a_crowd_on_all_cores)->Arg(1000)->Arg(10000)->UseRealTime();

void sample_bytes(benchmark::State& state) {
  const Clip clip = scenes::random_clip(scenes::random_tree(31, 1), 600, 2);
  for (auto _ : state) benchmark::DoNotOptimize(clip.sample_bytes());
  state.counters["bytes_per_10_s_31_joints_60_hz"] = double(clip.sample_bytes());
}
BENCHMARK(sample_bytes);

}  // namespace
}  // namespace shosa
