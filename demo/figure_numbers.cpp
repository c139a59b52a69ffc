#include "demo/figure_numbers.h"

#include <nlohmann/json.hpp>

namespace shosa::demo {

std::string figure_numbers_json(const Figure& figure) {
  nlohmann::ordered_json entry = {{"id", figure.id}, {"ok", figure.ok()}, {"title", figure.title}};
  entry["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : figure.checks) {
    entry["checks"].push_back({{"name", check.name},
                               {"value", check.value},
                               {check.kind == Check::Kind::at_most ? "at_most" : "at_least", check.bound},
                               {"unit", check.unit},
                               {"ok", check.ok()}});
  }
  return entry.dump();
}

}  // namespace shosa::demo
