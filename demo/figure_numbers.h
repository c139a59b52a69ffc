#pragma once

#include <string>

#include "demo/figure.h"

namespace shosa::demo {

/// A figure's claims as one JSON object: `{"id", "ok", "title", "checks": [{"name", "value", "at_most", "unit",
/// "ok"}]}`.
std::string figure_numbers_json(const Figure& figure);

}  // namespace shosa::demo
