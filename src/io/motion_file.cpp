#include "shosa/io/motion_file.h"

#include <algorithm>
#include <span>

#include "io/asf_amc.h"
#include "io/bvh.h"
#include "io/csv.h"
#include "io/fbx.h"
#include "io/gltf.h"
#include "io/guarded.h"
#include "io/tpose.h"
#include "shosa/core/clip_edit.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/files_below.h"

namespace shosa::io {
namespace {

bool is_gltf(std::string_view extension) {
  return extension == ".glb" || extension == ".gltf" || extension == ".vrma" || extension == ".vrm";
}

Result<MotionFile> read_by_extension(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".bvh") return read_bvh(path, options);
  if (extension == ".asf") return read_asf(path, options);
  if (extension == ".amc") return read_amc(path, options);
  if (is_gltf(extension)) return read_gltf(path, options);
  if (extension == ".fbx") return read_fbx(path, options);
  return fail(ErrorCode::cannot_read,
              "{}: extension '{}' is not known, expected .bvh, .asf, .amc, .glb, .gltf, .vrma, .vrm or .fbx",
              path.string(), extension);
}

Result<MotionFile> parse_by_extension(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const std::string extension = lower_extension(name);
  if (extension == ".bvh") return parse_bvh(bytes, name, options);
  if (extension == ".asf") return parse_asf(bytes, name, options);
  if (extension == ".amc") return parse_amc(options.asf_text, "the skeleton of " + name, bytes, name, options);
  if (is_gltf(extension)) return parse_gltf(std::as_bytes(std::span(bytes)), name, {}, options);
  return fail(ErrorCode::cannot_read,
              "{}: extension '{}' is not read from memory, expected .bvh, .asf, .amc, .glb, .gltf, .vrma or .vrm", name,
              extension);
}

Result<std::string> format_by_extension(const std::filesystem::path& path, const MotionFile& motion,
                                        const WriteOptions& options) {
  const std::string extension = lower_extension(path);
  const bool gltf = extension == ".glb" || extension == ".gltf" || extension == ".vrma";
  if (gltf) return format_gltf(path, motion);
  if (extension != ".bvh" && extension != ".csv") {
    return fail(ErrorCode::invalid_argument,
                "{}: extension '{}' cannot be written, expected .bvh, .glb, .gltf, .vrma or .csv", path.string(),
                extension);
  }
  if (motion.clips.empty()) return fail(ErrorCode::not_possible, "{}: there is no motion to write", path.string());
  if (extension == ".csv") return format_csv(motion.clips.front());
  const double unit_m = options.unit_m ? *options.unit_m : motion.bvh != nullptr ? motion.unit_m : 0.01;
  return format_bvh(motion.clips.front(), motion.bvh.get(), unit_m);
}

/// The reader of BVH asks it itself: it helps to tell which axis is up.
Result<MotionFile> with_tpose_found(Result<MotionFile> motion, const ReadOptions& options) {
  if (!motion || motion->format == "bvh") return motion;
  for (Clip& clip : motion->clips) {
    const int frames = count_tpose_frames(clip);
    if (frames == 0) continue;
    motion->tpose_frames = std::max(motion->tpose_frames, frames);
    motion->warnings.push_back(tpose_note(frames, options.drop_tpose));
    if (options.drop_tpose) clip = *cut_frames(clip, frames, clip.frame_count() - frames);
  }
  return motion;
}

}  // namespace

Result<MotionFile> read_motion(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&] { return with_tpose_found(read_by_extension(path, options), options); });
}

Result<MotionFile> parse_motion(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return guarded(name, [&] { return with_tpose_found(parse_by_extension(bytes, name, options), options); });
}

Result<std::string> format_motion(const MotionFile& motion, const std::filesystem::path& name,
                                  const WriteOptions& options) {
  return guarded(name, [&] { return format_by_extension(name, motion, options); });
}

Result<void> write_motion(const std::filesystem::path& path, const MotionFile& motion, const WriteOptions& options) {
  const auto bytes = format_motion(motion, path, options);
  if (!bytes) return std::unexpected(bytes.error());
  return guarded(path, [&] { return write_file_atomically(path, *bytes); });
}

}  // namespace shosa::io
