#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/note.h"
#include "shosa/core/result.h"

namespace shosa::io {

enum class UpAxis {
  y,
  z
};

/// How to read a file where it does not speak for itself.
struct ReadOptions {
  /// Metres per file unit. When empty: BVH, AMC from the body's size; glTF metres, but centimetres for a body that
  /// would be a giant in metres; FBX what the file says.
  std::optional<double> unit_m = {};
  std::optional<UpAxis> up = {};      ///< Detected from the body's stance when empty.
  std::optional<double> fps_is = {};  ///< Overrides a header frame rate that is wrong. From 0.001 to 1e6.
  /// glTF, FBX: rate at which keys are sampled, from 0.001 to 1e6; chosen from the keys when empty or with `fps_is`.
  std::optional<double> sample_fps = {};
  /// Leave out an added T-pose: the first frame, or the first two.
  bool drop_tpose = false;
  std::filesystem::path asf = {};              ///< The skeleton of an .amc; empty: the only fitting .asf beside it.
  std::string asf_text = {};                   ///< The same where an .amc is read from memory. Required there.
  std::optional<body::BodyMap> body_map = {};  ///< Replaces the guess. Joints that the file has not are an error.
};

struct BvhLayout;     ///< Channel order of a BVH file, so that it can be written back alike. Opaque.
struct GltfDocument;  ///< Meshes, skins and materials of a glTF file, so that they can be written back. Opaque.

/// What a file holds, in the world of CONVENTIONS.md: metres, Y up.
struct MotionFile {
  std::string format;  ///< "bvh", "amc", "asf", "glb", "gltf", "vrma", "fbx".
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;  ///< All on `skeleton`. Empty when the file holds no motion.
  double unit_m = 1.0;      ///< Metres per unit of the file.
  UpAxis up = UpAxis::y;    ///< The file's own.
  int tpose_frames = 0;     ///< In front of the motion (the most of the clips); still there unless `drop_tpose`.
  body::BodyMap body_map;
  Notes warnings;  ///< Odd but usable things that were met, and what was done about them.
  std::shared_ptr<const BvhLayout> bvh;
  std::shared_ptr<const GltfDocument> gltf;
};

/// Reads by extension: .bvh .asf .amc .glb .gltf .vrma .vrm .fbx. Errors name file and line or byte.
Result<MotionFile> read_motion(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from memory, for all but .fbx: `name` is what the bytes are called in errors, and its extension says what
/// they are. Buffers and images that are files of their own are refused.
Result<MotionFile> parse_motion(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

struct WriteOptions {
  /// Units of a written BVH in metres; when empty the source's own unit, or centimetres where the source was no BVH.
  std::optional<double> unit_m = {};
};

/// Writes by extension: .bvh (first clip), .glb .gltf .vrma (all clips; meshes and skins of the source kept), .csv
/// (first clip's world positions). The file appears whole or not at all.
Result<void> write_motion(const std::filesystem::path& path, const MotionFile& motion,
                          const WriteOptions& options = {});
/// The bytes that `write_motion` would write; the extension of `name` says of which kind.
Result<std::string> format_motion(const MotionFile& motion, const std::filesystem::path& name,
                                  const WriteOptions& options = {});

}  // namespace shosa::io
