#include <gmock/gmock.h>
#include <tiny_gltf.h>

#include <map>

#include "io/bvh.h"
#include "io/gltf.h"
#include "io/place.h"
#include "io/real_bvh.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "support/gltf_files.h"
#include "support/naive_bvh.h"
#include "support/real_data.h"
#ifdef SHOSA_HAS_ASSIMP
#include "support/assimp_scene.h"
#endif

// Positions of our readers against readers nobody here wrote (Assimp, tinygltf), and against naive ones where those
// err.

namespace shosa::io {
namespace {

constexpr double kTolerance_m = 1e-4;

/// First, last and some frames between.
std::vector<int> some_frames(int count, int wanted) {
  std::vector<int> frames;
  for (int i = 0; i < wanted; ++i) {
    const int frame = wanted == 1 ? 0 : static_cast<int>(static_cast<long long>(i) * (count - 1) / (wanted - 1));
    if (frames.empty() || frames.back() != frame) frames.push_back(frame);
  }
  return frames;
}

/// What position channels mean, file by file, as found by looking at them: MakeHuman's are added to the OFFSET (zeros
/// where the OFFSET is not), those of all others in the collection replace it. The root of its T-pose repeats its
/// OFFSET in Y and so replaces it too.
bool positions_are_added(const std::filesystem::path& path, bool root) {
  const std::string name = path.filename().string();
  return name.starts_with("makehuman_") && !(root && name == "makehuman_tpose.bvh");
}

TEST(SecondReader, EveryBvhAgreesWithTheNaiveReader) {
  for_every_real_bvh([](const std::filesystem::path& path, const MotionFile& motion) {
    const Clip& clip = motion.clips[0];
    const Skeleton& skeleton = clip.skeleton();
    const test::NaiveBvh naive(path.string(), positions_are_added(path, true), positions_are_added(path, false));
    ASSERT_EQ(static_cast<int>(naive.frames.size()), clip.frame_count());
    ASSERT_EQ(static_cast<int>(naive.nodes.size()),
              skeleton.joint_count() + static_cast<int>(skeleton.end_sites().size()));
    const Quatd turn = world_from_file(motion.up);
    double worst = 0.0;
    for (int frame : some_frames(clip.frame_count(), 25)) {
      const WorldPose world = forward_kinematics(skeleton, clip.frame(frame));
      int joint = 0, site = 0;
      for (std::size_t i = 0; i < naive.nodes.size(); ++i) {
        const Vec3d expected =
            turn * (motion.unit_m * naive.world_from_node(static_cast<int>(i), frame).topRightCorner<3, 1>());
        const Vec3d found =
            naive.nodes[i].end_site ? world.end_site(skeleton.end_sites()[site++]) : world.positions[joint++];
        worst = std::max(worst, (found - expected).norm());
      }
    }
    EXPECT_LT(worst, kTolerance_m);
  });
}

#ifdef SHOSA_HAS_ASSIMP

/// Where Assimp 5.2 reads a BVH otherwise than it is meant. The naive reader above covers these files too.
const std::map<std::string, std::string> kAssimpErrs = {
    {"Boxing_Toes.bvh", "stops at the declared frame count, one before the last line"},
    {"makehuman_face-poseunits.bvh", "takes positions for the whole translation where they are added to the OFFSET"},
    {"makehuman_tpose.bvh", "takes positions for the whole translation where they are added to the OFFSET"},
    {"makehuman_walk1.bvh", "takes positions for the whole translation where they are added to the OFFSET"},
};

TEST(SecondReader, BvhAgreesWithAssimp) {
  for_every_real_bvh([](const std::filesystem::path& path, const MotionFile& motion) {
    const Clip& clip = motion.clips[0];
    const test::AssimpScene scene(path);
    ASSERT_TRUE(scene.loaded()) << scene.error();
    const Quatd file_from_world = world_from_file(motion.up).conjugate();
    double worst_m = 0.0;
    for (int frame : some_frames(clip.frame_count(), 5)) {
      const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(frame));
      for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
        const Vec3d in_file = file_from_world * world.positions[joint] / motion.unit_m;
        worst_m = std::max(worst_m, motion.unit_m * scene.distance(clip.skeleton().name(joint), in_file, 0, frame));
      }
    }
    const auto known = kAssimpErrs.find(path.filename().string());
    if (known == kAssimpErrs.end()) {
      EXPECT_LT(worst_m, kTolerance_m);
    } else {
      EXPECT_GT(worst_m, kTolerance_m) << "Assimp no longer " << known->second;
    }
  });
}

