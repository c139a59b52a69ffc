#pragma once

#include <string_view>

#include "shosa/core/result.h"
#include "shosa/submovement/body.h"

namespace shosa::documents {

/// Reads what `encode_submovements` wrote, and files of the first version, which had no feet.
Result<submovement::BodyDecomposition> decode_submovements(std::string_view bytes, std::string_view source);

/// Only where it is not nearly a unit, so that a file that was read and written again stays the same. False: it is 0.
bool make_unit(Quatd& rotation);

}  // namespace shosa::documents
