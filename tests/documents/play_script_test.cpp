#include "shosa/documents/play_script.h"

#include <gmock/gmock.h>

namespace shosa::documents {
namespace {

using namespace graph;
using testing::ElementsAre;
using testing::HasSubstr;

MotionGraph graph() {
  return *MotionGraph::create({}, {{.id = 5, .name = "walk"}, {.id = 9, .name = "run"}, {.id = 12, .name = "run"}}, {});
}

TEST(PlayScript, ReadsCommandsInTheOrderOfTime) {
  const auto script = parse_play_script(
      R"({"start": "run", "duration_s": 9, "fps": 30, "motion": "linear", "keep_feet": false,
          "commands": [{"at_s": 4, "to": [5, "run"], "hurry": 80}, {"at_s": 1, "to": 12}, {"at_s": 6, "impossible": [9]}]})",
      "c.json", graph());
  ASSERT_TRUE(script.has_value()) << script.error().message;
  EXPECT_EQ(script->start, 1);
  EXPECT_EQ(script->duration_s, 9.0);
  EXPECT_EQ(script->params.motion, LinkMotion::linear);
  EXPECT_FALSE(script->params.keep_feet);
  ASSERT_EQ(script->commands.size(), 3u);
  EXPECT_THAT(script->commands[0].command.targets, ElementsAre(2));
  EXPECT_EQ(script->commands[0].command.hurry, kNoHurry);
  EXPECT_THAT(script->commands[1].command.targets, ElementsAre(0, 1, 2));
  EXPECT_EQ(script->commands[1].command.hurry, 80);
  EXPECT_THAT(script->commands[2].impossible, ElementsAre(1));
}

TEST(PlayScript, LeavesOutWhatHasADefault) {
  const auto script = parse_play_script(R"({"commands": [{"at_s": 3, "to": "walk"}]})", "c.json", graph());
  ASSERT_TRUE(script.has_value());
  EXPECT_EQ(script->start, 0);
  EXPECT_EQ(script->duration_s, 5.0);
  EXPECT_DOUBLE_EQ(script->params.frame_time_s, 1.0 / 60.0);
}

TEST(PlayScript, ReadsWhereATargetShallBeMet) {
  const auto script = parse_play_script(
      R"({"commands": [{"to": "walk", "ahead_m": 1}, {"at_s": 2, "to": 9, "place_m": [1.5, -2]},
                       {"at_s": 3, "to": 9, "place_m": [0, 1], "heading_deg": 90}]})",
      "c.json", graph());
  ASSERT_TRUE(script.has_value()) << script.error().message;
  EXPECT_TRUE(script->open_end);
  EXPECT_EQ(script->commands[0].ahead_m, 1.0);
  EXPECT_FALSE(script->commands[0].place.has_value());
  ASSERT_TRUE(script->commands[1].place.has_value());
  EXPECT_EQ(script->commands[1].place->x_m, 1.5);
  EXPECT_EQ(script->commands[1].place->z_m, -2.0);
  EXPECT_FALSE(script->commands[1].heading_matters);
  EXPECT_NEAR(script->commands[2].place->heading_rad, M_PI / 2.0, 1e-12);
  EXPECT_TRUE(script->commands[2].heading_matters);
}

TEST(PlayScript, SaysWhereAndWhatIsWrong) {
  const auto message = [](std::string_view text) {
    const auto script = parse_play_script(text, "c.json", graph());
    return script ? std::string("no error") : script.error().message;
  };
  EXPECT_THAT(message("{"), HasSubstr("c.json: no JSON"));
  EXPECT_THAT(message("[]"), HasSubstr("found a JSON array, expected an object"));
  EXPECT_THAT(message("{}"), HasSubstr("no list 'commands'"));
  EXPECT_THAT(message(R"({"comands": []})"), HasSubstr("no key 'comands'"));
  EXPECT_THAT(message(R"({"commands": [{"to": 7}]})"), HasSubstr("commands[0].to: no node has the id 7"));
  EXPECT_THAT(message(R"({"commands": [{"to": "fly"}]})"), HasSubstr("no node is named 'fly'"));
  EXPECT_THAT(message(R"({"commands": [{"to": []}]})"), HasSubstr("commands[0].to: an empty list"));
  EXPECT_THAT(message(R"({"start": [5], "commands": []})"), HasSubstr("start is a list, expected one node"));
  EXPECT_THAT(message(R"({"commands": [{"at_s": 1}]})"), HasSubstr("commands[0]: neither 'to' nor 'impossible'"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "hurry": 101}]})"), HasSubstr("hurry is 101, expected 0 to 100"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "at_s": -1}]})"), HasSubstr("at_s is -1"));
  EXPECT_THAT(message(R"({"commands": [], "motion": "fast"})"), HasSubstr("motion is \"fast\""));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": -1}]})"), HasSubstr("ahead_m is -1, expected 0 to 1000"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": 1, "hurry": 5}]})"), HasSubstr("no hurry"));
  EXPECT_THAT(message(R"({"commands": [{"impossible": 5, "ahead_m": 1}]})"), HasSubstr("there must be 'to'"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": 1, "place_m": [0, 0]}]})"), HasSubstr("both ahead_m and"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "place_m": [0, 0, 0]}]})"),
              HasSubstr("expected two numbers, x and z"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "heading_deg": 0}]})"), HasSubstr("heading_deg without place_m"));
  EXPECT_THAT(message(R"({"commands": [], "fps": 0})"), HasSubstr("fps is 0"));
  EXPECT_THAT(message(std::string(1000, '[')), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace shosa::documents
