// Any bytes as a pose script: an error that names the place, or a script whose goals are finite and in order.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/pose_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa;
  const auto script =
      documents::parse_pose_script(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!script) return script.error().message.find("fuzz.json") == std::string::npos ? std::abort(), 0 : 0;
  for (const auto& pin : script->goals.pins) {
    if (!(pin.weight > 0.0) || (pin.position_m && !pin.position_m->allFinite())) std::abort();
    if (pin.to_s && *pin.to_s < pin.from_s) std::abort();
  }
  for (const auto& drag : script->goals.drags) {
    if (drag.keys.empty()) std::abort();
    for (std::size_t k = 1; k < drag.keys.size(); ++k) {
      if (!(drag.keys[k - 1].time_s < drag.keys[k].time_s)) std::abort();
    }
  }
  return 0;
}
