#include <algorithm>
#include <cmath>
#include <map>

#include "io/gltf_document.h"

namespace shosa::io {
namespace {

/// `count` numbers at `key`; false when the key is missing or does not hold them.
bool numbers_at(const Json& object, const char* key, std::size_t count, double* out, const GltfPlace& where) {
  if (!object.contains(key)) return false;
  const GltfPlace place = where.key(key);
  const Json& array = array_at(object, key, where);
  if (array.size() != count) {
    place.wrong("{} numbers, expected {}", array.size(), count);
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) out[i] = number(array[i], place);
  return !where.fault.found();
}

SceneNode read_node(const Json& json, const GltfPlace& where, bool& zero_rotation) {
  SceneNode node;
  node.name = string_at(json, "name", where);
  Eigen::Matrix4d matrix;
  if (numbers_at(json, "matrix", 16, matrix.data(), where)) {
    set_matrix(node, matrix);
  } else {
    numbers_at(json, "translation", 3, node.translation.data(), where);
    numbers_at(json, "scale", 3, node.scale.data(), where);
    if (numbers_at(json, "rotation", 4, node.rotation.coeffs().data(), where)) {
      if (node.rotation.norm() > 0.0 && std::isfinite(node.rotation.norm())) {
        node.rotation.normalize();
      } else {
        node.rotation = Quatd::Identity();
        zero_rotation = true;
      }
    }
  }
  node.carries_object = json.contains("mesh") || json.contains("camera") ||
                        object_at(json, "extensions", where).contains("KHR_lights_punctual");
  const auto extras = json.find("extras");
  node.end_site = extras != json.end() && extras->is_object() && extras->value("shosa", Json()) == "end_site";
  return node;
}

void read_nodes(const Json& json, NodeScene& scene, Notes& warnings, GltfFault& fault) {
  const GltfPlace root{fault};
  const Json& nodes = array_at(json, "nodes", root);
  bool zero_rotation = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GltfPlace where = root.item("nodes", i);
    if (!nodes[i].is_object()) return where.wrong("{}, expected an object", nodes[i].type_name());
    scene.nodes.push_back(read_node(nodes[i], where, zero_rotation));
    if (fault.found()) return;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GltfPlace where = root.item("nodes", i);
    for (const Json& child : array_at(nodes[i], "children", where)) {
      const int index = required_index(child, nodes.size(), where.key("children"));
      if (index < 0) return;
      SceneNode& node = scene.nodes[index];
      if (node.parent >= 0) {
        return where.key("children").wrong("node {} already has the parent {}", index, node.parent);
      }
      node.parent = static_cast<int>(i);
      scene.nodes[i].children.push_back(index);
    }
  }
  for (SceneNode& node : scene.nodes) node.end_site = node.end_site && node.children.empty();
  if (zero_rotation) warnings.push_back("a node's rotation is all zeros and was taken for none");
}

void read_skins(const Json& json, NodeScene& scene, GltfFault& fault) {
  const GltfPlace root{fault};
  const Json& skins = array_at(json, "skins", root);
  std::vector<bool> taken(scene.nodes.size(), false);
  for (std::size_t i = 0; i < skins.size(); ++i) {
    const GltfPlace where = root.item("skins", i);
    for (const Json& joint : array_at(skins[i], "joints", where)) {
      const int node = required_index(joint, scene.nodes.size(), where.key("joints"));
      if (node < 0) return;
      if (taken[node]) continue;
      taken[node] = true;
      scene.joint_hints.push_back(node);
    }
  }
}

/// Decodes each accessor once, within a budget that the file's own bytes pay for.
class AccessorCache {
 public:
  struct Entry {
    std::shared_ptr<const std::vector<double>> values;
    std::size_t width = 0;
  };

  AccessorCache(const GltfDocument& document, GltfFault& fault) : document_(document), fault_(fault) {
    for (const Bytes& buffer : document.buffers) budget_ += 2 * buffer.size();
  }

  const Entry& get(int accessor) {
    const auto [it, inserted] = entries_.try_emplace(accessor);
    if (inserted) {
      it->second.values =
          std::make_shared<const std::vector<double>>(read_accessor(document_, accessor, it->second.width, fault_));
      const std::size_t size = it->second.values->size();
      if (size > budget_) {
        GltfPlace{fault_}.item("accessors", static_cast<std::size_t>(accessor)).wrong("overlaps others too often");
      }
      budget_ -= std::min(size, budget_);
    }
    return it->second;
  }

