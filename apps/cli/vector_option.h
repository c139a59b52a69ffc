#pragma once

#include <string>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::cli {

/// "X,Y,Z", three finite numbers.
Result<Vec3d> parse_vector(const std::string& option, const std::string& text);

}  // namespace shosa::cli
