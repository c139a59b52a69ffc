#include "shosa/io/motion_file.h"

#include "io/ascii.h"
#include "io/csv.h"
#include "io/guarded.h"
#include "shosa/io/asf_amc.h"
#include "shosa/io/bvh.h"
#include "shosa/io/fbx.h"
#include "shosa/io/gltf.h"

namespace shosa::io {
namespace {

Result<MotionFile> read_by_extension(const std::filesystem::path& path, const ReadOptions& options) {
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

Result<void> write_by_extension(const std::filesystem::path& path, const MotionFile& motion,
                                const WriteOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".bvh") return write_bvh(path, motion, options);
  if (extension == ".csv") return write_csv(path, motion);
  if (extension == ".glb" || extension == ".gltf" || extension == ".vrma") return write_gltf(path, motion, options);
  return fail(ErrorCode::invalid_argument,
              "{}: extension '{}' cannot be written, expected .bvh, .glb, .gltf, .vrma or .csv", path.string(),
              extension);
}

}  // namespace

Result<MotionFile> read_motion(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&] { return read_by_extension(path, options); });
}

Result<void> write_motion(const std::filesystem::path& path, const MotionFile& motion, const WriteOptions& options) {
  return guarded(path, [&] { return write_by_extension(path, motion, options); });
}

}  // namespace shosa::io
