#pragma once

#include <string>
#include <string_view>

#include "shosa/analysis/root_motion.h"

namespace shosa::documents {

/// The path of a body over the ground as a table, one row per frame: `frame,time_s,x_m,z_m,heading_deg`, headings
/// about +Y from +Z and unwound. Numbers are as long as they must be to be read back the same.
std::string format_root_motion(const analysis::RootMotion& motion);

/// Fails when a line is not of this form (the error names file and line), there are no rows, or times are not evenly
/// spaced and rising.
Result<analysis::RootMotion> parse_root_motion(std::string_view text, const std::string& file);

}  // namespace shosa::documents
