#pragma once

#include <memory>
#include <random>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/rotations.h"

namespace shosa::test {

/// A skeleton of the same bones with other joint axes and another rest pose, and the way to say the same posture on it.
///
/// `frames[j]` are the new axes of joint j in the old ones: the same posture has world rotations W_j * frames[j]. The
/// rest pose is the posture with the old local rotations `rest`.
struct OtherBody {
  std::shared_ptr<const Skeleton> old, skeleton;
  std::vector<Quatd> frames;

  static OtherBody make(std::shared_ptr<const Skeleton> old, std::vector<Quatd> frames,
                        const std::vector<Quatd>& rest) {
    std::vector<Joint> joints;
    std::vector<EndSite> sites(old->end_sites().begin(), old->end_sites().end());
    const auto back = [&](JointIndex parent) {
      return parent == kNoJoint ? Quatd::Identity() : frames[parent].conjugate();
    };
    for (JointIndex j = 0; j < old->joint_count(); ++j) {
      Joint joint = old->joint(j);
      const auto i = static_cast<std::size_t>(j);
      joint.rest_translation_m = (back(joint.parent) * joint.rest_translation_m.cast<double>()).cast<float>();
      joint.rest_rotation = (back(joint.parent) * rest[i] * frames[i]).normalized().cast<float>();
      joints.push_back(joint);
    }
    for (EndSite& site : sites) site.offset_m = (back(site.parent) * site.offset_m.cast<double>()).cast<float>();
    auto skeleton = Skeleton::create(std::move(joints), std::move(sites));
    return {old, std::make_shared<const Skeleton>(std::move(*skeleton)), std::move(frames)};
  }

  /// The same postures on the new skeleton.
  Clip on_it(const Clip& clip) const {
    Clip out(skeleton, clip.frame_count(), clip.frame_time_s(), clip.translated());
    for (int f = 0; f < clip.frame_count(); ++f) {
      for (JointIndex j = 0; j < clip.joint_count(); ++j) {
        const JointIndex parent = skeleton->parent(j);
        const Quatd back = parent == kNoJoint ? Quatd::Identity() : frames[parent].conjugate();
        out.set_rotation(f, j, (back * clip.rotation(f, j).cast<double>() * frames[j]).cast<float>());
      }
      out.set_translation(f, 0, clip.translation(f, 0));
    }
    return out;
  }
};

inline std::vector<Quatd> no_turns(const Skeleton& skeleton) {
  return std::vector<Quatd>(static_cast<std::size_t>(skeleton.joint_count()), Quatd::Identity());
}

inline std::vector<Quatd> random_turns(const Skeleton& skeleton, unsigned seed) {
  std::mt19937 random(seed);
  const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0 * 2.0 - 1.0; };
  std::vector<Quatd> turns;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    turns.push_back(Quatd(unit() + 1e-3, unit(), unit(), unit()).normalized());
  }
  return turns;
}

/// Axes as many capture programs choose them, x along the bone; and a rest pose in which no joint is turned, so that
/// all bones lie along one axis and the body is no body.
inline OtherBody zero_direction_body(std::shared_ptr<const Skeleton> old) {
  std::vector<Quatd> frames = no_turns(*old);
  for (JointIndex j = 0; j < old->joint_count(); ++j) {
    for (const JointIndex child : old->children(j)) {
      const Vec3d along = old->joint(child).rest_translation_m.cast<double>();
      if (along.norm() > 1e-6) frames[j] = shortest_turn(Vec3d::UnitX(), along);
    }
  }
  std::vector<Quatd> rest = no_turns(*old);
  for (JointIndex j = 0; j < old->joint_count(); ++j) {
    const JointIndex parent = old->parent(j);
    const auto i = static_cast<std::size_t>(j);
    rest[i] = (parent == kNoJoint ? Quatd::Identity() : frames[parent]) * frames[i].conjugate();
  }
  return OtherBody::make(std::move(old), std::move(frames), rest);
}

}  // namespace shosa::test
