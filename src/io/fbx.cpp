#include "io/fbx.h"

#ifdef SHOSA_HAS_ASSIMP

#include <assimp/config.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <map>

#include "io/file_text.h"
#include "io/guarded.h"
#include "io/in_child.h"
#include "io/node_scene.h"
#include "io/read_options.h"
#include "shosa/io/read_text.h"

namespace shosa::io {
namespace {

// FBX's EInheritType eInheritRrs: the parent's own scale does not pass on (Maya's segment scale compensate).
constexpr int kInheritWithoutParentScale = 2;

template <class T>
T metadata(const aiMetadata* data, const char* key, T missing) {
  T value = missing;
  if (data != nullptr && data->Get(key, value)) return value;
  return missing;
}

/// Assimp's tree as a list, parents first.
class SceneReader {
 public:
  explicit SceneReader(const aiScene& source) : source_(source) {
    add_nodes();
    add_hints();
    for (unsigned i = 0; i < source.mNumAnimations; ++i) add_animation(*source.mAnimations[i], i);
  }

  NodeScene take() { return std::move(scene_); }

 private:
  void add_nodes() {
    struct Pending {
      const aiNode* node;
      int parent;
    };
    std::vector<Pending> pending = {{source_.mRootNode, -1}};
    std::vector<Vec3d> own_scale;
    while (!pending.empty()) {
      const auto [source, parent] = pending.back();
      pending.pop_back();
      const int index = static_cast<int>(scene_.nodes.size());
      SceneNode node;
      node.name = source->mName.C_Str();
      node.parent = parent;
      node.carries_object = source->mNumMeshes > 0;
      Eigen::Matrix4d matrix;
      for (unsigned row = 0; row < 4; ++row) {
        for (unsigned column = 0; column < 4; ++column) matrix(row, column) = source->mTransformation[row][column];
      }
      set_matrix(node, matrix);
      own_scale.push_back(node.scale);
      if (parent >= 0 && metadata(source->mMetaData, "InheritType", 1) == kInheritWithoutParentScale) {
        node.scale = node.scale.cwiseQuotient(own_scale[parent]);
      }
      if (parent >= 0) scene_.nodes[parent].children.push_back(index);
      by_name_.emplace(source->mName.C_Str(), index);
      scene_.nodes.push_back(std::move(node));
      for (unsigned i = source->mNumChildren; i-- > 0;) pending.push_back({source->mChildren[i], index});
    }
  }

  void add_hints() {
    for (unsigned m = 0; m < source_.mNumMeshes; ++m) {
      const aiMesh& mesh = *source_.mMeshes[m];
      for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const auto it = by_name_.find(mesh.mBones[b]->mName.C_Str());
        if (it != by_name_.end()) scene_.joint_hints.push_back(it->second);
      }
    }
    if (!scene_.joint_hints.empty() || source_.mNumAnimations > 0) return;
    // Neither skin nor motion: all nodes that carry nothing, without Assimp's own top node.
    for (std::size_t i = 1; i < scene_.nodes.size(); ++i) {
      if (!scene_.nodes[i].carries_object) scene_.joint_hints.push_back(static_cast<int>(i));
    }
    scene_.hints_are_complete = true;
  }

  template <class Key>
  void add_track(SceneAnimation& animation, int node, TrackPath path, const Key* keys, unsigned count,
                 double seconds_per_tick) {
    auto times = std::make_shared<std::vector<double>>();
    auto values = std::make_shared<std::vector<double>>();
    for (unsigned i = 0; i < count; ++i) {
      const double time_s = keys[i].mTime * seconds_per_tick;
      if (!std::isfinite(time_s) || (!times->empty() && time_s <= times->back())) continue;
      times->push_back(time_s);
      if constexpr (std::is_same_v<Key, aiQuatKey>) {
        values->insert(values->end(), {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z, keys[i].mValue.w});
      } else {
        values->insert(values->end(), {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z});
      }
    }
    if (times->empty()) return;
    Track track;
    track.node = node;
    track.path = path;
    track.times_s = std::move(times);
    track.values = std::move(values);
    animation.tracks.push_back(std::move(track));
  }

