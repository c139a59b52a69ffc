// Writes seeds for the fuzzers: make_corpus FOLDER puts FOLDER/bvh/*.bvh, FOLDER/gltf/*.glb … there.
//
// Motions of our own scenes, and what readers find hard: equal names, long names, deep trees.

#include <cstdio>
#include <filesystem>
#include <string>

#include "io/bvh.h"
#include "io/gltf.h"
#include "motions/motions.h"
#include "scenes/scenes.h"
#include "shosa/documents/body_map.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/io/atomic_file.h"

namespace {

using namespace shosa;

bool ok = true;

void put(const std::filesystem::path& path, std::string_view content) {
  const auto written = io::write_file_atomically(path, content);
  if (written) return;
  std::fprintf(stderr, "make_corpus: %s\n", written.error().message.c_str());
  ok = false;
}

/// `count` joints of one name, in a chain or side by side.
std::string equal_joints(int count, bool deep) {
  std::string text = "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n";
  for (int i = 0; i < count; ++i) text += deep ? "JOINT a{" : "JOINT a{}";
  return text + std::string(deep ? static_cast<std::size_t>(count) : 0, '}') +
         "}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0\n1\n";
}

std::string long_name() {
  std::string name = "rig:";
  for (int i = 0; i < 200; ++i) name += i % 3 == 0 ? "Left" : i % 3 == 1 ? "hand_" : "07";
  return name;
}

/// A chain of bones as ASF, and two frames for it.
std::string acclaim_skeleton(int bones) {
  std::string text =
      ":units\n  length 0.45\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n"
      "  orientation 0 0 0\n:bonedata\n";
  std::string hierarchy = ":hierarchy\n  begin\n";
  for (int i = 0; i < bones; ++i) {
    text += fmt::format("  begin\n    name b{}\n    direction 0 1 0\n    length 2\n    axis {} 0 20 XYZ\n", i, 10 * i);
    text += "    dof rx ry rz\n  end\n";
    hierarchy += i == 0 ? "    root b0\n" : fmt::format("    b{} b{}\n", i - 1, i);
  }
  return text + hierarchy + "  end\n";
}

std::string acclaim_motion(int bones) {
  std::string text = ":FULLY-SPECIFIED\n:DEGREES\n";
  for (int frame = 1; frame <= 2; ++frame) {
    text += fmt::format("{}\nroot 0 17 {} 0 0 0\n", frame, frame);
    for (int i = 0; i < bones; ++i) text += fmt::format("b{} {} {} 3\n", i, i, frame);
  }
  return text;
}

void put_scene(const std::filesystem::path& folder, const std::string& name, std::shared_ptr<const Skeleton> skeleton) {
  io::MotionFile motion;
  motion.skeleton = skeleton;
  motion.body_map = body::guess_body_map(*skeleton);
  motion.clips.push_back(scenes::random_clip(skeleton, 4, 1, 30.0));
  put(folder / "bvh" / (name + ".bvh"), io::format_bvh(motion.clips[0]).value_or(""));
  put(folder / "body_map" / (name + ".json"), documents::format_body_map(*skeleton, motion.body_map));
  for (const char* extension : {".glb", ".gltf", ".vrma"}) {
    // Only bodies with hips can be a .vrma.
    if (std::string_view(extension) == ".vrma" && !motion.body_map.has(body::Role::hips)) continue;
    const auto written = io::write_gltf(folder / "gltf" / (name + extension), motion);
    if (!written) std::fprintf(stderr, "make_corpus: %s\n", written.error().message.c_str());
    ok = ok && written;
  }
}

/// Two joints, a turn each and a foot that stands, in both forms.
void put_submovements(const std::filesystem::path& folder) {
  submovement::BodyDecomposition body{.skeleton = scenes::chain(2), .name = "two", .frame_count = 30};
  body.rotations.resize(2);
  body.rotations[0].submovements = {{-0.1, 0.4, {0.1, 0.2, 0.3}}, {0.2, 0.9, {1.0, 0.0, -1.0}}};
  body.rotations[1].submovements = {{0.0, 0.5, {0.0, 0.5, 0.0}}};
  body.translated = {0};
  body.translations = {{.start_m = {0, 1, 0}, .submovements = {{0.0, 1.0, {0.0, 0.0, 1.0}}}}};
  body.feet = {{.joint = 1,
                .heel_rest_m = 0.1,
                .stances = {{.time = {0.0, 0.3}, .ball_m = Vec3d(0, 0.1, 0.2), .rotation = Quatd::Identity()},
                            {.time = {0.3, 0.4}, .rises = true, .heel_m = Vec3d(0, 0.1, 0)}}}};
  put(folder / "submovement" / "two.submove", documents::encode_submovements(body));
  put(folder / "submovement_text" / "two.json", documents::format_submovements(body));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "make_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::error_code error;
  for (const char* name : {"bvh", "gltf", "asf", "amc", "body_map", "joint_ranges", "graph", "description",
                           "submovement", "submovement_text"}) {
    std::filesystem::create_directories(folder / name, error);
  }
  put_submovements(folder);
  put_scene(folder, "humanoid", scenes::humanoid());
  put_scene(folder, "dog", scenes::dog());
  put_scene(folder, "chain", scenes::chain(3));
  put_scene(folder, "tree", scenes::random_tree(12, 7));
  put_scene(
      folder, "long_names",
      std::make_shared<const Skeleton>(*Skeleton::create(
          {{.name = long_name()}, {.name = long_name() + "_end", .parent = 0, .rest_translation_m = {0, 1, 0}}})));
  put(folder / "bvh" / "equal_names.bvh", equal_joints(300, false));
  put(folder / "bvh" / "deep.bvh", equal_joints(300, true));
  put(folder / "asf" / "chain.asf", acclaim_skeleton(4));
  put(folder / "amc" / "chain.amc", acclaim_skeleton(4) + std::string(1, '\0') + acclaim_motion(4));
  put(folder / "body_map" / "deep.json", "{\"kind\":" + std::string(200, '[') + std::string(200, ']') + "}");
  put(folder / "joint_ranges" / "both_forms.json",
      R"({"joint_ranges": [{"joint": "LFoot", "hinge": {"axis": [1, 0, 0], "min_deg": -5, "max_deg": 140}},
  {"joint": "hips", "bone": [0, 1, 0], "corners": [[0, 0.1, -90, 90], [0.1, -0.1, -90, 90], [-0.1, -0.1, 0, 180]],
   "triangles": [[0, 1, 2]]}]})");
  const auto human = posing::human_ranges(*scenes::humanoid(), body::guess_body_map(*scenes::humanoid()));
  put(folder / "joint_ranges" / "human.json",
      human ? documents::format_joint_ranges(*human, *scenes::humanoid(), body::guess_body_map(*scenes::humanoid()))
            : "");
  put(folder / "graph" / "by_hand.json",
      R"({"nodes": [{"id": 5, "clip": "walk.bvh", "time_s": 0.25, "default": 2, "name": "walk"}, {"id": 9, "clip": null}],
 "links": [{"id": 2, "from": 5, "to": 9, "time_s": 0.1, "hurry": 30}, {"id": 4, "from": 9, "to": 5, "time_s": 0}]})");
  for (const std::string& name : motions::names()) {
    put(folder / "description" / (name + ".motion"), motions::description_text(name));
  }
  std::string nodes;
  for (int i = 0; i < 100; ++i) {
    nodes += fmt::format("{}{{\"name\":\"a\"{}}}", i == 0 ? "" : ",",
                         i < 99 ? fmt::format(",\"children\":[{}]", i + 1) : "");
  }
  put(folder / "gltf" / "deep_equal_names.gltf", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[" + nodes + "]}");
  return ok ? 0 : 1;
}
