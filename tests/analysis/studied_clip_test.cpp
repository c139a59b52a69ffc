#include "shosa/analysis/studied_clip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

TEST(StudiedClip, HoldsWhatEachAnalysisFinds) {
  const Clip clip = scenes::walk({.turn_rad_per_m = 0.3}).clip;
  const body::BodyMap map = test::scene_body_map(clip.skeleton());
  const analysis::StudiedClip studied = analysis::study(clip, map);
  const ClipPositions positions = clip_positions(clip);
  const auto contacts = analysis::find_foot_contacts(clip, positions, map);
  const auto ground = analysis::find_ground(positions, body::find_foot_points(clip.skeleton(), map));
  ASSERT_TRUE(contacts.has_value() && ground.has_value());
  ASSERT_EQ(studied.contacts().feet.size(), contacts->feet.size());
  for (std::size_t i = 0; i < contacts->feet.size(); ++i)
    EXPECT_EQ(studied.contacts().feet[i].joined, contacts->feet[i].joined);
  EXPECT_EQ(studied.ground().value().height_m, ground->height_m);
  for (int f = 0; f < clip.frame_count(); ++f) {
    const auto& place = studied.root().places[f];
    EXPECT_EQ(Vec3d(place.x_m, 0.0, place.z_m).x(), positions.joint(f, root_joint(map)).x());
    EXPECT_EQ(studied.positions().joint(f, 3), positions.joint(f, 3));
  }
}

TEST(StudiedClip, CopiesShareWhatWasFound) {
  const analysis::StudiedClip studied = test::study_scene(scenes::walk({.duration_s = 1.0}).clip);
  const analysis::StudiedClip copy = studied;
  EXPECT_EQ(&copy.clip(), &studied.clip());
  EXPECT_EQ(&copy.contacts(), &studied.contacts());
}

TEST(StudiedClip, ABodyWithoutFeetHasNoContactsAndSaysSo) {
  const analysis::StudiedClip studied = analysis::study(scenes::walk({.duration_s = 1.0}).clip, {});
  EXPECT_TRUE(studied.contacts().feet.empty());
  EXPECT_FALSE(studied.ground().has_value());
  ASSERT_FALSE(studied.needs_feet().has_value());
  EXPECT_THAT(studied.needs_feet().error().message, testing::HasSubstr("names no feet"));
}

TEST(StudiedClip, GivenContactsAreKept) {
  const analysis::StudiedClip found = test::study_scene(scenes::walk({.duration_s = 1.0}).clip);
  analysis::FootContacts edited = found.contacts();
  edited.feet[0].joined = {{0.1, 0.2}};
  const auto studied = analysis::study(found.clip(), found.map(), edited);
  ASSERT_TRUE(studied.has_value());
  EXPECT_EQ(studied->contacts().feet[0].joined, edited.feet[0].joined);
}

TEST(StudiedClip, ContactsOfAnotherSkeletonAreRefused) {
  const analysis::StudiedClip found = test::study_scene(scenes::walk({.duration_s = 1.0}).clip);
  analysis::FootContacts joint = found.contacts(), point = found.contacts();
  joint.feet[0].points.joint = 999;
  point.feet[0].points.tip = 999;
  for (const auto& contacts : {joint, point}) {
    const auto studied = analysis::study(found.clip(), found.map(), contacts);
    ASSERT_FALSE(studied.has_value());
    EXPECT_THAT(studied.error().message, testing::HasSubstr("999"));
  }
}

}  // namespace
}  // namespace shosa
