// Any bytes as a glTF or GLB file: an error or a motion, and what was read can be written and read again.

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "io/gltf.h"

namespace {

/// Written in memory-backed storage where there is one.
std::filesystem::path output_path(const char* extension) {
  const std::filesystem::path dir =
      std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  return dir / ("shosa_gltf_fuzz_" + std::to_string(::getpid()) + extension);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::filesystem::path, 3> paths = {output_path(".glb"), output_path(".gltf"),
                                                             output_path(".vrma")};
  const auto file = shosa::io::parse_gltf(std::as_bytes(std::span(data, size)), "fuzz.glb", {});
  if (!file) return 0;
  // Writing flushes to the disk; a quarter of the inputs is enough.
  if (size % 4 != 0) return 0;
  const std::filesystem::path& path = paths[size / 4 % paths.size()];
  if (!shosa::io::write_gltf(path, *file)) return 0;
  const auto again = shosa::io::read_gltf(path);
  std::filesystem::remove(path);
  if (!again) {
    std::fprintf(stderr, "written file is not read: %s\n", again.error().message.c_str());
    std::abort();
  }
  // A VRM animation holds the joints with a role only: a clip that moves none of them is not in it.
  if (path.extension() == ".vrma") return 0;
  if (again->clips.size() != file->clips.size()) std::abort();
  for (std::size_t i = 0; i < file->clips.size(); ++i) {
    if (again->clips[i].frame_count() != file->clips[i].frame_count()) std::abort();
  }
  return 0;
}
