// What other programs rely on: verbs, exit statuses, one JSON object, whole files or none.

#include <gmock/gmock.h>

#include "cli/run_shosa.h"

namespace shosa::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Contract : public ProgramTest {};

TEST_F(Contract, HelpAndVersionAreDone) {
  for (const char* arguments : {"--help", "--version", "info --help", "convert --help", "analyze --help",
                                "metrics --help", "picture --help", "demo --help"}) {
    const Outcome run = shosa(arguments);
    EXPECT_EQ(run.status, 0) << arguments;
    EXPECT_THAT(run.out, Not(IsEmpty())) << arguments;
  }
  for (const char* verb : {"info", "convert", "analyze", "metrics", "picture"}) {
    EXPECT_THAT(shosa(std::string(verb) + " --help").out, HasSubstr("Examples:")) << verb;
  }
}

TEST_F(Contract, WrongUsageIsTwo) {
  write("a.bvh", small_bvh());
  for (const char* arguments :
       {"", "fly", "info", "info a.bvh --unit parsec", "convert a.bvh", "convert a.bvh b.glb --fps -1", "picture a.bvh",
        "picture a.bvh -o b.png --views sideways", "info a.bvh --no-such-option", "convert a.bvh b.bvh c.glb"}) {
    const Outcome run = shosa(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_THAT(run.err, Not(IsEmpty())) << arguments;
    EXPECT_THAT(run.out, IsEmpty()) << arguments;
  }
}

TEST_F(Contract, FilesThatMakeNoSenseAreThree) {
  write("cut.bvh", small_bvh().substr(0, 300));
  write("short.bvh", [] {
    std::string text = small_bvh();
    return text.replace(text.find("0 95 0 0 5 0"), 12, "0 95 0 0 5");
  }());
  write("noise.glb", "glTF but not really");
  write("empty.amc", "");
  for (const char* file : {"missing.bvh", "cut.bvh", "short.bvh", "noise.glb", "empty.amc"}) {
    for (const std::string verb : {"info ", "analyze ", "metrics ", "convert "}) {
      const Outcome run = shosa(verb + file + (verb == "convert " ? " out.glb" : ""));
      EXPECT_EQ(run.status, 3) << verb << file << "\n" << run.err;
      EXPECT_THAT(run.err, HasSubstr(file)) << verb << file;
      EXPECT_THAT(run.out, IsEmpty()) << verb << file;
    }
  }
  EXPECT_THAT(shosa("info short.bvh").err, HasSubstr("short.bvh:"));
  EXPECT_THAT(files(), Not(testing::Contains("out.glb")));
}

TEST_F(Contract, WhatCannotBeDoneIsOne) {
  write("a.bvh", small_bvh());
  for (const char* arguments :
       {"convert a.bvh out.xyz", "convert a.bvh no/such/folder/out.glb", "convert a.bvh out.bvh --from 5 --to 9",
        "info a.bvh --clip Dance", "picture a.bvh -o out.gif"}) {
    const Outcome run = shosa(arguments);
    EXPECT_EQ(run.status, 1) << arguments << "\n" << run.err;
    EXPECT_THAT(run.err, Not(IsEmpty())) << arguments;
  }
  EXPECT_THAT(files(), ElementsAre("a.bvh"));
}

TEST_F(Contract, AFailedWriteLeavesTheOldFile) {
  write("a.bvh", small_bvh());
  write("out.csv", "precious");
  EXPECT_EQ(shosa("convert a.bvh out.csv --from 5 --to 9").status, 1);
  EXPECT_EQ(file_text(path("out.csv")), "precious");
}

TEST_F(Contract, InfoHasItsKeys) {
  write("a.bvh", small_bvh());
  const Outcome run = shosa("info a.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["format"], "bvh");
  EXPECT_EQ(json["joint_count"], 9);
  EXPECT_EQ(json["joints"].size(), 9u);
  EXPECT_EQ(json["joints"][0]["name"], "Hips");
  EXPECT_TRUE(json["joints"][0]["parent"].is_null());
  EXPECT_EQ(json["joints"][3]["parent"], "LeftLeg");
  EXPECT_EQ(json["frames"], 3);
  EXPECT_DOUBLE_EQ(json["fps"], 25.0);
  EXPECT_DOUBLE_EQ(json["duration_s"], 0.12);
  EXPECT_DOUBLE_EQ(json["unit_m"], 0.01);
  EXPECT_EQ(json["up"], "y");
  EXPECT_EQ(json["roles"]["left_foot"], "LeftFoot");
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST_F(Contract, UnitAndUpCanBeGiven) {
  write("a.bvh", small_bvh());
  EXPECT_DOUBLE_EQ(shosa("info a.bvh --unit in --json").json()["unit_m"], 0.0254);
  EXPECT_EQ(shosa("info a.bvh --up z --json").json()["up"], "z");
  EXPECT_NEAR(shosa("info a.bvh --fps-is 50 --json").json()["fps"], 50.0, 1e-9);
}

TEST_F(Contract, AnalyzeAndMetricsHaveTheirKeys) {
  write("a.bvh", small_bvh());
  const auto analysis = shosa("analyze a.bvh --json").json();
  for (const char* side : {"left", "right"}) EXPECT_TRUE(analysis["contacts"][side].is_array()) << side;
  EXPECT_EQ(analysis["core"].size(), 2u);
  EXPECT_TRUE(analysis["root_speed_mps"].is_number());
  EXPECT_TRUE(analysis["cycle"]["found"].is_boolean());

  const auto metrics = shosa("metrics a.bvh --json").json();
  for (const char* key : {"foot_skate_mps", "penetration_m", "mean_jerk_mps3", "peak_acceleration_mps2",
                          "com_acceleration_mps2", "com_fall_mps2", "knee_kink_deg"}) {
    EXPECT_TRUE(metrics[key].is_number()) << key;
  }
  EXPECT_FALSE(metrics.contains("l2p_m"));
  const auto against = shosa("metrics a.bvh --reference a.bvh --json").json();
  EXPECT_DOUBLE_EQ(against["l2p_m"], 0.0);
  EXPECT_DOUBLE_EQ(against["l2q"], 0.0);
  EXPECT_DOUBLE_EQ(against["npss"], 0.0);
}

TEST_F(Contract, JsonIsOneObjectAndWarningsGoToPeopleToo) {
  std::string text = small_bvh();
  text.replace(text.find("Frames: 3"), 9, "Frames: 4");
  write("a.bvh", text);
  const Outcome run = shosa("info a.bvh --json");
  EXPECT_TRUE(run.json().is_object());
  EXPECT_THAT(run.json()["warnings"].dump(), HasSubstr("the header says 4 frames")) << run.out;
  EXPECT_THAT(run.err, HasSubstr("warning"));
}

TEST_F(Contract, BodyMapFileOverridesTheGuess) {
  write("a.bvh", small_bvh());
  write("map.json", R"({"chest": "Spine", "spine": null})");
  const auto roles = shosa("info a.bvh --body-map map.json --json").json()["roles"];
  EXPECT_EQ(roles["chest"], "Spine");
  EXPECT_FALSE(roles.contains("spine"));
  write("bad.json", R"({"chest": "NoSuchJoint"})");
  expect_refused("info a.bvh --body-map bad.json", 3, "NoSuchJoint");
}

}  // namespace
}  // namespace shosa::test
