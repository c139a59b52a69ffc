#pragma once

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/blend/motion.h"

namespace shosa::blending::test {

inline std::shared_ptr<const Motion> prepared(const Clip& clip, std::optional<TimeInterval> core = std::nullopt) {
  auto motion = prepare_motion(clip, guess_body_map(clip.skeleton()), {.core = core});
  EXPECT_TRUE(motion.has_value());
  return *motion;
}

struct Clips {
  std::shared_ptr<const Motion> walk = prepared(scenes::walk({.duration_s = 3.0}).clip, TimeInterval{0.8, 2.0});
  std::shared_ptr<const Motion> run = prepared(scenes::run().clip, TimeInterval{1.0, 2.6});
  std::shared_ptr<const Motion> jump = prepared(scenes::jump({.still_s = 0.8}).clip);
  std::shared_ptr<const Motion> stand = prepared(scenes::stand(3.0).clip, TimeInterval{0.7, 2.0});
  std::vector<std::shared_ptr<const Motion>> all() const { return {walk, run, jump, stand}; }
};

}  // namespace shosa::blending::test
