// Any bytes as a plan of `footsteps`: an error that names the place, or steps that are finite and are written and read
// again the same.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/footstep_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa;
  const auto plan =
      documents::parse_footstep_plan(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!plan) return plan.error().message.find("fuzz.json") == std::string::npos ? std::abort(), 0 : 0;
  const auto* steps = std::get_if<documents::ListedSteps>(&plan->steps);
  if (steps == nullptr) return 0;
  if (steps->steps.empty()) std::abort();
  for (const auto& step : steps->steps) {
    if (!step.position_m.allFinite() || (step.heading_rad && !std::isfinite(*step.heading_rad))) std::abort();
  }
  const auto again = documents::parse_footstep_plan(documents::format_footstep_plan(*steps), "again");
  if (!again || std::get<documents::ListedSteps>(again->steps).steps.size() != steps->steps.size()) std::abort();
  return 0;
}
