#include <cassert>
#include <cmath>
#include <numbers>

#include "scenes/random.h"
#include "scenes/scenes.h"

namespace shosa::scenes {
namespace {

/// Adds joints by the name of their parent.
class Builder {
 public:
  JointIndex joint(const std::string& name, const std::string& parent, double x, double y, double z) {
    joints_.push_back({.name = name, .parent = find(parent), .rest_translation_m = Vec3d(x, y, z).cast<float>()});
    return static_cast<JointIndex>(joints_.size()) - 1;
  }
  void end(const std::string& parent, double x, double y, double z) {
    end_sites_.push_back({.name = parent + "_end", .parent = find(parent), .offset_m = Vec3d(x, y, z).cast<float>()});
  }
  std::shared_ptr<const Skeleton> build() {
    auto skeleton = Skeleton::create(std::move(joints_), std::move(end_sites_));
    assert(skeleton.has_value());
    return std::make_shared<const Skeleton>(std::move(*skeleton));
  }

 private:
  JointIndex find(const std::string& name) const {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].name == name) return static_cast<JointIndex>(i);
    }
    return kNoJoint;
  }
  std::vector<Joint> joints_;
  std::vector<EndSite> end_sites_;
};

}  // namespace

std::shared_ptr<const Skeleton> humanoid() {
  Builder b;
  b.joint("hips", "", 0, 0.95, 0);
  for (const auto& [side, x] : {std::pair{std::string("left"), 1.0}, {std::string("right"), -1.0}}) {
    b.joint(side + "_upper_leg", "hips", 0.09 * x, -0.03, 0);
    b.joint(side + "_lower_leg", side + "_upper_leg", 0, -0.42, 0);
    b.joint(side + "_foot", side + "_lower_leg", 0, -0.42, 0);
    b.joint(side + "_toes", side + "_foot", 0, -0.06, 0.13);
    b.end(side + "_toes", 0, -0.01, 0.07);
  }
  b.joint("spine", "hips", 0, 0.10, 0);
  b.joint("chest", "spine", 0, 0.13, 0);
  b.joint("upper_chest", "chest", 0, 0.13, 0);
  b.joint("neck", "upper_chest", 0, 0.17, 0);
  b.joint("head", "neck", 0, 0.09, 0.01);
  b.end("head", 0, 0.18, 0);
  for (const auto& [side, x] : {std::pair{std::string("left"), 1.0}, {std::string("right"), -1.0}}) {
    b.joint(side + "_shoulder", "upper_chest", 0.03 * x, 0.12, 0);
    b.joint(side + "_upper_arm", side + "_shoulder", 0.14 * x, 0, 0);
    b.joint(side + "_lower_arm", side + "_upper_arm", 0.28 * x, 0, 0);
    b.joint(side + "_hand", side + "_lower_arm", 0.25 * x, 0, 0);
    b.end(side + "_hand", 0.17 * x, 0, 0);
  }
  return b.build();
}

std::shared_ptr<const Skeleton> dog() {
  Builder b;
  b.joint("hips", "", 0, 0.58, -0.32);
  b.joint("spine", "hips", 0, 0.01, 0.20);
  b.joint("chest", "spine", 0, -0.01, 0.20);
  b.joint("neck", "chest", 0, 0.06, 0.22);
  b.joint("head", "neck", 0, 0.17, 0.14);
  b.end("head", 0, -0.03, 0.20);
  for (const auto& [side, x] : {std::pair{std::string("left"), 1.0}, {std::string("right"), -1.0}}) {
    b.joint(side + "_shoulder", "chest", 0.04 * x, 0.02, 0.12);
    b.joint(side + "_upper_arm", side + "_shoulder", 0.05 * x, -0.12, 0.08);
    b.joint(side + "_lower_arm", side + "_upper_arm", 0, -0.15, -0.08);
    b.joint(side + "_hand", side + "_lower_arm", 0, -0.20, 0.02);
    b.end(side + "_hand", 0, -0.11, 0.05);
  }
  for (const auto& [side, x] : {std::pair{std::string("left"), 1.0}, {std::string("right"), -1.0}}) {
    b.joint(side + "_upper_leg", "hips", 0.08 * x, -0.04, 0);
    b.joint(side + "_lower_leg", side + "_upper_leg", 0, -0.18, 0.07);
    b.joint(side + "_foot", side + "_lower_leg", 0, -0.18, -0.13);
    b.joint(side + "_toes", side + "_foot", 0, -0.16, 0.04);
    b.end(side + "_toes", 0, -0.02, 0.06);
  }
  b.joint("tail_1", "hips", 0, 0.02, -0.10);
  b.joint("tail_2", "tail_1", 0, -0.05, -0.14);
  b.end("tail_2", 0, -0.04, -0.15);
  return b.build();
}

