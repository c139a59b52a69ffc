#pragma once

#include <gtest/gtest.h>

#include "shosa/graph/motion_set.h"

namespace shosa::test {

inline graph::MotionSet motion_set(std::vector<graph::NamedClip> clips) {
  const BodyMap map = guess_body_map(clips.front().clip.skeleton());
  auto set = graph::make_motion_set(std::move(clips), map);
  EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message);
  return std::move(*set);
}

}  // namespace shosa::test
