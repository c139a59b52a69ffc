#include <gmock/gmock.h>

#include <cmath>

#include "library/library_folder.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/ground_move.h"

namespace shosa::test {
namespace {

using library::Feature;
using library::features_of;

analysis::StudiedClip studied(const Clip& clip) {
  return analysis::study(clip, body::guess_body_map(clip.skeleton()));
}

int largest_difference(const std::vector<Feature>& a, const std::vector<Feature>& b) {
  EXPECT_EQ(a.size(), b.size());
  int largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (int k = 0; k < library::kFeatureCount; ++k) largest = std::max(largest, std::abs(a[i][k] - b[i][k]));
  return largest;
}

TEST(Features, AreTheSameWhereverTheBodyStandsAndFaces) {
  const Clip walk = scenes::walk({.turn_rad_per_m = 0.3}).clip;
  Clip moved = walk;
  Pose pose;
  for (int f = 0; f < walk.frame_count(); ++f) {
    walk.get_frame(f, pose);
    move_posture(GroundMove{2.1, Vec3d(30.0, 1.7, -20.0)}, pose);
    moved.set_frame(f, pose);
  }
  EXPECT_LE(largest_difference(features_of(studied(walk)), features_of(studied(moved))), 1);
}

TEST(Features, OfTheMirroredClipAreTheMirroredFeatures) {
  const Clip walk = scenes::walk({.turn_rad_per_m = 0.3}).clip;
  const auto partners = body::mirror_partners(walk.skeleton(), body::guess_body_map(walk.skeleton()));
  const auto other = mirror(walk, partners);
  ASSERT_TRUE(other.has_value());
  std::vector<Feature> features = features_of(studied(walk));
  EXPECT_GT(largest_difference(features, features_of(studied(*other))), 50);
  for (Feature& feature : features) feature = library::mirrored(feature);
  EXPECT_LE(largest_difference(features, features_of(studied(*other))), 2);
  EXPECT_EQ(library::mirrored(library::mirrored(features[7])), features[7]);
}

TEST(Features, HoldPlacesAndVelocitiesAsTheBodySeesThem) {
  // Straight ahead at 1.25 m/s: in 0.2 s the hips go 0.25 m forward, times 0.85 m over the leg.
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const auto known = studied(walk);
  const double scale = known.contacts().scale;
  const std::vector<Feature> features = features_of(known);
  ASSERT_NEAR(walk.last_time_s(), 3.0, 1e-9);
  EXPECT_EQ(features.size(), 91u);
  const int at = 37;
  const int frame = 2 * at;
  const auto& map = known.map();
  const Vec3d hips = known.positions().joint(frame, map.joint(body::Role::hips));
  const Vec3d hand = known.positions().joint(frame, map.joint(body::Role::right_hand));
  EXPECT_NEAR(features[at][18], 250.0 / scale, 15.0);
  EXPECT_NEAR(features[at][13], 1000.0 * (hand - hips).x() / scale, 30.0);  // faces +Z within a degree or two
  EXPECT_NEAR(features[at][14], 1000.0 * (hand.y() - known.contacts().ground_m) / scale, 10.0);
  EXPECT_NEAR(features[at][15], 1000.0 * (hand - hips).z() / scale, 30.0);
}

TEST(Features, OneFrameIsEnough) {
  const Clip one = *cut_frames(scenes::walk().clip, 10, 1);
  const library::ClipFacts facts = library::facts_of(studied(one));
  ASSERT_EQ(facts.features.size(), 1u);
  for (int k = 16; k < library::kFeatureCount; ++k) EXPECT_EQ(facts.features[0][k], 0);
}

TEST(Features, BodiesWithoutRolesHaveSomeToo) {
  const Clip tree = scenes::random_clip(scenes::random_tree(9, 5), 100, 7);
  const library::ClipFacts facts = library::facts_of(analysis::study(tree, body::BodyMap()));
  EXPECT_EQ(facts.kind, body::BodyKind::unknown);
  EXPECT_FALSE(facts.features.empty());
}

}  // namespace
}  // namespace shosa::test
