#include "io/gltf_write.h"

#include <string_view>

#include "io/ascii.h"
#include "io/gltf.h"
#include "io/guarded.h"
#include "shosa/io/atomic_file.h"

namespace shosa::io {
namespace {

GltfBuilder make_vrma(const MotionFile& motion) {
  MotionFile carried;
  carried.skeleton = motion.skeleton;
  const JointIndex hips = motion.body_map.joint(body::Role::hips);
  if (hips == kNoJoint) throw GltfError("body map", "no hips, which a .vrma needs");
  for (const Clip& clip : motion.clips) carried.clips.push_back(carried_by_hips(clip, hips));
  GltfBuilder builder = make_fresh_document(carried, false);
  add_vrm_animation(builder.json(), motion.body_map);
  return builder;
}

Bytes make_file(const std::filesystem::path& path, const std::string& extension, const MotionFile& motion) {
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
  return extension == ".gltf" ? gltf_bytes(std::move(builder.json()), builder.buffers())
                              : glb_bytes(std::move(builder.json()), builder.buffers());
}

Result<void> write(const std::filesystem::path& path, const MotionFile& motion) {
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
  try {
    const Bytes bytes = make_file(path, extension, motion);
    return write_file_atomically(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const GltfError& error) {
    return fail(ErrorCode::not_possible, "{}: {}", path.string(), error.what());
  } catch (const Json::exception& error) {
    return fail(ErrorCode::not_possible, "{}: the source's JSON holds another type than expected ({})", path.string(),
                error.what());
  }
}

}  // namespace

Result<void> write_gltf(const std::filesystem::path& path, const MotionFile& motion, const WriteOptions&) {
  return guarded(path, [&] { return write(path, motion); });
}

}  // namespace shosa::io
