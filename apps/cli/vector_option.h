#pragma once

#include <array>
#include <string>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace CLI {
class Validator;
}  // namespace CLI

namespace shosa::cli {

/// "X,Y,Z", three finite numbers.
Result<Vec3d> parse_vector(const std::string& option, const std::string& text);

/// The same, with `none` in place of axes that are left free.
struct FreeVector {
  Vec3d value = Vec3d::Zero();
  std::array<bool, 3> free = {};
};
Result<FreeVector> parse_free_vector(const std::string& option, const std::string& text);
/// Refuses anything else, and one that is free along all axes.
CLI::Validator free_vector_check();

/// Refuses anything else as wrong usage; "none" passes where it is allowed.
CLI::Validator vector_check(bool or_none = false);

}  // namespace shosa::cli
