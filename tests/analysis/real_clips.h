#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::test {

/// A captured clip without its added T-pose, of a body that has feet.
inline Result<analysis::StudiedClip> read_clip(const std::string& path) {
  auto file = io::read_motion(real_data_dir() / path, {.drop_tpose = true});
  if (!file.has_value()) return std::unexpected(file.error());
  const analysis::StudiedClip studied = analysis::study(file->clips[0], file->body_map);
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  return studied;
}

inline Result<analysis::StudiedClip> read_cmu(const std::string& name) {
  return read_clip("cmu-bvh/" + name + ".bvh");
}

/// Times at which feet land, in order; (time, index of the foot).
inline std::vector<std::pair<double, int>> landings(const analysis::FootContacts& contacts) {
  std::vector<std::pair<double, int>> list;
  for (std::size_t i = 0; i < contacts.feet.size(); ++i) {
    for (const auto& stance : contacts.feet[i].joined) {
      if (stance.begin_s > 0.0) list.push_back({stance.begin_s, static_cast<int>(i)});
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

inline const std::vector<std::string> kStraightWalks = {"02_01", "07_01", "07_04", "07_12", "08_07",
                                                        "16_15", "16_21", "35_01", "82_10", "82_12"};

}  // namespace shosa::test

/// Declares `name`, or ends the test with the reader's message.
#define SHOSA_READ_CMU(name, file)                                                                            \
  auto name##_result = shosa::test::read_cmu(file);                                                           \
  ASSERT_TRUE(name##_result.has_value()) << (name##_result.has_value() ? "" : name##_result.error().message); \
  const shosa::analysis::StudiedClip& name = *name##_result
