#pragma once

#include "motions/description.h"
#include "motions/motions.h"

namespace shosa::motions {

inline constexpr double kFps = 60.0;

/// A human's motion from its description.
Result<Motion> assemble_human(std::string_view name, const Description& description);

}  // namespace shosa::motions
