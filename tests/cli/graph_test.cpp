#include <gmock/gmock.h>

#include <cmath>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/analysis/root_motion.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class GraphVerb : public ProgramTest {
 protected:
  void write_dog() {
    write("dog.json", R"({"nodes": [{"id": 0}, {"id": 1}, {"id": 2}, {"id": 3}],
      "links": [{"id": 10, "from": 0, "to": 1, "time_s": 0.4, "hurry": 40}, {"id": 11, "from": 0, "to": 2, "time_s": 0.4, "hurry": 60},
                {"id": 12, "from": 1, "to": 3, "time_s": 0.5, "hurry": 0}, {"id": 13, "from": 2, "to": 3, "time_s": 0.5, "hurry": 0}]})");
  }
};

TEST_F(GraphVerb, PlanFollowsTheHurryValue) {
  write_dog();
  const Outcome slow = shosa("graph plan dog.json --from 0 --to 3 --hurry 49 --json");
  ASSERT_EQ(slow.status, 0) << slow.err;
  EXPECT_EQ(slow.json()["path"], nlohmann::json({0, 1, 3}));
  EXPECT_EQ(slow.json()["links"], nlohmann::json({10, 12}));
  EXPECT_NEAR(slow.json()["duration_s"].get<double>(), 0.9, 1e-12);
  EXPECT_NEAR(slow.json()["weight"].get<double>(), 81 * 0.4 + 0.5, 1e-9);
  EXPECT_EQ(slow.json()["reachable"], true);
  EXPECT_EQ(slow.json()["steps"][0]["hurry"], 40);
  EXPECT_EQ(shosa("graph plan dog.json --from 0 --to 3 --hurry 50 --json").json()["path"], nlohmann::json({0, 2, 3}));
  EXPECT_THAT(shosa("graph plan dog.json --from 0 --to 3 --hurry 50").out, HasSubstr("2 links, 0.900 s"));
}

TEST_F(GraphVerb, WhatCannotBeReachedIsSaid) {
  write_dog();
  const Outcome back = shosa("graph plan dog.json --from 3 --to 0 --hurry 50 --json");
  ASSERT_EQ(back.status, 0);
  EXPECT_EQ(back.json()["reachable"], false);
  EXPECT_TRUE(back.json()["path"].empty());
  EXPECT_EQ(shosa("graph plan dog.json --from 3 --to 3 --json").json()["path"], nlohmann::json({3}));
}

TEST_F(GraphVerb, ErrorsHaveTheirStatus) {
  write_dog();
  EXPECT_EQ(shosa("graph plan dog.json --from 0 --to 3 --hurry 101").status, 2);
  EXPECT_EQ(shosa("graph plan dog.json --from 0").status, 2);
  EXPECT_EQ(shosa("graph").status, 2);
  const Outcome unknown = shosa("graph plan dog.json --from 0 --to 9");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no node has the id 9"));
  EXPECT_EQ(shosa("graph plan none.json --from 0 --to 1").status, 3);
  write("bad.json", R"({"nodes": [{"id": 0}], "links": [{"id": 1, "from": 0, "to": 5, "time_s": 1}]})");
  expect_refused("graph plan bad.json --from 0 --to 0", 3, "bad.json: /links/0/to: unknown node 5");
  write("c.json", R"({"commands": []})");
  EXPECT_EQ(shosa("graph play dog.json c.json -o out.bvh").status, 1);
  EXPECT_THAT(files(), testing::Not(testing::Contains("out.bvh")));
}

