#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class ComposeVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
    save("run.bvh", scenes::run().clip);
    save("stand.bvh", scenes::stand(3.0).clip);
    save("slow.bvh", scenes::walk({.duration_s = 3.0, .fps = 30.0, .speed_mps = 0.9}).clip);
    save("dog.bvh", scenes::dog_walk().clip);
  }
};

TEST_F(ComposeVerb, JoinsAScoreAndReportsWhatTheContractNames) {
  write("score.json", R"({"smoothness": 0.5, "motions": [
    {"clip": "walk.bvh", "core": [0.8, 2.0], "at": 0.0},
    {"clip": "run.bvh", "core": [1.0, 2.6], "at": "auto"},
    {"clip": "stand.bvh"}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --report report.json --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["transitions"].size(), 2u);
  for (const auto& transition : json["transitions"]) {
    EXPECT_EQ(transition["executed"], true);
    EXPECT_THAT(
        (std::vector<std::string>{"transition", "connection", "adaptation_with_step", "adaptation_without_step"}),
        testing::Contains(transition["method"].get<std::string>()));
    for (const char* key : {"from", "to", "reason", "earliest_s", "at_s"}) EXPECT_TRUE(transition.contains(key)) << key;
    EXPECT_GE(transition["intervals"].size(), 2u);
    for (const auto& interval : transition["intervals"]) {
      EXPECT_LE(interval["begin_s"].get<double>(), interval["end_s"].get<double>());
      EXPECT_TRUE(interval["part"] == "upper" || interval["part"] == "lower");
      EXPECT_TRUE(interval["kind"].is_string());
    }
  }
  EXPECT_EQ(json["transitions"][0]["from"], 0);
  EXPECT_EQ(json["transitions"][0]["to"], 1);
  const Outcome info = shosa("info out.bvh --json");
  ASSERT_EQ(info.status, 0);
  EXPECT_NEAR(info.json()["duration_s"].get<double>(), json["duration_s"].get<double>(), 1e-6);
  std::ifstream report(path("report.json"));
  EXPECT_EQ(nlohmann::json::parse(report)["duration_s"], json["duration_s"]);
}

TEST_F(ComposeVerb, WritesThePartAndTheLengthThatTheScoreWants) {
  const std::string motions = R"("motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh", "from": 0.2, "to": 2}]})";
  write("whole.json", "{" + motions);
  const Outcome whole = shosa("compose whole.json -o whole.bvh --json");
  ASSERT_EQ(whole.status, 0) << whole.err;
  write("part.json", R"({"trim": [0.5, 1.75], )" + motions);
  const Outcome part = shosa("compose part.json -o part.bvh --json");
  ASSERT_EQ(part.status, 0) << part.err;
  EXPECT_EQ(part.json()["transitions"], whole.json()["transitions"]) << "times are those of the whole";
  EXPECT_EQ(part.json()["begin_s"], 0.5);
  ASSERT_EQ(shosa("convert whole.bvh same.bvh --from 0.5 --to 1.75").status, 0);
  // To what a second reading and writing rounds.
  const Outcome same = shosa("metrics part.bvh --reference same.bvh --json");
  ASSERT_EQ(same.status, 0) << same.err;
  EXPECT_LT(same.json()["l2p_m"].get<double>(), 1e-5);
  write("long.json", R"({"duration_s": 2.5, )" + motions);
  const Outcome cut = shosa("compose long.json -o long.bvh --json");
  ASSERT_EQ(cut.status, 0) << cut.err;
  EXPECT_NEAR(cut.json()["duration_s"].get<double>(), 2.5, 0.01);
  EXPECT_TRUE(cut.json()["warnings"].empty());
  write("longer.json", R"({"duration_s": 60, )" + motions);
  const Outcome longer = shosa("compose longer.json -o longer.bvh --json");
  ASSERT_EQ(longer.status, 0) << longer.err;
  EXPECT_EQ(longer.json()["frames"], whole.json()["frames"]);
  EXPECT_THAT(longer.json()["warnings"].dump(), HasSubstr("less than the 60 s"));
  for (const char* wrong : {R"("trim": [1, 99])", R"("trim": [2, 1])", R"("trim": [0, 1], "duration_s": 1)"}) {
    write("wrong.json", "{" + std::string(wrong) + ", " + motions);
    const Outcome refused = shosa("compose wrong.json -o wrong.bvh");
    EXPECT_EQ(refused.status, 3) << wrong;
    EXPECT_THAT(refused.err, HasSubstr("/trim")) << wrong;
  }
}

