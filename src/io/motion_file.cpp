#include "shosa/io/motion_file.h"

#include <algorithm>

#include "shosa/io/asf_amc.h"
#include "shosa/io/bvh.h"
#include "shosa/io/csv.h"
#include "shosa/io/fbx.h"
#include "shosa/io/gltf.h"

namespace shosa::io {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return extension;
}

}  // namespace

Result<MotionFile> read_motion(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".bvh") return read_bvh(path, options);
  if (extension == ".asf") return read_asf(path, options);
  if (extension == ".amc") return read_amc(path, options);
  if (extension == ".glb" || extension == ".gltf" || extension == ".vrma" || extension == ".vrm") {
    return read_gltf(path, options);
  }
  if (extension == ".fbx") return read_fbx(path, options);
  return fail(ErrorCode::cannot_read,
              "{}: extension '{}' is not known, expected .bvh, .asf, .amc, .glb, .gltf, .vrma, .vrm or .fbx",
              path.string(), extension);
}

Result<void> write_motion(const std::filesystem::path& path, const MotionFile& motion, const WriteOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".bvh") return write_bvh(path, motion, options);
  if (extension == ".csv") return write_csv(path, motion);
  if (extension == ".glb" || extension == ".gltf" || extension == ".vrma") return write_gltf(path, motion, options);
  return fail(ErrorCode::invalid_argument,
              "{}: extension '{}' cannot be written, expected .bvh, .glb, .gltf, .vrma or .csv", path.string(),
              extension);
}

}  // namespace shosa::io
