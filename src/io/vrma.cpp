#include <string_view>

#include "io/gltf_write.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::io {
namespace {

/// VRM 0.x counts the thumb's bones from the next one.
std::string vrm1_name(const std::string& vrm0) {
  for (const char* side : {"left", "right"}) {
    if (vrm0 == std::string(side) + "ThumbProximal") return std::string(side) + "ThumbMetacarpal";
    if (vrm0 == std::string(side) + "ThumbIntermediate") return std::string(side) + "ThumbProximal";
  }
  return vrm0;
}

void add_bone(const std::string& name, const Json& holder, std::size_t node_count, const GltfPlace& where,
              HumanoidNodes& humanoid) {
  const std::optional<body::Role> role = body::find_role(name);
  const int node = index_at(holder, "node", node_count, where);
  if (role && node >= 0) humanoid.bones.emplace_back(*role, node);
}

void add_named_bones(const Json& bones, std::size_t node_count, const GltfPlace& where, HumanoidNodes& humanoid) {
  for (const auto& [name, bone] : bones.items()) add_bone(name, bone, node_count, where.key(name), humanoid);
}

void add_other(const Json& holder, std::size_t node_count, const GltfPlace& where, HumanoidNodes& humanoid) {
  const int node = index_at(holder, "node", node_count, where);
  if (node >= 0) humanoid.other_nodes.push_back(node);
}

/// left_upper_leg -> leftUpperLeg.
std::string camel_case(std::string_view snake) {
  std::string camel;
  bool upper = false;
  for (char c : snake) {
    if (c == '_') {
      upper = true;
      continue;
    }
    camel += upper ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return camel;
}

}  // namespace

void add_vrm_animation(Json& json, const body::BodyMap& map) {
  Json bones = Json::object();
  for (int i = 0; i < body::kRoleCount; ++i) {
    const auto role = static_cast<body::Role>(i);
    // The gaze is no bone animation in this format.
    if (!map.has(role) || role == body::Role::left_eye || role == body::Role::right_eye) continue;
    bones[camel_case(role_name(role))] = {{"node", map.joint(role)}};
  }
  json["extensionsUsed"] = {"VRMC_vrm_animation"};
  json["extensions"]["VRMC_vrm_animation"] = {{"specVersion", "1.0"}, {"humanoid", {{"humanBones", bones}}}};
}

Clip carried_by_hips(const Clip& clip, JointIndex hips) {
  const Skeleton& skeleton = clip.skeleton();
  std::vector<JointIndex> translated = {hips};
  Clip result(clip.skeleton_ptr(), clip.frame_count(), clip.frame_time_s(), translated);
  result.set_name(clip.name());
  std::vector<bool> above(static_cast<std::size_t>(clip.joint_count()), false);
  for (JointIndex joint = skeleton.parent(hips); joint != kNoJoint; joint = skeleton.parent(joint)) {
    above[joint] = true;
  }
  const JointIndex parent = skeleton.parent(hips);
  Quatd parent_rotation = Quatd::Identity();
  Vec3d parent_position = Vec3d::Zero();
  if (parent != kNoJoint) {
    parent_rotation = skeleton.rest_rotations()[parent];
    parent_position = skeleton.rest_positions()[parent];
  }
  Pose pose;
  WorldPose world;
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    clip.get_frame(frame, pose);
    forward_kinematics(skeleton, pose, world);
    for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
      if (!above[joint]) result.set_rotation(frame, joint, pose.rotation(joint));
    }
    const auto h = static_cast<std::size_t>(hips);
    const Quatd rotation = parent_rotation.conjugate() * world.rotations[h];
    const Vec3d translation = parent_rotation.conjugate() * (world.positions[h] - parent_position);
    result.set_rotation(frame, hips, rotation.cast<float>());
    result.set_translation(frame, hips, translation.cast<float>());
  }
  return result;
}

std::optional<HumanoidNodes> read_humanoid(const Json& json, GltfFault& fault) {
  const GltfPlace root{fault}, in_extensions = root.key("extensions");
  const Json& extensions = object_at(json, "extensions", root);
  const std::size_t node_count = array_at(json, "nodes", root).size();
  HumanoidNodes humanoid;
  const auto bones_of = [&](const char* extension) -> const Json& {
    const GltfPlace where = in_extensions.key(extension);
    return object_at(object_at(object_at(extensions, extension, in_extensions), "humanoid", where), "humanBones",
                     where.key("humanoid"));
  };

  if (extensions.contains("VRMC_vrm_animation")) {
    const GltfPlace where = in_extensions.key("VRMC_vrm_animation");
    humanoid.is_animation = true;
    add_named_bones(bones_of("VRMC_vrm_animation"), node_count, where.key("humanoid.humanBones"), humanoid);
    const Json& extension = object_at(extensions, "VRMC_vrm_animation", in_extensions);
    const Json& expressions = object_at(extension, "expressions", where);
    for (const char* group : {"preset", "custom"}) {
      for (const auto& [name, expression] : object_at(expressions, group, where.key("expressions")).items()) {
        add_other(expression, node_count, where.key("expressions").key(name), humanoid);
      }
    }
    add_other(object_at(extension, "lookAt", where), node_count, where.key("lookAt"), humanoid);
  } else if (extensions.contains("VRMC_vrm")) {
    add_named_bones(bones_of("VRMC_vrm"), node_count, in_extensions.key("VRMC_vrm.humanoid.humanBones"), humanoid);
  } else if (extensions.contains("VRM")) {
    const GltfPlace where = in_extensions.key("VRM.humanoid");
    const Json& vrm = object_at(object_at(extensions, "VRM", in_extensions), "humanoid", in_extensions.key("VRM"));
    for (const Json& bone : array_at(vrm, "humanBones", where)) {
      add_bone(vrm1_name(string_at(bone, "bone", where)), bone, node_count, where.key("humanBones"), humanoid);
    }
  }
  if (humanoid.bones.empty()) return std::nullopt;
  return humanoid;
}

}  // namespace shosa::io