TEST_F(ComposeVerb, MotionsThatKeepTheirPlacesAreBridged) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "core": [0.2, 2.8], "at": 0},
    {"clip": "walk.bvh", "core": [0.3, 2.0], "at": 3.4, "keep_place": true}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto transition = run.json()["transitions"][0];
  EXPECT_EQ(transition["bridged"], true);
  EXPECT_THAT((std::vector<std::string>{"transition", "connection", "adaptation_with_step", "adaptation_without_step"}),
              testing::Contains(transition["method"].get<std::string>()));
  EXPECT_EQ(shosa("compose score.json -o out.bvh --no-bridge --json").json()["transitions"][0]["bridged"], false);
  write("wrong.json", R"({"motions": [{"clip": "walk.bvh", "keep_place": 1}]})");
  EXPECT_THAT(shosa("compose wrong.json -o out.bvh").err, HasSubstr("keep_place"));
}

TEST_F(ComposeVerb, AMotionWhoseCoreOverlapsIsLeftOutWithReasonAndTime) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "core": [0.8, 2.0], "at": 0},
    {"clip": "run.bvh", "core": [1.0, 2.6], "at": 0.2}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto transition = run.json()["transitions"][0];
  EXPECT_EQ(transition["executed"], false);
  EXPECT_THAT(transition["reason"].get<std::string>(), HasSubstr("2.000"));
  EXPECT_GT(transition["earliest_s"].get<double>(), 1.0);
  EXPECT_THAT(run.err, HasSubstr("not executed"));
  // And from that time on it is.
  write("later.json", fmt::format(R"({{"motions": [{{"clip": "walk.bvh", "core": [0.8, 2.0], "at": 0}},
    {{"clip": "run.bvh", "core": [1.0, 2.6], "at": {}}}]}})",
                                  transition["earliest_s"].get<double>()));
  EXPECT_EQ(shosa("compose later.json -o out.bvh --json").json()["transitions"][0]["executed"], true);
}

TEST_F(ComposeVerb, ClipsAreJoinedWithoutAScoreAsAScoreOfThemWould) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh"}, {"clip": "stand.bvh"}]})");
  ASSERT_EQ(shosa("compose score.json -o scored.bvh").status, 0);
  const Outcome run = shosa("compose walk.bvh run.bvh stand.bvh -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["transitions"].size(), 2u);
  EXPECT_EQ(run.json()["motions"][1]["clip"], "run.bvh");
  EXPECT_TRUE(file_text(path("out.bvh")) == file_text(path("scored.bvh")));
  // Options hold as they do for a score, and nothing that is read is overwritten.
  EXPECT_EQ(shosa("compose walk.bvh run.bvh -o pose.bvh --method pose --json").json()["technique"], "pose");
  EXPECT_EQ(shosa("compose walk.bvh run.bvh -o run.bvh").status, 1);
  expect_refused("compose walk.bvh fly.bvh -o none.bvh", 3, "shosa: fly.bvh: cannot be opened");
  expect_refused("compose walk.bvh -o none.bvh", 2, "two motions or more");
}

TEST_F(ComposeVerb, EveryTechniqueGivesTheSameLength) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh"}]})");
  std::vector<double> lengths;
  for (const char* method : {"optimal", "constraint", "pose", "inertial", "dead"}) {
    const Outcome run = shosa(std::string("compose score.json -o out.bvh --json --method ") + method);
    ASSERT_EQ(run.status, 0) << run.err;
    lengths.push_back(run.json()["duration_s"].get<double>());
    EXPECT_EQ(lengths.back(), lengths.front()) << method;
  }
}

TEST_F(ComposeVerb, AnotherRateIsResampledAndSaid) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "slow.bvh"}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(run.json()["fps"].get<double>(), 60.0, 1e-3);
  EXPECT_THAT(run.err, HasSubstr("resampled"));
}

TEST_F(ComposeVerb, ABodyOfAnotherKindIsRefused) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "dog.bvh"}]})");
  expect_refused("compose score.json -o out.bvh", 1, "dog.bvh");
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

