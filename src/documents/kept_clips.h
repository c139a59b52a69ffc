#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shosa/graph/motion_set.h"

namespace shosa::documents {

/// The samples of a set's clips as bytes: those with the names that are given, in their order. Little-endian; every bit
/// is kept.
std::string format_kept_clips(const graph::MotionSet& set, const std::vector<std::string>& names);

/// Reads them back onto the skeleton that they were kept from. Fails for bytes that are something else.
Result<std::vector<graph::NamedClip>> parse_kept_clips(std::string_view bytes,
                                                       const std::shared_ptr<const Skeleton>& skeleton);

}  // namespace shosa::documents
