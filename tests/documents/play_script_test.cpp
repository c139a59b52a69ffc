#include "shosa/documents/play_script.h"

#include <gmock/gmock.h>

namespace shosa::documents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PlayScript, ReadsCommandsAndHowToPlay) {
  const auto script = parse_play_script(
      R"({"start": "run", "duration_s": 9, "fps": 30, "motion": "linear", "keep_feet": false,
          "commands": [{"at_s": 4, "to": [5, "run"], "hurry": 80}, {"at_s": 1, "to": 12}, {"at_s": 6, "impossible": [9]}]})",
      "c.json");
  ASSERT_TRUE(script.has_value()) << script.error().message;
  EXPECT_EQ(script->file, "c.json");
  EXPECT_EQ(script->start, "run");
  EXPECT_EQ(script->duration_s, 9.0);
  EXPECT_DOUBLE_EQ(script->params.frame_time_s, 1.0 / 30.0);
  EXPECT_EQ(script->params.motion, graph::LinkMotion::linear);
  EXPECT_FALSE(script->params.keep_feet);
  ASSERT_EQ(script->commands.size(), 3u);
  EXPECT_THAT(script->commands[0].to, ElementsAre("5", "run"));
  EXPECT_EQ(script->commands[0].hurry, 80);
  EXPECT_THAT(script->commands[1].to, ElementsAre("12"));
  EXPECT_EQ(script->commands[1].hurry, graph::kNoHurry);
  EXPECT_THAT(script->commands[2].impossible, ElementsAre("9"));
}

TEST(PlayScript, LeavesOutWhatHasADefault) {
  const auto script = parse_play_script(R"({"commands": [{"at_s": 3, "to": "walk"}]})", "c.json");
  ASSERT_TRUE(script.has_value());
  EXPECT_EQ(script->start, "");
  EXPECT_FALSE(script->duration_s.has_value());
  EXPECT_DOUBLE_EQ(script->params.frame_time_s, 1.0 / 60.0);
}

TEST(PlayScript, ReadsWhereATargetShallBeMet) {
  const auto script = parse_play_script(
      R"({"commands": [{"to": "walk", "ahead_m": 1}, {"at_s": 2, "to": 9, "place_m": [1.5, -2]},
                       {"at_s": 3, "to": 9, "place_m": [0, 1], "heading_deg": 90}]})",
      "c.json");
  ASSERT_TRUE(script.has_value()) << script.error().message;
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
    const auto script = parse_play_script(text, "c.json");
    return script ? std::string("no error") : script.error().message;
  };
  EXPECT_THAT(message("{"), HasSubstr("c.json: byte 2: no JSON"));
  EXPECT_THAT(message("[]"), HasSubstr("c.json: a list of 0, expected an object with the keys start"));
  EXPECT_THAT(message("{}"), HasSubstr("/commands: nothing, expected a list"));
  EXPECT_THAT(message(R"({"comands": []})"), HasSubstr("/comands: unknown key"));
  EXPECT_THAT(message(R"({"commands": [{"to": [[5]]}]})"), HasSubstr("/commands/0/to/0: [5], expected a node"));
  EXPECT_THAT(message(R"({"commands": [{"to": []}]})"),
              HasSubstr("/commands/0/to: a list of 0, expected a list of at"));
  EXPECT_THAT(message(R"({"start": [5], "commands": []})"), HasSubstr("/start: [5], expected a node's id"));
  EXPECT_THAT(message(R"({"start": "", "commands": []})"), HasSubstr("/start: \"\", expected a node's id"));
  EXPECT_THAT(message(R"({"commands": [{"at_s": 1}]})"), HasSubstr("/commands/0: neither 'to' nor 'impossible'"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "hurry": 101}]})"),
              HasSubstr("/commands/0/hurry: 101, expected a whole number from 0 to 100"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "at_s": -1}]})"), HasSubstr("/commands/0/at_s: -1, expected"));
  EXPECT_THAT(message(R"({"commands": [], "motion": "fast"})"),
              HasSubstr("/motion: \"fast\", expected one of velocity_matched, linear"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": -1}]})"),
              HasSubstr("/commands/0/ahead_m: -1, expected a number from 0 to 1000"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": 1, "hurry": 5}]})"), HasSubstr("no hurry"));
  EXPECT_THAT(message(R"({"commands": [{"impossible": 5, "ahead_m": 1}]})"), HasSubstr("there must be 'to'"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "ahead_m": 1, "place_m": [0, 0]}]})"), HasSubstr("both ahead_m and"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "place_m": [0, 0, 0]}]})"),
              HasSubstr("expected two numbers, x and z"));
  EXPECT_THAT(message(R"({"commands": [{"to": 5, "heading_deg": 0}]})"), HasSubstr("heading_deg without place_m"));
  EXPECT_THAT(message(R"({"commands": [], "fps": 0})"), HasSubstr("/fps: 0, expected a number from 1 to 1000"));
  EXPECT_THAT(message(std::string(1000, '[')), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace shosa::documents
