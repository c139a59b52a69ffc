// Any bytes as a run script: an error that names the place, or a script within its bounds.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/run_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto script =
      shosa::documents::parse_run_script(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!script) return script.error().message.find("fuzz.json") == std::string::npos ? std::abort(), 0 : 0;
  if (script->graph.empty() && script->clips.size() < 2) std::abort();
  for (const auto& command : script->commands) {
    if (!(command.at_s >= 0.0) || command.what.empty()) std::abort();
  }
  if (const auto* heights = std::get_if<shosa::documents::HeightsPlan>(&script->ground)) {
    if (heights->columns < 1 || heights->heights_m.size() % static_cast<std::size_t>(heights->columns) != 0)
      std::abort();
  }
  return 0;
}
