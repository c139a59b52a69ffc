#include <cmath>
#include <limits>

#include "io/gltf_document.h"

namespace shosa::io {
namespace {

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

std::string at(const std::string& where, const char* key) {
  return where.empty() ? key : where + "." + key;
}

}  // namespace

const Json& array_at(const Json& object, const char* key, const std::string& where) {
  static const Json empty = Json::array();
  const Json* value = find(object, key);
  if (value == nullptr) return empty;
  if (!value->is_array()) throw GltfError(at(where, key), "{}, expected an array", value->type_name());
  return *value;
}

const Json& object_at(const Json& object, const char* key, const std::string& where) {
  static const Json empty = Json::object();
  const Json* value = find(object, key);
  if (value == nullptr) return empty;
  if (!value->is_object()) throw GltfError(at(where, key), "{}, expected an object", value->type_name());
  return *value;
}

std::string string_at(const Json& object, const char* key, const std::string& where) {
  const Json* value = find(object, key);
  if (value == nullptr) return {};
  if (!value->is_string()) throw GltfError(at(where, key), "{}, expected a string", value->type_name());
  return value->get<std::string>();
}

std::size_t size_at(const Json& object, const char* key, std::size_t missing, const std::string& where) {
  const Json* value = find(object, key);
  if (value == nullptr) return missing;
  // Some exporters write whole numbers as 4.0.
  if (value->is_number_float()) {
    const double number = value->get<double>();
    if (number >= 0.0 && number < 9e15 && std::floor(number) == number) return static_cast<std::size_t>(number);
  } else if (value->is_number_unsigned() || (value->is_number_integer() && *value >= 0)) {
    return value->get<std::size_t>();
  }
  throw GltfError(at(where, key), "{}, expected a whole number from 0",
                  value->is_number() ? value->dump() : value->type_name());
}

int index_at(const Json& object, const char* key, std::size_t limit, const std::string& where) {
  constexpr std::size_t kMissing = std::numeric_limits<std::size_t>::max();
  const std::size_t index = size_at(object, key, kMissing, where);
  if (index == kMissing && find(object, key) == nullptr) return -1;
  if (index >= limit || index > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw GltfError(at(where, key), "index {}, expected less than {}", index, limit);
  }
  return static_cast<int>(index);
}

int required_index_at(const Json& object, const char* key, std::size_t limit, const std::string& where) {
  const int index = index_at(object, key, limit, where);
  if (index < 0) throw GltfError(at(where, key), "missing, expected an index");
  return index;
}

double number(const Json& value, const std::string& where) {
  if (!value.is_number()) throw GltfError(where, "{}, expected a number", value.type_name());
  const double result = value.get<double>();
  if (!std::isfinite(result)) throw GltfError(where, "not finite, expected a number");
  return result;
}

std::string item(const char* array, std::size_t index) {
  return fmt::format("{}[{}]", array, index);
}

}  // namespace shosa::io
