#include "io/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"

namespace shosa::io {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// The body of the scenes, stated in another unit and with another axis up.
Skeleton in_file_terms(const Skeleton& body, double unit_m, bool z_up) {
  const Quatf turn(Eigen::AngleAxisf(z_up ? 1.57079632679f : 0.0f, Vec3f::UnitX()));
  std::vector<Joint> joints(body.joints().begin(), body.joints().end());
  for (Joint& joint : joints) joint.rest_translation_m = turn * (joint.rest_translation_m / static_cast<float>(unit_m));
  return *Skeleton::create(std::move(joints));
}

std::vector<Vec3d> turned(const std::vector<Vec3d>& posture, const Quatd& rotation, const Vec3d& shift) {
  std::vector<Vec3d> result;
  for (const Vec3d& position : posture) result.push_back(rotation * position + shift);
  return result;
}

TEST(Place, EveryUnitAndUpAxisOfABodyIsFound) {
  for (const double unit_m : {0.001, 0.01, 0.0254, 0.0254 / 0.45, 0.1, 1.0}) {
    for (const bool z_up : {false, true}) {
      const Skeleton file = in_file_terms(*scenes::humanoid(), unit_m, z_up);
      const body::BodyMap map = body::guess_body_map(*scenes::humanoid());
      const Place place = find_place({.skeleton = &file, .body_map = &map}, {});
      EXPECT_EQ(place.unit_m, unit_m);
      EXPECT_EQ(place.up, z_up ? UpAxis::z : UpAxis::y) << unit_m;
      EXPECT_THAT(place.warnings, IsEmpty());
    }
  }
}

TEST(Place, DogsAreInCentimetresOrMetres) {
  for (const double unit_m : {0.01, 1.0}) {
    const Skeleton file = in_file_terms(*scenes::dog(), unit_m, false);
    const body::BodyMap map = body::guess_body_map(*scenes::dog());
    EXPECT_EQ(map.kind, body::BodyKind::quadruped);
    EXPECT_EQ(find_place({.skeleton = &file, .body_map = &map}, {}).unit_m, unit_m);
  }
}

TEST(Place, AClearMotionOverrulesTheRestPoseAndLyingDownDoesNot) {
  const auto body = scenes::humanoid();
  const body::BodyMap map = body::guess_body_map(*body);
  const Quatd upright_in_z(Eigen::AngleAxisd(1.57079632679, Vec3d::UnitX()));
  PlaceEvidence evidence{.skeleton = body.get(), .body_map = &map};

  // Rest pose along Y, but the body walks about on the plane z = 0.
  for (int i = 0; i < 20; ++i) {
    evidence.postures.push_back(turned(body->rest_positions(), upright_in_z, Vec3d(0.1 * i, 1.0 + 0.2 * i, 0.0)));
  }
  Notes warnings;
  EXPECT_EQ(find_up(evidence, warnings), UpAxis::z);

  // The same stance on the plane y = 0, somewhere along z: a body that lies on its back.
  for (auto& posture : evidence.postures) {
    double low = 1e9;
    for (const Vec3d& position : posture) low = std::min(low, position.y());
    for (Vec3d& position : posture) position += Vec3d(0, -low, 3.0);
  }
  EXPECT_EQ(find_up(evidence, warnings), UpAxis::y);
  EXPECT_THAT(warnings, Contains(HasSubstr("Y taken for up")));

  // An added T-pose in front settles it.
  evidence.postures.front() = body->rest_positions();
  evidence.first_posture_is_tpose = true;
  warnings.clear();
  EXPECT_EQ(find_up(evidence, warnings), UpAxis::y);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(Place, DoubtIsSaid) {
  const Skeleton file = in_file_terms(*scenes::humanoid(), 0.0385, false);
  const body::BodyMap map = body::guess_body_map(*scenes::humanoid());
  EXPECT_THAT(find_place({.skeleton = &file, .body_map = &map}, {}).warnings, Contains(HasSubstr("unit is doubtful")));
  const Skeleton point = *Skeleton::create({{"a", kNoJoint, Vec3f::Zero(), Quatf::Identity()}});
  const body::BodyMap none;
  EXPECT_THAT(find_place({.skeleton = &point, .body_map = &none}, {}).warnings, Contains(HasSubstr("no extent")));
}

TEST(Place, WhatIsGivenIsTaken) {
  const Skeleton file = in_file_terms(*scenes::humanoid(), 0.01, false);
  const body::BodyMap map;
  const Place place = find_place({.skeleton = &file, .body_map = &map}, {.unit_m = 7.0, .up = UpAxis::z});
  EXPECT_EQ(place.unit_m, 7.0);
  EXPECT_EQ(place.up, UpAxis::z);
}

TEST(Place, PlacedSkeletonsStandInTheWorld) {
  const Skeleton file = in_file_terms(*scenes::humanoid(), 0.01, true);
  const Result<Skeleton> placed = place_skeleton(file, 0.01, UpAxis::z);
  ASSERT_TRUE(placed.has_value());
  for (std::size_t j = 0; j < placed->rest_positions().size(); ++j) {
    EXPECT_LT((placed->rest_positions()[j] - scenes::humanoid()->rest_positions()[j]).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace shosa::io
