#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The first thing that is wrong with a file.
///
/// After it reading goes on with nothing in place of the value, and whoever would need a value asks `found` and
/// returns: so no exception is needed, and the doors of the reader and the writer say what it was.
class GltfFault {
 public:
  bool found() const { return !text_.empty(); }
  const std::string& text() const { return text_; }
  template <class... Args>
  void note(const std::string& where, fmt::format_string<Args...> text, Args&&... args) {
    if (!found()) text_ = where + ": " + fmt::format(text, std::forward<Args>(args)...);
  }

 private:
  std::string text_;
};

/// A JSON path, which stands in the fault.
struct GltfPlace {
  GltfFault& fault;
  std::string path = {};  ///< Empty: the whole document.

  GltfPlace key(std::string_view name) const {
    return {fault, path.empty() ? std::string(name) : fmt::format("{}.{}", path, name)};
  }
  GltfPlace item(std::string_view array, std::size_t index) const { return key(fmt::format("{}[{}]", array, index)); }
  template <class... Args>
  void wrong(fmt::format_string<Args...> text, Args&&... args) const {
    fault.note(path, text, std::forward<Args>(args)...);
  }
};

// gltf_json.cpp: checked access. `where` is the place of `object`; a value of another kind than asked for is a fault.

/// The array at `key`; an empty one when the key is missing.
const Json& array_at(const Json& object, const char* key, const GltfPlace& where);
const Json& object_at(const Json& object, const char* key, const GltfPlace& where);
std::string string_at(const Json& object, const char* key, const GltfPlace& where);
/// A whole number in [0, limit); -1 when the key is missing, or is a fault.
int index_at(const Json& object, const char* key, std::size_t limit, const GltfPlace& where);
/// The same of a value that must be there.
int required_index_at(const Json& object, const char* key, std::size_t limit, const GltfPlace& where);
int required_index(const Json& value, std::size_t limit, const GltfPlace& where);
/// An unsigned size; `missing` when the key is not there.
std::size_t size_at(const Json& object, const char* key, std::size_t missing, const GltfPlace& where);
double number(const Json& value, const GltfPlace& where);

// gltf_container.cpp

/// GLB or JSON text into a document with its buffers loaded and their lengths checked.
GltfDocument load_document(std::span<const std::byte> bytes, const std::filesystem::path& base_dir, GltfFault& fault);
bool is_data_uri(const std::string& uri);
/// The file a URI names; empty when it is no relative path, leaves `base_dir` or `base_dir` is empty.
std::optional<std::filesystem::path> local_path(const std::string& uri, const std::filesystem::path& base_dir);
std::optional<Bytes> read_bytes(const std::filesystem::path& path);
/// The bytes of a .glb (first buffer as the binary chunk) or of a .gltf (all buffers as base64).
std::string glb_bytes(Json json, const std::vector<Bytes>& buffers, GltfFault& fault);
std::string gltf_bytes(Json json, const std::vector<Bytes>& buffers);

// gltf_accessor.cpp

/// All elements of an accessor, normalised integers as numbers in [-1, 1]; checked against buffers and views, sparse
/// values put in. `width` is set to the components per element.
std::vector<double> read_accessor(const GltfDocument& document, int accessor, std::size_t& width, GltfFault& fault);

// gltf_scene.cpp

/// Nodes, skins, humanoid map and animations of `document.json`.
NodeScene read_scene(const GltfDocument& document, Notes& warnings, GltfFault& fault);

// vrma.cpp

/// Humanoid roles of VRM 0.x, VRM 1.0 and VRMC_vrm_animation: pairs of role and node.
struct HumanoidNodes {
  std::vector<std::pair<body::Role, int>> bones;
  std::vector<int> other_nodes;  ///< Expressions and look-at of a .vrma.
  bool is_animation = false;     ///< VRMC_vrm_animation rather than a model.
};
std::optional<HumanoidNodes> read_humanoid(const Json& json, GltfFault& fault);

}  // namespace shosa::io
