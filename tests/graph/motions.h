#pragma once

#include <gtest/gtest.h>

#include "shosa/graph/motion_set.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::test {

inline graph::MotionSet motion_set(std::vector<graph::NamedClip> clips) {
  const body::BodyMap map = body::guess_body_map(clips.front().clip.skeleton());
  auto set = graph::make_motion_set(std::move(clips), map);
  EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message);
  return std::move(*set);
}

/// Captured walks and runs; `cleaned` as the program does it: broken samples repaired, feet that stand kept.
inline graph::MotionSet captured(const std::vector<std::string>& names, bool cleaned) {
  std::vector<graph::NamedClip> clips;
  body::BodyMap map;
  for (const std::string& name : names) {
    auto motion = io::read_motion(real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
    EXPECT_TRUE(motion.has_value()) << (motion ? "" : motion.error().message);
    if (clips.empty()) map = motion->body_map;
    clips.push_back({name, std::move(motion->clips[0])});
  }
  auto set = graph::make_motion_set(std::move(clips), map, {.clean = cleaned});
  EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message);
  return std::move(*set);
}

}  // namespace shosa::test
