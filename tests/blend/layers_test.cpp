#include "shosa/blend/layers.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/core/sampling.h"

namespace shosa::blend {
namespace {

struct Scene {
  Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  Clip other = scenes::random_clip(walk.skeleton_ptr(), 90, 7);
  body::BodyMap map = body::guess_body_map(walk.skeleton());
  BodyMask upper = upper_body_mask(walk.skeleton(), map);
};

TEST(Layers, JointsOutsideTheMaskKeepTheirBits) {
  const Scene s;
  for (const LayerKind kind : {LayerKind::override, LayerKind::additive}) {
    const auto made = apply_layers(
        s.walk, std::vector<ClipLayer>{{.clip = &s.other, .kind = kind, .mask = s.upper, .at_s = 0.3, .weight = 0.7}});
    ASSERT_TRUE(made.has_value());
    bool changed = false;
    for (int f = 0; f < s.walk.frame_count(); ++f) {
      for (JointIndex j = 0; j < s.walk.joint_count(); ++j) {
        const bool same = made->rotation(f, j).coeffs() == s.walk.rotation(f, j).coeffs();
        if (s.upper[j] == 0.0f) {
          EXPECT_TRUE(same) << f << " joint " << j;
        }
        changed = changed || !same;
      }
      EXPECT_EQ(made->translation(f, 0), s.walk.translation(f, 0));
    }
    EXPECT_TRUE(changed);
  }
}

TEST(Layers, AFullOverrideIsTheLayerInItsOwnTime) {
  const Scene s;
  const auto made = apply_layers(
      s.walk, std::vector<ClipLayer>{
                  {.clip = &s.other, .mask = s.upper, .at_s = 0.5, .speed = 2.0, .fade_in_s = 0.1, .fade_out_s = 0.1}});
  ASSERT_TRUE(made.has_value());
  Pose layer;
  for (const int f : {40, 45, 55}) {
    sample(s.other, (f * s.walk.frame_time_s() - 0.5) * 2.0, layer);
    for (JointIndex j = 0; j < s.walk.joint_count(); ++j) {
      if (s.upper[j] == 1.0f) {
        EXPECT_EQ(made->rotation(f, j).coeffs(), layer.rotation(j).coeffs());
      }
    }
  }
}

TEST(Layers, AnAdditiveLayerOfItsReferenceAddsNothing) {
  const Scene s;
  Clip still(s.walk.skeleton_ptr(), 60, s.walk.frame_time_s(), s.other.translated());
  for (int f = 0; f < 60; ++f) still.set_frame(f, s.other.frame(10));
  const auto made = apply_layers(s.walk, std::vector<ClipLayer>{{.clip = &still, .kind = LayerKind::additive}});
  ASSERT_TRUE(made.has_value());
  for (int f = 0; f < s.walk.frame_count(); ++f) {
    for (JointIndex j = 0; j < s.walk.joint_count(); ++j) {
      EXPECT_LT(made->rotation(f, j).angularDistance(s.walk.rotation(f, j)), 1e-3f);
    }
  }
}

TEST(Layers, AnAdditiveLayerAddsItsTurn) {
  const Scene s;
  Pose pose = s.walk.frame(5), reference = s.other.frame(0), layer = reference;
  const JointIndex head = s.map.joint(body::Role::head);
  const Quatf nod(Eigen::AngleAxisf(0.4f, Vec3f::UnitX()));
  layer.set_rotation(head, reference.rotation(head) * nod);
  const Quatf before = pose.rotation(head);
  additive_layer(layer, reference, s.upper, 0.5f, pose);
  EXPECT_NEAR(before.angularDistance(pose.rotation(head)), 0.2f, 1e-4f);
}

TEST(Layers, AMaskReachesDownFromItsRoles) {
  const Scene s;
  const auto mask = mask_below(s.walk.skeleton(), s.map, std::vector<body::Role>{body::Role::left_upper_arm});
  ASSERT_TRUE(mask.has_value());
  EXPECT_EQ((*mask)[s.map.joint(body::Role::left_hand)], 1.0f);
  EXPECT_EQ((*mask)[s.map.joint(body::Role::right_hand)], 0.0f);
  EXPECT_EQ((*mask)[0], 0.0f);
  EXPECT_FALSE(mask_below(s.walk.skeleton(), body::BodyMap{}, std::vector<body::Role>{body::Role::head}).has_value());
}

TEST(Layers, BrokenRulesAreNamed) {
  const Scene s;
  const Clip dog = scenes::dog_walk().clip;
  const std::vector<ClipLayer> wrong[] = {{{.clip = nullptr}},
                                          {{.clip = &dog}},
                                          {{.clip = &s.other, .mask = {1.0f}}},
                                          {{.clip = &s.other, .weight = 2.0}},
                                          {{.clip = &s.other, .speed = 0.0}},
                                          {{.clip = &s.other, .fade_in_s = -1.0}}};
  for (const auto& layers : wrong) {
    const auto made = apply_layers(s.walk, layers);
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().message.find("layer 0"), std::string::npos) << made.error().message;
  }
}

}  // namespace
}  // namespace shosa::blend
