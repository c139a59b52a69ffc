#include "shosa/documents/run_script.h"

#include <gmock/gmock.h>

#include "motions/motions.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  const auto script = parse_run_script(text, "r.json");
  return script ? "" : script.error().message;
}

ClipsInMemory shipped() {
  ClipsInMemory clips;
  for (const char* name : {"idle", "walk_normal", "run_slow"}) {
    auto motion = motions::make(name);
    io::MotionFile file;
    file.format = "bvh";
    file.skeleton = motion->clip.skeleton_ptr();
    file.body_map = motion->body_map;
    file.clips = {motion->clip};
    clips.add(std::string(name) + ".bvh", std::move(file));
  }
  return clips;
}

constexpr const char* kClips = R"("clips": {"stand": "idle.bvh", "walk": "walk_normal.bvh", "run": "run_slow.bvh"})";

TEST(RunScript, ReadsEveryKindOfCommand) {
  const auto script = parse_run_script(
      R"({"graph": "g.json", "start": "stand", "place_m": [1, 2], "heading_deg": 90, "fps": 30, "commands": [
          {"at_s": 0, "go": "walk", "hurry": 40}, {"at_s": 1, "direction_deg": 180, "speed_mps": 2},
          {"at_s": 2, "place_m": [3, 4], "heading_deg": 45}, {"at_s": 3, "path_m": [[0, 1], [2, 3]]},
          {"at_s": 4, "stop": true}, {"at_s": 5, "stop_ahead_m": 1.5}, {"at_s": 6, "once": "kick", "core_at_s": 7},
          {"at_s": 7, "face_deg": 30}, {"at_s": 8, "face_m": [1, 1]}, {"at_s": 9, "reach": "right_hand", "to_m": [0, 1, 2]},
          {"at_s": 10, "drag": "head", "keys": [{"time_s": 10, "position": [0, 1, 0]}], "until_s": 11},
          {"at_s": 11, "pin": "left_hand", "orientation": true}, {"at_s": 12, "look_m": [0, 1, 5]},
          {"at_s": 13, "push_mps": [1, 0, 0]},
          {"at_s": 14, "direction_deg": 0, "facing_deg": 60}, {"at_s": 15, "place_m": [1, 9], "facing_m": [4, 4]},
          {"at_s": 16, "steps": [{"foot": "left", "at": [0.1, 1], "heading_deg": 10}, {"foot": "right", "at": [0, 2]}]},
          {"at_s": 17, "reach": "left_hand", "to_m": [0, 1, 0.4], "frame": "body", "with": "right_hand", "apart_m": 0.3},
          {"at_s": 18, "layer": "walk", "over": "arms", "weight": 0.5, "fade_s": 0.4, "once": true, "heading_deg": 90},
          {"at_s": 19, "layer": "walk", "over": "left_hand", "until_s": 20}]})",
      "r.json");
  ASSERT_TRUE(script) << script.error().message;
  ASSERT_EQ(script->commands.size(), 20u);
  EXPECT_TRUE(std::get<character::GoDirection>(script->commands[14].command).facing.has_value());
  EXPECT_DOUBLE_EQ(std::get<character::GoPlace>(script->commands[15].command).facing->point->x_m, 4.0);
  EXPECT_EQ(std::get<character::GoSteps>(script->commands[16].command).count, 2);
  EXPECT_EQ(script->commands[16].feet, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(std::get<character::Reach>(script->commands[17].command).frame, character::Frame::body);
  EXPECT_EQ(script->commands[17].other, "right_hand");
  EXPECT_EQ(std::get<character::Layer>(script->commands[18].command).part, character::Layer::Part::arms);
  EXPECT_TRUE(std::get<character::Layer>(script->commands[18].command).once);
  EXPECT_EQ(std::get<character::Layer>(script->commands[19].command).part, character::Layer::Part::joint);
  EXPECT_EQ(std::get<character::GoState>(script->commands[0].command).hurry, 40);
  EXPECT_DOUBLE_EQ(std::get<character::GoDirection>(script->commands[1].command).speed_mps, 2.0);
  EXPECT_EQ(std::get<character::GoPath>(script->commands[3].command).count, 2);
  EXPECT_EQ(script->commands[9].word, "right_hand");
  EXPECT_EQ(script->commands[10].until_s, 11.0);
}

