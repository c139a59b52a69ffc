#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace shosa::io {

/// Gives every name once: a name met again gets `_2`, `_3` …
///
/// The next number of each name is kept, so that n equal names cost O(n).
class UniqueNames {
 public:
  std::string make(const std::string& wanted) {
    if (used_.insert(wanted).second) return wanted;
    int& suffix = next_suffix_.try_emplace(wanted, 2).first->second;
    for (;; ++suffix) {
      std::string name = fmt::format("{}_{}", wanted, suffix);
      if (used_.insert(name).second) return name;
    }
  }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, int> next_suffix_;
};

}  // namespace shosa::io
