#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::project {

/// A project in one file (`.shosa`): a zip of its folder without what is hidden. The same content gives the same bytes.

struct ZipReport {
  int files = 0;
  std::uint64_t bytes = 0;  ///< Of the files, not packed.
};

/// The file appears whole or not at all. Fails when the folder cannot be read, holds a file name that a zip cannot
/// carry, or more than the limits below.
Result<ZipReport> zip_project(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Makes `folder`, which must not be there or be empty, with everything in it or not at all.
///
/// Nobody's zip is trusted. It is refused before anything is written when an entry is encrypted, a link or no file, has
/// a name that is absolute, hidden, leads outside, is no UTF-8, holds control characters or backslashes, or stands
/// twice or in the way of another; when there are too many or too large ones; and where what is unpacked is not of the
/// size or content that was said.
Result<ZipReport> unzip_project(const std::filesystem::path& file, const std::filesystem::path& folder);

struct ZipLimits {
  std::uint64_t entries = 20'000;
  std::uint64_t file_bytes = std::uint64_t{1} << 31;
  std::uint64_t all_bytes = std::uint64_t{8} << 30;
  /// Text of numbers packs to a third, a clip that stands still to a hundredth.
  std::uint64_t ratio = 500;
  std::uint64_t small_bytes = 16 << 20;  ///< Below this all together the ratio does not matter.
};

/// The entries of a zip in memory, all checked, none unpacked: what `unzip_project` begins with.
struct ZipEntry {
  std::string name;  ///< Relative, with forward slashes; folders end in one.
  std::uint64_t bytes = 0;
};
Result<std::vector<ZipEntry>> list_zip(std::string_view bytes, const std::string& name, const ZipLimits& limits = {});

/// Why a name cannot be one of a project's file, or empty.
std::string name_problem(const std::string& name);

}  // namespace shosa::project