TEST(RunScript, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(error_of(R"({"commands": []})"), HasSubstr("expected either graph or clips"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"at_s": 1}]})"), HasSubstr("r.json: /commands/0: "));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"go": "a", "stop": true}]})"), HasSubstr("both go and stop"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"go": "a", "sped": 1}]})"), HasSubstr("/commands/0"));
  EXPECT_THAT(
      error_of(
          R"({"graph": "g", "ground": {"heights": {"at": [0, 0], "spacing_m": 1, "rows": [[1, 2], [1, 2, 3]]}}, "commands": []})"),
      HasSubstr("/ground/heights/rows/1"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"place_m": [1]}]})"), HasSubstr("/commands/0/place_m"));
  EXPECT_THAT(error_of(R"({"graph": "g", "layers": {"a": "a.bvh"}, "commands": []})"), HasSubstr("beside clips"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"steps": [{"foot": 1, "at": [0, 0]}]}]})"),
              HasSubstr("/commands/0/steps/0/foot"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"direction_deg": 0, "facing_deg": 1, "facing_m": [0, 0]}]})"),
              HasSubstr("both facing_deg and facing_m"));
  EXPECT_THAT(error_of(R"({"graph": "g", "commands": [{"drag": "head", "to_m": [0, 0, 0], "frame": "body"}]})"),
              HasSubstr("/commands/0"));
}

TEST(RunScript, NamesAKeyThatNoCommandHas) {
  EXPECT_THAT(error_of(R"({"graph": "g.json", "commands": [{"at_s": 0, "place": [0, 3]}]})"),
              HasSubstr("/commands/0/place: unknown key, expected one of go, direction_deg, place_m"));
}

TEST(RunScript, SaysWhatCommandComesAfterTheEnd) {
  const auto script = parse_run_script(
      std::string("{") + kClips + R"(, "duration_s": 1, "commands": [{"at_s": 5, "stop": true}]})", "r.json");
  ASSERT_TRUE(script) << script.error().message;
  auto clips = shipped();
  const auto ran = evaluate(*script, clips);
  ASSERT_TRUE(ran) << ran.error().message;
  ASSERT_EQ(ran->notes.size(), 1u);
  EXPECT_EQ(ran->notes[0], "r.json: /commands/0: at 5 s, which is not before the end at 1 s: not told");
}

TEST(RunScript, WhatEndsBeforeItBeginsIsRefused) {
  EXPECT_THAT(
      error_of(R"({"graph": "g", "commands": [{"at_s": 3, "reach": "right_hand", "to_m": [0, 1, 0], "until_s": 1}]})"),
      HasSubstr("r.json: /commands/0/until_s: 1, expected a time after at_s, which is 3"));
}

TEST(RunScript, NoScriptAsksForMoreMemoryThanThereIs) {
  for (const char* rest : {R"(, "duration_s": 86400, "fps": 1000, "commands": []})",
                           R"(, "commands": [{"at_s": 86400, "stop": true}]})"}) {
    const auto script = parse_run_script(std::string("{") + kClips + rest, "r.json");
    ASSERT_TRUE(script) << script.error().message;
    const auto ran = evaluate(*script, shipped());
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::bad_file);
    EXPECT_THAT(ran.error().message, HasSubstr("expected at most 1 million frames"));
  }
}

TEST(RunScript, NamesThePlaceOfWhatACharacterRefuses) {
  const auto script = parse_run_script(
      std::string("{") + kClips + R"(, "commands": [{"at_s": 0, "push_mps": [100, 0, 0]}]})", "r.json");
  ASSERT_TRUE(script);
  const auto ran = evaluate(*script, shipped());
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::bad_file);
  EXPECT_THAT(ran.error().message, HasSubstr("r.json: /commands/0/push_mps: "));
}

