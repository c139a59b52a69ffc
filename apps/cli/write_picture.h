#pragma once

#include <string>

#include "shosa/draw/canvas.h"

namespace CLI {
class Validator;
}  // namespace CLI

namespace shosa::cli {

/// Refuses names that are no picture's.
CLI::Validator picture_file();

/// Writes a picture by its extension: .png or .svg.
Result<void> write_picture(const std::string& path, const draw::Canvas& canvas);

}  // namespace shosa::cli
