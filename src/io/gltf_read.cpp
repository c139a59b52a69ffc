#include <algorithm>
#include <set>

#include "io/file_text.h"
#include "io/gltf.h"
#include "io/gltf_document.h"
#include "io/guarded.h"
#include "io/read_options.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/files_below.h"

namespace shosa::io {
namespace {

std::string format_of(const std::string& name, std::span<const std::byte> bytes) {
  if (lower_extension(name) == ".vrma") return "vrma";
  return !bytes.empty() && bytes[0] == std::byte{'g'} ? "glb" : "gltf";
}

body::BodyMap make_body_map(const MotionFile& motion, const GltfDocument& document,
                            const std::optional<HumanoidNodes>& humanoid) {
  if (humanoid) {
    body::BodyMap map;
    map.kind = body::BodyKind::humanoid;
    for (const auto& [role, node] : humanoid->bones) {
      map.set(role, document.skeleton.joint_of_node[node]);
    }
    return map;
  }
  if (motion.clips.empty()) return body::guess_body_map(*motion.skeleton);
  const std::vector<Vec3d> posed = forward_kinematics(*motion.skeleton, motion.clips.front().frame(0)).positions;
  return body::guess_body_map(*motion.skeleton, &posed);
}

void warn_about_other_nodes(const NodeScene& scene, const HumanoidNodes& humanoid, Notes& warnings) {
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

/// True for files of this library, which are in metres whatever the size of the body.
bool is_our_own(const GltfDocument& document) {
  GltfFault fault;  // An odd generator is not ours.
  return string_at(object_at(document.json, "asset", {fault}), "generator", {fault}).starts_with("Shosa");
}

/// The skeleton in metres, and `motion.unit_m`. The format's unit is the metre; but some exporters leave centimetres in
/// place, and no body is larger than 10 m.
Result<NodeSkeleton> settle_unit(const GltfDocument& document, const std::string& name, const ReadOptions& options,
                                 MotionFile& motion) {
  constexpr double kGiant_m = 10.0;
  constexpr double kLeastBody_m = 0.3, kLargestBody_m = 3.0;
  constexpr double kCentimetre_m = 0.01;
  motion.unit_m = options.unit_m.value_or(1.0);
  Notes warnings;
  Result<NodeSkeleton> skeleton = build_node_skeleton(document.scene, motion.unit_m, motion.up, name, warnings);
  if (skeleton && !options.unit_m && !is_our_own(document)) {
    const double size_m = body_size_m(*skeleton->skeleton);
    const double fitted_m = size_m * kCentimetre_m;
    if (size_m > kGiant_m && fitted_m >= kLeastBody_m && fitted_m <= kLargestBody_m) {
      motion.unit_m = kCentimetre_m;
      warnings = {
          fmt::format("the body would be {:.3g} m large in metres; centimetres taken (--unit m keeps metres)", size_m)};
      skeleton = build_node_skeleton(document.scene, motion.unit_m, motion.up, name, warnings);
    }
  }
  motion.warnings.insert(motion.warnings.end(), warnings.begin(), warnings.end());
  return skeleton;
}

Result<MotionFile> build(std::span<const std::byte> bytes, const std::string& name,
                         const std::filesystem::path& base_dir, const ReadOptions& options) {
  MotionFile motion;
  motion.format = format_of(name, bytes);
  motion.up = options.up.value_or(UpAxis::y);
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  if (bytes.empty()) return fail(ErrorCode::bad_file, "{}: is empty", name);

  GltfFault fault;
  auto document = std::make_shared<GltfDocument>(load_document(bytes, base_dir, fault));
  if (!fault.found()) document->scene = read_scene(*document, motion.warnings, fault);
  const std::optional<HumanoidNodes> humanoid = read_humanoid(document->json, fault);
  if (fault.found()) return fail(ErrorCode::bad_file, "{}: {}", name, fault.text());
  if (humanoid && document->scene.joint_hints.empty()) {
    for (const auto& [role, node] : humanoid->bones) document->scene.joint_hints.push_back(node);
    document->scene.hints_are_complete = true;
  }
  if (humanoid) warn_about_other_nodes(document->scene, *humanoid, motion.warnings);

  Result<NodeSkeleton> skeleton = settle_unit(*document, name, options, motion);
  if (!skeleton) return std::unexpected(skeleton.error());
  document->skeleton = std::move(*skeleton);
  motion.skeleton = document->skeleton.skeleton;
  if (auto checked = check_body_map(options, *motion.skeleton); !checked) return std::unexpected(checked.error());

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
  return guarded(name, [&] { return build(bytes, name, base_dir, options); });
}

Result<MotionFile> read_gltf(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&]() -> Result<MotionFile> {
    const Result<FileText> text = read_file(path);
    if (!text) return std::unexpected(text.error());
    std::filesystem::path base_dir = path.parent_path();
    if (base_dir.empty()) base_dir = ".";
    return parse_gltf(std::as_bytes(std::span(text->view())), path.string(), base_dir, options);
  });
}

}  // namespace shosa::io
