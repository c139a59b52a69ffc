#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/file_text.h"
#include "io/gltf_write.h"
#include "shosa/io/files_below.h"

namespace shosa::io {
namespace {

/// Samples of every joint's node in its own frame.
std::vector<NodeKeys> keys_of(const GltfDocument& document, const Clip& clip, GltfFault& fault) {
  const std::vector<NodeLocal> rest = rest_locals(document.scene, document.skeleton);
  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<NodeKeys> keys(rest.size());
  for (std::size_t j = 0; j < keys.size(); ++j) {
    keys[j].node = document.skeleton.joints[j].node;
    keys[j].rest = rest[j];
    keys[j].rotations.resize(frames * 4);
    keys[j].translations.resize(frames * 3);
  }
  RigidWorkspace work;
  std::vector<NodeLocal> nodes;
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    node_locals(document.scene, document.skeleton, clip, frame, work, nodes);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const Quatf rotation = nodes[j].rotation.normalized().cast<float>();
      const Vec3f translation = nodes[j].translation.cast<float>();
      if (!rotation.coeffs().allFinite() || !translation.allFinite()) {
        fault.note(fmt::format("clip '{}'", clip.name()), "joint '{}' cannot be expressed in its node's frame",
                   clip.skeleton().name(static_cast<JointIndex>(j)));
        return {};
      }
      std::copy_n(rotation.coeffs().data(), 4, keys[j].rotations.begin() + frame * 4);
      std::copy_n(translation.data(), 3, keys[j].translations.begin() + frame * 3);
    }
  }

  // A translation that only rounding moves is none.
  std::vector<NodeKeys> written;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const int node = keys[j].node;
    if (node < 0 || document.scene.nodes[node].sheared) continue;
    const double metres = std::abs(document.skeleton.joints[j].parent_scale * document.skeleton.joints[j].base_scale);
    const double still = 1e-7 / std::max(metres, 1e-9);
    double largest = 0.0;
    for (std::size_t i = 0; i < frames * 3; ++i) {
      largest = std::max(
          largest, std::abs(keys[j].translations[i] - keys[j].rest.translation[static_cast<Eigen::Index>(i % 3)]));
    }
    if (largest <= still) keys[j].translations.clear();
    written.push_back(std::move(keys[j]));
  }
  return written;
}

/// What the source animation moves besides the joints, with its own samplers.
Json kept_channels(const GltfDocument& document, const Json& animation, const GltfPlace& where) {
  Json kept = animation;
  kept["channels"] = Json::array();
  kept["samplers"] = Json::array();
  std::map<int, std::size_t> moved;
  for (const Json& channel : array_at(animation, "channels", where)) {
    const Json& target = object_at(channel, "target", where.key("channels"));
    const GltfPlace target_where = where.key("channels.target");
    const std::string path = string_at(target, "path", target_where);
    const int node = index_at(target, "node", document.scene.nodes.size(), target_where);
    const bool joint = node >= 0 && document.skeleton.joint_of_node[node] != kNoJoint;
    if (joint && (path == "translation" || path == "rotation")) continue;
    const Json& samplers = array_at(animation, "samplers", where);
    const int sampler = required_index_at(channel, "sampler", samplers.size(), where.key("channels"));
    if (sampler < 0) return kept;
    const auto [it, inserted] = moved.try_emplace(sampler, kept["samplers"].size());
    if (inserted) kept["samplers"].push_back(samplers[sampler]);
    kept["channels"].push_back(channel);
    kept["channels"].back()["sampler"] = it->second;
  }
  return kept;
}

/// The source animation that a clip came from and still has the length of; -1 when there is none.
int source_animation(const GltfDocument& document, const Clip& clip) {
  for (std::size_t i = 0; i < document.clip_names.size(); ++i) {
    if (document.clip_names[i] != clip.name()) continue;
    if (std::abs(document.clip_last_times_s[i] - clip.last_time_s()) > clip.frame_time_s()) return -1;
    return document.animation_of_clip[i];
  }
  return -1;
}