std::shared_ptr<const Skeleton> chain(int joint_count, double bone_m) {
  assert(joint_count >= 1);
  Builder b;
  for (int i = 0; i < joint_count; ++i) {
    b.joint("joint_" + std::to_string(i), i == 0 ? "" : "joint_" + std::to_string(i - 1), 0, i == 0 ? 0.0 : bone_m, 0);
  }
  b.end("joint_" + std::to_string(joint_count - 1), 0, bone_m, 0);
  return b.build();
}

std::shared_ptr<const Skeleton> random_tree(int joint_count, std::uint64_t seed) {
  assert(joint_count >= 1);
  Random random(seed);
  std::vector<Joint> joints;
  std::vector<bool> is_leaf(static_cast<std::size_t>(joint_count), true);
  for (int i = 0; i < joint_count; ++i) {
    Joint joint{.name = "joint_" + std::to_string(i)};
    if (i > 0) {
      // Half the joints continue the chain, the others branch off anywhere.
      joint.parent = random.uniform() < 0.5 ? i - 1 : random.index(i);
      is_leaf[joint.parent] = false;
    }
    const double length_m = random.uniform() < 0.1 ? 0.0 : random.uniform(0.02, 0.4);
    joint.rest_translation_m = (random.direction() * length_m).cast<float>();
    joint.rest_rotation = random.rotation().cast<float>();
    joints.push_back(joint);
  }
  std::vector<EndSite> end_sites;
  for (int i = 0; i < joint_count; ++i) {
    if (!is_leaf[i]) continue;
    end_sites.push_back({.name = "end_" + std::to_string(i),
                         .parent = i,
                         .offset_m = (random.direction() * random.uniform(0.01, 0.2)).cast<float>()});
  }
  auto skeleton = Skeleton::create(std::move(joints), std::move(end_sites));
  assert(skeleton.has_value());
  return std::make_shared<const Skeleton>(std::move(*skeleton));
}

Clip random_clip(std::shared_ptr<const Skeleton> skeleton, int frame_count, std::uint64_t seed, double fps) {
  assert(frame_count >= 1 && fps > 0.0);
  Random random(seed);
  Clip clip(skeleton, frame_count, 1.0 / fps);
  clip.set_name("random_" + std::to_string(seed));
  const double turn = 2.0 * std::numbers::pi;

  for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
    const Quatd rest = skeleton->joint(joint).rest_rotation.cast<double>();
    const Vec3d axis_a = random.direction();
    const Vec3d axis_b = random.direction();
    const double hz_a = random.uniform(0.2, 1.5), hz_b = random.uniform(0.2, 3.0);
    const double phase_a = random.uniform(0.0, turn), phase_b = random.uniform(0.0, turn);
    const double reach_a = random.uniform(0.1, 1.2), reach_b = random.uniform(0.0, 0.4);
    for (int frame = 0; frame < frame_count; ++frame) {
      const double t = frame / fps;
      const Quatd a(Eigen::AngleAxisd(reach_a * std::sin(turn * hz_a * t + phase_a), axis_a));
      const Quatd b(Eigen::AngleAxisd(reach_b * std::sin(turn * hz_b * t + phase_b), axis_b));
      clip.set_rotation(frame, joint, (rest * a * b).normalized().cast<float>());
    }
  }

  const Vec3d base = skeleton->joint(0).rest_translation_m.cast<double>();
  const Vec3d reach(random.uniform(0.2, 2.0), random.uniform(0.02, 0.1), random.uniform(0.2, 2.0));
  const Vec3d hz(random.uniform(0.05, 0.3), random.uniform(0.5, 2.0), random.uniform(0.05, 0.3));
  const Vec3d phase(random.uniform(0.0, turn), random.uniform(0.0, turn), random.uniform(0.0, turn));
  for (int frame = 0; frame < frame_count; ++frame) {
    const double t = frame / fps;
    Vec3d p = base;
    for (int axis = 0; axis < 3; ++axis) p[axis] += reach[axis] * std::sin(turn * hz[axis] * t + phase[axis]);
    clip.set_translation(frame, 0, p.cast<float>());
  }
  return clip;
}

}  // namespace shosa::scenes
