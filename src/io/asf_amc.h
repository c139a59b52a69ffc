#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// Reads an Acclaim skeleton (.asf): no clip.
///
/// A joint stands at the start of each bone and bears its name; the root is `root`. At rest all joint frames have the
/// world's axes. The tip of a bone without children is the end site `<bone>_end`. Limits, masses and documentation are
/// not kept. The unit is 1 inch / `length` as CMU means it (`length 0.45`: 0.0564 m); with `length 1` or none it is
/// found from the body's size as for other files.
Result<MotionFile> read_asf(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads an Acclaim motion (.amc) on the skeleton `options.asf`; where that is empty, on `35.asf` for `35_01.amc`, on
/// `35_01.asf`, or on the only .asf in the folder.
///
/// With C the bone's axis and M its turns in the order of `dof`, the joint's rotation is C M C^-1. The format holds no
/// frame rate: 120 Hz is taken, with a warning, unless `options.fps_is` says otherwise. Every frame must give every
/// bone that has degrees of freedom.
Result<MotionFile> read_amc(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for texts in memory; the names stand in errors.
Result<MotionFile> parse_asf(std::string_view text, const std::string& name, const ReadOptions& options = {});
Result<MotionFile> parse_amc(std::string_view asf_text, const std::string& asf_name, std::string_view amc_text,
                             const std::string& amc_name, const ReadOptions& options = {});

}  // namespace shosa::io
