#include "io/gltf_write.h"

#include <string>

#include "io/gltf.h"
#include "io/guarded.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/files_below.h"

namespace shosa::io {
namespace {

GltfBuilder make_vrma(const MotionFile& motion) {
  MotionFile carried;
  carried.skeleton = motion.skeleton;
  const JointIndex hips = motion.body_map.joint(body::Role::hips);
  if (hips == kNoJoint) {
    GltfBuilder nothing(Json::object(), {});
    nothing.fault().note("body map", "no hips, which a .vrma needs");
    return nothing;
  }
  for (const Clip& clip : motion.clips) carried.clips.push_back(carried_by_hips(clip, hips));
  GltfBuilder builder = make_fresh_document(carried, false);
  add_vrm_animation(builder.json(), motion.body_map);
  return builder;
}

Result<std::string> format(const std::filesystem::path& path, const MotionFile& motion) {
  const std::string extension = lower_extension(path);
  if (extension != ".glb" && extension != ".gltf" && extension != ".vrma") {
    return fail(ErrorCode::invalid_argument, "{}: extension '{}', expected .glb, .gltf or .vrma", path.string(),
                extension);
  }
  if (motion.skeleton == nullptr) return fail(ErrorCode::invalid_argument, "{}: no skeleton to write", path.string());
  for (const Clip& clip : motion.clips) {
    if (clip.skeleton_ptr() != motion.skeleton && !same_skeleton(clip.skeleton(), *motion.skeleton)) {
      return fail(ErrorCode::invalid_argument, "{}: clip '{}' is on another skeleton", path.string(), clip.name());
    }
  }
  const bool edit = extension != ".vrma" && motion.gltf != nullptr &&
                    same_skeleton(*motion.skeleton, *motion.gltf->skeleton.skeleton);
  std::filesystem::path target_dir = path.parent_path();
  if (target_dir.empty()) target_dir = ".";
  GltfBuilder builder = extension == ".vrma" ? make_vrma(motion)
                        : edit               ? make_edited_document(*motion.gltf, motion, target_dir)
                                             : make_fresh_document(motion, true);
  if (builder.buffers().size() == 1 && builder.buffers()[0].empty()) {
    builder.json().erase("buffers");
    builder.buffers().clear();
  }
  std::string bytes;
  if (!builder.fault().found()) {
    bytes = extension == ".gltf" ? gltf_bytes(std::move(builder.json()), builder.buffers())
                                 : glb_bytes(std::move(builder.json()), builder.buffers(), builder.fault());
  }
  if (builder.fault().found()) return fail(ErrorCode::not_possible, "{}: {}", path.string(), builder.fault().text());
  return bytes;
}

}  // namespace

Result<std::string> format_gltf(const std::filesystem::path& path, const MotionFile& motion) {
  return guarded(path, [&] { return format(path, motion); });
}

Result<void> write_gltf(const std::filesystem::path& path, const MotionFile& motion) {
  const auto bytes = format_gltf(path, motion);
  if (!bytes) return std::unexpected(bytes.error());
  return guarded(path, [&] { return write_file_atomically(path, *bytes); });
}

}  // namespace shosa::io
