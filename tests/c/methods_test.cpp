#include <cmath>

#include "c_api.h"

namespace shosa {
namespace {

using test::CApi;
using testing::Contains;
using testing::HasSubstr;

TEST_F(CApi, MethodsMakeClipsAndReports) {
  const shosa_clip walk = motion("walk_normal");
  shosa_clip out = 0;
  shosa_buffer report = 0;
  ASSERT_TRUE(ok(shosa_clip_fix(context, walk, nullptr, &out, &report)));
  EXPECT_EQ(info(out).frame_count, info(walk).frame_count);
  EXPECT_TRUE(json(report).contains("after"));

  shosa_loop_params loop = SHOSA_LOOP_PARAMS_INIT;
  loop.cycles = 3;
  ASSERT_TRUE(ok(shosa_clip_loop(context, walk, &loop, &out, &report)));
  EXPECT_EQ(json(report)["cycles"], 3);
  EXPECT_EQ(info(out).frame_count, json(report)["frames"].get<uint32_t>());
  EXPECT_LT(json(report)["seam_position_m"].get<double>(), 1e-3);

  ASSERT_TRUE(ok(shosa_clip_retarget(context, walk, motion("idle"), nullptr, &out, &report)));
  EXPECT_NEAR(json(report)["scale"].get<double>(), 1.0, 1e-6);

  const double keys[] = {0.8, -0.3, 1.6, 1.2};
  ASSERT_TRUE(ok(shosa_clip_drag(context, walk, "right_hand", keys, 1, &out, &report)));
  EXPECT_LT(json(report)["max_drag_error_m"].get<double>(), 0.05);
  EXPECT_EQ(shosa_clip_drag(context, walk, "right_wing", keys, 1, &out, nullptr), SHOSA_BAD_FILE);
  EXPECT_EQ(out, 0U);
}

TEST_F(CApi, WhatCannotBeDoneIsSaid) {
  shosa_clip out = 0;
  shosa_buffer report = 0;
  EXPECT_EQ(shosa_clip_retarget(context, motion("walk_normal"), motion("dog_walk"), nullptr, &out, &report),
            SHOSA_NOT_POSSIBLE);
  EXPECT_EQ(shosa_clip_loop(context, motion("idle"), nullptr, &out, &report), SHOSA_NOT_POSSIBLE);
  EXPECT_EQ(report, 0U);
  shosa_folder one = folder({"idle"});
  shosa_graph graph = 0;
  EXPECT_NE(shosa_graph_link(context, one, &graph, nullptr), SHOSA_OK);
}

TEST_F(CApi, SubmovementsPlayBack) {
  const shosa_clip wave = motion("wave");
  shosa_buffer split = 0, report = 0;
  ASSERT_TRUE(ok(shosa_clip_decompose(context, wave, nullptr, &split, &report)));
  EXPECT_LT(json(report)["rmse"].get<double>(), 0.02);
  shosa_clip back = 0;
  const std::string document = text(split);
  ASSERT_TRUE(ok(shosa_evaluate(context, 0, "submovements", "wave.json", document.c_str(), &back, nullptr)));
  const uint32_t frames = info(wave).frame_count, points = info(wave).joint_count;
  ASSERT_EQ(info(back).frame_count, frames);
  std::vector<float> a(3 * (points + info(wave).end_site_count)), b(3 * (points + info(back).end_site_count));
  ASSERT_TRUE(ok(shosa_clip_positions(context, wave, 30, 1, a.data(), points + info(wave).end_site_count)));
  ASSERT_TRUE(ok(shosa_clip_positions(context, back, 30, 1, b.data(), points + info(back).end_site_count)));
  for (std::size_t i = 0; i < 3 * points; ++i) EXPECT_NEAR(a[i], b[i], 0.06);
}

TEST_F(CApi, EveryKindOfDocumentIsCarriedOut) {
  const shosa_folder names = folder({"idle", "walk_normal", "run_slow", "kick"});
  ASSERT_TRUE(ok(shosa_folder_add_clip(context, names, "clip", motion("walk_normal"))));
  shosa_clip out = 0;
  shosa_buffer report = 0;
  const auto evaluate = [&](const char* kind, const char* document) {
    return ok(shosa_evaluate(context, names, kind, "document.json", document, &out, &report));
  };
  ASSERT_TRUE(evaluate("score", R"({"motions": [{"clip": "walk_normal"}, {"clip": "kick"}]})"));
  EXPECT_EQ(json(report)["transitions"].size(), 1U);
  ASSERT_TRUE(evaluate("pose", R"({"clip": "idle", "at_s": 0, "duration_s": 0.5, "prior": false,
      "drags": [{"joint": "right_hand", "keys": [[0.5, [-0.4, 1.3, 0.3]]]}]})"));
  EXPECT_EQ(info(out).frame_count, json(report)["frames"].get<uint32_t>());
  ASSERT_TRUE(evaluate("footsteps", R"({"stairs": {"rise_m": 0.15, "tread_m": 0.3, "count": 2}})"));
  EXPECT_GE(json(report)["steps"].size(), 2U);
  ASSERT_TRUE(evaluate("run", R"({"clips": {"stand": "idle", "walk": "walk_normal"}, "duration_s": 4,
      "commands": [{"at_s": 0.5, "go": "walk"}]})"));
  EXPECT_EQ(json(report)["commands"][0]["state"], "done");
  EXPECT_EQ(info(out).frame_count, 241U);

  shosa_graph graph = 0;
  shosa_buffer text_of_graph = 0;
  ASSERT_TRUE(ok(shosa_graph_link(context, folder({"idle", "walk_normal"}), &graph, nullptr)));
  ASSERT_TRUE(ok(shosa_graph_format(context, graph, nullptr, &text_of_graph, nullptr)));
  const std::string written = text(text_of_graph);
  ASSERT_TRUE(ok(shosa_folder_add_text(context, names, "graph", written.data(), written.size())));
  ASSERT_TRUE(
      evaluate("play", R"({"start": "idle", "duration_s": 3, "commands": [{"at_s": 0.5, "to": "walk_normal"}]})"));
  EXPECT_TRUE(json(report)["commands"][0]["reached"].get<bool>());
}

TEST_F(CApi, DocumentsThatAreWrongNameThePlace) {
  shosa_clip out = 5;
  const shosa_folder names = folder({"idle"});
  EXPECT_EQ(shosa_evaluate(context, names, "score", "s.json", R"({"motions": 3})", &out, nullptr), SHOSA_BAD_FILE);
  EXPECT_EQ(out, 0U);
  EXPECT_THAT(error(), HasSubstr("s.json: /motions"));
  EXPECT_EQ(shosa_evaluate(context, names, "sonata", "s.json", "{}", &out, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("footsteps"));
  EXPECT_EQ(shosa_evaluate(context, names, "score", "missing.json", nullptr, &out, nullptr), SHOSA_CANNOT_READ);
  EXPECT_EQ(shosa_evaluate(context, names, "score", "s.json", R"({"motions": [{"clip": "fly.bvh"}, {"clip": "idle"}]})",
                           &out, nullptr),
            SHOSA_CANNOT_READ);
  EXPECT_THAT(error(), HasSubstr("fly.bvh"));
}

TEST_F(CApi, ClipsOfAFolderAreJoinedInTheirOrder) {
  shosa_clip out = 0;
  shosa_buffer report = 0;
  ASSERT_TRUE(ok(shosa_folder_join(context, folder({"walk_normal", "kick"}), 0.5, &out, &report)));
  EXPECT_EQ(json(report)["motions"][0]["clip"], "walk_normal");
  EXPECT_EQ(shosa_folder_join(context, folder({"walk_normal"}), 2.0, &out, nullptr), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, AGraphAndItsKeptClipsReadBack) {
  shosa_graph graph = 0, again = 0;
  shosa_buffer document = 0, kept = 0, plan = 0, report = 0;
  const shosa_folder clips = folder({"idle", "start", "walk_normal", "stop"});
  shosa_build_params params = SHOSA_BUILD_PARAMS_INIT;
  params.connect = 1;
  ASSERT_TRUE(ok(shosa_graph_build(context, clips, &params, &graph, &report)));
  ASSERT_TRUE(ok(shosa_graph_format(context, graph, "g.clips", &document, &kept)));
  const std::string samples = text(kept), written = text(document);
  ASSERT_TRUE(ok(shosa_folder_add_text(context, clips, "g.clips", samples.data(), samples.size())));
  ASSERT_TRUE(ok(shosa_folder_add_text(context, clips, "g.json", written.data(), written.size())));
  ASSERT_TRUE(ok(shosa_graph_parse(context, clips, "g.json", nullptr, &again)));
  shosa_graph_info a = SHOSA_GRAPH_INFO_INIT, b = SHOSA_GRAPH_INFO_INIT;
  ASSERT_TRUE(ok(shosa_graph_get_info(context, graph, &a)));
  ASSERT_TRUE(ok(shosa_graph_get_info(context, again, &b)));
  EXPECT_EQ(a.node_count, b.node_count);
  EXPECT_EQ(a.link_count, json(report)["links"].get<uint32_t>());
  ASSERT_TRUE(ok(shosa_graph_plan(context, again, "idle", "walk_normal", 50, &plan)));
  EXPECT_TRUE(json(plan)["reachable"].get<bool>());
  EXPECT_EQ(shosa_graph_plan(context, again, "idle", "fly", 50, &plan), SHOSA_NOT_POSSIBLE);
  EXPECT_EQ(shosa_graph_plan(context, again, "idle", "idle", 101, &plan), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, FoldersOnTheDiskAreReadByName) {
  const std::string path = testing::TempDir();
  ASSERT_TRUE(ok(shosa_clip_write(context, motion("walk_normal"), (path + "c_api_walk.bvh").c_str())));
  shosa_folder disk = 0;
  ASSERT_TRUE(ok(shosa_folder_open(context, path.c_str(), &disk)));
  ASSERT_TRUE(ok(shosa_folder_add_clip(context, disk, "kick", motion("kick"))));
  shosa_clip out = 0;
  const char* score = R"({"motions": [{"clip": "c_api_walk.bvh"}, {"clip": "kick"}]})";
  ASSERT_TRUE(ok(shosa_evaluate(context, disk, "score", "s.json", score, &out, nullptr)));
  EXPECT_GT(info(out).frame_count, info(motion("kick")).frame_count);
  EXPECT_EQ(shosa_evaluate(context, disk, "score", "no_such.json", nullptr, &out, nullptr), SHOSA_CANNOT_READ);
}

TEST_F(CApi, WhatWasOddIsSaidToTheLog) {
  shosa_clip out = 0;
  ASSERT_TRUE(ok(shosa_clip_make(context, "dog_walk", &out)));
  const std::string json_map = R"({"left_foot": null, "right_foot": null, "left_hand": null, "right_hand": null})";
  ASSERT_TRUE(ok(shosa_clip_set_body_map(context, out, json_map.c_str())));
  shosa_buffer report = 0;
  said.clear();
  ASSERT_TRUE(ok(shosa_clip_measure(context, out, 0, &report)));
  EXPECT_THAT(said, Contains(HasSubstr("feet")));
  EXPECT_EQ(json(report)["warnings"].size(), said.size());
}

TEST_F(CApi, AScoreGoesByTheCoreThatWasGivenForAClip) {
  const shosa_clip walk = motion("walk_normal");
  ASSERT_TRUE(ok(shosa_clip_set_contacts(context, walk, R"({"core": [0.5, 1]})")));
  shosa_folder folder = 0;
  ASSERT_TRUE(ok(shosa_folder_create(context, &folder)));
  ASSERT_TRUE(ok(shosa_folder_add_clip(context, folder, "walk.bvh", walk)));
  shosa_buffer report = 0;
  ASSERT_TRUE(ok(
      shosa_evaluate(context, folder, "score", "s.json", R"({"motions": [{"clip": "walk.bvh"}]})", nullptr, &report)));
  const auto core = json(report)["motions"][0]["core"];
  EXPECT_NEAR(core[0].get<double>(), 0.5, 0.01);
  EXPECT_NEAR(core[1].get<double>(), 1.0, 0.01);
}

TEST_F(CApi, SeveralClipsOfOneBodyBecomeOneFile) {
  shosa_folder folder = 0;
  shosa_buffer bytes = 0;
  ASSERT_TRUE(ok(shosa_folder_create(context, &folder)));
  EXPECT_EQ(shosa_folder_format(context, folder, "all.glb", &bytes), SHOSA_BAD_ARGUMENT);
  for (const char* name : {"walk_normal", "kick"})
    ASSERT_TRUE(ok(shosa_folder_add_clip(context, folder, name, motion(name))));
  ASSERT_TRUE(ok(shosa_folder_format(context, folder, "all.glb", &bytes)));
  const std::string file = text(bytes);
  shosa_clip read = 0;
  shosa_read_options options = SHOSA_READ_OPTIONS_INIT;
  options.take = "kick";
  ASSERT_TRUE(ok(shosa_clip_parse(context, file.data(), file.size(), "all.glb", &options, &read)));
  EXPECT_EQ(info(read).take_count, 2u);
  EXPECT_EQ(info(read).frame_count, info(motion("kick")).frame_count);
  ASSERT_TRUE(ok(shosa_folder_add_clip(context, folder, "dog_walk", motion("dog_walk"))));
  EXPECT_NE(shosa_folder_format(context, folder, "all.glb", &bytes), SHOSA_OK) << "another body";
}

}  // namespace
}  // namespace shosa