 private:
  const GltfDocument& document_;
  GltfFault& fault_;
  std::map<int, Entry> entries_;
  std::size_t budget_ = 1 << 22;
};

Interpolation interpolation_of(const std::string& name, const GltfPlace& where) {
  if (name.empty() || name == "LINEAR") return Interpolation::linear;
  if (name == "STEP") return Interpolation::step;
  if (name == "CUBICSPLINE") return Interpolation::cubic_spline;
  where.key("interpolation").wrong("'{}', expected STEP, LINEAR or CUBICSPLINE", name.substr(0, 20));
  return Interpolation::linear;
}

void check_times(const std::vector<double>& times, const GltfPlace& where) {
  if (times.empty()) where.wrong("no keys, expected at least one");
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] <= times[i - 1]) {
      return where.wrong("key {} at {} s after {} s, expected rising times", i, times[i], times[i - 1]);
    }
  }
}

class AnimationReader {
 public:
  AnimationReader(const GltfDocument& document, std::size_t node_count, GltfFault& fault)
      : root_{fault},
        node_count_(node_count),
        cache_(document, fault),
        accessor_count_(array_at(document.json, "accessors", root_).size()) {}

  SceneAnimation read(const Json& json, std::size_t index) {
    const GltfPlace where = root_.item("animations", index);
    SceneAnimation animation;
    animation.name = string_at(json, "name", where);
    if (animation.name.empty()) animation.name = fmt::format("animation_{}", index);
    read_extras(json, animation);
    const Json& samplers = array_at(json, "samplers", where);
    const Json& channels = array_at(json, "channels", where);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const GltfPlace at = where.item("channels", i);
      const Json& target = object_at(channels[i], "target", at);
      const std::string path = string_at(target, "path", at.key("target"));
      Track track;
      if (path == "translation") {
        track.path = TrackPath::translation;
      } else if (path == "rotation") {
        track.path = TrackPath::rotation;
      } else if (path == "scale") {
        track.path = TrackPath::scale;
      } else {
        continue;
      }
      track.node = index_at(target, "node", node_count_, at.key("target"));
      if (track.node < 0) continue;
      const int sampler = required_index_at(channels[i], "sampler", samplers.size(), at);
      if (sampler < 0) return animation;
      read_sampler(samplers[sampler], where.item("samplers", static_cast<std::size_t>(sampler)), track);
      if (root_.fault.found()) return animation;
      animation.tracks.push_back(std::move(track));
    }
    return animation;
  }

 private:
  static void read_extras(const Json& json, SceneAnimation& animation) {
    const auto extras = json.find("extras");
    if (extras == json.end() || !extras->is_object()) return;
    const Json frame_time = extras->value("frame_time_s", Json());
    const Json frame_count = extras->value("frame_count", Json());
    if (!frame_time.is_number()) return;
    const double seconds = frame_time.get<double>();
    if (std::isfinite(seconds) && seconds > 1e-9) animation.frame_time_s = seconds;
    if (frame_count.is_number_unsigned() && frame_count > 0 && frame_count < 100'000'000) {
      animation.frame_count = frame_count.get<int>();
    }
  }

  void read_sampler(const Json& json, const GltfPlace& where, Track& track) {
    track.interpolation = interpolation_of(string_at(json, "interpolation", where), where);
    const int input_index = required_index_at(json, "input", accessor_count_, where);
    const int output_index = required_index_at(json, "output", accessor_count_, where);
    if (input_index < 0 || output_index < 0) return;
    const auto& input = cache_.get(input_index);
    const auto& output = cache_.get(output_index);
    if (where.fault.found()) return;
    if (input.width != 1) where.key("input").wrong("{} numbers per key, expected 1", input.width);
    const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    if (output.width != width) where.key("output").wrong("{} numbers per key, expected {}", output.width, width);
    check_times(*input.values, where.key("input"));
    const std::size_t per_key = track.interpolation == Interpolation::cubic_spline ? 3 * width : width;
    if (output.values->size() != input.values->size() * per_key) {
      where.wrong("{} values for {} keys, expected {}", output.values->size() / width, input.values->size(),
                  input.values->size() * per_key / width);
    }
    track.times_s = input.values;
    track.values = output.values;
  }

  GltfPlace root_;
  std::size_t node_count_;
  AccessorCache cache_;
  std::size_t accessor_count_;
};

}  // namespace

NodeScene read_scene(const GltfDocument& document, Notes& warnings, GltfFault& fault) {
  NodeScene scene;
  read_nodes(document.json, scene, warnings, fault);
  if (!fault.found()) read_skins(document.json, scene, fault);
  AnimationReader reader(document, scene.nodes.size(), fault);
  const Json& animations = array_at(document.json, "animations", {fault});
  for (std::size_t i = 0; i < animations.size() && !fault.found(); ++i) {
    scene.animations.push_back(reader.read(animations[i], i));
  }
  return scene;
}

}  // namespace shosa::io
