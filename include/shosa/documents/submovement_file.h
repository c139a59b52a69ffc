#pragma once

#include <string>
#include <string_view>

#include "shosa/core/result.h"
#include "shosa/submovement/body.h"

namespace shosa::documents {

// A body's submovements as a file, in two forms of the same content (docs/cli.md, "Submovement files"). Numbers are
// single precision in both, but for the frame time: what was read in one form and is written in the other reads back
// to the same bits.

/// The short form (`.submove`): 20 bytes a submovement.
std::string encode_submovements(const submovement::BodyDecomposition& body);

/// The form for people (`.json`): one line a submovement. Of names, what is no UTF-8 is replaced.
std::string format_submovements(const submovement::BodyDecomposition& body);

/// Reads either form. Errors name the file and the byte, or the place in the text. Never reads past the bytes given and
/// takes no more memory than their number calls for.
Result<submovement::BodyDecomposition> parse_submovements(std::string_view bytes, const std::string& file);

/// The form for people where the path ends in `.json`, else the short one.
Result<void> write_submovements(const std::string& path, const submovement::BodyDecomposition& body);

}  // namespace shosa::documents
