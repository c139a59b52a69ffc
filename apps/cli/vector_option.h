#pragma once

#include <string>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace CLI {
class Validator;
}  // namespace CLI

namespace shosa::cli {

/// "X,Y,Z", three finite numbers.
Result<Vec3d> parse_vector(const std::string& option, const std::string& text);

/// Refuses anything else as wrong usage; "none" passes where it is allowed.
CLI::Validator vector_check(bool or_none = false);

}  // namespace shosa::cli
