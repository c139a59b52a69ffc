#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/gltf_document.h"

namespace shosa::io {
namespace {

// An accessor without a buffer view is all zeros; nothing in the file pays for its length.
constexpr std::size_t kMaxZeros = 1 << 20;

std::size_t component_bytes(std::size_t component_type, const std::string& where) {
  switch (component_type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      throw GltfError(where + ".componentType", "{}, expected 5120 to 5126", component_type);
  }
}

std::size_t width_of(const std::string& type, const std::string& where) {
  for (const auto& [name, width] : {std::pair<std::string_view, std::size_t>{"SCALAR", 1},
                                    {"VEC2", 2},
                                    {"VEC3", 3},
                                    {"VEC4", 4},
                                    {"MAT2", 4},
                                    {"MAT3", 9},
                                    {"MAT4", 16}}) {
    if (type == name) return width;
  }
  throw GltfError(where + ".type", "'{}', expected SCALAR, VEC2 … MAT4", type.substr(0, 20));
}

template <class T>
double component(const std::byte* source, double normalise) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  // glTF 2.0, 3.6.2.2: c / 255, c / 65535, max(c / 127, -1), max(c / 32767, -1).
  if (normalise > 0.0) return std::max(static_cast<double>(value) / normalise, -1.0);
  return static_cast<double>(value);
}

double component(const std::byte* source, std::size_t type, bool normalised) {
  switch (type) {
    case 5120:
      return component<std::int8_t>(source, normalised ? 127.0 : 0.0);
    case 5121:
      return component<std::uint8_t>(source, normalised ? 255.0 : 0.0);
    case 5122:
      return component<std::int16_t>(source, normalised ? 32767.0 : 0.0);
    case 5123:
      return component<std::uint16_t>(source, normalised ? 65535.0 : 0.0);
    case 5125:
      return component<std::uint32_t>(source, 0.0);
    default:
      return component<float>(source, 0.0);
  }
}

/// Elements inside one buffer view, checked to lie within it.
struct Elements {
  const std::byte* first = nullptr;
  std::size_t stride = 0;
};

Elements elements_in_view(const GltfDocument& document, const Json& holder, std::size_t count,
                          std::size_t element_bytes, const std::string& where) {
  const Json& views = array_at(document.json, "bufferViews", "");
  const int index = required_index_at(holder, "bufferView", views.size(), where);
  const Json& view = views[index];
  const std::string view_where = item("bufferViews", static_cast<std::size_t>(index));
  const int buffer_index = required_index_at(view, "buffer", document.buffers.size(), view_where);
  const Bytes& buffer = document.buffers[buffer_index];
  const std::size_t view_offset = size_at(view, "byteOffset", 0, view_where);
  const std::size_t view_length = size_at(view, "byteLength", 0, view_where);
  if (view_offset > buffer.size() || view_length > buffer.size() - view_offset) {
    throw GltfError(view_where, "bytes {} to {}, but the buffer has {}", view_offset, view_offset + view_length,
                    buffer.size());
  }
  if (view.contains("extensions") && view["extensions"].contains("EXT_meshopt_compression")) {
    throw GltfError(view_where, "compressed with EXT_meshopt_compression, which is not read");
  }
  const std::size_t stride = size_at(view, "byteStride", element_bytes, view_where);
  if (stride < element_bytes || stride > 4096) {
    throw GltfError(view_where + ".byteStride", "{}, expected at least {}", stride, element_bytes);
  }
  const std::size_t offset = size_at(holder, "byteOffset", 0, where);
  const bool fits = offset <= view_length && count <= view_length &&
                    (count == 0 || (count - 1) * stride + element_bytes <= view_length - offset);
  if (!fits) {
    throw GltfError(where, "{} elements of {} bytes from byte {} exceed the {} bytes of {}", count, element_bytes,
                    offset, view_length, view_where);
  }
  return {buffer.data() + view_offset + offset, stride};
}

}  // namespace

std::vector<double> read_accessor(const GltfDocument& document, int accessor, std::size_t& width) {
  const std::string where = item("accessors", static_cast<std::size_t>(accessor));
  const Json& json = array_at(document.json, "accessors", "")[accessor];
  const std::size_t type = size_at(json, "componentType", 0, where);
  width = width_of(string_at(json, "type", where), where);
  const std::size_t bytes = component_bytes(type, where);
  const std::size_t count = size_at(json, "count", 0, where);
  const bool normalised = json.contains("normalized") && json["normalized"].is_boolean() && json["normalized"];

  std::vector<double> values;
  if (json.contains("bufferView")) {
    const Elements elements = elements_in_view(document, json, count, width * bytes, where);
    values.resize(count * width);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        values[i * width + c] = component(elements.first + i * elements.stride + c * bytes, type, normalised);
      }
    }
  } else {
    if (count > kMaxZeros) throw GltfError(where, "{} elements without a buffer view, expected fewer", count);
    values.resize(count * width, 0.0);
  }

  const Json& sparse = object_at(json, "sparse", where);
  if (!sparse.empty()) {
    const std::string sparse_where = where + ".sparse";
    const std::size_t changed = size_at(sparse, "count", 0, sparse_where);
    const Json& indices = object_at(sparse, "indices", sparse_where);
    const Json& replacements = object_at(sparse, "values", sparse_where);
    const std::size_t index_type = size_at(indices, "componentType", 0, sparse_where + ".indices");
    if (index_type != 5121 && index_type != 5123 && index_type != 5125) {
      throw GltfError(sparse_where + ".indices.componentType", "{}, expected 5121, 5123 or 5125", index_type);
    }
    const std::size_t index_bytes = component_bytes(index_type, sparse_where);
    const Elements at = elements_in_view(document, indices, changed, index_bytes, sparse_where + ".indices");
    const Elements from = elements_in_view(document, replacements, changed, width * bytes, sparse_where + ".values");
    for (std::size_t i = 0; i < changed; ++i) {
      const auto index = static_cast<std::size_t>(component(at.first + i * at.stride, index_type, false));
      if (index >= count) throw GltfError(sparse_where, "element {}, expected less than {}", index, count);
      for (std::size_t c = 0; c < width; ++c) {
        values[index * width + c] = component(from.first + i * from.stride + c * bytes, type, normalised);
      }
    }
  }
  for (double value : values) {
    if (!std::isfinite(value)) throw GltfError(where, "holds a value that is not finite");
  }
  return values;
}

}  // namespace shosa::io
