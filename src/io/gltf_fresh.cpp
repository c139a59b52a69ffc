#include "io/gltf_write.h"

namespace shosa::io {
namespace {

Json node_json(const std::string& name, const Vec3f& translation, const Quatf& rotation) {
  Json node = {{"name", name}};
  if (translation != Vec3f::Zero()) node["translation"] = {translation.x(), translation.y(), translation.z()};
  if (rotation.coeffs() != Quatf::Identity().coeffs()) {
    node["rotation"] = {rotation.x(), rotation.y(), rotation.z(), rotation.w()};
  }
  return node;
}

std::vector<NodeKeys> keys_of(const Clip& clip) {
  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<NodeKeys> keys(static_cast<std::size_t>(clip.joint_count()));
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const auto joint = static_cast<JointIndex>(j);
    const Joint& rest = clip.skeleton().joint(joint);
    keys[j].node = joint;
    keys[j].rest = {rest.rest_translation_m.cast<double>(), rest.rest_rotation.cast<double>()};
    keys[j].rotations.reserve(frames * 4);
    for (int frame = 0; frame < clip.frame_count(); ++frame) {
      const Quatf rotation = clip.rotation(frame, joint);
      keys[j].rotations.insert(keys[j].rotations.end(), rotation.coeffs().data(), rotation.coeffs().data() + 4);
    }
    if (!clip.is_translated(joint)) continue;
    keys[j].translations.reserve(frames * 3);
    for (int frame = 0; frame < clip.frame_count(); ++frame) {
      const Vec3f translation = clip.translation(frame, joint);
      keys[j].translations.insert(keys[j].translations.end(), translation.data(), translation.data() + 3);
    }
  }
  return keys;
}

}  // namespace

GltfBuilder make_fresh_document(const MotionFile& motion, bool with_body) {
  const Skeleton& skeleton = *motion.skeleton;
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "Shosa"}}},
               {"scene", 0},
               {"scenes", {{{"nodes", {0}}}}},
               {"nodes", Json::array()}};
  for (JointIndex joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Joint& source = skeleton.joint(joint);
    Json node = node_json(source.name, source.rest_translation_m, source.rest_rotation);
    if (!skeleton.children(joint).empty()) node["children"] = skeleton.children(joint);
    json["nodes"].push_back(std::move(node));
  }
  for (const EndSite& site : skeleton.end_sites()) {
    Json node = node_json(site.name, site.offset_m, Quatf::Identity());
    node["extras"] = {{"shosa", "end_site"}};
    json["nodes"].push_back(std::move(node));
    json["nodes"][site.parent]["children"].push_back(json["nodes"].size() - 1);
  }
  GltfBuilder builder(std::move(json), {});
  if (with_body) add_bone_mesh(builder, skeleton);
  for (const Clip& clip : motion.clips) {
    Json animation = make_animation(builder, clip, keys_of(clip));
    builder.json()["animations"].push_back(std::move(animation));
  }
  return builder;
}

}  // namespace shosa::io
