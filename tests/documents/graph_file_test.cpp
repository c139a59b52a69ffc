#include "shosa/documents/graph_file.h"

#include <gmock/gmock.h>

#include "documents/kept_clips.h"
#include "graph/random_graph.h"
#include "scenes/scenes.h"

namespace shosa::documents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string graph_error(std::string_view text) {
  const auto graph = parse_graph(text, "g.json");
  return graph ? "no error" : graph.error().message;
}

constexpr std::string_view kByHand = R"({"nodes": [
  {"id": 5, "clip": "walk.bvh", "time_s": 0.25, "default": 2, "name": "walk"}, {"id": 9, "clip": null}, {"id": 1}],
 "links": [{"id": 2, "from": 5, "to": 9, "time_s": 0.1, "hurry": 30}, {"id": 4, "from": 9, "to": 5, "time_s": 1}]})";

TEST(GraphJson, ReadsAGraphWrittenByHand) {
  const auto file = parse_graph(kByHand, "g.json");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const auto& graph = file->graph;
  EXPECT_THAT(graph.clips(), ElementsAre("walk.bvh"));
  ASSERT_EQ(graph.node_count(), 3);
  EXPECT_EQ(graph.find_node(9), 1);
  EXPECT_EQ(graph.find_node(2), -1);
  EXPECT_EQ(graph.node(0).default_link, 0);
  EXPECT_EQ(graph.node(0).time_s, 0.25);
  EXPECT_EQ(graph.node(1).clip, -1);
  EXPECT_EQ(graph.link(0).hurry, 30);
  EXPECT_EQ(graph.link(1).hurry, 0);
  EXPECT_EQ(graph.link(1).time_s, 1.0);
  EXPECT_THAT(graph.nodes_named("walk"), ElementsAre(0));
  EXPECT_THAT(dead_ends(graph), ElementsAre(2));
  EXPECT_TRUE(file->warnings.empty());
}

TEST(GraphJson, WhatIsWrittenReadsBackTheSame) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto graph = test::random_graph({.nodes = 9, .links = 20, .seed = seed});
    const std::string text = format_graph(graph);
    const auto again = parse_graph(text, "again.json");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(format_graph(again->graph), text);
    EXPECT_EQ(again->graph.link_count(), graph.link_count());
  }
  const std::string hand = format_graph(parse_graph(kByHand, "g.json")->graph);
  EXPECT_EQ(format_graph(parse_graph(hand, "again.json")->graph), hand);
}

TEST(GraphJson, SaysWhereAndWhatIsWrong) {
  const auto with = [](const char* node, const char* link) {
    return fmt::format(R"({{"nodes": [{{"id": 0}}, {{"id": 1}}{}], "links": [{}]}})", node, link);
  };
  EXPECT_THAT(graph_error(""), HasSubstr("g.json: byte 1: no JSON"));
  EXPECT_THAT(graph_error("{\"nodes\": [}"), HasSubstr("no JSON"));
  EXPECT_THAT(graph_error("[]"), HasSubstr("g.json: a list of 0, expected an object with nodes and links"));
  EXPECT_THAT(graph_error("7"), HasSubstr("expected an object with nodes and links"));
  EXPECT_THAT(graph_error("{\"nodes\": []}"), HasSubstr("g.json: /links: nothing, expected a list"));
  EXPECT_THAT(graph_error("{\"nodes\": 3, \"links\": []}"), HasSubstr("g.json: /nodes: 3, expected a list"));
  EXPECT_THAT(graph_error("{\"nodes\": [], \"nodes\": [], \"links\": []}"),
              HasSubstr("g.json: /nodes: a key that stands twice"));
  EXPECT_THAT(graph_error(with(", 4", "")),
              HasSubstr("g.json: /nodes/2: 4, expected an object with the keys id, clip"));
  EXPECT_THAT(graph_error(with(", {}", "")), HasSubstr("/nodes/2/id: nothing, expected a whole number"));
  EXPECT_THAT(graph_error(with(", {\"id\": 1}", "")), HasSubstr("/nodes/2: a second node with the id 1"));
  EXPECT_THAT(graph_error(R"({"nodes": [{"id": 0}], "links": [{"id": 7, "from": 0, "to": 0, "time_s": 1},
    {"id": 3, "from": 0, "to": 0, "time_s": 1}, {"id": 7, "from": 0, "to": 0, "time_s": 1}]})"),
              HasSubstr("/links/2: a second link with the id 7"));
  EXPECT_THAT(graph_error(with(", {\"id\": 2.5}", "")), HasSubstr("/nodes/2/id: 2.5, expected a whole number"));
  EXPECT_THAT(graph_error(with(", {\"id\": 2, \"time_s\": -1}", "")), HasSubstr("node 2: time_s is -1"));
  EXPECT_THAT(graph_error(with(", {\"id\": 2, \"clip\": [1]}", "")),
              HasSubstr("/nodes/2/clip: [1], expected a file or null"));
  EXPECT_THAT(graph_error(with(", {\"id\": 2, \"default\": 8}", "")), HasSubstr("/nodes/2/default: unknown link 8"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 7, "time_s": 1})")), HasSubstr("/links/0/to: unknown node 7"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "time_s": 1})")),
              HasSubstr("/links/0/to: nothing, expected a whole number"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1})")),
              HasSubstr("/links/0/time_s: nothing, expected a number from 0 to"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "from": 1, "to": 1})")),
              HasSubstr("/links/0/from: a key that stands twice"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1, "time_s": -0.1})")),
              HasSubstr("/links/0/time_s: -0.1, expected a number from 0 to"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1, "time_s": "x"})")),
              HasSubstr("/links/0/time_s: \"x\", expected a number from 0 to"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1, "time_s": 1e400})")), HasSubstr("no JSON"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1, "time_s": 1, "hurry": 101})")),
              HasSubstr("/links/0/hurry: 101, expected a whole number from 0 to 100"));
  EXPECT_THAT(graph_error(with("", R"({"from": 0, "to": 1, "time_s": 1, "hurry": 1.5})")),
              HasSubstr("/links/0/hurry: 1.5, expected a whole number"));
  EXPECT_THAT(graph_error(with(", {\"id\": 2, \"default\": 0}", R"({"from": 0, "to": 1, "time_s": 1})")),
              HasSubstr("node 2: its default link 0 leaves another node"));
}