TEST_F(GraphVerb, NodesAreFoundByIdOrNameAndNeverByChance) {
  write(
      "named.json",
      R"({"nodes": [{"id": 7, "name": "b"}, {"id": 0, "name": "1"}, {"id": 1}, {"id": 2, "name": "a, b"}, {"id": 3, "name": "b"}],
      "links": [{"from": 3, "to": 2, "time_s": 1, "hurry": 8}, {"from": 7, "to": 2, "time_s": 2}, {"from": 2, "to": 7, "time_s": 1}]})");
  EXPECT_THAT(shosa("graph plan named.json --from 1 --to 0").err, HasSubstr("'1' is the id of one node and the name"));
  EXPECT_THAT(shosa("graph plan named.json --from 2,3 --to 2").err, HasSubstr("'2,3' is a list, expected one node"));
  // A name of several nodes means the lowest id as the begin, however the file lists them; a name may have a comma.
  const Outcome named = shosa("graph plan named.json --from b --to 'a, b' --hurry 0050 --json");
  ASSERT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.json()["path"], nlohmann::json({3, 2}));
  EXPECT_EQ(shosa("graph plan named.json --from b --to 7,2 --json").json()["path"], nlohmann::json({3, 2}));
  EXPECT_NEAR(shosa("graph plan named.json --from b --to 2 --hurry 010 --json").json()["weight"].get<double>(), 4.0,
              1e-12);
  expect_refused("graph plan named.json --from b --to 2 --hurry 50.5", 2,
                 "'50.5', expected a whole number from 0 to 100");
}

TEST_F(GraphVerb, ClipsAreFoundFromWhereTheGraphReallyLies) {
  save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
  std::filesystem::create_directories(path("real/deep"));
  std::filesystem::create_directory_symlink("real/deep", path("link"));
  const Outcome built = shosa("graph build walk.bvh -o link/g.json");
  ASSERT_EQ(built.status, 0) << built.err;
  const Outcome played = shosa("graph play real/deep/g.json -o x.bvh --to walk --at 9 --duration 1 --json");
  ASSERT_EQ(played.status, 0) << played.err;
  // What was never told is said.
  EXPECT_EQ(played.json()["commands"][0]["unfinished"], true);
  EXPECT_THAT(played.err, HasSubstr("the command at 9.00 s comes after the end"));
  expect_refused("graph build walk.bvh -o none/g.json", 1, "none/g.json: cannot be written");
}

TEST_F(GraphVerb, LinksLongerThanTheirClipsAreWarnedOf) {
  save("walk.bvh", scenes::walk({.duration_s = 1.0}).clip);
  write("g.json",
        R"({"nodes": [{"id": 0, "clip": "walk.bvh", "time_s": 0}, {"id": 1, "clip": "walk.bvh", "time_s": 0.9}],
      "links": [{"id": 5, "from": 0, "to": 1, "time_s": 0.9}, {"id": 6, "from": 1, "to": 0, "time_s": 1.5}]})");
  const Outcome played = shosa("graph play g.json -o x.bvh --to 1 --json");
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_THAT(played.err, HasSubstr("g.json: link 6 takes 1.5 s, but the clip it leaves plays 0.1 s more"));
}

TEST_F(GraphVerb, AStateThatIsReachedAndNotHeldIsSaid) {
  save("walk.bvh", scenes::walk({.duration_s = 2.0}).clip);
  // Nodes 1 and 2 are a state; whether they go round is the link back from 2 to 1.
  const auto graph = [](const char* back) {
    return fmt::format(R"({{"nodes": [{{"id": 0, "clip": "walk.bvh", "time_s": 0}},
        {{"id": 1, "clip": "walk.bvh", "time_s": 0.5, "name": "go"}}, {{"id": 2, "clip": "walk.bvh", "time_s": 1, "name": "go"}}],
      "links": [{{"id": 5, "from": 0, "to": 1, "time_s": 0.5}}, {{"id": 6, "from": 1, "to": 2, "time_s": 0.5}},
                {{"id": 7, "from": 2, "to": 0, "time_s": 0.3}}{}]}})",
                       back);
  };
  write("passed.json", graph(""));
  write("held.json", graph(R"(, {"id": 8, "from": 2, "to": 1, "time_s": 0.5})"));
  const Outcome passed = shosa("graph play passed.json -o x.bvh --to go --json");
  ASSERT_EQ(passed.status, 0) << passed.err;
  EXPECT_EQ(passed.json()["commands"][0]["reached"], true);
  EXPECT_THAT(passed.err, HasSubstr("but not held"));
  const Outcome held = shosa("graph play held.json -o y.bvh --to go --json");
  ASSERT_EQ(held.status, 0) << held.err;
  EXPECT_THAT(held.err, testing::Not(HasSubstr("but not held")));
}

