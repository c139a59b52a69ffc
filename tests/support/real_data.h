#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "support/paths.h"

namespace shosa::test {

/// Files below a sub-folder with one extension (".bvh"), sorted; empty when there is no real data.
inline std::vector<std::filesystem::path> real_files(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  const auto dir = real_data_dir() / folder;
  if (!std::filesystem::is_directory(dir)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The name of a test of one clip ("cmu-bvh/02_01"), of letters that gtest takes.
inline std::string clip_test_name(const testing::TestParamInfo<const char*>& one) {
  std::string name = one.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace shosa::test

/// First line of a test that needs captured clips.
#define SHOSA_NEEDS_REAL_DATA() \
  if (!std::filesystem::is_directory(shosa::test::real_data_dir())) GTEST_SKIP() << "skipped: no real data"
