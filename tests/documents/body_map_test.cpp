#include "shosa/documents/body_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;

std::string body_map_error(const std::string& json) {
  const Result<body::BodyMap> map = parse_body_map(json, "map.json", *scenes::chain(3), {});
  return map ? "no error" : map.error().message;
}

TEST(BodyMapJson, OverridesRemovesAndKeeps) {
  const auto skeleton = scenes::chain(4);
  body::BodyMap guessed;
  guessed.kind = body::BodyKind::humanoid;
  guessed.set(body::Role::hips, 0);
  guessed.set(body::Role::jaw, 1);
  const std::string json = "{\"leftFoot\": \"" + skeleton->name(2) + "\", \"jaw\": null, \"kind\": \"quadruped\"}";
  const Result<body::BodyMap> map = parse_body_map(json, "map.json", *skeleton, guessed);
  ASSERT_TRUE(map.has_value()) << map.error().message;
  EXPECT_EQ(map->joint(body::Role::hips), 0);
  EXPECT_EQ(map->joint(body::Role::left_foot), 2);
  EXPECT_FALSE(map->has(body::Role::jaw));
  EXPECT_EQ(map->kind, body::BodyKind::quadruped);
}

TEST(BodyMapJson, WhatIsWrittenReadsBackTheSame) {
  const auto skeleton = scenes::chain(5);
  body::BodyMap map;
  map.kind = body::BodyKind::humanoid;
  map.set(body::Role::hips, 1);
  map.set(body::Role::right_little_distal, 4);
  const Result<body::BodyMap> again = parse_body_map(format_body_map(*skeleton, map), "a", *skeleton, {});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->kind, map.kind);
  for (int i = 0; i < body::kRoleCount; ++i)
    EXPECT_EQ(again->joint(static_cast<body::Role>(i)), map.joint(static_cast<body::Role>(i)));
}

TEST(BodyMapJson, WarningsFollowWhatTheFileSupplies) {
  const auto skeleton = scenes::humanoid();
  body::BodyMap guessed = body::guess_body_map(*skeleton);
  ASSERT_THAT(guessed.warnings, testing::IsEmpty());
  const JointIndex foot = guessed.joint(body::Role::left_foot);
  guessed.set(body::Role::left_foot, kNoJoint);
  guessed.warnings = {"something else", "no joint found for left_foot"};
  const std::string json = "{\"left_foot\": \"" + skeleton->name(foot) + "\"}";
  EXPECT_THAT(parse_body_map(json, "a", *skeleton, guessed)->warnings, testing::ElementsAre("something else"));
  EXPECT_THAT(parse_body_map("{\"head\": null}", "a", *skeleton, guessed)->warnings,
              testing::ElementsAre("something else", "no joint found for head, left_foot"));
}

TEST(BodyMapJson, DeepNestingIsRefused) {
  EXPECT_THAT(body_map_error("{\"kind\":" + std::string(2'000'000, '[')), HasSubstr("nested deeper than 128 levels"));
  EXPECT_THAT(body_map_error("{\"kind\": [[1]]}"), HasSubstr("kind is a JSON array, expected \"humanoid\""));
}

TEST(BodyMapJson, ErrorsListWhatThereIs) {
  const auto skeleton = scenes::chain(3);
  EXPECT_THAT(body_map_error("{\"left_foof\": \"x\"}"), HasSubstr("no role 'left_foof'; the roles are hips, spine,"));
  EXPECT_THAT(body_map_error("{\"hips\": \"x\"}"),
              HasSubstr("names no joint 'x'; the joints are " + skeleton->name(0) + ", "));
  EXPECT_THAT(body_map_error("{\"hips\": 3}"), HasSubstr("hips is a JSON number, expected a joint's name or null"));
  EXPECT_THAT(body_map_error("{\"kind\": \"fish\"}"), HasSubstr("kind \"fish\", expected \"humanoid\""));
  EXPECT_THAT(body_map_error("[]"), HasSubstr("found a JSON array, expected an object"));
  EXPECT_THAT(body_map_error("{\"hips\":"), HasSubstr("map.json: no JSON"));
}

}  // namespace
}  // namespace shosa::documents
