#pragma once

#include <numeric>
#include <random>

#include "blend_pairs.h"
#include "shosa/analysis/body_motion.h"

namespace shosa::bench {

/// Random ordered pairs of captures, a seeded choice: from one half of the clips, or from the half held aside.
inline std::vector<std::pair<std::filesystem::path, std::filesystem::path>> random_pairs(
    const std::filesystem::path& folder, bool aside, int count) {
  std::vector<std::filesystem::path> files;
  for (const char* part : {"cmu-bvh", "quality"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / part)) {
      const std::string name = entry.path().filename().string();
      const int sum = std::accumulate(name.begin(), name.end(), 0);
      if (entry.path().extension() == ".bvh" && (sum % 2 == 1) == aside) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::mt19937 random(aside ? 7 : 3);
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    const auto a = random() % files.size(), b = random() % files.size();
    if (a != b) pairs.emplace_back(files[a], files[b]);
  }
  return pairs;
}

}  // namespace shosa::bench
