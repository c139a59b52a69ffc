#pragma once

#include <string>

#include "shosa/draw/canvas.h"

namespace shosa::cli {

/// Writes a picture by its extension: .png or .svg.
Result<void> write_picture(const std::string& path, const draw::Canvas& canvas);

}  // namespace shosa::cli