TEST(GraphJson, KeysThatMeanNothingAreNamedAndWithinNodesAndLinksRefused) {
  const auto file = parse_graph(R"({"made_by": {"a": [1, {"b": 2}]}, "nodes": [{"id": 1}], "x": 3,
    "links": [{"from": 1, "to": 1, "time_s": 0, "hurry": 3}]})",
                                "g.json");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_THAT(file->warnings, ElementsAre(HasSubstr("'made_by'"), HasSubstr("'x'")));
  EXPECT_THAT(graph_error(R"({"nodes": [{"id": 1}, {"id": 2, "x": [3, 4]}], "links": []})"),
              HasSubstr("g.json: /nodes/1/x: unknown key, expected one of id, clip"));
  EXPECT_THAT(graph_error(R"({"nodes": [{"id": 1}], "links": [{"from": 1, "to": 1, "time_s": 0, "hury": 3}]})"),
              HasSubstr("g.json: /links/0/hury: unknown key, expected one of id, from"));
}

TEST(GraphJson, SaysWhichClipsItWasBuiltOn) {
  const auto file = parse_graph(kByHand, "g.json");
  KeptClips kept;
  for (const std::string& name : file->graph.clips()) {
    GraphClip& clip = kept.clips.emplace_back();
    clip.clip = name;
    clip.hash = "0123456789abcdef";
  }
  ASSERT_FALSE(kept.clips.empty());
  kept.clips[0].unit = "cm";
  kept.clips[0].fps_is = 29.97;
  kept.clips[0].as_captured = true;
  kept.clips[0].drop_tpose = true;
  kept.clips[0].take = "second \"take\"";
  kept.file = "g.json.clips";
  kept.hash = "fedcba9876543210";
  kept.notes = {"walk.bvh: its bones differ", Note::done("walk.bvh: left out 1 frame of T-pose")};
  const auto again = parse_graph(format_graph(file->graph, kept), "again.json");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->kept, kept);
  EXPECT_TRUE(again->warnings.empty());

  GraphClip other;
  other.clip = "other.bvh";
  kept.clips = {other};
  EXPECT_THAT(parse_graph(format_graph(file->graph, kept), "again.json").error().message,
              testing::HasSubstr("again.json: /clips: '"));
}

TEST(KeptClips, AreReadBackBitByBitAndNothingElseIs) {
  const Clip walk = scenes::walk({.duration_s = 0.2}).clip, wild = scenes::random_clip(walk.skeleton_ptr(), 3, 5);
  const auto map = body::guess_body_map(walk.skeleton());
  const auto set = graph::make_motion_set({{"walk", walk}, {"wild", wild}}, map);
  ASSERT_TRUE(set.has_value());
  const std::string bytes = format_kept_clips(*set, {"wild", "walk"});
  const auto clips = parse_kept_clips(bytes, set->skeleton);
  ASSERT_TRUE(clips.has_value()) << clips.error().message;
  ASSERT_EQ(clips->size(), 2u);
  EXPECT_EQ((*clips)[0].name, "wild");
  const auto same = graph::make_motion_set(std::move(*parse_kept_clips(bytes, set->skeleton)), map, {.ready = true});
  EXPECT_EQ(format_kept_clips(*same, {"wild", "walk"}), bytes);
  // A whole clip less is a file of fewer clips.
  const std::size_t one = format_kept_clips(*set, {"wild"}).size(), none = format_kept_clips(*set, {}).size();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(parse_kept_clips(std::string_view(bytes).substr(0, size), set->skeleton).has_value(),
              size == one || size == none);
  EXPECT_FALSE(parse_kept_clips(bytes, scenes::chain(3, 0.2)).has_value());
}

}  // namespace
}  // namespace shosa::documents
