#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "io/gltf_reading.h"

namespace shosa::io {
namespace {

using test::at_rate;
using test::bending_leg;
using test::error_of;
using test::GltfMaker;
using test::parse;
using testing::HasSubstr;

TEST(GltfHostile, AKeyOfZerosIsNoRotation) {
  for (const std::vector<float>& keys : {std::vector<float>{0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 0, 0, 0}}) {
    GltfMaker maker = bending_leg();
    maker.channel(0, "rotation", maker.floats({0, 1}, "SCALAR"), maker.floats(keys, "VEC4"));
    const auto motion = parse(maker);
    ASSERT_TRUE(motion) << motion.error().message;
    for (int frame = 1; frame < motion->clips.at(0).frame_count(); ++frame) {
      EXPECT_NEAR(motion->clips[0].rotation(frame, 0).norm(), 1.0f, 1e-5f) << frame;
    }
  }
}

TEST(GltfHostile, PlacesThatNoWorldHoldsAreRejected) {
  GltfMaker maker = bending_leg();
  maker.channel(0, "translation", maker.floats({0, 1}, "SCALAR"), maker.floats({0, 1, 0, 0, 1e13f, 0}, "VEC3"));
  EXPECT_THAT(error_of(maker), HasSubstr("joint 'hips' is farther than"));
  maker = bending_leg();
  maker.json["nodes"][1]["translation"] = {0, 1e13, 0};
  EXPECT_THAT(error_of(maker), HasSubstr("joint 'knee' rests farther than"));
}

TEST(GltfHostile, ARecordedFrameTimeThatMakesNoSenseIsIgnored) {
  for (const double frame_time_s : {1e-8, 1e5}) {
    GltfMaker maker = bending_leg();
    maker.json["animations"][0]["extras"] = {{"frame_time_s", frame_time_s}};
    const auto motion = parse(maker);
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_EQ(motion->clips.at(0).frame_time_s(), 1.0 / 24.0);
  }
}

TEST(GltfHostile, BuffersOutsideTheFolderAreRefused) {
  test::GltfFolder folder;
  std::filesystem::create_directory(folder.path() / "inner");
  std::ofstream(folder.path() / "leg.bin") << "0123";
  for (const std::string uri : {"../leg.bin", "x/../../leg.bin", "%2e%2e/leg.bin", "/etc/hostname"}) {
    GltfMaker maker = bending_leg();
    maker.json["buffers"] = {{{"byteLength", 4}, {"uri", uri}}};
    const auto path = folder.path() / "inner" / "leg.gltf";
    std::ofstream(path) << maker.json.dump();
    const auto motion = read_gltf(path);
    ASSERT_FALSE(motion) << uri;
    EXPECT_THAT(motion.error().message, HasSubstr("is no file in this one's folder")) << uri;
  }
}

TEST(GltfHostile, ErrorsNameTheirPlace) {
  EXPECT_THAT(parse_gltf(test::bytes_of("{\"asset\": oops}"), "a.gltf", {}).error().message,
              HasSubstr("a.gltf: byte 10"));
  EXPECT_THAT(parse_gltf(test::bytes_of("glTF"), "a.glb", {}).error().message, HasSubstr("GLB header"));
  EXPECT_EQ(parse_gltf({}, "a.glb", {}).error().message, "a.glb: is empty");
  GltfMaker maker = bending_leg();
  maker.json["animations"][0]["samplers"][0]["input"] = 99;
  EXPECT_EQ(error_of(maker), "made.glb: animations[0].samplers[0].input: index 99, expected less than 2");
  maker = bending_leg();
  maker.json["nodes"][0]["children"] = {7};
  EXPECT_THAT(error_of(maker), HasSubstr("nodes[0].children: index 7"));
  maker = bending_leg();
  maker.json["nodes"][2]["children"] = {0};
  EXPECT_THAT(error_of(maker), HasSubstr("cycle"));
  maker = bending_leg();
  maker.json["accessors"][1]["count"] = 3;
  EXPECT_THAT(error_of(maker), HasSubstr("accessors[1]: 3 elements of"));
  maker = bending_leg();
  maker.json["bufferViews"][0]["byteOffset"] = 1e9;
  EXPECT_THAT(error_of(maker), HasSubstr("bufferViews[0]"));
  maker = bending_leg();
  maker.json["nodes"][1]["rotation"] = {0, 0, 0};
  EXPECT_THAT(error_of(maker), HasSubstr("nodes[1].rotation: 3 numbers, expected 4"));
  maker = bending_leg();
  maker.json["asset"]["version"] = "1.0";
  EXPECT_THAT(error_of(maker), HasSubstr("asset.version: '1.0', expected 2.0"));
  EXPECT_THAT(error_of(GltfMaker()), HasSubstr("no nodes"));
}

TEST(GltfHostile, TimesMustRise) {
  GltfMaker maker = bending_leg(0.0f);
  EXPECT_THAT(error_of(maker), HasSubstr("expected rising times"));
}

TEST(GltfHostile, AMissingBufferFileIsAnError) {
  GltfMaker maker = bending_leg();
  maker.json["buffers"] = {{{"byteLength", 4}, {"uri", "leg.bin"}}};
  test::GltfFolder folder;
  const auto path = folder.path() / "leg.gltf";
  std::ofstream(path) << maker.json.dump();
  const auto motion = read_gltf(path);
  ASSERT_FALSE(motion);
  EXPECT_THAT(motion.error().message, HasSubstr("buffers[0].uri: buffer file"));
  EXPECT_THAT(motion.error().message, HasSubstr("leg.bin' cannot be read"));
}

TEST(GltfHostile, APromiseOfManyFramesIsRefused) {
  EXPECT_THAT(error_of(bending_leg(1e9f)), HasSubstr("frames at 24 Hz for only 2 keys"));
  // 1.17 million frames of 3 joints out of 2 keys.
  EXPECT_THAT(error_of(bending_leg(48921.0f)), HasSubstr("expected at most 333333 frames, which --fps 6.5 gives"));
  const auto slower = parse(bending_leg(48921.0f), at_rate(6.5));
  ASSERT_TRUE(slower) << slower.error().message;
  EXPECT_EQ(slower->clips[0].frame_count(), 317988);
}

TEST(GltfHostile, DeepJsonIsRefused) {
  const std::string deep = "{\"asset\":{\"version\":\"2.0\"},\"extras\":" + std::string(100000, '[') + "}";
  EXPECT_THAT(parse_gltf(test::bytes_of(deep), "deep.gltf", {}).error().message, HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace shosa::io
