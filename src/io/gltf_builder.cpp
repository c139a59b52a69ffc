#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "io/gltf_write.h"

namespace shosa::io {
namespace {

// Below this a key does not leave the rest: a thousandth of a millimetre on a long bone.
constexpr float kStill = 1e-7f;

int append(Json& json, const char* key, Json value) {
  Json& array = json[key];
  if (array.is_null()) array = Json::array();
  array.push_back(std::move(value));
  return static_cast<int>(array.size()) - 1;
}

bool near(const float* a, const float* b, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    if (!(std::abs(a[i] - b[i]) <= kStill)) return false;
  }
  return true;
}

/// q and -q are the same rotation.
bool near_rotation(const float* a, const float* b) {
  const float opposite[4] = {-b[0], -b[1], -b[2], -b[3]};
  return near(a, b, 4) || near(a, opposite, 4);
}

/// Of q and -q the one nearer to the key before: programs that mix keys number by number then go the short way.
void use_one_sign(std::vector<float>& rotations) {
  using Key = Eigen::Map<Eigen::Vector4f>;
  for (std::size_t i = 4; i + 3 < rotations.size(); i += 4) {
    Key key(rotations.data() + i);
    if (key.dot(Key(rotations.data() + i - 4)) < 0.0F) key = -key;
  }
}

class AnimationBuilder {
 public:
  AnimationBuilder(GltfBuilder& builder, const Clip& clip, Json kept) : builder_(builder), clip_(clip) {
    animation_ = kept.is_object() ? std::move(kept) : Json::object();
    if (!animation_.contains("channels")) animation_["channels"] = Json::array();
    if (!animation_.contains("samplers")) animation_["samplers"] = Json::array();
    if (!clip.name().empty()) animation_["name"] = clip.name();
    Json& extras = animation_["extras"];
    if (!extras.is_object()) extras = Json::object();
    extras["frame_time_s"] = clip.frame_time_s();
    extras["frame_count"] = clip.frame_count();
  }

  /// `always`: also when nothing moves.
  void add(const NodeKeys& keys, bool always) {
    if (!keys.rotations.empty()) {
      const Quatf rest = keys.rest.rotation.cast<float>();
      add_channel(keys.node, "rotation", keys.rotations, 4, rest.coeffs().data(), always);
    }
    if (!keys.translations.empty()) {
      const Vec3f rest = keys.rest.translation.cast<float>();
      add_channel(keys.node, "translation", keys.translations, 3, rest.data(), false);
    }
  }

  bool has_own_channels() const { return own_channels_ > 0; }
  Json take() { return std::move(animation_); }

 private:
  void add_channel(int node, const char* path, const std::vector<float>& values, std::size_t width, const float* rest,
                   bool always) {
    const std::size_t frames = values.size() / width;
    const bool rotation = width == 4;
    bool at_rest = true, constant = true;
    for (std::size_t i = 0; i < frames && (at_rest || constant); ++i) {
      const float* value = values.data() + i * width;
      at_rest = at_rest && (rotation ? near_rotation(value, rest) : near(value, rest, width));
      constant = constant && std::equal(value, value + width, values.data());
    }
    if (at_rest && !always) return;
    std::vector<float> written = values;
    if (rotation) use_one_sign(written);
    // Two keys of the same value play for the whole length.
    const bool short_form = constant && frames > 2;
    if (short_form) written.resize(2 * width);
    const int input = short_form ? end_times() : all_times();
    const int output = builder_.add_accessor<float>(written, rotation ? "VEC4" : "VEC3");
    Json& samplers = animation_["samplers"];
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    animation_["channels"].push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    ++own_channels_;
  }