/// Compares every clip of a glTF file with Assimp's reading of the same file.
void expect_assimp_agrees(const std::filesystem::path& path) {
  SCOPED_TRACE(path.filename());
  const auto motion = read_gltf(path);
  ASSERT_TRUE(motion) << motion.error().message;
  const test::AssimpScene scene(path);
  ASSERT_TRUE(scene.loaded()) << scene.error();
  ASSERT_EQ(scene.animation_count(), static_cast<int>(motion->clips.size()));
  for (std::size_t c = 0; c < motion->clips.size(); ++c) {
    const Clip& clip = motion->clips[c];
    const int animation = static_cast<int>(c);
    double worst_m = 0.0;
    for (int frame : some_frames(clip.frame_count(), 10)) {
      const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(frame));
      const double time = frame * clip.frame_time_s() * scene.ticks_per_second(animation);
      for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
        // Assimp writes "nodes[2]" where a node has no name and we write "node_2".
        std::string name = clip.skeleton().name(joint);
        if (scene.find(name).empty()) name = "nodes[" + name.substr(name.find('_') + 1) + "]";
        const Vec3d in_file = world.positions[joint] / motion->unit_m;
        worst_m = std::max(worst_m, motion->unit_m * scene.distance(name, in_file, animation, time));
      }
    }
    EXPECT_LT(worst_m, kTolerance_m) << clip.name();
  }
}

TEST(SecondReader, RealGltfAgreesWithAssimp) {
  SHOSA_NEEDS_REAL_DATA();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::real_data_dir() / "gltf")) {
    if (entry.path().extension() == ".vrma") continue;  // Assimp goes by the extension and does not know it.
    expect_assimp_agrees(entry.path());
    ++files;
  }
  EXPECT_GE(files, 6);
}

TEST(SecondReader, WrittenGlbAgreesWithAssimp) {
  test::GltfFolder folder;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    MotionFile motion;
    motion.clips.push_back(scenes::random_clip(scenes::random_tree(20, seed), 40, seed));
    motion.skeleton = motion.clips[0].skeleton_ptr();
    const auto path = folder.path() / fmt::format("{}.glb", seed);
    ASSERT_TRUE(write_gltf(path, motion));
    expect_assimp_agrees(path);
  }
}

#endif

TEST(SecondReader, TinygltfLoadsWhatWeWrite) {
  test::GltfFolder folder;
  MotionFile motion;
  motion.skeleton = scenes::humanoid();
  motion.body_map = body::guess_body_map(*motion.skeleton);
  motion.clips.push_back(scenes::random_clip(motion.skeleton, 20, 4));
  motion.clips.push_back(Clip(motion.skeleton, 1, 0.1));
  for (const char* name : {"a.glb", "a.gltf", "a.vrma"}) {
    const auto path = folder.path() / name;
    ASSERT_TRUE(write_gltf(path, motion));
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string error, warning;
    const bool binary = path.extension() != ".gltf";
    EXPECT_TRUE(binary ? loader.LoadBinaryFromFile(&model, &error, &warning, path.string())
                       : loader.LoadASCIIFromFile(&model, &error, &warning, path.string()))
        << error;
    EXPECT_EQ(error + warning, "");
    EXPECT_EQ(model.animations.size(), 2u);
    EXPECT_EQ(model.skins.size(), path.extension() == ".vrma" ? 0u : 1u);
  }
}

}  // namespace
}  // namespace shosa::io