/// An animated node must not have a matrix.
void use_translation_rotation_scale(Json& node, const SceneNode& source) {
  if (!node.contains("matrix")) return;
  node.erase("matrix");
  node["translation"] = {source.translation.x(), source.translation.y(), source.translation.z()};
  node["rotation"] = {source.rotation.x(), source.rotation.y(), source.rotation.z(), source.rotation.w()};
  node["scale"] = {source.scale.x(), source.scale.y(), source.scale.z()};
}

const char* mime_type(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  if (extension == ".jpg" || extension == ".jpeg") return "image/jpeg";
  if (extension == ".webp") return "image/webp";
  if (extension == ".ktx2") return "image/ktx2";
  return "image/png";
}

/// Image files that lie beside the source would not be found from another folder.
void embed_images(GltfBuilder& builder, const GltfDocument& document, const std::filesystem::path& target_dir) {
  if (document.base_dir.empty() || same_folder(document.base_dir, target_dir)) return;
  auto images = builder.json().find("images");
  if (images == builder.json().end() || !images->is_array()) return;
  for (std::size_t i = 0; i < images->size(); ++i) {
    const GltfPlace where = GltfPlace{builder.fault()}.item("images", i);
    const std::string uri = string_at((*images)[i], "uri", where);
    if (uri.empty() || is_data_uri(uri)) continue;
    const auto path = local_path(uri, document.base_dir);
    if (!path && uri.find("://") == std::string::npos) {
      return where.key("uri").wrong("'{}' is no file in the source's folder", uri.substr(0, 80));
    }
    const std::optional<Bytes> bytes = path ? read_bytes(*path) : std::nullopt;
    if (!bytes) continue;
    const int view = builder.add_view(*bytes);
    Json& image = builder.json()["images"][i];
    image.erase("uri");
    image["bufferView"] = view;
    if (!image.contains("mimeType")) image["mimeType"] = mime_type(*path);
    images = builder.json().find("images");
  }
}

}  // namespace

GltfBuilder make_edited_document(const GltfDocument& document, const MotionFile& motion,
                                 const std::filesystem::path& target_dir) {
  GltfBuilder builder(document.json, document.buffers);
  GltfFault& fault = builder.fault();
  const GltfPlace root{fault};
  const Json& source_animations = array_at(document.json, "animations", root);
  normalise_weights(builder.json(), builder.buffers(), fault);
  if (fault.found()) return builder;
  Json animations = Json::array();
  std::set<int> moved;
  for (const Clip& clip : motion.clips) {
    const std::vector<NodeKeys> keys = keys_of(document, clip, fault);
    const int source = source_animation(document, clip);
    Json kept;
    if (source >= 0) {
      const GltfPlace where = root.item("animations", static_cast<std::size_t>(source));
      kept = kept_channels(document, source_animations[source], where);
    }
    if (fault.found()) return builder;
    Json animation = make_animation(builder, clip, keys, std::move(kept));
    for (const Json& channel : animation["channels"]) {
      const int node = index_at(object_at(channel, "target", root), "node", document.scene.nodes.size(), root);
      if (node >= 0) moved.insert(node);
    }
    animations.push_back(std::move(animation));
  }
  // Animations that move no joint were never clips and stay.
  const std::set<int> read(document.animation_of_clip.begin(), document.animation_of_clip.end());
  for (std::size_t i = 0; i < source_animations.size(); ++i) {
    if (!read.contains(static_cast<int>(i))) animations.push_back(source_animations[i]);
  }

  Json& json = builder.json();
  for (int node : moved) {
    use_translation_rotation_scale(json["nodes"][node], document.scene.nodes[node]);
  }
  json.erase("animations");
  if (!animations.empty()) json["animations"] = std::move(animations);
  embed_images(builder, document, target_dir);
  if (!fault.found()) drop_unused(builder);
  return builder;
}

}  // namespace shosa::io
