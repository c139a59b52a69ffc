#include <gmock/gmock.h>

#include <fstream>

#include "io/gltf_writing.h"
#include "scenes/scenes.h"
#include "support/naive_gltf.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using Json = nlohmann::json;
using test::file_of;
using test::GltfFolder;
using test::GltfMaker;
using test::largest_distance;
using test::write_and_read;

/// A two-joint body with a mesh, an unknown extension, a camera that moves and morph weights.
GltfMaker rich_file() {
  GltfMaker maker;
  const int top = maker.node("Armature", {{"scale", {0.01, 0.01, 0.01}}, {"rotation", {-0.5, 0.5, 0.5, 0.5}}});
  const int hips = maker.node("hips", {{"translation", {0, 100, 0}}}, top);
  maker.node("head", {{"translation", {0, 60, 0}}, {"scale", {2, 2, 2}}}, hips);
  const int camera = maker.node("camera", {{"camera", 0}});
  maker.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 0.1}}}}};
  const int mesh = maker.node("body", {{"mesh", 0}, {"skin", 0}});
  const int positions = maker.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  maker.json["accessors"][positions]["min"] = {0, 0, 0};
  maker.json["accessors"][positions]["max"] = {1, 1, 0};
  maker.json["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", positions}}}, {"targets", {{{"POSITION", positions}}}}}}},
       {"weights", {0}}}};
  maker.json["skins"] = {{{"joints", {hips, 2}}}};
  maker.json["materials"] = {{{"extensions", {{"ACME_paint", {{"empty", Json::array()}, {"big", 12345678901234}}}}}}};
  maker.json["extensionsUsed"] = {"ACME_paint"};
  maker.json["extras"] = {{"nothing", nullptr}};
  const int times = maker.floats({0, 0.5, 1}, "SCALAR");
  maker.animation("nod");
  maker.channel(hips, "rotation", times, maker.floats({0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 0, 1}, "VEC4"));
  maker.channel(hips, "translation", times, maker.floats({0, 100, 0, 10, 100, 0, 20, 90, 0}, "VEC3"));
  maker.channel(camera, "translation", times, maker.floats({0, 0, 1, 0, 0, 2, 0, 0, 3}, "VEC3"));
  maker.channel(mesh, "weights", times, maker.floats({0, 0.5, 1}, "SCALAR"));
  maker.animation("only_camera");
  maker.channel(camera, "translation", times, maker.floats({0, 0, 1, 0, 5, 2, 0, 0, 3}, "VEC3"));
  return maker;
}

void write_bytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

TEST(GltfWriteBack, KeepsWhatItDoesNotKnow) {
  GltfFolder folder;
  const auto in = folder.path() / "in.glb", out = folder.path() / "out.glb";
  write_bytes(in, rich_file().glb());
  const auto motion = read_gltf(in);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton->name(0), "hips");
  EXPECT_LT((motion->skeleton->rest_positions()[1] - motion->skeleton->rest_positions()[0]).norm() - 0.6, 1e-6);
  ASSERT_TRUE(write_gltf(out, *motion));
  const test::NaiveGltf a(in), b(out);
  for (const char* key : {"materials", "extensionsUsed", "extras", "cameras", "meshes", "skins", "nodes"}) {
    EXPECT_EQ(a.json[key], b.json[key]) << key;
  }
  ASSERT_EQ(b.json["animations"].size(), 2u);
  EXPECT_EQ(b.json["animations"][0]["channels"].size(), 4u);
  EXPECT_EQ(b.json["animations"][1]["name"], "only_camera");
  for (double time : {0.0, 0.25, 0.5, 0.8, 1.0}) {
    for (int animation : {0, 1}) {
      for (int node = 0; node < 4; ++node) {
        const Eigen::Matrix4d difference =
            a.world_from_node(node, animation, time).matrix() - b.world_from_node(node, animation, time).matrix();
        EXPECT_LT(difference.cwiseAbs().maxCoeff(), time == 0.8 ? 2e-3 : 1e-5) << node << " " << time;
      }
    }
  }
}