TEST_F(ComposeVerb, BadScoresNameThePlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"motions": [{"clip": "walk.bvh", "at": 1e5}]})", "/motions/0/at"},
      {R"({"smothness": 0.1, "motions": [{"clip": "walk.bvh"}]})", "/smothness"},
      {R"({"motions": [{"clip": "walk.bvh"}, {"clip": "walk.bvh", "core": [0, 99]}]})", "/motions/1/core"},
      {R"({"motions": [{"clip": "walk.bvh", "contacts": {"left": [[50, 51]]}}]})", "/motions/0/contacts/left"},
      {R"({"motions": [{"clip": "walk.bvh", "contacts": {"tail": [[0, 1]]}}]})", "left, right"},
      {R"({"motions": [{"clip": "walk.bvh", "unit": "miles"}]})", "/motions/0/unit"},
      {R"({"motions": [{"clip": "walk.bvh"}], "layers": [{"clip": "walk.bvh", "mask": ["wing"]}]})",
       "/layers/0/mask/0"},
      {R"({"motions": [{"clip": "walk.bvh", "core": [2, 1]}]})", "/motions/0/core"},
      {R"({"motions": []})", "motions"},
      {R"({"smoothness": 2, "motions": [{"clip": "walk.bvh"}]})", "/smoothness"},
      {R"({"motions": [{"file": "walk.bvh"}]})", "/motions/0"},
      {R"({"motions": [)", "byte"},
      {R"({"motions": [{"clip": "walk.bvh", "at": 1e99999}]})", "score.json"}};
  for (const auto& [text, place] : cases) {
    write("score.json", text);
    const Outcome run = shosa("compose score.json -o out.bvh");
    EXPECT_EQ(run.status, 3) << text;
    EXPECT_THAT(run.err, HasSubstr(place)) << text;
  }
  EXPECT_EQ(shosa("compose nowhere.json -o out.bvh").status, 3);
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "at": -1}]})");
  EXPECT_EQ(shosa("compose score.json -o out.bvh").status, 1);
}

TEST_F(ComposeVerb, NoOutputOverwritesAnotherOrWhatItIsMadeOf) {
  const char* score = R"({"motions": [{"clip": "walk.bvh"}]})";
  write("score.json", score);
  const std::string walk = file_text(path("walk.bvh"));
  for (const char* outputs : {"-o out.bvh --report score.json", "-o out.bvh --report out.bvh", "-o walk.bvh",
                              "-o out.bvh --report x.png --picture x.png"}) {
    EXPECT_NE(shosa(std::string("compose score.json ") + outputs).status, 0) << outputs;
  }
  EXPECT_EQ(file_text(path("score.json")), score);
  EXPECT_TRUE(file_text(path("walk.bvh")) == walk);
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

TEST_F(ComposeVerb, TimesItReportsCanBeWrittenIntoAScore) {
  write("score.json", R"({"motions": [{"clip": "stand.bvh", "core": [0.1, 0.3], "at": 0},
    {"clip": "walk.bvh", "core": [1.5, 2.0], "at": "auto"}]})");
  const auto first = shosa("compose score.json -o out.bvh --json").json();
  const double at_s = first["transitions"][0]["at_s"];
  ASSERT_LT(at_s, 0.0);
  EXPECT_EQ(first["motions"][1]["at_s"], at_s);
  EXPECT_NEAR(first["motions"][1]["core"][0].get<double>(), 1.5, 0.01);
  write("again.json", fmt::format(R"({{"motions": [{{"clip": "stand.bvh", "core": [0.1, 0.3], "at": 0}},
    {{"clip": "walk.bvh", "core": [1.5, 2.0], "at": {}}}]}})",
                                  at_s));
  ASSERT_EQ(shosa("compose again.json -o again.bvh --json").status, 0);
  EXPECT_TRUE(file_text(path("again.bvh")) == file_text(path("out.bvh")));
}

TEST_F(ComposeVerb, RatesThatDifferByRoundingAreOneRate) {
  Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  walk.set_frame_time_s(walk.frame_time_s() * 1.00004);
  save("rounded.bvh", walk);
  write("score.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "rounded.bvh"}]})");
  const auto json = shosa("compose score.json -o out.bvh --json").json();
  EXPECT_THAT(json["notes"].dump(), testing::Not(HasSubstr("resampled")));
}

