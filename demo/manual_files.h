#pragma once

#include <filesystem>

#include "demo/cast.h"

namespace shosa::demo {

/// Writes the files that the commands of docs/cli.md work on: walk, run, stairs, jump and dog_walk as .bvh and .glb,
/// and a script, a plan and a score (duck.json, stairs.json, score.json).
Result<void> write_manual_files(const std::filesystem::path& folder, const Cast& cast);

}  // namespace shosa::demo
