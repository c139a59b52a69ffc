#pragma once

#include "library/clip_rows.h"
#include "library/scan_folder.h"

namespace shosa::library {

/// Path, size and the hashes of a file's content and of its companions'; `problem` where it cannot be read.
FileRow hash_file(const std::filesystem::path& folder, const ClipFile& file);

/// Reads the file and studies its clips; `problem` says why not.
void study_file(const std::filesystem::path& folder, const ClipFile& file, FileRow& row);

}  // namespace shosa::library
