#pragma once

#include <string>
#include <string_view>

#include "shosa/core/result.h"
#include "shosa/submovement/body.h"

namespace shosa::submovement {

/// A decomposition as bytes (`.submove`): the skeleton, then 20 bytes a submovement. Little endian, single precision.
/// The layout is written down in docs/methods/submovements.md, "File".
std::string encode(const BodyDecomposition& body);

/// Reads what `encode` wrote. Errors name `source` and the byte. Never reads past the bytes given and never takes more
/// memory than their number calls for.
Result<BodyDecomposition> decode(std::string_view bytes, std::string_view source);

}  // namespace shosa::submovement
