// Joints, rest and feet of everything that has a body.

#include <limits>

#include "c/objects.h"
#include "shosa/body/foot_points.h"
#include "shosa/c/clip.h"

namespace shosa::c {

std::optional<Body> find_body(Call& c, shosa_handle of) {
  if (c.failed()) return std::nullopt;
  switch (c.context().handles.kind_of(of)) {
    case Kind::clip: {
      const auto* object = c.find<ClipObject>(of);
      return Body{object->clip().skeleton_ptr(), &object->map()};
    }
    case Kind::graph: {
      const auto* object = c.find<GraphObject>(of);
      return Body{object->set->skeleton, &object->set->body_map};
    }
    case Kind::character_kind: {
      const graph::MotionSet& set = c.find<KindObject>(of)->data->set();
      return Body{set.skeleton, &set.body_map};
    }
    case Kind::character: {
      const graph::MotionSet& set = c.find<CharacterObject>(of)->character.data().set();
      return Body{set.skeleton, &set.body_map};
    }
    case Kind::pin_drag: {
      const auto* object = c.find<PinDragObject>(of);
      return Body{object->skeleton, &object->map};
    }
    case Kind::pose_moment: {
      const auto* object = c.find<PoseMomentObject>(of);
      return Body{object->skeleton, &object->map};
    }
    case Kind::none:
      c.fail(SHOSA_BAD_HANDLE, "handle {} names nothing (any more), expected something with a body", of);
      return std::nullopt;
    case Kind::buffer:
    case Kind::folder:
    case Kind::ground:
      break;
  }
  c.fail(SHOSA_BAD_HANDLE, "handle {} is a {}, expected something with a body", of,
         kind_name(c.context().handles.kind_of(of)));
  return std::nullopt;
}

Quatd unit_rotation(Call& c, const double* values, const char* name) {
  for (int i = 0; i < 4; ++i) c.number(values[i], name, -1e6, 1e6);
  const Quatd rotation(values);
  if (!(rotation.norm() > 1e-6)) c.fail(SHOSA_BAD_ARGUMENT, "{} has no length, expected about 1", name);
  return c.failed() ? Quatd::Identity() : rotation.normalized();
}

void read_pose(Call& c, const float* rotations, const float* translations_m, Pose& pose) {
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    if (rotations != nullptr) {
      const Quatf rotation(rotations + 4 * j);
      const float length = rotation.norm();
      if (!(length > 1e-6F && length < 1e6F))
        return c.fail(SHOSA_BAD_ARGUMENT, "rotation of joint {} has length {}, expected about 1", j, length);
      pose.set_rotation(j, rotation.normalized());
    }
    if (translations_m != nullptr) {
      const Vec3f translation(translations_m + 3 * j);
      if (!(translation.cwiseAbs().maxCoeff() <= kFarthest_m) || !translation.allFinite())
        return c.fail(SHOSA_BAD_ARGUMENT, "translation of joint {} is ({}, {}, {}), expected finite metres", j,
                      translation.x(), translation.y(), translation.z());
      pose.set_translation(j, translation);
    }
  }
}

void write_pose(const Pose& pose, float* rotations, float* translations_m) {
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    if (rotations != nullptr) Eigen::Map<Eigen::Vector4f>(rotations + 4 * j) = pose.rotation(j).coeffs();
    if (translations_m != nullptr) Eigen::Map<Vec3f>(translations_m + 3 * j) = pose.translation(j);
  }
}

namespace {

/// Feet in the order of the bits of contacts.
std::vector<body::FootPoints> feet_of(Call& c, shosa_handle of) {
  const auto body = find_body(c, of);
  if (!body) return {};
  return body::find_foot_points(*body->skeleton, *body->map);
}

}  // namespace
}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

shosa_status shosa_joint_count(shosa_context* context, shosa_handle of, uint32_t* out) {
  return call(context, "shosa_joint_count", [&](Call& c) {
    c.clear(out);
    if (const auto body = find_body(c, of)) *out = static_cast<std::uint32_t>(body->skeleton->joint_count());
  });
}

shosa_status shosa_joint_get_info(shosa_context* context, shosa_handle of, uint32_t joint, shosa_joint_info* out) {
  return call(context, "shosa_joint_get_info", [&](Call& c) {
    const auto body = find_body(c, of);
    if (!body) return;
    const JointIndex j = c.index(joint, "joint", static_cast<std::uint64_t>(body->skeleton->joint_count()));
    if (c.failed()) return;
    const Joint& own = body->skeleton->joint(j);
    shosa_joint_info info = SHOSA_JOINT_INFO_INIT;
    info.parent = own.parent;
    Eigen::Map<Vec3f>(info.rest_translation_m) = own.rest_translation_m;
    Eigen::Map<Eigen::Vector4f>(info.rest_rotation) = own.rest_rotation.coeffs();
    info.name = own.name.c_str();
    // Names of roles are literals, and so end in 0.
    if (const auto role = body->map->role_of(j)) info.role = role_name(*role).data();
    c.write(out, info, "shosa_joint_info");
  });
}

shosa_status shosa_joint_find(shosa_context* context, shosa_handle of, const char* name, int32_t* out) {
  return call(context, "shosa_joint_find", [&](Call& c) {
    if (c.clear(out)) *out = kNoJoint;
    const auto body = find_body(c, of);
    const std::string wanted = c.text(name, "name");
    if (c.failed()) return;
    if (const auto joint = c.take(body::resolve_joint(*body->skeleton, *body->map, wanted))) *out = *joint;
  });
}

shosa_status shosa_joint_parents(shosa_context* context, shosa_handle of, int32_t* out, uint32_t joint_count) {
  return call(context, "shosa_joint_parents", [&](Call& c) {
    c.present(out, "out");
    const auto body = find_body(c, of);
    if (!body) return;
    c.same_count(joint_count, "joint_count", static_cast<std::uint64_t>(body->skeleton->joint_count()));
    if (!c.failed()) std::ranges::copy(body->skeleton->parents(), out);
  });
}

shosa_status shosa_rest_pose(shosa_context* context, shosa_handle of, float* rotations, float* translations_m,
                             uint32_t joint_count) {
  return call(context, "shosa_rest_pose", [&](Call& c) {
    const auto body = find_body(c, of);
    if (!body) return;
    c.same_count(joint_count, "joint_count", static_cast<std::uint64_t>(body->skeleton->joint_count()));
    if (!c.failed()) write_pose(Pose::rest(*body->skeleton), rotations, translations_m);
  });
}

shosa_status shosa_foot_count(shosa_context* context, shosa_handle of, uint32_t* out) {
  return call(context, "shosa_foot_count", [&](Call& c) {
    c.clear(out);
    const auto feet = feet_of(c, of);
    if (!c.failed()) *out = static_cast<std::uint32_t>(feet.size());
  });
}

shosa_status shosa_foot_name(shosa_context* context, shosa_handle of, uint32_t foot, const char** out) {
  return call(context, "shosa_foot_name", [&](Call& c) {
    c.clear(out);
    const auto feet = feet_of(c, of);
    c.index(foot, "foot", feet.size());
    if (c.failed()) return;
    // Feet have few names; these last for ever.
    for (const char* known : {"left", "right", "hind_left", "hind_right", "front_left", "front_right"})
      if (feet[foot].name == known) *out = known;
    if (*out == nullptr) c.fail(SHOSA_FAILED, "a foot is called '{}'", feet[foot].name);
  });
}
