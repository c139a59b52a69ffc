// Any bytes as an FBX file: an error or a motion. Most of the code it runs is Assimp's: see
// docs/decisions/0006-assimp.md.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/fbx.h"

namespace {

/// Read from memory-backed storage where there is one.
std::filesystem::path input_path() {
  const std::filesystem::path dir =
      std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  return dir / ("shosa_fbx_fuzz_" + std::to_string(::getpid()) + ".fbx");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = input_path();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto file = shosa::io::read_fbx(path);
  std::filesystem::remove(path);
  if (file && file->skeleton == nullptr) std::abort();
  return 0;
}
