#pragma once

#include <filesystem>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// True when this build reads FBX (CMake option SHOSA_WITH_ASSIMP and Assimp found).
bool has_fbx();

/// Reads .fbx through Assimp. Unit and up axis come from the file's own settings unless `options` says otherwise;
/// joints, rates and clips follow the same rules as `read_gltf`. A file without animation gives no clips and a warning.
/// Without Assimp: error `not_possible`. Assimp's own faults cannot be caught, so every file is first imported in a
/// copy of the process (fork) and refused when that breaks down; see docs/decisions/0006-assimp.md.
Result<MotionFile> read_fbx(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace shosa::io
