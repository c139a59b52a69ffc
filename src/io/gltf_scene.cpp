#include <algorithm>
#include <cmath>
#include <map>

#include "io/gltf_document.h"

namespace shosa::io {
namespace {

/// `count` numbers at `key`; false when the key is missing.
bool numbers_at(const Json& object, const char* key, std::size_t count, double* out, const std::string& where) {
  if (!object.contains(key)) return false;
  const std::string path = fmt::format("{}.{}", where, key);
  const Json& array = array_at(object, key, where);
  if (array.size() != count) throw GltfError(path, "{} numbers, expected {}", array.size(), count);
  for (std::size_t i = 0; i < count; ++i) out[i] = number(array[i], path);
  return true;
}

SceneNode read_node(const Json& json, const std::string& where, bool& zero_rotation) {
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

void read_nodes(const Json& json, NodeScene& scene, Notes& warnings) {
  const Json& nodes = array_at(json, "nodes", "");
  bool zero_rotation = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = item("nodes", i);
    if (!nodes[i].is_object()) throw GltfError(where, "{}, expected an object", nodes[i].type_name());
    scene.nodes.push_back(read_node(nodes[i], where, zero_rotation));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = item("nodes", i) + ".children";
    for (const Json& child : array_at(nodes[i], "children", item("nodes", i))) {
      const int index = required_index_at({{"child", child}}, "child", nodes.size(), where);
      SceneNode& node = scene.nodes[index];
      if (node.parent >= 0) throw GltfError(where, "node {} already has the parent {}", index, node.parent);
      node.parent = static_cast<int>(i);
      scene.nodes[i].children.push_back(index);
    }
  }
  for (SceneNode& node : scene.nodes) node.end_site = node.end_site && node.children.empty();
  if (zero_rotation) warnings.push_back("a node's rotation is all zeros and was taken for none");
}

void read_skins(const Json& json, NodeScene& scene) {
  const Json& skins = array_at(json, "skins", "");
  std::vector<bool> taken(scene.nodes.size(), false);
  for (std::size_t i = 0; i < skins.size(); ++i) {
    const std::string where = item("skins", i);
    for (const Json& joint : array_at(skins[i], "joints", where)) {
      const int node = required_index_at({{"joint", joint}}, "joint", scene.nodes.size(), where + ".joints");
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

  explicit AccessorCache(const GltfDocument& document) : document_(document) {
    for (const Bytes& buffer : document.buffers) budget_ += 2 * buffer.size();
  }

  const Entry& get(int accessor) {
    const auto [it, inserted] = entries_.try_emplace(accessor);
    if (inserted) {
      it->second.values =
          std::make_shared<const std::vector<double>>(read_accessor(document_, accessor, it->second.width));
      const std::size_t size = it->second.values->size();
      if (size > budget_) {
        throw GltfError(item("accessors", static_cast<std::size_t>(accessor)), "overlaps others too often");
      }
      budget_ -= size;
    }
    return it->second;
  }

 private:
  const GltfDocument& document_;
  std::map<int, Entry> entries_;
  std::size_t budget_ = 1 << 22;
};

Interpolation interpolation_of(const std::string& name, const std::string& where) {
  if (name.empty() || name == "LINEAR") return Interpolation::linear;
  if (name == "STEP") return Interpolation::step;
  if (name == "CUBICSPLINE") return Interpolation::cubic_spline;
  throw GltfError(where + ".interpolation", "'{}', expected STEP, LINEAR or CUBICSPLINE", name.substr(0, 20));
}

void check_times(const std::vector<double>& times, const std::string& where) {
  if (times.empty()) throw GltfError(where, "no keys, expected at least one");
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] <= times[i - 1]) {
      throw GltfError(where, "key {} at {} s after {} s, expected rising times", i, times[i], times[i - 1]);
    }
  }
}

class AnimationReader {
 public:
  AnimationReader(const GltfDocument& document, std::size_t node_count)
      : document_(document),
        node_count_(node_count),
        cache_(document),
        accessor_count_(array_at(document.json, "accessors", "").size()) {}

  SceneAnimation read(const Json& json, std::size_t index) {
    const std::string where = item("animations", index);
    SceneAnimation animation;
    animation.name = string_at(json, "name", where);
    if (animation.name.empty()) animation.name = fmt::format("animation_{}", index);
    read_extras(json, animation);
    const Json& samplers = array_at(json, "samplers", where);
    const Json& channels = array_at(json, "channels", where);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::string at = fmt::format("{}.channels[{}]", where, i);
      const Json& target = object_at(channels[i], "target", at);
      const std::string path = string_at(target, "path", at + ".target");
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
      track.node = index_at(target, "node", node_count_, at + ".target");
      if (track.node < 0) continue;
      const int sampler = required_index_at(channels[i], "sampler", samplers.size(), at);
      read_sampler(samplers[sampler], fmt::format("{}.samplers[{}]", where, sampler), track);
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

  void read_sampler(const Json& json, const std::string& where, Track& track) {
    track.interpolation = interpolation_of(string_at(json, "interpolation", where), where);
    const auto& input = cache_.get(required_index_at(json, "input", accessor_count_, where));
    const auto& output = cache_.get(required_index_at(json, "output", accessor_count_, where));
    if (input.width != 1) throw GltfError(where + ".input", "{} numbers per key, expected 1", input.width);
    const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    if (output.width != width)
      throw GltfError(where + ".output", "{} numbers per key, expected {}", output.width, width);
    check_times(*input.values, where + ".input");
    const std::size_t per_key = track.interpolation == Interpolation::cubic_spline ? 3 * width : width;
    if (output.values->size() != input.values->size() * per_key) {
      throw GltfError(where, "{} values for {} keys, expected {}", output.values->size() / width, input.values->size(),
                      input.values->size() * per_key / width);
    }
    track.times_s = input.values;
    track.values = output.values;
  }

  const GltfDocument& document_;
  std::size_t node_count_;
  AccessorCache cache_;
  std::size_t accessor_count_;
};

}  // namespace

NodeScene read_scene(const GltfDocument& document, Notes& warnings) {
  NodeScene scene;
  read_nodes(document.json, scene, warnings);
  read_skins(document.json, scene);
  AnimationReader reader(document, scene.nodes.size());
  const Json& animations = array_at(document.json, "animations", "");
  for (std::size_t i = 0; i < animations.size(); ++i) scene.animations.push_back(reader.read(animations[i], i));
  return scene;
}

}  // namespace shosa::io
