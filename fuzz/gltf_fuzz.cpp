// Any bytes as a glTF or GLB file: an error or a motion, and what was read can be written and read again.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "io/gltf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, 3> names = {"fuzz.glb", "fuzz.gltf", "fuzz.vrma"};
  const auto file = shosa::io::parse_gltf(std::as_bytes(std::span(data, size)), "fuzz.glb", {});
  if (!file) return 0;
  const std::string& name = names[size % names.size()];
  const auto written = shosa::io::format_gltf(name, *file);
  if (!written) return 0;
  const auto again = shosa::io::parse_gltf(std::as_bytes(std::span(*written)), name, {});
  if (!again) {
    std::fprintf(stderr, "written file is not read: %s\n", again.error().message.c_str());
    std::abort();
  }
  // A VRM animation holds the joints with a role only: a clip that moves none of them is not in it.
  if (name == "fuzz.vrma") return 0;
  if (again->clips.size() != file->clips.size()) std::abort();
  for (std::size_t i = 0; i < file->clips.size(); ++i) {
    if (again->clips[i].frame_count() != file->clips[i].frame_count()) std::abort();
  }
  return 0;
}
