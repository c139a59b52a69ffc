#include "shosa/documents/clip_source.h"

#include <gmock/gmock.h>

#include "scenes/scenes.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/graph_play.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/score.h"
#include "support/test_folder.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;

using test::as_file;

/// Documents over motions that no file holds.
class InMemory : public testing::Test {
 protected:
  InMemory() {
    clips_.add("walk.bvh", as_file(walk_));
    clips_.add("stand.bvh", as_file(scenes::stand(3.0).clip));
  }
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  ClipsInMemory clips_;
};

TEST_F(InMemory, AScoreIsComposed) {
  const auto score = parse_score(R"({"motions": [{"clip": "walk.bvh"}, {"clip": "stand.bvh"}]})", "s.json");
  const auto composed = evaluate(*score, clips_);
  ASSERT_TRUE(composed.has_value()) << composed.error().message;
  EXPECT_TRUE(composed->composition.joins[0].report.executed);
  EXPECT_EQ(composed->motion.clips[0].frame_count(), composed->composition.clip.frame_count());
  EXPECT_GT(composed->composition.clip.duration_s(), 3.0);
}

TEST_F(InMemory, WhatIsMissingIsNamedWithItsPlace) {
  const auto score = parse_score(R"({"motions": [{"clip": "walk.bvh"}, {"clip": "fly.bvh"}]})", "s.json");
  EXPECT_EQ(evaluate(*score, clips_).error().message, "s.json: /motions/1: fly.bvh: no such motion in memory");
  const auto script = parse_pose_script(R"({"clip": "walk.bvh", "ranges": "none.json"})", "p.json");
  EXPECT_THAT(evaluate(*script, clips_).error().message, HasSubstr("none.json: no such text in memory"));
}

TEST_F(InMemory, AMotionGoesByTheRolesOfABodyMapThatTheDocumentNames) {
  clips_.add_text("map.json", R"({"left_hand": "head"})");
  const char* script = R"({"clip": "walk.bvh", %"at_s": 0, "pins": [{"joint": "leftHand"}]})";
  const auto staged = [&](const std::string& map) {
    std::string text = script;
    return stage(*parse_pose_script(text.replace(text.find('%'), 1, map), "p.json"), clips_);
  };
  const auto plain = staged(""), mapped = staged("\"body_map\": \"map.json\", ");
  ASSERT_TRUE(mapped.has_value()) << mapped.error().message;
  EXPECT_EQ(plain->layers[0].pins[0].joint, walk_.skeleton().find("left_hand"));
  EXPECT_EQ(mapped->layers[0].pins[0].joint, walk_.skeleton().find("head"));
}

TEST_F(InMemory, AGraphIsPlayedUnderCommands) {
  const auto graph =
      parse_graph(R"({"nodes": [{"id": 0, "clip": "walk.bvh"}, {"id": 1, "clip": "walk.bvh", "time_s": 1.1},
      {"id": 2, "clip": "stand.bvh", "time_s": 0.5, "name": "still"}, {"id": 3, "clip": "stand.bvh", "time_s": 2.5}],
     "links": [{"from": 0, "to": 1, "time_s": 1.1}, {"from": 1, "to": 0, "time_s": 0.1}, {"from": 1, "to": 2, "time_s": 0.5},
               {"from": 2, "to": 3, "time_s": 2}, {"from": 3, "to": 2, "time_s": 0}]})",
                  "g.json");
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  const auto script = parse_play_script(R"({"commands": [{"at_s": 0.5, "to": "still"}], "duration_s": 4})", "c.json");
  const auto played = evaluate(GraphPart{*graph, *script, clips_});
  ASSERT_TRUE(played.has_value()) << played.error().message;
  EXPECT_EQ(played->motion.clips[0].frame_count(), 241);
  ASSERT_EQ(played->commands.size(), 1u);
  EXPECT_TRUE(played->commands[0].reached);
  EXPECT_EQ(played->commands[0].told_s, 0.5);

  // Names are looked for when the graph is known; the complaint names the place in the script.
  const auto wrong = parse_play_script(R"({"commands": [{"to": 0}, {"to": ["still", "fly"]}]})", "c.json");
  const auto refused = evaluate(GraphPart{*graph, *wrong, clips_});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "c.json: /commands/1/to: no node is named 'fly'; there are: still");
  EXPECT_EQ(refused.error().code, ErrorCode::bad_file);
}

TEST_F(InMemory, AFootstepPlanIsWalked) {
  const auto plan = parse_footstep_plan(R"({"stride_percent": [70, 80]})", "p.json");
  ASSERT_TRUE(plan.has_value());
  const auto walked = evaluate(*plan, analysis::study(walk_, body::guess_body_map(walk_.skeleton())));
  ASSERT_TRUE(walked.has_value()) << walked.error().message;
  EXPECT_EQ(walked->plan.steps.size(), walked->walked.steps.size());
}

// What was walked, written down and read again, is walked the same, to the bit.
TEST_F(InMemory, AWrittenPlanIsWalkedTheSame) {
  const analysis::StudiedClip walker = analysis::study(walk_, body::guess_body_map(walk_.skeleton()));
  for (const char* text :
       {R"({"stride_percent": [70, 80]})", R"({"stairs": {"rise_m": 0.17, "count": 3}})",
        R"({"stairs": {"rise_m": -0.15, "count": 3, "at": [2.5, -1.25], "heading_deg": 77}})",
        R"({"slope_percent": 7})", R"({"rough": {"amplitude_m": 0.03, "seed": 4}})",
        R"({"terrain": {"heights": {"at": [-1, -2], "spacing_m": 2, "rows": [[0, 0.1], [0.05, 0], [0.1, 0.1]]}}})"}) {
    const auto plan = parse_footstep_plan(text, "p.json");
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto walked = evaluate(*plan, walker);
    ASSERT_TRUE(walked.has_value()) << walked.error().message;
    const auto again = parse_footstep_plan(walked->text, "again.json");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    const auto second = evaluate(*again, walker);
    ASSERT_TRUE(second.has_value()) << second.error().message;
    const Clip &a = walked->walked.clip, &b = second->walked.clip;
    ASSERT_EQ(a.frame_count(), b.frame_count()) << text;
    bool same = true;
    for (int f = 0; f < a.frame_count(); ++f) {
      same &= a.translation(f, 0) == b.translation(f, 0);
      for (JointIndex j = 0; j < a.joint_count(); ++j) same &= a.rotation(f, j).coeffs() == b.rotation(f, j).coeffs();
    }
    EXPECT_TRUE(same) << text;
    EXPECT_EQ(walked->walked.max_penetration_m, second->walked.max_penetration_m) << text;
  }
}

TEST_F(InMemory, AWrongTerrainIsRefusedByItsPlace) {
  const auto error = [](const char* text) {
    const auto plan = parse_footstep_plan(text, "p.json");
    return plan ? std::string() : plan.error().message;
  };
  EXPECT_EQ(error(R"({"terrain": {"heights": {"at": [0, 0], "spacing_m": 1, "rows": [[0, 1], [0]]}}})"),
            "p.json: /terrain/heights/rows/1: [0], expected a list of at least 2");
  EXPECT_NE(error(R"({"terrain": {"edges": [{"at": [0], "rise_m": 1}]}})").find("/terrain/edges/0/at"),
            std::string::npos);
  EXPECT_NE(error(R"({"stride_percent": 80, "cycles": 3})").find("/cycles"), std::string::npos);
  EXPECT_NE(error(R"({"stride_percent": 80, "terrain": {}})").find("2 plans"), std::string::npos);
}

}  // namespace
}  // namespace shosa::documents
