#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shosa/core/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::io {

enum class UpAxis {
  y,
  z
};

/// How to read a file where it does not speak for itself.
struct ReadOptions {
  std::optional<double> unit_m = {};  ///< Metres per file unit; detected from the body's height when empty.
  std::optional<UpAxis> up = {};      ///< Detected from the body's stance when empty.
  std::optional<double> fps_is = {};  ///< Overrides a header frame rate that is wrong.
  std::optional<double> sample_fps =
      {};                          ///< glTF, FBX: rate at which keys are sampled; chosen from the keys when empty.
  bool drop_tpose = false;         ///< Leave out an added T-pose in frame 0.
  std::filesystem::path asf = {};  ///< The skeleton of an .amc; empty: the only fitting .asf beside it.
  std::optional<BodyMap> body_map = {};  ///< Replaces the guess.
};

struct BvhLayout;     ///< Channel order of a BVH file (bvh.h), so that it can be written back alike.
struct GltfDocument;  ///< Meshes, skins and materials of a glTF file (gltf.h), so that they can be written back.

/// What a file holds, in the world of CONVENTIONS.md: metres, Y up.
struct MotionFile {
  std::string format;  ///< "bvh", "amc", "asf", "glb", "gltf", "vrma", "fbx".
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;            ///< All on `skeleton`. Empty when the file holds no motion.
  double unit_m = 1.0;                ///< Metres per unit of the file.
  UpAxis up = UpAxis::y;              ///< The file's own.
  bool first_frame_is_tpose = false;  ///< Still in the clip unless `drop_tpose` was asked for.
  BodyMap body_map;
  std::vector<std::string> warnings;  ///< Odd but usable things that were met.
  std::shared_ptr<const BvhLayout> bvh;
  std::shared_ptr<const GltfDocument> gltf;
};

/// Reads by extension: .bvh .asf .amc .glb .gltf .vrma .vrm .fbx. Errors name file and line or byte.
Result<MotionFile> read_motion(const std::filesystem::path& path, const ReadOptions& options = {});

struct WriteOptions {
  /// Units of a written BVH in metres; when empty the source's own unit, or centimetres where the source was no BVH.
  std::optional<double> unit_m = {};
};

/// Writes by extension: .bvh (first clip), .glb .gltf .vrma (all clips; meshes and skins of the source kept), .csv
/// (first clip's world positions). The file appears whole or not at all.
Result<void> write_motion(const std::filesystem::path& path, const MotionFile& motion,
                          const WriteOptions& options = {});

}  // namespace shosa::io
