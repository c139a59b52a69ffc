#pragma once

#include "shosa/core/aligned.h"
#include "shosa/core/types.h"

// Addresses inside the lane layout: joint j lives in block j / kLanes, lane j % kLanes.

namespace shosa {

constexpr std::ptrdiff_t rotation_lane_floats(int joint_count) {
  return static_cast<std::ptrdiff_t>(block_count(joint_count)) * 4 * kLanes;
}
constexpr std::ptrdiff_t translation_lane_floats(int joint_count) {
  return static_cast<std::ptrdiff_t>(block_count(joint_count)) * 3 * kLanes;
}
/// Offset of the joint's x; y, z, w follow kLanes floats apart.
constexpr std::ptrdiff_t rotation_lane(JointIndex joint) {
  return (joint / kLanes) * 4 * kLanes + joint % kLanes;
}
constexpr std::ptrdiff_t translation_lane(JointIndex joint) {
  return (joint / kLanes) * 3 * kLanes + joint % kLanes;
}

inline Quatf load_rotation(const float* lanes, JointIndex joint) {
  const float* lane = lanes + rotation_lane(joint);
  return {lane[3 * kLanes], lane[0], lane[kLanes], lane[2 * kLanes]};
}

inline void store_rotation(float* lanes, JointIndex joint, const Quatf& rotation) {
  float* lane = lanes + rotation_lane(joint);
  for (int c = 0; c < 4; ++c) lane[c * kLanes] = rotation.coeffs()[c];
}

inline Vec3f load_translation(const float* lanes, JointIndex joint) {
  const float* lane = lanes + translation_lane(joint);
  return {lane[0], lane[kLanes], lane[2 * kLanes]};
}

inline void store_translation(float* lanes, JointIndex joint, const Vec3f& translation) {
  float* lane = lanes + translation_lane(joint);
  for (int axis = 0; axis < 3; ++axis) lane[axis * kLanes] = translation[axis];
}

inline void fill_identity_rotations(float* lanes, int joint_count) {
  const JointIndex padded = block_count(joint_count) * kLanes;
  for (JointIndex j = 0; j < padded; ++j) store_rotation(lanes, j, Quatf::Identity());
}

}  // namespace shosa