  void add_animation(const aiAnimation& source, unsigned index) {
    SceneAnimation animation;
    animation.name = source.mName.length > 0 ? source.mName.C_Str() : fmt::format("animation_{}", index);
    const double seconds_per_tick = source.mTicksPerSecond > 0.0 ? 1.0 / source.mTicksPerSecond : 1.0 / 25.0;
    for (unsigned i = 0; i < source.mNumChannels; ++i) {
      const aiNodeAnim& channel = *source.mChannels[i];
      const auto it = by_name_.find(channel.mNodeName.C_Str());
      if (it == by_name_.end()) continue;
      add_track(animation, it->second, TrackPath::translation, channel.mPositionKeys, channel.mNumPositionKeys,
                seconds_per_tick);
      add_track(animation, it->second, TrackPath::rotation, channel.mRotationKeys, channel.mNumRotationKeys,
                seconds_per_tick);
    }
    scene_.animations.push_back(std::move(animation));
  }

  const aiScene& source_;
  NodeScene scene_;
  std::map<std::string, int> by_name_;
};

Result<MotionFile> read(const std::filesystem::path& path, const ReadOptions& options) {
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  const std::string file = path.string();
  std::error_code error;
  if (!is_plain_file(path)) return fail(ErrorCode::cannot_read, "{}: cannot be read", file);
  if (std::filesystem::file_size(path, error) > kMaxFileBytes) return file_too_large(path, kMaxFileBytes);
  const auto import = [&file](Assimp::Importer& importer) {
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    return importer.ReadFile(file, 0);
  };
  // Assimp overflows the stack on models connected in a ring and asserts on some broken files: tried out first where
  // that does no harm.
  const bool sound = survives_in_child([&] {
    Assimp::Importer trial;
    import(trial);
  });
  if (!sound) return fail(ErrorCode::bad_file, "{}: Assimp breaks down on this file, expected a sound FBX", file);
  Assimp::Importer importer;
  const aiScene* source = import(importer);
  if (source == nullptr || source->mRootNode == nullptr) {
    return fail(ErrorCode::bad_file, "{}: {}", file, importer.GetErrorString());
  }

  MotionFile motion;
  motion.format = "fbx";
  // FBX counts its unit in centimetres. Assimp reports unit and axes and applies neither.
  motion.unit_m =
      options.unit_m.value_or(0.01 * static_cast<double>(metadata(source->mMetaData, "UnitScaleFactor", 1.0f)));
  const int up_axis = metadata(source->mMetaData, "UpAxis", 1);
  motion.up = options.up.value_or(up_axis == 2 ? UpAxis::z : UpAxis::y);
  if (!options.up && up_axis == 0) motion.warnings.push_back("the file says X is up, which is read as Y up");
  if (!(motion.unit_m > 0.0) || !std::isfinite(motion.unit_m)) {
    return fail(ErrorCode::bad_file, "{}: unit of {} m, expected a positive number", file, motion.unit_m);
  }
  const NodeScene scene = SceneReader(*source).take();
  Result<NodeSkeleton> skeleton = build_node_skeleton(scene, motion.unit_m, motion.up, file, motion.warnings);
  if (!skeleton) return std::unexpected(skeleton.error());
  motion.skeleton = skeleton->skeleton;
  if (auto checked = check_body_map(options, *motion.skeleton); !checked) return std::unexpected(checked.error());
  Result<SampledAnimations> sampled = sample_animations(scene, *skeleton, options, file, motion.warnings);
  if (!sampled) return std::unexpected(sampled.error());
  motion.clips = std::move(sampled->clips);
  if (motion.clips.empty()) motion.warnings.push_back("holds a skeleton but no motion");
  warn_about_size(*motion.skeleton, motion.unit_m, motion.warnings);
  motion.body_map = options.body_map ? *options.body_map : body::guess_body_map(*motion.skeleton);
  return motion;
}

}  // namespace

bool has_fbx() {
  return true;
}

Result<MotionFile> read_fbx(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&] { return read(path, options); });
}

}  // namespace shosa::io

#else

namespace shosa::io {

bool has_fbx() {
  return false;
}

Result<MotionFile> read_fbx(const std::filesystem::path& path, const ReadOptions&) {
  return fail(ErrorCode::not_possible, "{}: built without FBX support", path.string());
}

}  // namespace shosa::io

#endif
