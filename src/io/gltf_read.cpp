#include <algorithm>
#include <set>

#include "io/gltf_document.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/gltf.h"

namespace shosa::io {
namespace {

std::string format_of(const std::string& name, std::span<const std::byte> bytes) {
  std::string extension = std::filesystem::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".vrma") return "vrma";
  return !bytes.empty() && bytes[0] == std::byte{'g'} ? "glb" : "gltf";
}

BodyMap make_body_map(const MotionFile& motion, const GltfDocument& document,
                      const std::optional<HumanoidNodes>& humanoid) {
  if (humanoid) {
    BodyMap map;
    map.kind = BodyKind::humanoid;
    for (const auto& [role, node] : humanoid->bones) {
      map.set(role, document.skeleton.joint_of_node[static_cast<std::size_t>(node)]);
    }
    return map;
  }
  if (motion.clips.empty()) return guess_body_map(*motion.skeleton);
  const std::vector<Vec3d> posed = forward_kinematics(*motion.skeleton, motion.clips.front().frame(0)).positions;
  return guess_body_map(*motion.skeleton, &posed);
}

void warn_about_other_nodes(const NodeScene& scene, const HumanoidNodes& humanoid, std::vector<std::string>& warnings) {
  const std::set<int> others(humanoid.other_nodes.begin(), humanoid.other_nodes.end());
  for (const SceneAnimation& animation : scene.animations) {
    for (const Track& track : animation.tracks) {
      if (!others.contains(track.node)) continue;
      warnings.push_back(
          fmt::format("animation '{}' moves expressions or the gaze, which is left out", animation.name));
      break;
    }
  }
}

Result<MotionFile> build(std::span<const std::byte> bytes, const std::string& name,
                         const std::filesystem::path& base_dir, const ReadOptions& options) {
  MotionFile motion;
  motion.format = format_of(name, bytes);
  motion.unit_m = options.unit_m.value_or(1.0);
  motion.up = options.up.value_or(UpAxis::y);
  if (!(motion.unit_m > 0.0) || !std::isfinite(motion.unit_m)) {
    return fail(ErrorCode::invalid_argument, "unit {} m, expected a positive number", motion.unit_m);
  }

  auto document = std::make_shared<GltfDocument>(load_document(bytes, base_dir));
  document->scene = read_scene(*document, motion.warnings);
  const std::optional<HumanoidNodes> humanoid = read_humanoid(document->json);
  if (humanoid && document->scene.joint_hints.empty()) {
    for (const auto& [role, node] : humanoid->bones) document->scene.joint_hints.push_back(node);
    document->scene.hints_are_complete = true;
  }
  if (humanoid) warn_about_other_nodes(document->scene, *humanoid, motion.warnings);

  Result<NodeSkeleton> skeleton = build_node_skeleton(document->scene, motion.unit_m, motion.up, name, motion.warnings);
  if (!skeleton) return std::unexpected(skeleton.error());
  document->skeleton = std::move(*skeleton);
  motion.skeleton = document->skeleton.skeleton;

  Result<SampledAnimations> sampled =
      sample_animations(document->scene, document->skeleton, options, name, motion.warnings);
  if (!sampled) return std::unexpected(sampled.error());
  motion.clips = std::move(sampled->clips);
  document->animation_of_clip = std::move(sampled->animation_of_clip);
  for (const Clip& clip : motion.clips) {
    document->clip_names.push_back(clip.name());
    document->clip_last_times_s.push_back(clip.last_time_s());
  }
  // The keys now live in the clips; the document keeps the file's own bytes.
  for (SceneAnimation& animation : document->scene.animations) animation.tracks.clear();
  if (motion.clips.empty()) motion.warnings.push_back("holds a skeleton but no motion");
  warn_about_size(*motion.skeleton, motion.unit_m, motion.warnings);
  motion.body_map = options.body_map ? *options.body_map : make_body_map(motion, *document, humanoid);
  motion.gltf = std::move(document);
  return motion;
}

}  // namespace

Result<MotionFile> parse_gltf(std::span<const std::byte> bytes, const std::string& name,
                              const std::filesystem::path& base_dir, const ReadOptions& options) {
  try {
    return build(bytes, name, base_dir, options);
  } catch (const GltfError& error) {
    return fail(ErrorCode::bad_file, "{}: {}", name, error.what());
  } catch (const Json::exception& error) {
    return fail(ErrorCode::bad_file, "{}: the JSON holds another type than expected ({})", name, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::bad_file, "{}: needs more memory than there is", name);
  }
}

Result<MotionFile> read_gltf(const std::filesystem::path& path, const ReadOptions& options) {
  const std::optional<Bytes> bytes = read_bytes(path);
  if (!bytes) return fail(ErrorCode::cannot_read, "{}: cannot be read", path.string());
  std::filesystem::path base_dir = path.parent_path();
  if (base_dir.empty()) base_dir = ".";
  return parse_gltf(*bytes, path.string(), base_dir, options);
}

}  // namespace shosa::io
