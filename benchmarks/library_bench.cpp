// The library: features of one clip, an index of n, 2n, 4n clips, and questions to an index of up to 800,000 frames.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <random>

#include "library/clip_rows.h"
#include "library/frame_scan.h"
#include "library/schema.h"
#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"
#include "shosa/library/find.h"

namespace {

using namespace shosa;
namespace fs = std::filesystem;

fs::path own_folder(const std::string& name) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("shosa_bench_{}_{}", getpid(), name);
  fs::create_directories(folder);
  return folder;
}

/// Clips of 333 frames at 30 Hz (11 s) without files: what a search reads.
library::Library made_index(const fs::path& folder, int clips) {
  fs::create_directories(folder / ".shosa");
  auto database = library::Database::open(library::usual_index_file(folder), library::Database::Access::write);
  (void)library::prepare_schema(*database);
  auto writer = library::RowWriter::create(*database);
  auto transaction = library::Transaction::begin(*database);
  const Clip walk = scenes::walk({.duration_s = 11.1, .fps = 30.0}).clip;
  const library::ClipFacts facts = library::facts_of(analysis::study(walk, body::guess_body_map(walk.skeleton())));
  std::mt19937 random(1);
  for (int i = 0; i < clips; ++i) {
    library::FileRow row{.path = fmt::format("clip_{}.bvh", i), .stamp = "1", .hash = std::to_string(i)};
    row.clips = {facts};
    for (library::Feature& feature : row.clips[0].features)
      for (std::int16_t& value : feature)
        value = static_cast<std::int16_t>(value + static_cast<int>(random() % 200) - 100);
    (void)writer->put(row, {fmt::format("clip {} walk {}", i, i % 7 == 0 ? "slow" : "fast")});
  }
  (void)transaction->commit();
  return std::move(*library::Library::open(folder));
}

/// Files of 1,333 frames at 120 Hz.
void write_walks(const fs::path& folder, int count) {
  io::MotionFile motion;
  for (int i = 0; i < count; ++i) {
    const Clip clip = scenes::walk({.duration_s = 11.1, .fps = 120.0, .speed_mps = 1.0 + 0.001 * i}).clip;
    motion.skeleton = clip.skeleton_ptr();
    motion.clips = {clip};
    motion.body_map = body::guess_body_map(clip.skeleton());
    (void)io::write_motion(folder / fmt::format("walk_{}.bvh", i), motion);
  }
}

void index_clips(benchmark::State& state) {
  const fs::path folder = own_folder("index");
  const auto count = static_cast<int>(state.range(0));
  write_walks(folder, count);
  for (auto _ : state) benchmark::DoNotOptimize(library::index_folder(folder, {.rebuild = true}));
  state.SetItemsProcessed(state.iterations() * count * 1333);
  fs::remove_all(folder);
}
BENCHMARK(index_clips)->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond)->UseRealTime();

void find_by_example(benchmark::State& state) {
  const fs::path folder = own_folder("find");
  {
    const library::Library opened = made_index(folder, static_cast<int>(state.range(0)));
    const auto example = library::read_example(opened, "clip_3.bvh@4");
    for (auto _ : state) benchmark::DoNotOptimize(library::find_like(opened, *example));
    state.SetItemsProcessed(state.iterations() * state.range(0) * 334);
  }
  fs::remove_all(folder);
}
BENCHMARK(find_by_example)->Arg(600)->Arg(1200)->Arg(2400)->Unit(benchmark::kMillisecond);

void find_by_words(benchmark::State& state) {
  const fs::path folder = own_folder("words");
  {
    const library::Library opened = made_index(folder, static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(opened.clips({.words = "walk slow"}));
  }
  fs::remove_all(folder);
}
BENCHMARK(find_by_words)->Arg(600)->Arg(2400)->Unit(benchmark::kMillisecond);

/// What the index cannot say is read from the clips.
void find_following_clips(benchmark::State& state) {
  const fs::path folder = own_folder("follows");
  write_walks(folder, library::kShortlist);
  (void)library::index_folder(folder);
  {
    const library::Library opened = std::move(*library::Library::open(folder));
    const auto example = library::read_example(opened, "walk_3.bvh");
    for (auto _ : state) benchmark::DoNotOptimize(library::find_following(opened, *example));
  }
  fs::remove_all(folder);
}
BENCHMARK(find_following_clips)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