TEST_F(GraphVerb, WhatTheReaderFoundOddIsSaidByEveryVerbThatReadsClips) {
  save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
  std::string text = file_text(path("walk.bvh"));
  text.resize(text.find_last_of(' '));
  write("walk.bvh", text);
  const auto said = HasSubstr("warning: walk.bvh: line ");
  for (const std::string verb :
       {"build walk.bvh -o g.json", "play g.json -o x.bvh --to walk", "show g.json -o x.svg --from 0 --to 9 --strip",
        "show g.json -o x.svg --from 0 --to 9 --speeds 0"}) {
    const Outcome plain = shosa("graph " + verb), json = shosa("graph " + verb + " --json");
    ASSERT_EQ(plain.status, 0) << verb << ": " << plain.err;
    EXPECT_THAT(plain.out, testing::AllOf(said, HasSubstr("the last frame is cut off"))) << verb;
    EXPECT_THAT(json.json()["warnings"][0].get<std::string>(), HasSubstr("the last frame is cut off")) << verb;
    EXPECT_THAT(json.err, said) << verb;
  }
}

TEST_F(GraphVerb, AKeyOfAGraphThatIsNotUsedIsSaidByEveryVerb) {
  save("walk.bvh", scenes::walk({.duration_s = 1.0}).clip);
  write("g.json",
        R"({"nods": [], "nodes": [{"id": 0, "clip": "walk.bvh"}, {"id": 1, "clip": "walk.bvh", "time_s": 0.9}],
      "links": [{"from": 0, "to": 1, "time_s": 0.9}, {"from": 1, "to": 0, "time_s": 0.3}]})");
  for (const std::string verb :
       {"plan g.json --from 0 --to 1", "show g.json -o g.svg", "play g.json -o x.bvh --to 1"}) {
    EXPECT_THAT(shosa("graph " + verb).out, HasSubstr("warning: g.json: key 'nods' is not used")) << verb;
  }
}

/// The human with bones of other lengths.
std::shared_ptr<const Skeleton> other_human(double thigh, double shin) {
  const auto own = scenes::humanoid();
  std::vector<Joint> joints(own->joints().begin(), own->joints().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("_lower_leg")) joint.rest_translation_m *= static_cast<float>(thigh);
    if (joint.name.ends_with("_foot")) joint.rest_translation_m *= static_cast<float>(shin);
  }
  auto made = Skeleton::create(std::move(joints), {own->end_sites().begin(), own->end_sites().end()});
  return std::make_shared<const Skeleton>(std::move(*made));
}

