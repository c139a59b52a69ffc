#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "io/gltf_document.h"

namespace shosa::io {
namespace {

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

/// A whole number from 0.
std::optional<std::size_t> size_of(const Json& value) {
  // Some exporters write whole numbers as 4.0.
  if (value.is_number_float()) {
    const double number = value.get<double>();
    // The largest size of 32-bit programs is less than 9e15.
    constexpr double kLimit = std::min(9e15, static_cast<double>(std::numeric_limits<std::size_t>::max()));
    if (number >= 0.0 && number < kLimit && std::floor(number) == number) return static_cast<std::size_t>(number);
  } else if (value.is_number_unsigned() || (value.is_number_integer() && value >= 0)) {
    const auto number = value.get<std::uint64_t>();
    if (number <= std::numeric_limits<std::size_t>::max()) return static_cast<std::size_t>(number);
  }
  return std::nullopt;
}

void not_whole(const Json& value, const GltfPlace& where) {
  where.wrong("{}, expected a whole number from 0", value.is_number() ? value.dump() : value.type_name());
}

}  // namespace

int required_index(const Json& value, std::size_t limit, const GltfPlace& where) {
  const std::optional<std::size_t> index = size_of(value);
  if (!index) {
    not_whole(value, where);
    return -1;
  }
  if (*index >= limit || *index > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    where.wrong("index {}, expected less than {}", *index, limit);
    return -1;
  }
  return static_cast<int>(*index);
}

const Json& array_at(const Json& object, const char* key, const GltfPlace& where) {
  static const Json empty = Json::array();
  const Json* value = find(object, key);
  if (value == nullptr) return empty;
  if (value->is_array()) return *value;
  where.key(key).wrong("{}, expected an array", value->type_name());
  return empty;
}

const Json& object_at(const Json& object, const char* key, const GltfPlace& where) {
  static const Json empty = Json::object();
  const Json* value = find(object, key);
  if (value == nullptr) return empty;
  if (value->is_object()) return *value;
  where.key(key).wrong("{}, expected an object", value->type_name());
  return empty;
}

std::string string_at(const Json& object, const char* key, const GltfPlace& where) {
  const Json* value = find(object, key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  where.key(key).wrong("{}, expected a string", value->type_name());
  return {};
}

std::size_t size_at(const Json& object, const char* key, std::size_t missing, const GltfPlace& where) {
  const Json* value = find(object, key);
  if (value == nullptr) return missing;
  const std::optional<std::size_t> size = size_of(*value);
  if (!size) not_whole(*value, where.key(key));
  return size.value_or(missing);
}

int index_at(const Json& object, const char* key, std::size_t limit, const GltfPlace& where) {
  const Json* value = find(object, key);
  return value == nullptr ? -1 : required_index(*value, limit, where.key(key));
}

int required_index_at(const Json& object, const char* key, std::size_t limit, const GltfPlace& where) {
  const Json* value = find(object, key);
  if (value != nullptr) return required_index(*value, limit, where.key(key));
  where.key(key).wrong("missing, expected an index");
  return -1;
}

double number(const Json& value, const GltfPlace& where) {
  if (!value.is_number()) {
    where.wrong("{}, expected a number", value.type_name());
    return 0.0;
  }
  const double result = value.get<double>();
  if (!std::isfinite(result)) where.wrong("not finite, expected a number");
  return result;
}

}  // namespace shosa::io
