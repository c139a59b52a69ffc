// How every document is read; a score stands for all.

#include <gmock/gmock.h>

#include "shosa/documents/graph_file.h"
#include "shosa/documents/score.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string score_error(std::string_view text) {
  const auto score = parse_score(text, "s.json");
  if (score) return "no error";
  EXPECT_EQ(score.error().code, ErrorCode::bad_file);
  return score.error().message;
}

TEST(JsonReader, WhatIsNoJsonIsNamedByItsByte) {
  EXPECT_THAT(score_error(""), StartsWith("s.json: byte 1: no JSON: "));
  EXPECT_THAT(score_error("{\"motions\": nul}"), StartsWith("s.json: byte 16: no JSON: "));
  EXPECT_THAT(score_error("{} {}"), StartsWith("s.json: byte 4: no JSON: "));
  EXPECT_THAT(score_error("{\"motions\": \"\xff\"}"), HasSubstr("no JSON"));
  // What was read last is not said again: it may be most of the file.
  EXPECT_LT(score_error("{\"" + std::string(100'000, 'x')).size(), 200u);
}

TEST(JsonReader, NumbersThatNoDoubleHoldsAreRefused) {
  EXPECT_THAT(score_error(R"({"smoothness": 1e400, "motions": [{"clip": "a"}]})"), HasSubstr("a number is too large"));
  EXPECT_THAT(score_error(R"({"smoothness": 123456789012345678901234567890, "motions": [{"clip": "a"}]})"),
              HasSubstr("/smoothness: 1.2345678901234568e+29, expected a number from 0 to 1"));
}

TEST(JsonReader, NestingIsBounded) {
  EXPECT_THAT(score_error(std::string(2'000'000, '[')), StartsWith("s.json: byte 128: nested deeper than 128 levels"));
}

TEST(JsonReader, AKeyThatStandsTwiceIsRefusedAtItsPlace) {
  EXPECT_EQ(score_error(R"({"motions": [{"clip": "a", "at": 1, "clip": "b"}]})"),
            "s.json: /motions/0/clip: a key that stands twice");
}

TEST(JsonReader, AnUnknownKeyIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(score_error(R"({"smothness": 0.1, "motions": [{"clip": "a"}]})"),
            "s.json: /smothness: unknown key, expected one of smoothness, fps, bridge, method, trim, duration_s, "
            "motions, layers");
}

TEST(JsonReader, ComplaintsSayWhatWasFound) {
  const auto found = [](const char* value) {
    return score_error(std::string(R"({"motions": [{"clip": )") + value + "}]}");
  };
  EXPECT_EQ(found("null"), "s.json: /motions/0/clip: null, expected a file");
  EXPECT_EQ(found("true"), "s.json: /motions/0/clip: true, expected a file");
  EXPECT_EQ(found("-3"), "s.json: /motions/0/clip: -3, expected a file");
  EXPECT_EQ(found("0.5"), "s.json: /motions/0/clip: 0.5, expected a file");
  EXPECT_EQ(found("[1, [2, 3]]"), "s.json: /motions/0/clip: a list of 2, expected a file");
  EXPECT_EQ(found("[1, 2.5]"), "s.json: /motions/0/clip: [1, 2.5], expected a file");
  EXPECT_EQ(found("[1, 2, 3, 4, 5, 6, 7]"), "s.json: /motions/0/clip: a list of 7, expected a file");
  EXPECT_EQ(found("{}"), "s.json: /motions/0/clip: an object, expected a file");
  EXPECT_EQ(score_error(R"({"motions": [{}]})"), "s.json: /motions/0/clip: nothing, expected a file");
  EXPECT_EQ(
      score_error("7"),
      "s.json: 7, expected an object with the keys smoothness, fps, bridge, method, trim, duration_s, motions, layers");
  // Only so much of a text.
  EXPECT_LT(score_error(R"({"smoothness": ")" + std::string(5000, 'x') + R"(", "motions": [{"clip": "a"}]})").size(),
            120u);
}

TEST(JsonReader, TheFirstComplaintIsTheOneThatIsKept) {
  EXPECT_THAT(score_error(R"({"motions": [{"clip": "a"}, {"clip": 1}, {"clip": 2}], "layers": 3})"),
              HasSubstr("/motions/1/clip"));
}

TEST(JsonReader, WholeNumbersKeepEveryBit) {
  const auto file = parse_graph(
      R"({"nodes": [{"id": 9223372036854775807}, {"id": -9223372036854775808}, {"id": 3.0}], "links": []})", "g.json");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->graph.node(0).id, INT64_MAX);
  EXPECT_EQ(file->graph.node(1).id, INT64_MIN);
  EXPECT_EQ(file->graph.node(2).id, 3);
}

}  // namespace
}  // namespace shosa::documents