TEST_F(GraphVerb, ClipsOfAnotherBodyStandOnTheFirstOnesFeet) {
  const scenes::Scene walk = scenes::walk({.duration_s = 3.0});
  save("walk.bvh", walk.clip);
  save("body.bvh", Clip(other_human(0.8, 1.15), 2, 1.0 / 60.0));
  ASSERT_EQ(shosa("retarget walk.bvh --onto body.bvh -o other.bvh").status, 0);
  const Outcome built = shosa("graph build walk.bvh other.bvh -o g.json --json");
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_THAT(built.json()["notes"].dump(), HasSubstr("other.bvh: retargeted onto the skeleton of walk.bvh"));
  EXPECT_GT(built.json()["links_between"], 10);

  // Both clips one after the other, as they are.
  write("both.json", R"({"nodes": [
      {"id": 0, "clip": "walk.bvh"}, {"id": 1, "clip": "walk.bvh", "time_s": 2.9}, {"id": 2, "clip": "other.bvh"},
      {"id": 3, "clip": "other.bvh", "time_s": 2.9}],
    "links": [{"from": 0, "to": 1, "time_s": 2.9}, {"from": 1, "to": 0, "time_s": 0.3}, {"from": 2, "to": 3, "time_s": 2.9},
      {"from": 3, "to": 2, "time_s": 0.3}]})");
  write("own.json", R"({"start": 0, "duration_s": 2.9, "keep_feet": false, "commands": []})");
  write("others.json", R"({"start": 2, "duration_s": 2.9, "keep_feet": false, "commands": []})");
  ASSERT_EQ(shosa("graph play both.json own.json -o own.bvh --as-captured").status, 0);
  const Outcome played = shosa("graph play both.json others.json -o played.bvh --as-captured");
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("note: other.bvh: retargeted onto the skeleton of walk.bvh"));
  EXPECT_LT(shosa("metrics played.bvh --json").json()["foot_skate_mps"].get<double>(), 0.02);
  const auto own = io::read_motion(path("own.bvh")), others = io::read_motion(path("played.bvh"));
  const ClipPositions a = clip_positions(own->clips[0]), b = clip_positions(others->clips[0]);
  for (const scenes::FootPlan& foot : walk.feet) {
    const std::string side = foot.foot.substr(0, foot.foot.find('_'));
    for (const auto& [name, stances] : {std::pair(side + "_foot", foot.heel), std::pair(side + "_toes", foot.toes)}) {
      const JointIndex joint = own->skeleton->find(name);
      ASSERT_NE(joint, kNoJoint);
      for (const TimeInterval& stance : stances) {
        const int f = own->clips[0].nearest_frame(0.5 * (stance.begin_s + stance.end_s));
        EXPECT_NEAR(a.joint(f, joint).y(), b.joint(f, joint).y(), 0.005) << name << " at frame " << f;
      }
    }
  }
}

TEST_F(GraphVerb, BodiesThatCannotBeRetargetedPlayOnTheSameJointsOrAreRefused) {
  save("walk.bvh", scenes::walk({.duration_s = 1.0}).clip);
  save("dog.bvh", scenes::dog_walk({.duration_s = 1.0}).clip);
  const Outcome refused = shosa("graph build walk.bvh dog.bvh -o g.json");
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, testing::AllOf(HasSubstr("dog.bvh: "), HasSubstr("quadruped")));
  save("long.bvh", scenes::random_clip(scenes::chain(5, 0.2), 60, 7));
  save("short.bvh", scenes::random_clip(scenes::chain(5, 0.1), 60, 7));
  const Outcome arms = shosa("graph build long.bvh short.bvh -o g.json --threshold 1");
  ASSERT_EQ(arms.status, 0) << arms.err;
  EXPECT_THAT(arms.out, HasSubstr("short.bvh: its bones differ; played on the first clip's skeleton"));
}