TEST_F(ComposeVerb, ALayerOfTheScoreLeavesTheLegsAlone) {
  write("plain.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh"}]})");
  write("layered.json", R"({"motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh"}],
    "layers": [{"clip": "stand.bvh", "mask": "upper_body", "at": 0.5}]})");
  ASSERT_EQ(shosa("compose plain.json -o plain.bvh").status, 0);
  const Outcome run = shosa("compose layered.json -o layered.bvh");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto plain = io::read_motion(path("plain.bvh")), layered = io::read_motion(path("layered.bvh"));
  const Skeleton& skeleton = *plain->skeleton;
  double arm = 0.0;
  for (int f = 0; f < plain->clips[0].frame_count(); ++f) {
    for (const char* name : {"left_upper_leg", "right_lower_leg", "right_foot"}) {
      const JointIndex j = skeleton.find(name);
      EXPECT_EQ(plain->clips[0].rotation(f, j).coeffs(), layered->clips[0].rotation(f, j).coeffs()) << name;
    }
    const JointIndex j = skeleton.find("right_upper_arm");
    arm = std::max<double>(arm, plain->clips[0].rotation(f, j).angularDistance(layered->clips[0].rotation(f, j)));
  }
  EXPECT_GT(arm, 0.1);
}

TEST_F(ComposeVerb, DrawsTheTimeLine) {
  write("score.json", R"({"motions": [{"clip": "stand.bvh"}, {"clip": "walk.bvh"}]})");
  const Outcome run = shosa("compose score.json -o out.bvh --picture score.svg");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_GT(std::filesystem::file_size(path("score.svg")), 5000u);
}

TEST_F(ComposeVerb, ContactsOfTheScoreReplaceThoseFound) {
  write("score.json", R"({"motions": [{"clip": "stand.bvh", "core": [0.5, 1.5], "at": 0},
    {"clip": "stand.bvh", "core": [1, 2], "at": 1.5}]})");
  EXPECT_EQ(shosa("compose score.json -o out.bvh --json").json()["transitions"][0]["method"],
            "adaptation_without_step");
  write("score.json", R"({"motions": [{"clip": "stand.bvh", "core": [0.5, 1.5], "at": 0,
    "contacts": {"left": [[0, 1.6], [2.0, 3.0]]}}, {"clip": "stand.bvh", "core": [1, 2], "at": 1.5}]})");
  EXPECT_EQ(shosa("compose score.json -o out.bvh --json").json()["transitions"][0]["method"], "connection");
}

TEST_F(ComposeVerb, AScoreNamesItsMethodAndTheCommandLineMayNameAnother) {
  write("score.json", R"({"method": "pose", "motions": [{"clip": "walk.bvh"}, {"clip": "run.bvh"}]})");
  EXPECT_EQ(shosa("compose score.json -o score.bvh --json").json()["technique"], "pose");
  ASSERT_EQ(shosa("compose walk.bvh run.bvh -o named.bvh --method pose").status, 0);
  EXPECT_TRUE(file_text(path("score.bvh")) == file_text(path("named.bvh")));
  EXPECT_EQ(shosa("compose score.json -o out.bvh --json --method dead").json()["technique"], "dead");
  write("wrong.json", R"({"method": "best", "motions": [{"clip": "walk.bvh"}]})");
  EXPECT_THAT(shosa("compose wrong.json -o out.bvh").err, HasSubstr("wrong.json: /method"));
}

TEST_F(ComposeVerb, BlendsOfTheScoreReplaceThoseFound) {
  const auto upper = [&](const std::string& blend) {
    write("score.json", R"({"motions": [{"clip": "walk.bvh", "core": [0.8, 2.0], "at": 0},
      {"clip": "run.bvh", "core": [1.0, 2.6], "at": 1.7)" +
                            blend + "}]}");
    const Outcome run = shosa("compose score.json -o out.bvh --json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NEAR(run.json()["motions"][1]["at_s"].get<double>(), 1.7, 1e-9);
    EXPECT_GT(run.json()["motions"][1]["duration_s"].get<double>(), 2.6);
    return run.json()["transitions"][0]["intervals"][1];
  };
  const auto found = upper(""), given = upper(R"(, "blend": {"upper": [0.5, 0.8]})");
  EXPECT_EQ(given["part"], "upper");
  EXPECT_NEAR(given["begin_s"].get<double>(), 2.2, 1.0 / 60);
  EXPECT_NEAR(given["end_s"].get<double>(), 2.5, 1.0 / 60);
  EXPECT_NE(found, given);
  write("wrong.json", R"({"motions": [{"clip": "walk.bvh", "blend": {"upper": [1, 0]}}]})");
  EXPECT_THAT(shosa("compose wrong.json -o out.bvh").err, HasSubstr("/motions/0/blend/upper"));
}

}  // namespace
}  // namespace shosa::test
