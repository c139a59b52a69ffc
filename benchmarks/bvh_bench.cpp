// BVH text to clip, against Assimp's importer on the same bytes in the same run.
//
// The text is a captured clip where there is one, else a walk of the scenes, its frame lines repeated to the size asked
// for. Bytes per second are bytes of text. Both readers get the whole text in memory; ours builds a clip in metres,
// Assimp its scene.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#ifdef SHOSA_BENCH_ASSIMP
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

#include "io/bvh.h"
#include "scenes/scenes.h"

namespace {

using shosa::io::MotionFile;

/// A BVH text of about `bytes` bytes.
const std::string& text_of(std::size_t bytes) {
  static std::string source;
  static std::string text;
  if (source.empty()) {
    std::ifstream file(std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / "02_05.bvh", std::ios::binary);
    source.assign(std::istreambuf_iterator<char>(file), {});
    if (source.empty()) source = *shosa::io::format_bvh(shosa::scenes::walk().clip);
  }
  const std::size_t frames_at = source.find('\n', source.find("Frame Time")) + 1;
  const std::size_t body = source.size() - frames_at;
  const std::size_t repeats = std::max<std::size_t>(1, bytes / body);
  std::size_t lines = 0;
  for (std::size_t i = frames_at; i < source.size(); ++i) lines += source[i] == '\n' ? 1 : 0;
  const std::size_t count_at = source.find("Frames:");
  text = source.substr(0, count_at) + "Frames: " + std::to_string(lines * repeats) +
         source.substr(source.find('\n', count_at), frames_at - source.find('\n', count_at));
  for (std::size_t i = 0; i < repeats; ++i) text.append(source, frames_at, body);
  return text;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

/// Arguments: megabytes of text, threads.
void parse_text(benchmark::State& state) {
  const std::string& text = text_of(static_cast<std::size_t>(state.range(0)) << 20);
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(state.range(1)));
  for (auto _ : state) {
    const shosa::Result<MotionFile> file = shosa::io::parse_bvh(text, "bench.bvh");
    if (!file || file->clips.empty()) {
      state.SkipWithError("not read");
      return;
    }
    benchmark::DoNotOptimize(file->clips[0].rotation_lanes(0));
  }
  count_bytes(state, text);
}
BENCHMARK(parse_text)
    ->ArgsProduct({{8, 16, 32}, {1, 2}})
    ->ArgNames({"MB", "threads"})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void read_file(benchmark::State& state) {
  const std::string& text = text_of(static_cast<std::size_t>(state.range(0)) << 20);
  const auto path = std::filesystem::temp_directory_path() / "shosa_bvh_bench.bvh";
  std::ofstream(path, std::ios::binary) << text;
  for (auto _ : state) {
    const shosa::Result<MotionFile> file = shosa::io::read_bvh(path);
    if (!file || file->clips.empty()) {
      state.SkipWithError("not read");
      return;
    }
    benchmark::DoNotOptimize(file->clips[0].rotation_lanes(0));
  }
  count_bytes(state, text);
  std::filesystem::remove(path);
}
BENCHMARK(read_file)->Arg(8)->Arg(32)->ArgName("MB")->UseRealTime()->Unit(benchmark::kMillisecond);

#ifdef SHOSA_BENCH_ASSIMP
void assimp_text(benchmark::State& state) {
  const std::string& text = text_of(static_cast<std::size_t>(state.range(0)) << 20);
  for (auto _ : state) {
    Assimp::Importer importer;
    const aiScene* const scene = importer.ReadFileFromMemory(text.data(), text.size(), 0, "bvh");
    if (scene == nullptr || scene->mNumAnimations == 0) {
      state.SkipWithError("not read");
      return;
    }
    benchmark::DoNotOptimize(scene->mAnimations[0]->mChannels);
  }
  count_bytes(state, text);
}
BENCHMARK(assimp_text)->Arg(8)->Arg(16)->Arg(32)->ArgName("MB")->UseRealTime()->Unit(benchmark::kMillisecond);
#endif

void write_text(benchmark::State& state) {
  const shosa::Result<MotionFile> file = shosa::io::parse_bvh(text_of(std::size_t{8} << 20), "bench.bvh");
  std::string text;
  for (auto _ : state) text = *shosa::io::format_bvh(file->clips.at(0), file->bvh.get(), file->unit_m);
  count_bytes(state, text);
}
BENCHMARK(write_text)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
