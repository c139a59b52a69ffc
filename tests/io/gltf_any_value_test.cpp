#include <gtest/gtest.h>

#include "io/gltf_reading.h"
#include "io/gltf_writing.h"
#include "scenes/scenes.h"

namespace shosa::io {
namespace {

using Json = nlohmann::json;

/// Where all values of a document are.
void collect(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& places) {
  places.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, inside] : value.items()) collect(inside, at / key, places);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, places);
  }
}

/// A skinned body that moves, with what our own files do not have: images, other animated nodes, VRM, sparse values.
Json rich_document() {
  MotionFile motion = test::file_of(scenes::random_clip(scenes::chain(3), 4, 1));
  Json document = Json::parse(*format_motion(motion, "rich.gltf"));
  document["images"] = {{{"uri", "data:image/png;base64,AAAA"}}};
  document["extensionsUsed"] = {"VRMC_vrm"};
  document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["hips"]["node"] = 0;
  document["accessors"].push_back(
      {{"componentType", 5126},
       {"count", 2},
       {"type", "SCALAR"},
       {"sparse",
        {{"count", 1}, {"indices", {{"bufferView", 0}, {"componentType", 5121}}}, {"values", {{"bufferView", 0}}}}}});
  return document;
}

// A reader that takes a value for another kind than it is would throw inside; that is an error of another code.
TEST(GltfAnyValue, OfAnotherKindIsABadFileOrHarmless) {
  Json document = rich_document();
  ASSERT_TRUE(parse_motion(document.dump(), "rich.gltf"));
  std::vector<Json::json_pointer> places;
  collect(document, Json::json_pointer(), places);
  const Json others[] = {nullptr, true, -1, 7, 1e300, "text", Json::array(), Json::object(), Json::array({-1, "x"})};
  int read = 0, refused = 0;
  for (const Json::json_pointer& place : places) {
    for (const Json& other : others) {
      const Json kept = std::exchange(document[place], other);
      const Result<MotionFile> motion = parse_motion(document.dump(), "rich.gltf");
      document[place] = kept;
      if (!motion) {
        ++refused;
        EXPECT_EQ(motion.error().code, ErrorCode::bad_file) << motion.error().message;
        continue;
      }
      ++read;
      const Result<std::string> written = format_motion(*motion, "rich.glb");
      const std::string message = written ? "" : written.error().message;
      EXPECT_EQ(message.find("exception"), std::string::npos) << message;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace shosa::io