TEST(RunScript, CarriesOutStepsLayersAndTwoHands) {
  const auto script = parse_run_script(
      R"({"clips": {"stand": "idle.bvh", "walk": "walk_normal.bvh"}, "layers": {"jog": "run_slow.bvh"},
          "duration_s": 8, "commands": [
          {"at_s": 0, "steps": [{"foot": "left", "at": [0.09, 0.75]}, {"foot": "right", "at": [-0.09, 1.4]},
                                {"foot": "left", "at": [0.09, 2.05]}, {"foot": "right", "at": [-0.09, 2.7]}]},
          {"at_s": 1, "layer": "jog", "over": "right_arm", "until_s": 3},
          {"at_s": 5, "reach": "left_hand", "to_m": [0, 1.1, 0.4], "frame": "body", "with": "right_hand",
           "apart_m": 0.3}]})",
      "r.json");
  ASSERT_TRUE(script) << script.error().message;
  const auto ran = evaluate(*script, shipped());
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->commands[0].outcome.status, character::Status::done) << reason_name(ran->commands[0].outcome.reason);
  EXPECT_EQ(ran->commands[1].outcome.status, character::Status::done);
  EXPECT_TRUE(ran->commands[2].outcome.met);
  auto wrong = *script;
  wrong.commands[1].word = "hop";
  EXPECT_THAT(evaluate(wrong, shipped()).error().message,
              HasSubstr("/commands/1/layer: no motion is called 'hop', expected one of stand, walk, jog"));
  wrong = *script;
  wrong.commands[0].feet[1] = "third";
  EXPECT_THAT(evaluate(wrong, shipped()).error().message, HasSubstr("/commands/0/steps/1/foot: no foot"));
}

TEST(RunScript, GoesToAPlaceUpStairsAndSaysWhen) {
  const auto script = parse_run_script(
      std::string("{") + kClips +
          R"(, "duration_s": 14, "ground": {"stairs": {"at": [0, 2], "rise_m": 0.17, "tread_m": 0.3, "count": 4}},
          "commands": [{"at_s": 0, "place_m": [0, 5]}, {"at_s": 1, "reach": "right_hand", "to_m": [-0.3, 1.2, 30]},
                       {"at_s": 20, "stop": true}]})",
      "r.json");
  ASSERT_TRUE(script) << script.error().message;
  const auto ran = evaluate(*script, shipped());
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->motion.clips.front().frame_count(), 14 * 60 + 1);
  EXPECT_EQ(ran->commands[0].outcome.status, character::Status::done);
  ASSERT_TRUE(ran->commands[0].reached_s);
  EXPECT_GT(*ran->commands[0].reached_s, 3.0);
  EXPECT_EQ(ran->commands[1].outcome.status, character::Status::given_up);
  EXPECT_EQ(ran->commands[1].outcome.reason, character::Reason::out_of_reach);
  EXPECT_EQ(ran->commands[2].outcome.status, character::Status::unknown);
  EXPECT_EQ(ran->notes.size(), 2u);
}

TEST(RunScript, NamesStatesAndJointsThatAreNotThere) {
  const auto go = parse_run_script(std::string("{") + kClips + R"(, "commands": [{"go": "fly"}]})", "r.json");
  ASSERT_TRUE(go);
  const auto ran = evaluate(*go, shipped());
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message,
              HasSubstr("r.json: /commands/0/go: no state is called 'fly', expected one of stand, walk, run"));
  const auto reach = parse_run_script(
      std::string("{") + kClips + R"(, "commands": [{"reach": "tail", "to_m": [0, 0, 0]}]})", "r.json");
  ASSERT_TRUE(reach);
  EXPECT_FALSE(evaluate(*reach, shipped()));
}

}  // namespace
}  // namespace shosa::documents
