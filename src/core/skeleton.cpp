#include "shosa/core/skeleton.h"

#include <algorithm>
#include <cmath>

#include "core/lanes.h"

namespace shosa {

Result<Skeleton> Skeleton::create(std::vector<Joint> joints, std::vector<EndSite> end_sites) {
  if (joints.empty()) return fail(ErrorCode::invalid_argument, "skeleton: no joints, expected at least one");

  Skeleton skeleton;
  const auto claim_name = [&](const std::string& name, JointIndex index) -> bool {
    return !name.empty() && skeleton.by_name_.emplace(name, index).second;
  };

  for (std::size_t i = 0; i < joints.size(); ++i) {
    Joint& joint = joints[i];
    const auto index = static_cast<JointIndex>(i);
    if (index == 0 && joint.parent != kNoJoint) {
      return fail(ErrorCode::invalid_argument, "skeleton: joint 0 '{}' has a parent, expected the root", joint.name);
    }
    if (index > 0 && (joint.parent < 0 || joint.parent >= index)) {
      return fail(ErrorCode::invalid_argument, "skeleton: joint {} '{}' has parent {}, expected 0 to {}", index,
                  joint.name, joint.parent, index - 1);
    }
    if (!claim_name(joint.name, index)) {
      return fail(ErrorCode::invalid_argument, "skeleton: joint {} has the name '{}', expected a new, non-empty one",
                  index, joint.name);
    }
    const float norm = joint.rest_rotation.norm();
    if (!joint.rest_translation_m.allFinite() || !std::isfinite(norm) || norm <= 0.0f) {
      return fail(ErrorCode::invalid_argument, "skeleton: joint '{}' has a rest transform that is not finite",
                  joint.name);
    }
    // A unit quaternion stays bit for bit what it was.
    if (std::abs(norm - 1.0f) > 1e-6f) joint.rest_rotation.coeffs() /= norm;
  }
  for (const EndSite& site : end_sites) {
    if (site.parent < 0 || site.parent >= static_cast<JointIndex>(joints.size())) {
      return fail(ErrorCode::invalid_argument, "skeleton: end site '{}' has parent {}, expected 0 to {}", site.name,
                  site.parent, joints.size() - 1);
    }
    if (!claim_name(site.name, kNoJoint)) {
      return fail(ErrorCode::invalid_argument, "skeleton: end site name '{}' is empty or taken", site.name);
    }
    if (!site.offset_m.allFinite()) {
      return fail(ErrorCode::invalid_argument, "skeleton: end site '{}' has an offset that is not finite", site.name);
    }
  }

  skeleton.children_.resize(joints.size());
  skeleton.rest_translation_lanes_.resize(
      static_cast<std::size_t>(translation_lane_floats(static_cast<int>(joints.size()))));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = joints[i];
    skeleton.parents_.push_back(joint.parent);
    store_translation(skeleton.rest_translation_lanes_.data(), static_cast<JointIndex>(i), joint.rest_translation_m);
    const Vec3d translation = joint.rest_translation_m.cast<double>();
    const Quatd rotation = joint.rest_rotation.cast<double>();
    if (joint.parent == kNoJoint) {
      skeleton.rest_positions_.push_back(translation);
      skeleton.rest_rotations_.push_back(rotation.normalized());
      continue;
    }
    const auto parent = static_cast<std::size_t>(joint.parent);
    skeleton.children_[parent].push_back(static_cast<JointIndex>(i));
    skeleton.rest_positions_.push_back(skeleton.rest_positions_[parent] +
                                       skeleton.rest_rotations_[parent] * translation);
    skeleton.rest_rotations_.push_back((skeleton.rest_rotations_[parent] * rotation).normalized());
  }
  skeleton.joints_ = std::move(joints);
  skeleton.end_sites_ = std::move(end_sites);
  return skeleton;
}

JointIndex Skeleton::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? kNoJoint : found->second;
}

bool same_skeleton(const Skeleton& a, const Skeleton& b, double tolerance_m) {
  if (a.joint_count() != b.joint_count()) return false;
  for (JointIndex j = 0; j < a.joint_count(); ++j) {
    const Joint& left = a.joint(j);
    const Joint& right = b.joint(j);
    if (left.name != right.name || left.parent != right.parent) return false;
    if ((left.rest_translation_m - right.rest_translation_m).cast<double>().norm() > tolerance_m) return false;
    if (left.rest_rotation.angularDistance(right.rest_rotation) > 1e-3f) return false;
  }
  return std::ranges::equal(a.end_sites(), b.end_sites(), [&](const EndSite& left, const EndSite& right) {
    return left.name == right.name && left.parent == right.parent &&
           (left.offset_m - right.offset_m).cast<double>().norm() <= tolerance_m;
  });
}

}  // namespace shosa
