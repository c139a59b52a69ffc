#pragma once

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/blend/compose.h"

namespace shosa::blend::test {

inline std::shared_ptr<const Motion> prepared(const Clip& clip, std::optional<TimeInterval> core = std::nullopt) {
  auto motion = prepare_motion(analysis::study(clip, body::guess_body_map(clip.skeleton())), {.core = core});
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

/// Calls `check(first, second, plan)` for every ordered pair, composed at automatic times.
template <class Check>
void for_every_automatic_pair(const Clips& clips, const Check& check) {
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, std::nullopt}});
      ASSERT_TRUE(made.has_value());
      check(*first, *second, *made->joins[0].report.plan);
    }
  }
}

}  // namespace shosa::blend::test
