#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/gltf_document.h"

namespace shosa::io {

/// A file about to be written: JSON and its first buffer, to which accessors are added.
class GltfBuilder {
 public:
  GltfBuilder(Json json, std::vector<Bytes> buffers);

  Json& json() { return json_; }
  std::vector<Bytes>& buffers() { return buffers_; }
  /// What cannot be written; the rest is then made no further than it is easy, and thrown away.
  GltfFault& fault() { return fault_; }

  enum class Use {
    data,
    vertices,
    indices
  };

  /// Appends numbers of type T (float, std::uint8_t, std::uint16_t) as a new buffer view and accessor; returns its
  /// index. `type`: "SCALAR", "VEC3" … With `bounds` the least and greatest element are recorded.
  template <class T>
  int add_accessor(std::span<const T> values, const char* type, Use use = Use::data, bool bounds = false,
                   bool normalised = false);
  /// A buffer view of any bytes.
  int add_view(std::span<const std::byte> bytes);

 private:
  Json json_;
  std::vector<Bytes> buffers_;
  GltfFault fault_;
};

/// Keys of one node, one entry per frame.
struct NodeKeys {
  int node = -1;
  NodeLocal rest;
  std::vector<float> rotations;     ///< 4 per frame; empty: not animated.
  std::vector<float> translations;  ///< 3 per frame; empty: not animated.
};

/// One animation from uniform samples; channels that stay at rest are left out and constant ones get two keys.
/// `kept`: an animation object with channels and samplers to start from; may be empty.
Json make_animation(GltfBuilder& builder, const Clip& clip, const std::vector<NodeKeys>& keys, Json kept = {});

/// gltf_fresh.cpp: a file for a motion without a source document.
GltfBuilder make_fresh_document(const MotionFile& motion, bool with_body);

/// gltf_bones.cpp: a mesh of bone shapes bound to joints; adds skin, mesh, material and a node to the scene. More than
/// 65 536 joints get the skin alone.
void add_bone_mesh(GltfBuilder& builder, const Skeleton& skeleton);

/// gltf_write_back.cpp: the source document with its animations replaced by `motion.clips`.
GltfBuilder make_edited_document(const GltfDocument& document, const MotionFile& motion,
                                 const std::filesystem::path& target_dir);

/// gltf_compact.cpp: removes accessors and bytes that nothing refers to. Does nothing when the file uses extensions
/// that may refer to them in ways unknown here.
void drop_unused(GltfBuilder& builder);

/// vrma.cpp: the humanoid extension.
void add_vrm_animation(Json& json, const body::BodyMap& map);
/// The motion as a .vrma can hold it: what moves above the hips is carried by the hips, nothing but them is translated.
Clip carried_by_hips(const Clip& clip, JointIndex hips);

// gltf_weights.cpp

/// Scales the skin weights of every vertex to the sum 1 where they miss it.
void normalise_weights(Json& json, std::vector<Bytes>& buffers, GltfFault& fault);

}  // namespace shosa::io
