#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/node_scene.h"
#include "shosa/io/motion_file.h"

namespace shosa::io {

using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

/// A glTF file as it was, its buffers in memory. Nothing is dropped: what we do not know stays in `json`.
struct GltfDocument {
  Json json;
  std::vector<Bytes> buffers;      ///< One per entry of json["buffers"].
  std::filesystem::path base_dir;  ///< Where images of their own lie.
  NodeScene scene;
  NodeSkeleton skeleton;
  std::vector<int> animation_of_clip;     ///< Source animation of each clip that was read.
  std::vector<std::string> clip_names;    ///< Their names.
  std::vector<double> clip_last_times_s;  ///< Their lengths.
};

/// Thrown inside the glTF reader and writer, and turned into `Error` at their doors.
class GltfError : public std::exception {
 public:
  template <class... Args>
  GltfError(std::string where, fmt::format_string<Args...> text, Args&&... args)
      : message_(where + ": " + fmt::format(text, std::forward<Args>(args)...)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// gltf_json.cpp: checked access. `where` is the JSON path of `object` and stands in the error.

/// The array at `key`, or an empty one; throws when it is something else.
const Json& array_at(const Json& object, const char* key, const std::string& where);
const Json& object_at(const Json& object, const char* key, const std::string& where);
std::string string_at(const Json& object, const char* key, const std::string& where);
/// A whole number in [0, limit); -1 when the key is missing.
int index_at(const Json& object, const char* key, std::size_t limit, const std::string& where);
int required_index_at(const Json& object, const char* key, std::size_t limit, const std::string& where);
/// An unsigned size; `missing` when the key is not there.
std::size_t size_at(const Json& object, const char* key, std::size_t missing, const std::string& where);
double number(const Json& value, const std::string& where);
std::string item(const char* array, std::size_t index);

// gltf_container.cpp

/// GLB or JSON text into a document with its buffers loaded and their lengths checked.
GltfDocument load_document(std::span<const std::byte> bytes, const std::filesystem::path& base_dir);
bool is_data_uri(const std::string& uri);
/// The file a URI names; empty when it is no relative path, leaves `base_dir` or `base_dir` is empty.
std::optional<std::filesystem::path> local_path(const std::string& uri, const std::filesystem::path& base_dir);
std::optional<Bytes> read_bytes(const std::filesystem::path& path);
/// The bytes of a .glb (first buffer as the binary chunk) or of a .gltf (all buffers as base64).
Bytes glb_bytes(Json json, const std::vector<Bytes>& buffers);
Bytes gltf_bytes(Json json, const std::vector<Bytes>& buffers);

// gltf_accessor.cpp

/// All elements of an accessor, normalised integers as numbers in [-1, 1]; checked against buffers and views, sparse
/// values put in. `width` is set to the components per element.
std::vector<double> read_accessor(const GltfDocument& document, int accessor, std::size_t& width);

// gltf_scene.cpp

/// Nodes, skins, humanoid map and animations of `document.json`.
NodeScene read_scene(const GltfDocument& document, Notes& warnings);

// vrma.cpp

/// Humanoid roles of VRM 0.x, VRM 1.0 and VRMC_vrm_animation: pairs of role and node.
struct HumanoidNodes {
  std::vector<std::pair<body::Role, int>> bones;
  std::vector<int> other_nodes;  ///< Expressions and look-at of a .vrma.
  bool is_animation = false;     ///< VRMC_vrm_animation rather than a model.
};
std::optional<HumanoidNodes> read_humanoid(const Json& json);

}  // namespace shosa::io