TEST_F(GraphVerb, BuildsPlaysAndShows) {
  save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
  save("slow.bvh", scenes::walk({.duration_s = 3.0, .speed_mps = 0.9, .step_s = 0.57}).clip);
  const Outcome built = shosa("graph build walk.bvh slow.bvh -o moves.json --json");
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_GT(built.json()["links_between"].get<int>(), 10);
  EXPECT_TRUE(built.json()["cut"].is_array());
  const auto graph = nlohmann::json::parse(file_text(path("moves.json")));
  EXPECT_EQ(graph["nodes"][0]["clip"], "walk.bvh");
  EXPECT_TRUE(graph["nodes"][0].contains("default"));

  write(
      "commands.json",
      R"({"duration_s": 6, "commands": [{"at_s": 1, "to": "slow", "hurry": 20}, {"at_s": 3.3, "to": "walk", "hurry": 90}]})");
  const Outcome played = shosa("graph play moves.json commands.json -o played.bvh --json");
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_EQ(played.json()["frames"], 361);
  ASSERT_EQ(played.json()["commands"].size(), 2u);
  EXPECT_EQ(played.json()["commands"][0]["reached"], true);
  EXPECT_EQ(played.json()["commands"][1]["told_s"], 3.3);
  write(
      "haste.json",
      R"({"duration_s": 2, "commands": [{"at_s": 1, "to": "slow"}, {"at_s": 1.02, "to": "walk"}, {"at_s": 1.98, "to": "slow"}]})");
  const auto hasty = shosa("graph play moves.json haste.json -o hasty.bvh --json").json()["commands"];
  ASSERT_EQ(hasty.size(), 3u);
  EXPECT_EQ(hasty[0]["superseded"], true);
  EXPECT_EQ(hasty[2]["unfinished"], true);
  save("still.bvh", scenes::walk({.duration_s = 0.1, .speed_mps = 2.4, .step_s = 0.3}).clip);
  const Outcome without = shosa("graph build walk.bvh slow.bvh still.bvh -o fewer.json --json");
  ASSERT_EQ(without.status, 0) << without.err;
  EXPECT_THAT(without.json()["warnings"].dump(), HasSubstr("still.bvh: is not in the graph"));
  const Outcome quality = shosa("metrics played.bvh --json");
  EXPECT_LT(quality.json()["foot_skate_mps"].get<double>(), 0.02);

  const Outcome shown = shosa("graph show moves.json -o moves.svg --from 0 --to slow --hurry 50");
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(file_text(path("moves.svg")), HasSubstr("<svg"));
  EXPECT_THAT(shown.out, HasSubstr("walk.bvh: ")) << "how much of each clip is in it";
  const Outcome previewed = shosa("graph preview moves.json 0 -o link.bvh --picture link.svg --json");
  ASSERT_EQ(previewed.status, 0) << previewed.err;
  EXPECT_THAT(file_text(path("link.svg")), HasSubstr("<svg"));
  EXPECT_EQ(shosa("graph preview moves.json 0 -o link.bvh --picture link.txt").status, 2);
  const Outcome strip =
      shosa("graph show moves.json -o strip.svg --from walk --to slow --hurry 50 --strip --duration 2");
  ASSERT_EQ(strip.status, 0) << strip.err;
  EXPECT_THAT(file_text(path("strip.svg")), HasSubstr("<svg"));
  const Outcome speeds = shosa("graph show moves.json -o speeds.svg --from walk --to slow --speeds 0,100 --duration 2");
  ASSERT_EQ(speeds.status, 0) << speeds.err;
  const Outcome speed = shosa("graph show moves.json -o speed.svg --from walk --to slow --speeds 0 --duration 2");
  ASSERT_EQ(speed.status, 0) << speed.err;
  EXPECT_GT(file_text(path("speeds.svg")).size(), file_text(path("speed.svg")).size()) << "a curve a hurry value";
  EXPECT_EQ(shosa("graph show moves.json -o none.svg --strip").status, 2);
  EXPECT_EQ(shosa("graph show moves.json -o none.svg --speeds 5 --from 0").status, 2);

  // The upper body follows a graph of its own: legs as before, arms not.
  write("upper.json", R"({"start": "slow", "duration_s": 6, "commands": []})");
  const Outcome both =
      shosa("graph play moves.json commands.json -o both.bvh --upper-graph moves.json --upper-commands upper.json");
  ASSERT_EQ(both.status, 0) << both.err;
  const auto one = io::read_motion(path("played.bvh")), two = io::read_motion(path("both.bvh"));
  const body::BodyMap& map = one->body_map;
  const int frame = 200;
  EXPECT_NEAR(one->clips[0]
                  .rotation(frame, map.joint(body::Role::left_upper_leg))
                  .angularDistance(two->clips[0].rotation(frame, map.joint(body::Role::left_upper_leg))),
              0.0, 1e-3);
  EXPECT_GT(one->clips[0]
                .rotation(frame, map.joint(body::Role::left_upper_arm))
                .angularDistance(two->clips[0].rotation(frame, map.joint(body::Role::left_upper_arm))),
            0.01);
  EXPECT_EQ(shosa("graph play moves.json commands.json -o x.bvh --upper-graph moves.json").status, 2);
}

