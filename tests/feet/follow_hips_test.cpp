#include "shosa/feet/follow_hips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa::feet {
namespace {

class FollowHips : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
  analysis::StudiedClip studied_ = test::study_scene(walk_);
  JointIndex hips_ = walk_.skeleton().find("hips"), left_ = walk_.skeleton().find("left_foot"),
             right_ = walk_.skeleton().find("right_foot");
  FollowHipsParams params_{.first = 20, .last = 90, .ankles = {left_, right_}};

  /// The walk, its hips lowered softly in the stretch.
  Clip ducked(double down_m) const {
    Clip out = walk_;
    for (int f = params_.first; f <= params_.last; ++f) {
      const double s = std::sin(std::numbers::pi * (f - params_.first) / (params_.last - params_.first));
      out.set_translation(f, hips_,
                          walk_.translation(f, hips_) - Vec3f(0.0f, static_cast<float>(down_m * s * s), 0.0f));
    }
    return out;
  }
};

TEST_F(FollowHips, HipsThatStayChangeNothing) {
  for (const bool firm : {false, true}) {
    params_.firm = firm;
    const auto made = follow_hips(studied_, walk_, params_);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    ASSERT_EQ(made->root_m.size(), 71u);
    for (int f = params_.first; f <= params_.last; ++f) {
      const auto k = static_cast<std::size_t>(f - params_.first);
      EXPECT_LT(made->root_m[k].norm(), 1e-9);
      EXPECT_LT((made->ankle_m[0][k] - studied_.positions().joint(f, left_)).norm(), 1e-9);
      EXPECT_LT((made->ankle_m[1][k] - studied_.positions().joint(f, right_)).norm(), 1e-9);
    }
  }
}

TEST_F(FollowHips, HipsThatLegsReachGoWhereTheyAreLedAndFeetStay) {
  const Clip led = ducked(0.1);
  for (const bool firm : {false, true}) {
    params_.firm = firm;
    const auto made = follow_hips(studied_, led, params_);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    EXPECT_NEAR(made->root_m[35].y(), -0.1, 0.003);
    for (std::size_t k = 0; k < 71; ++k) {
      EXPECT_LT((made->ankle_m[0][k] - studied_.positions().joint(params_.first + static_cast<int>(k), left_)).norm(),
                0.02);
    }
  }
}

TEST_F(FollowHips, AFootThatIsLedGoesThere) {
  const std::vector<Vec3d> shift(71, Vec3d(0.0, 0.03, 0.0));
  params_.led_feet = {{left_, shift}};
  const auto made = follow_hips(studied_, walk_, params_);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  for (std::size_t k = 0; k < 71; ++k) {
    const Vec3d was = studied_.positions().joint(params_.first + static_cast<int>(k), left_);
    EXPECT_LT((made->ankle_m[0][k] - was - shift[k]).norm(), 1e-9);
  }
}

TEST_F(FollowHips, RefusesWhatMakesNoSense) {
  const auto error = [&](const Clip& led, const FollowHipsParams& params) {
    const auto made = follow_hips(studied_, led, params);
    return made ? std::string() : made.error().message;
  };
  FollowHipsParams wrong = params_;
  wrong.last = 500;
  EXPECT_THAT(error(walk_, wrong), testing::HasSubstr("frames 20 to 500"));
  wrong = params_;
  wrong.ankles = {hips_};
  EXPECT_THAT(error(walk_, wrong), testing::HasSubstr("'hips' is no foot"));
  wrong.ankles = {};
  EXPECT_THAT(error(walk_, wrong), testing::HasSubstr("no feet"));
  wrong = params_;
  wrong.led_feet = {{left_, {}}};
  EXPECT_THAT(error(walk_, wrong), testing::HasSubstr("led by 0 shifts"));
  EXPECT_THAT(error(scenes::walk({.duration_s = 1.0}).clip, params_), testing::HasSubstr("the capture has"));
}

}  // namespace
}  // namespace shosa::feet
