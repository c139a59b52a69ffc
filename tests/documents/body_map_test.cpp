#include "shosa/documents/body_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;

Result<body::BodyMap> read_map(const std::string& json, const Skeleton& skeleton, const body::BodyMap& guessed) {
  const auto document = parse_body_map(json, "map.json");
  if (!document) return std::unexpected(document.error());
  return evaluate(*document, skeleton, guessed);
}

std::string body_map_error(const std::string& json) {
  const Result<body::BodyMap> map = read_map(json, *scenes::chain(3), {});
  return map ? "no error" : map.error().message;
}

TEST(BodyMapJson, OverridesRemovesAndKeeps) {
  const auto skeleton = scenes::chain(4);
  body::BodyMap guessed;
  guessed.kind = body::BodyKind::humanoid;
  guessed.set(body::Role::hips, 0);
  guessed.set(body::Role::jaw, 1);
  const std::string json = "{\"leftFoot\": \"" + skeleton->name(2) + "\", \"jaw\": null, \"kind\": \"quadruped\"}";
  const Result<body::BodyMap> map = read_map(json, *skeleton, guessed);
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
  const Result<body::BodyMap> again = read_map(format_body_map(*skeleton, map), *skeleton, {});
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
  EXPECT_THAT(read_map(json, *skeleton, guessed)->warnings, testing::ElementsAre("something else"));
  EXPECT_THAT(read_map("{\"head\": null}", *skeleton, guessed)->warnings,
              testing::ElementsAre("something else", "no joint found for head, left_foot"));
}

TEST(BodyMapJson, DeepNestingIsRefused) {
  EXPECT_THAT(body_map_error("{\"kind\":" + std::string(2'000'000, '[')), HasSubstr("nested deeper than 128 levels"));
  EXPECT_THAT(body_map_error("{\"kind\": [[1]]}"),
              HasSubstr("map.json: /kind: a list of 1, expected one of unknown, humanoid"));
}

TEST(BodyMapJson, ErrorsListWhatThereIs) {
  const auto skeleton = scenes::chain(3);
  EXPECT_THAT(body_map_error("{\"left_foof\": \"x\"}"),
              HasSubstr("map.json: /left_foof: unknown role; the roles are hips, spine,"));
  EXPECT_THAT(body_map_error("{\"hips\": \"x\"}"),
              HasSubstr("map.json: /hips: no joint 'x'; the joints are " + skeleton->name(0) + ", "));
  EXPECT_THAT(body_map_error("{\"hips\": 3}"), HasSubstr("map.json: /hips: 3, expected a joint's name or null"));
  EXPECT_THAT(body_map_error("{\"kind\": \"fish\"}"), HasSubstr("/kind: \"fish\", expected one of unknown, humanoid"));
  EXPECT_THAT(body_map_error("[]"), HasSubstr("map.json: a list of 0, expected an object of roles"));
  EXPECT_THAT(body_map_error("{\"hips\":"), HasSubstr("map.json: byte 9: no JSON"));
}

}  // namespace
}  // namespace shosa::documents