  int all_times() {
    if (all_times_ < 0) {
      std::vector<float> times(static_cast<std::size_t>(clip_.frame_count()));
      for (std::size_t i = 0; i < times.size(); ++i) {
        times[i] = static_cast<float>(static_cast<double>(i) * clip_.frame_time_s());
        if (i > 0 && !(times[i] > times[i - 1])) {
          builder_.fault().note(
              fmt::format("clip '{}'", clip_.name()),
              "frame {} at {} s: the format's single-precision times cannot tell it from the one before", i,
              static_cast<double>(i) * clip_.frame_time_s());
          break;
        }
      }
      all_times_ = builder_.add_accessor<float>(times, "SCALAR", GltfBuilder::Use::data, true);
    }
    return all_times_;
  }

  int end_times() {
    if (end_times_ < 0) {
      const float times[2] = {0.0f, static_cast<float>(clip_.last_time_s())};
      end_times_ = builder_.add_accessor<float>(times, "SCALAR", GltfBuilder::Use::data, true);
    }
    return end_times_;
  }

  GltfBuilder& builder_;
  const Clip& clip_;
  Json animation_;
  int all_times_ = -1;
  int end_times_ = -1;
  int own_channels_ = 0;
};

}  // namespace

GltfBuilder::GltfBuilder(Json json, std::vector<Bytes> buffers) : json_(std::move(json)), buffers_(std::move(buffers)) {
  if (buffers_.empty()) buffers_.emplace_back();
  Json& list = json_["buffers"];
  if (!list.is_array()) list = Json::array();
  if (list.empty()) list.push_back({{"byteLength", 0}});
}

int GltfBuilder::add_view(std::span<const std::byte> bytes) {
  Bytes& buffer = buffers_[0];
  // Accessors of any component type may follow.
  buffer.resize((buffer.size() + 3) / 4 * 4, std::byte{0});
  const std::size_t offset = buffer.size();
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  json_["buffers"][0]["byteLength"] = buffer.size();
  return append(json_, "bufferViews", {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes.size()}});
}

template <class T>
int GltfBuilder::add_accessor(std::span<const T> values, const char* type, Use use, bool bounds, bool normalised) {
  const std::string_view name = type;
  const std::size_t width = name == "SCALAR" ? 1 : name == "VEC3" ? 3 : name == "VEC4" ? 4 : 16;
  const int component_type = std::is_same_v<T, float> ? 5126 : std::is_same_v<T, std::uint16_t> ? 5123 : 5121;
  const int view = add_view(std::as_bytes(values));
  Json& view_json = json_["bufferViews"][view];
  if (use == Use::vertices) {
    view_json["target"] = 34962;
    view_json["byteStride"] = width * sizeof(T);
  } else if (use == Use::indices) {
    view_json["target"] = 34963;
  }
  Json accessor = {
      {"bufferView", view}, {"componentType", component_type}, {"count", values.size() / width}, {"type", type}};
  if (normalised) accessor["normalized"] = true;
  if (bounds) {
    std::vector<T> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)), high = low;
    for (std::size_t i = 0; i < values.size(); ++i) {
      low[i % width] = std::min(low[i % width], values[i]);
      high[i % width] = std::max(high[i % width], values[i]);
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }
  return append(json_, "accessors", std::move(accessor));
}

template int GltfBuilder::add_accessor<float>(std::span<const float>, const char*, Use, bool, bool);
template int GltfBuilder::add_accessor<std::uint8_t>(std::span<const std::uint8_t>, const char*, Use, bool, bool);
template int GltfBuilder::add_accessor<std::uint16_t>(std::span<const std::uint16_t>, const char*, Use, bool, bool);

Json make_animation(GltfBuilder& builder, const Clip& clip, const std::vector<NodeKeys>& keys, Json kept) {
  AnimationBuilder animation(builder, clip, std::move(kept));
  for (const NodeKeys& node : keys) animation.add(node, false);
  // An animation needs a channel, and the last key tells the length.
  if (!animation.has_own_channels()) {
    for (const NodeKeys& node : keys) {
      if (node.rotations.empty()) continue;
      animation.add(node, true);
      break;
    }
  }
  return animation.take();
}

}  // namespace shosa::io
