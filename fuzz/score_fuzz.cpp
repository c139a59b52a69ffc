// Any bytes as a score of `compose`: an error that names the place, or a score within its bounds.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/score.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto score =
      shosa::documents::parse_score(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!score) return score.error().message.find("fuzz.json") == std::string::npos ? std::abort(), 0 : 0;
  if (score->motions.empty() || !(score->smoothness >= 0.0 && score->smoothness <= 1.0)) std::abort();
  for (const auto& line : score->motions) {
    if (line.at_s && !(std::abs(*line.at_s) <= shosa::documents::kLatestMotion_s)) std::abort();
    if (line.core && !(line.core->begin_s <= line.core->end_s)) std::abort();
  }
  for (const auto& line : score->layers) {
    if (!(line.layer.speed > 0.0) || !(line.layer.weight >= 0.0 && line.layer.weight <= 1.0)) std::abort();
  }
  return 0;
}
