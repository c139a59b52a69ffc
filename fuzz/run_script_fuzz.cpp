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
  if (script->ground && script->ground->field) {
    const auto& field = *script->ground->field;
    if (field.columns < 2 || field.heights_m.size() % static_cast<std::size_t>(field.columns) != 0) std::abort();
  }
  return 0;
}
