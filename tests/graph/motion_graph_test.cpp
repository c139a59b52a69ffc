#include "shosa/graph/motion_graph.h"

#include <gmock/gmock.h>

namespace shosa::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MotionGraph, RefusesWhatBreaksARule) {
  const auto message = [](std::vector<Node> nodes, std::vector<Link> links) {
    const auto graph = MotionGraph::create({}, std::move(nodes), std::move(links));
    return graph ? std::string("no error") : graph.error().message;
  };
  EXPECT_THAT(message({{.id = 1}, {.id = 1}}, {}), HasSubstr("two nodes have the id 1"));
  EXPECT_THAT(message({{.id = 1}}, {{.id = 2, .from = 0, .to = 0}, {.id = 2, .from = 0, .to = 0}}),
              HasSubstr("two links have the id 2"));
  EXPECT_THAT(message({{.id = 1}}, {{.id = 2, .from = 0, .to = 1}}), HasSubstr("the node it leads to is not in"));
  EXPECT_THAT(message({{.id = 1, .clip = 0}}, {}), HasSubstr("clip number 0, expected less than 0"));
  EXPECT_THAT(message({{.id = 1, .default_link = 3}}, {}), HasSubstr("default link is not in the graph"));
  EXPECT_THAT(message({{.id = 1}}, {{.id = 2, .from = 0, .to = 0, .time_s = 2e6}}), HasSubstr("time_s is 2000000"));
}

TEST(MotionGraph, DefaultsPlayTheClipOnOrTakeTheShortestLink) {
  const auto graph = MotionGraph::create(
      {"a"},
      {{.id = 0, .clip = 0, .time_s = 0.0}, {.id = 1, .clip = 0, .time_s = 0.5}, {.id = 2, .clip = 0}, {.id = 3}},
      {{.id = 0, .from = 0, .to = 2, .time_s = 0.1},
       {.id = 1, .from = 0, .to = 1, .time_s = 0.5},
       {.id = 2, .from = 1, .to = 3, .time_s = 0.3},
       {.id = 3, .from = 1, .to = 2, .time_s = 0.2},
       {.id = 4, .from = 2, .to = 2, .time_s = 0.2}});
  EXPECT_TRUE(plays_on(*graph, 1));
  EXPECT_FALSE(plays_on(*graph, 0));
  EXPECT_THAT(complete_defaults(*graph), ElementsAre(1, 3, 4, kNoLink));
}

}  // namespace
}  // namespace shosa::graph
