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

/// 0 for a type that is not known.
std::size_t component_bytes(std::size_t component_type) {
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
      return 0;
  }
}

/// 0 for a type that is not known.
std::size_t width_of(std::string_view type) {
  for (const auto& [name, width] : {std::pair<std::string_view, std::size_t>{"SCALAR", 1},
                                    {"VEC2", 2},
                                    {"VEC3", 3},
                                    {"VEC4", 4},
                                    {"MAT2", 4},
                                    {"MAT3", 9},
                                    {"MAT4", 16}}) {
    if (type == name) return width;
  }
  return 0;
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

/// Elements inside one buffer view, checked to lie within it; without a first one where there is a fault.
struct Elements {
  const std::byte* first = nullptr;
  std::size_t stride = 0;
};

Elements elements_in_view(const GltfDocument& document, const Json& holder, std::size_t count,
                          std::size_t element_bytes, const GltfPlace& where) {
  const GltfPlace root{where.fault};
  const Json& views = array_at(document.json, "bufferViews", root);
  const int index = required_index_at(holder, "bufferView", views.size(), where);
  if (index < 0) return {};
  const Json& view = views[index];
  const GltfPlace view_where = root.item("bufferViews", static_cast<std::size_t>(index));
  const int buffer_index = required_index_at(view, "buffer", document.buffers.size(), view_where);
  if (buffer_index < 0) return {};
  const Bytes& buffer = document.buffers[buffer_index];
  const std::size_t view_offset = size_at(view, "byteOffset", 0, view_where);
  const std::size_t view_length = size_at(view, "byteLength", 0, view_where);
  if (view_offset > buffer.size() || view_length > buffer.size() - view_offset) {
    view_where.wrong("{} bytes from byte {}, but the buffer has {}", view_length, view_offset, buffer.size());
    return {};
  }
  if (view.contains("extensions") && view["extensions"].contains("EXT_meshopt_compression")) {
    view_where.wrong("compressed with EXT_meshopt_compression, which is not read");
    return {};
  }
  const std::size_t stride = size_at(view, "byteStride", element_bytes, view_where);
  if (stride < element_bytes || stride > 4096) {
    view_where.key("byteStride").wrong("{}, expected at least {}", stride, element_bytes);
    return {};
  }
  const std::size_t offset = size_at(holder, "byteOffset", 0, where);
  const bool fits =
      offset <= view_length && count <= view_length &&
      (count == 0 || std::uint64_t{count - 1} * stride + element_bytes <= std::uint64_t{view_length - offset});
  if (!fits) {
    where.wrong("{} elements of {} bytes from byte {} exceed the {} bytes of {}", count, element_bytes, offset,
                view_length, view_where.path);
  }
  if (where.fault.found()) return {};
  return {buffer.data() + view_offset + offset, stride};
}

}  // namespace

std::vector<double> read_accessor(const GltfDocument& document, int accessor, std::size_t& width, GltfFault& fault) {
  const GltfPlace where = GltfPlace{fault}.item("accessors", static_cast<std::size_t>(accessor));
  const Json& json = array_at(document.json, "accessors", {fault})[accessor];
  const std::size_t type = size_at(json, "componentType", 0, where);
  const std::string type_name = string_at(json, "type", where);
  width = width_of(type_name);
  if (width == 0) where.key("type").wrong("'{}', expected SCALAR, VEC2 … MAT4", type_name.substr(0, 20));
  const std::size_t bytes = component_bytes(type);
  if (bytes == 0) where.key("componentType").wrong("{}, expected 5120 to 5126", type);
  const std::size_t count = size_at(json, "count", 0, where);
  if (fault.found()) return {};
  const bool normalised = json.contains("normalized") && json["normalized"].is_boolean() && json["normalized"];

  std::vector<double> values;
  if (json.contains("bufferView")) {
    const Elements elements = elements_in_view(document, json, count, width * bytes, where);
    if (fault.found()) return {};
    values.resize(count * width);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        values[i * width + c] = component(elements.first + i * elements.stride + c * bytes, type, normalised);
      }
    }
  } else {
    if (count > kMaxZeros) {
      where.wrong("{} elements without a buffer view, expected fewer", count);
      return {};
    }
    values.resize(count * width, 0.0);
  }

  const Json& sparse = object_at(json, "sparse", where);
  if (!sparse.empty()) {
    const GltfPlace sparse_where = where.key("sparse");
    const std::size_t changed = size_at(sparse, "count", 0, sparse_where);
    const Json& indices = object_at(sparse, "indices", sparse_where);
    const Json& replacements = object_at(sparse, "values", sparse_where);
    const std::size_t index_type = size_at(indices, "componentType", 0, sparse_where.key("indices"));
    if (index_type != 5121 && index_type != 5123 && index_type != 5125) {
      sparse_where.key("indices.componentType").wrong("{}, expected 5121, 5123 or 5125", index_type);
      return {};
    }
    const std::size_t index_bytes = component_bytes(index_type);
    const Elements at = elements_in_view(document, indices, changed, index_bytes, sparse_where.key("indices"));
    const Elements from = elements_in_view(document, replacements, changed, width * bytes, sparse_where.key("values"));
    if (fault.found()) return {};
    for (std::size_t i = 0; i < changed; ++i) {
      const auto index = static_cast<std::size_t>(component(at.first + i * at.stride, index_type, false));
      if (index >= count) {
        sparse_where.wrong("element {}, expected less than {}", index, count);
        return {};
      }
      for (std::size_t c = 0; c < width; ++c) {
        values[index * width + c] = component(from.first + i * from.stride + c * bytes, type, normalised);
      }
    }
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(values, is_finite)) where.wrong("holds a value that is not finite");
  return values;
}

}  // namespace shosa::io
