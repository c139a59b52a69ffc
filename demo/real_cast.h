#pragma once

#include <filesystem>

#include "demo/cast.h"

namespace shosa::demo {

/// A cast from a folder of captured clips (.bvh, .amc, .glb, .fbx), looked through with its subfolders.
///
/// A part is looked for by words in file and folder names, and in a README.md's table rows that begin with the file's
/// name; among those the clip that fits by what it does is taken (a walk has a cycle and its speed, a step down ends
/// lower than it begins, a raised hand ends beside the head). Parts that nothing plays are listed with the reason. The
/// folder is only read. Fails when it cannot be read.
Result<Cast> real_cast(const std::filesystem::path& folder);

}  // namespace shosa::demo