TEST(GltfWriteBack, AnEditedClipMovesTheNodes) {
  GltfFolder folder;
  const auto in = folder.path() / "in.glb", out = folder.path() / "out.glb";
  write_bytes(in, rich_file().glb());
  auto motion = read_gltf(in);
  ASSERT_TRUE(motion) << motion.error().message;
  Clip& clip = motion->clips[0];
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    clip.set_translation(frame, 0, clip.translation(frame, 0) + Vec3f(0, 0.5f, 0));
    clip.set_rotation(frame, 1, Quatf(Eigen::AngleAxisf(0.3f, Vec3f::UnitX())));
  }
  ASSERT_TRUE(write_gltf(out, *motion));
  const test::NaiveGltf a(in), b(out);
  const Vec3d moved = b.world_from_node(1, 0, 0.5).translation() - a.world_from_node(1, 0, 0.5).translation();
  EXPECT_LT((moved - Vec3d(0, 0.5, 0)).norm(), 1e-5);
  const MotionFile back = write_and_read(*motion);
  EXPECT_LT(largest_distance(back.clips[0], clip), 1e-5);
}

TEST(GltfWriteBack, AChannelWithoutATargetIsKept) {
  GltfMaker maker = rich_file();
  maker.json["animations"][0]["channels"].push_back({{"sampler", 0}});
  const auto motion = parse_gltf(maker.glb(), "in.glb", {});
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(write_and_read(*motion).clips.size(), 1u);
}

TEST(GltfWriteBack, UnevenScaleIsTurnedBack) {
  GltfMaker maker = rich_file();
  maker.json["nodes"][1]["scale"] = {1, 1.5, 0.8};
  maker.json["nodes"][2]["rotation"] = {0.6, 0, 0, 0.8};
  GltfFolder folder;
  const auto in = folder.path() / "in.glb", out = folder.path() / "out.glb";
  write_bytes(in, maker.glb());
  const auto motion = read_gltf(in);
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_TRUE(write_gltf(out, *motion));
  const test::NaiveGltf a(in), b(out);
  for (double time : {0.0, 0.5, 1.0}) {
    for (int node : {1, 2}) {
      const Eigen::Matrix4d difference =
          a.world_from_node(node, 0, time).matrix() - b.world_from_node(node, 0, time).matrix();
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-5) << node << " " << time;
    }
  }
}

TEST(GltfWriteBack, AnotherSkeletonIsWrittenAfresh) {
  auto motion = parse_gltf(rich_file().glb(), "in.glb", {});
  ASSERT_TRUE(motion);
  MotionFile other = file_of(Clip(scenes::dog(), 3, 0.1));
  other.gltf = motion->gltf;
  EXPECT_EQ(write_and_read(other).skeleton->joint_count(), scenes::dog()->joint_count());
}

TEST(GltfWriteBack, WritingTwiceDoesNotGrow) {
  GltfFolder folder;
  GltfMaker maker = rich_file();
  maker.json.erase("extensionsUsed");
  maker.json.erase("materials");
  write_bytes(folder.path() / "0.glb", maker.glb());
  for (int i = 0; i < 3; ++i) {
    const auto motion = read_gltf(folder.path() / fmt::format("{}.glb", i));
    ASSERT_TRUE(motion) << motion.error().message;
    ASSERT_TRUE(write_gltf(folder.path() / fmt::format("{}.glb", i + 1), *motion));
  }
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "2.glb"), std::filesystem::file_size(folder.path() / "3.glb"));
}

std::string image_bytes(const test::NaiveGltf& file, std::size_t image) {
  const Json& json = file.json["images"][image];
  return json.contains("bufferView") ? file.view_bytes(json["bufferView"]) : json["uri"].get<std::string>();
}

TEST(GltfWriteBack, ABodyReadInCentimetresKeepsItsNodesInCentimetres) {
  GltfMaker maker;
  const int hips = maker.node("hips", {{"translation", {0, 90, 0}}});
  maker.node("head", {{"translation", {0, 80, 0}}}, hips);
  maker.channel(hips, "translation", maker.floats({0, 1}, "SCALAR"), maker.floats({0, 90, 0, 50, 90, 0}, "VEC3"));
  maker.node("hand", {{"translation", {0, 120, 0}}}, hips);
  GltfFolder folder;
  write_bytes(folder.path() / "a.glb", maker.glb());
  const auto motion = read_gltf(folder.path() / "a.glb");
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->unit_m, 0.01);
  ASSERT_TRUE(write_gltf(folder.path() / "b.glb", *motion));
  const test::NaiveGltf a(folder.path() / "a.glb"), b(folder.path() / "b.glb");
  for (int node = 0; node < 3; ++node) {
    for (const double time : {0.0, 0.5, 1.0}) {
      EXPECT_LT((a.world_from_node(node, 0, time).matrix() - b.world_from_node(node, 0, time).matrix()).norm(), 1e-3);
    }
  }
}