TEST_F(GraphVerb, PlaysToAPlace) {
  save("walk.bvh", scenes::walk({.duration_s = 3.0}).clip);
  save("slow.bvh", scenes::walk({.duration_s = 3.0, .speed_mps = 0.9, .step_s = 0.57}).clip);
  ASSERT_EQ(shosa("graph build walk.bvh slow.bvh -o moves.json").status, 0);
  const auto hips_at = [&](const std::string& name, int frame) {
    const auto motion = io::read_motion(path(name));
    return clip_positions(motion->clips[0]).joint(frame, root_joint(motion->body_map));
  };
  const Outcome ahead = shosa("graph play moves.json -o ahead.bvh --to slow --ahead 3 --at 0.5 --json");
  ASSERT_EQ(ahead.status, 0) << ahead.err;
  const auto there = ahead.json()["commands"][0];
  ASSERT_EQ(there["reached"], true);
  EXPECT_LT(there["error_m"].get<double>(), 0.05);
  const int frame = static_cast<int>(std::lround(60.0 * there["at_s"].get<double>()));
  const Vec3d way = hips_at("ahead.bvh", frame) - hips_at("ahead.bvh", 29);
  EXPECT_NEAR(std::hypot(way.x(), way.z()), 3.0, 0.06);
  EXPECT_EQ(ahead.json()["frames"].get<int>(), frame + 61) << "and a second more";

  const Outcome reach = shosa("graph play moves.json -o reach.bvh --to slow --reach 0.1,4,5 --json");
  ASSERT_EQ(reach.status, 0) << reach.err;
  const auto end = reach.json()["commands"][0];
  const Vec3d stood = hips_at("reach.bvh", static_cast<int>(std::lround(60.0 * end["at_s"].get<double>())));
  EXPECT_NEAR(stood.z(), 4.0, end["error_m"].get<double>() + 0.02);
  EXPECT_NEAR(stood.x(), 0.1, end["error_m"].get<double>() + 0.02);
  EXPECT_NEAR(std::hypot(end["place_m"][0].get<double>() - 0.1, end["place_m"][1].get<double>() - 4.0),
              end["error_m"].get<double>(), 1e-9);

  // What is out of reach is said.
  const Outcome far = shosa("graph play moves.json -o far.bvh --to slow --ahead 900 --json");
  ASSERT_EQ(far.status, 0) << far.err;
  EXPECT_EQ(far.json()["commands"][0]["reached"], false);
  EXPECT_GT(far.json()["commands"][0]["error_m"].get<double>(), 500.0);
  EXPECT_THAT(far.err, HasSubstr("m from the wanted place"));

  // A disturbance: from then on a node cannot be taken, and is not.
  const Outcome free = shosa("graph play moves.json -o free.bvh --to slow --duration 4 --json");
  ASSERT_EQ(free.status, 0) << free.err;
  const std::string blocked = free.json()["path"].back()["to"].dump();
  const Outcome shifted =
      shosa("graph play moves.json -o shifted.bvh --to slow --duration 4 --impossible " + blocked + " --json");
  ASSERT_EQ(shifted.status, 0) << shifted.err;
  for (const auto& entry : shifted.json()["path"]) {
    EXPECT_TRUE(entry["at_s"].get<double>() <= 1.0 || entry["to"].dump() != blocked);
  }
  EXPECT_EQ(shosa("graph play moves.json -o x.bvh").status, 2);
  EXPECT_EQ(shosa("graph play moves.json -o x.bvh --to slow --ahead 2 --hurry 5").status, 2);
  EXPECT_EQ(shosa("graph play moves.json -o x.bvh --to slow --reach 1e9,1e9").status, 2);
  EXPECT_EQ(shosa("graph play moves.json -o x.bvh --to slow --reach 1,1,400").status, 2);
  std::filesystem::remove(path("slow.bvh"));
  const Outcome gone = shosa("graph play moves.json -o x.bvh --to slow");
  EXPECT_EQ(gone.status, 3);
  EXPECT_THAT(gone.err, HasSubstr("moves.json: node "));
  EXPECT_THAT(gone.err, HasSubstr("slow.bvh: cannot be opened"));
  EXPECT_EQ(shosa("graph play moves.json -o x.bvh --to fly --ahead 2").status, 1);
}

}  // namespace
}  // namespace shosa::test
