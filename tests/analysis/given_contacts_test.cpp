#include "shosa/analysis/given_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "shosa/analysis/intervals.h"

namespace shosa::analysis {
namespace {

using testing::HasSubstr;

class GivenFeet : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  StudiedClip found_ = test::study_scene(walk_);

  const FootContactTrack& left(const StudiedClip& studied) const { return *studied.contacts().find("left"); }
  StudiedClip with(const GivenContacts& given) const { return study_with_contacts(walk_, found_.map(), given); }
  std::string complaint(const GivenContacts& given) const {
    const auto checked = check_contacts(given, walk_, found_.map());
    return checked ? "" : checked.error().message;
  }
};

TEST_F(GivenFeet, AFootStandsWhenItIsSaidTo) {
  const StudiedClip given = with({{"left", {{0.25, 0.5}, {1.0, 2.0}}}});
  EXPECT_EQ(left(given).joined, (std::vector<TimeInterval>{{0.25, 0.5}, {1.0, 2.0}}));
  // Its parts stand within that, and between them all the time.
  EXPECT_EQ(interval_union(left(given).heel, left(given).toe), left(given).joined);
  ASSERT_EQ(left(given).stances.size(), 2u);
  // The other foot is as it was found.
  EXPECT_EQ(given.contacts().find("right")->joined, found_.contacts().find("right")->joined);
}

TEST_F(GivenFeet, WhatWasFoundAndGivenBackChangesNothing) {
  GivenContacts all;
  for (const FootContactTrack& foot : found_.contacts().feet) {
    all[foot.points.name] = foot.joined;
    all[foot.points.name + "_heel"] = foot.heel;
    all[foot.points.name + "_toes"] = foot.toe;
  }
  const StudiedClip given = with(all);
  for (const FootContactTrack& foot : found_.contacts().feet) {
    const FootContactTrack& same = *given.contacts().find(foot.points.name);
    EXPECT_EQ(same.joined, foot.joined);
    EXPECT_EQ(same.heel, foot.heel);
    EXPECT_EQ(same.toe, foot.toe);
    ASSERT_EQ(same.stances.size(), foot.stances.size());
    // A scene's soles lie on the floor, at height 0.
    for (std::size_t i = 0; i < foot.stances.size(); ++i)
      EXPECT_NEAR(same.stances[i].ground_m, foot.stances[i].ground_m, 0.01);
  }
}

TEST_F(GivenFeet, AFootThatIsShortenedAloneTakesItsPartsAlong) {
  GivenContacts all = {{"left", {}}, {"left_heel", left(found_).heel}, {"left_toes", left(found_).toe}};
  const TimeInterval whole = left(found_).joined.at(1);
  all["left"] = {{whole.begin_s, whole.begin_s + 0.1}};
  const StudiedClip given = with(all);
  for (const auto& part : {left(given).heel, left(given).toe}) {
    for (const TimeInterval& interval : part) EXPECT_LE(interval.end_s, whole.begin_s + 0.1 + 1e-9);
  }
}

TEST_F(GivenFeet, WhatDoesNotFitTheClipIsNamed) {
  EXPECT_EQ(complaint({{"left", {{0.0, 1.0}}}}), "");
  EXPECT_THAT(complaint({{"tail", {}}}),
              HasSubstr("tail: no such foot, expected one of left, right, left_heel, left_toes"));
  EXPECT_THAT(complaint({{"left", {{2.0, 4.0}}}}), HasSubstr("left: 2 s to 4 s, expected an interval within 0 s"));
  EXPECT_THAT(complaint({{"left", {{1.0, 2.0}, {1.5, 2.5}}}}), HasSubstr("expected a contact after the one before"));
}

TEST_F(GivenFeet, APartOfTheClipHasItsPartOfThem) {
  const GivenContacts part = cut_contacts({{"left", {{0.0, 0.5}, {0.8, 1.4}, {2.0, 2.5}}}}, 1.0, 2.25);
  ASSERT_EQ(part.at("left").size(), 2u);
  EXPECT_NEAR(part.at("left")[0].begin_s, 0.0, 1e-12);
  EXPECT_NEAR(part.at("left")[0].end_s, 0.4, 1e-12);
  EXPECT_NEAR(part.at("left")[1].begin_s, 1.0, 1e-12);
  EXPECT_NEAR(part.at("left")[1].end_s, 1.25, 1e-12);
}

}  // namespace
}  // namespace shosa::analysis