TEST(GltfWriteBack, ImagesAreNamedByTheirExtensionInAnyCase) {
  GltfFolder folder;
  std::filesystem::create_directory(folder.path() / "out");
  GltfMaker maker;
  maker.node("a");
  maker.json["images"] = {{{"uri", "a.JPEG"}}, {{"uri", "b.WebP"}}, {{"uri", "c.png"}}};
  for (const char* name : {"a.JPEG", "b.WebP", "c.png"}) std::ofstream(folder.path() / name) << "bytes";
  write_bytes(folder.path() / "a.glb", maker.glb());
  ASSERT_TRUE(write_gltf(folder.path() / "out" / "a.glb", *read_gltf(folder.path() / "a.glb")));
  const test::NaiveGltf written(folder.path() / "out" / "a.glb");
  EXPECT_EQ(written.json["images"][0]["mimeType"], "image/jpeg");
  EXPECT_EQ(written.json["images"][1]["mimeType"], "image/webp");
  EXPECT_EQ(written.json["images"][2]["mimeType"], "image/png");

  maker.json["images"] = {{{"uri", "../secret.png"}}};
  write_bytes(folder.path() / "a.glb", maker.glb());
  const auto refused = write_gltf(folder.path() / "out" / "a.glb", *read_gltf(folder.path() / "a.glb"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("images[0].uri: '../secret.png' is no file in the source's"));
}

TEST(GltfWriteBack, RealFilesKeepMeshesAndWorldMatrices) {
  SHOSA_NEEDS_REAL_DATA();
  GltfFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(test::real_data_dir() / "gltf")) {
    SCOPED_TRACE(entry.path().filename());
    const auto motion = read_gltf(entry.path());
    ASSERT_TRUE(motion) << motion.error().message;
    const auto out = folder.path() / "out.glb";
    ASSERT_TRUE(write_gltf(out, *motion));
    const test::NaiveGltf a(entry.path()), b(out);
    ASSERT_EQ(a.json["animations"].size(), b.json["animations"].size());

    const double unit = motion->unit_m;
    EXPECT_EQ(unit, entry.path().filename() == "Fox.glb" ? 0.01 : 1.0);
    for (int animation = 0; animation < static_cast<int>(a.json["animations"].size()); ++animation) {
      double position = 0.0, axes = 0.0;
      for (double time : a.key_times(animation)) {
        for (std::size_t node = 0; node < a.node_count(); ++node) {
          const auto p = a.world_from_node(static_cast<int>(node), animation, time);
          const auto q = b.world_from_node(static_cast<int>(node), animation, time);
          position = std::max(position, unit * (p.translation() - q.translation()).norm());
          axes = std::max(axes, (p.linear() - q.linear()).norm() / p.linear().norm());
        }
      }
      EXPECT_LT(position, 1e-4) << animation;
      EXPECT_LT(axes, 1e-5) << animation;
    }

    const Json& meshes_a = a.json.value("meshes", Json::array());
    ASSERT_EQ(meshes_a.size(), b.json.value("meshes", Json::array()).size());
    for (std::size_t m = 0; m < meshes_a.size(); ++m) {
      for (std::size_t p = 0; p < meshes_a[m]["primitives"].size(); ++p) {
        const Json& pa = a.json["meshes"][m]["primitives"][p];
        const Json& pb = b.json["meshes"][m]["primitives"][p];
        EXPECT_EQ(pa.value("material", -1), pb.value("material", -1));
        for (const auto& [name, accessor] : pa["attributes"].items()) {
          auto expected = a.accessor(accessor);
          const auto found = b.accessor(pb["attributes"][name]);
          if (name == "WEIGHTS_0") {
            // Written with the sum 1, as the specification asks.
            for (std::size_t v = 0; v + 3 < expected.size(); v += 4) {
              const double sum = expected[v] + expected[v + 1] + expected[v + 2] + expected[v + 3];
              for (std::size_t k = v; k < v + 4; ++k) EXPECT_NEAR(found[k], expected[k] / sum, 1e-6) << name;
            }
            continue;
          }
          EXPECT_EQ(expected, found) << name;
        }
        if (pa.contains("indices")) {
          EXPECT_EQ(a.accessor(pa["indices"]), b.accessor(pb["indices"]));
        }
      }
    }
    for (std::size_t i = 0; i < a.json.value("images", Json::array()).size(); ++i) {
      EXPECT_EQ(image_bytes(a, i), image_bytes(b, i));
    }
  }
}

}  // namespace
}  // namespace shosa::io
