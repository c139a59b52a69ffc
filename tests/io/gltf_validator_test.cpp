#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "io/bvh.h"
#include "io/gltf.h"
#include "scenes/scenes.h"
#include "support/gltf_files.h"
#include "support/real_data.h"

// Khronos' glTF validator (npm package gltf-validator) over what we write.

namespace shosa::io {
namespace {

using Json = nlohmann::json;
using test::GltfFolder;

/// Standard output of a shell command; `status` is its exit status.
std::string run(const std::string& command, int& status) {
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), count);
  status = ::pclose(pipe);
  return output;
}

std::string validator_dir() {
  return test::build_dir().string() + "/gltf_validator";
}

/// Installs the validator once; several tests may start together, so under a lock.
void install_validator() {
  const std::string dir = validator_dir();
  int status = 0;
  run("command -v node && command -v npm && command -v flock", status);
  ASSERT_EQ(status, 0) << "node, npm and flock are needed for the glTF validator: run tools/setup";
  const std::string output = run("cd '" + dir +
                                     "' && flock npm.lock sh -c 'cmp -s package-lock.json installed.stamp || "
                                     "(npm ci --no-audit --no-fund && cp package-lock.json installed.stamp)' 2>&1",
                                 status);
  ASSERT_EQ(status, 0) << "npm ci in " << dir << " failed:\n" << output;
}

Json validate(const std::filesystem::path& folder) {
  int status = 0;
  const std::string output =
      run("node '" + validator_dir() + "/validate.mjs' '" + folder.string() + "' 2>/dev/null", status);
  EXPECT_EQ(status, 0);
  const Json report = Json::parse(output, nullptr, false);
  EXPECT_TRUE(report.is_object()) << output;
  return report;
}

void expect_clean(const Json& report, std::size_t files) {
  EXPECT_EQ(report.size(), files);
  for (const auto& [name, result] : report.items()) {
    EXPECT_EQ(result["errors"], 0) << name << "\n" << result["messages"].dump(1);
    EXPECT_EQ(result["warnings"], 0) << name << "\n" << result["messages"].dump(1);
  }
}

class GltfValidator : public testing::Test {
 protected:
  void SetUp() override { install_validator(); }
};

TEST_F(GltfValidator, SeesErrors) {
  GltfFolder folder;
  std::ofstream(folder.path() / "bad.gltf") << R"({"asset": {"version": "2.0"}, "scene": 3})";
  EXPECT_GT(validate(folder.path())["bad.gltf"]["errors"], 0);
}

TEST_F(GltfValidator, FindsNothingInScenes) {
  GltfFolder folder;
  std::size_t files = 0;
  const auto write = [&](Clip clip, const std::string& name) {
    MotionFile motion;
    motion.skeleton = clip.skeleton_ptr();
    motion.body_map = body::guess_body_map(*motion.skeleton);
    motion.clips.push_back(clip);
    clip.set_name("again");
    motion.clips.push_back(std::move(clip));
    const auto written = write_gltf(folder.path() / name, motion);
    ASSERT_TRUE(written) << written.error().message;
    ++files;
  };
  write(scenes::random_clip(scenes::humanoid(), 50, 1), "human.glb");
  write(scenes::random_clip(scenes::humanoid(), 50, 1), "human.gltf");
  write(scenes::random_clip(scenes::humanoid(), 50, 1), "human.vrma");
  write(scenes::random_clip(scenes::dog(), 50, 2), "dog.glb");
  write(Clip(scenes::dog(), 1, 0.1), "posture.glb");
  write(Clip(scenes::chain(1), 5, 0.1), "one_joint.glb");
  write(scenes::random_clip(scenes::chain(300, 0.01), 5, 3), "many_joints.glb");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    write(scenes::random_clip(scenes::random_tree(30, seed), 20, seed), fmt::format("tree_{}.glb", seed));
  }
  expect_clean(validate(folder.path()), files);
}

TEST_F(GltfValidator, FindsNothingInConvertedBvh) {
  SHOSA_NEEDS_REAL_DATA();
  GltfFolder folder;
  std::vector<std::filesystem::path> sources = test::real_files("other-exporters", ".bvh");
  for (const char* dir : {"cmu-bvh", "bandai-NC", "dog-labrador", "dog-mann-NC"}) {
    const auto files = test::real_files(dir, ".bvh");
    ASSERT_FALSE(files.empty());
    sources.push_back(files.front());
  }
  for (const auto& path : sources) {
    const auto motion = read_bvh(path);
    ASSERT_TRUE(motion) << motion.error().message;
    const auto written = write_gltf(folder.path() / (path.stem().string() + ".glb"), *motion);
    ASSERT_TRUE(written) << written.error().message;
  }
  expect_clean(validate(folder.path()), sources.size());
}

TEST_F(GltfValidator, FindsNothingNewInFilesWrittenBack) {
  SHOSA_NEEDS_REAL_DATA();
  GltfFolder sources, results;
  for (const auto& entry : std::filesystem::directory_iterator(test::real_data_dir() / "gltf")) {
    const auto motion = read_gltf(entry.path());
    ASSERT_TRUE(motion) << motion.error().message;
    const std::string stem = entry.path().stem().string();
    const std::string kind = motion->format == "gltf" ? ".gltf" : ".glb";
    std::filesystem::copy_file(entry.path(), sources.path() / (stem + kind));
    ASSERT_TRUE(write_gltf(results.path() / (stem + kind), *motion));
  }
  const Json before = validate(sources.path()), after = validate(results.path());
  ASSERT_EQ(before.size(), 7u);
  ASSERT_EQ(after.size(), 7u);
  for (const auto& [name, result] : after.items()) {
    EXPECT_EQ(result["errors"], 0) << name << "\n" << result["messages"].dump(1);
    EXPECT_LE(result["warnings"], before[name]["warnings"]) << name << "\n" << result["messages"].dump(1);
  }
}

}  // namespace
}  // namespace shosa::io
