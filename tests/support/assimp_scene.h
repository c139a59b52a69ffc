#pragma once

#include <assimp/anim.h>
#include <assimp/scene.h>

#include <Eigen/Geometry>
#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shosa::test {

/// A file as Assimp reads it.
class AssimpScene {
 public:
  explicit AssimpScene(const std::filesystem::path& path) : scene_(importer_.ReadFile(path.string(), 0)) {}

  bool loaded() const { return scene_ != nullptr; }
  std::string error() const { return importer_.GetErrorString(); }
  int animation_count() const { return static_cast<int>(scene_->mNumAnimations); }

  /// Every node of that name: a mesh may share its name with a bone.
  std::vector<const aiNode*> find(const std::string& name) const {
    std::vector<const aiNode*> found, pending = {scene_->mRootNode};
    while (!pending.empty()) {
      const aiNode* node = pending.back();
      pending.pop_back();
      if (node->mName.C_Str() == name) found.push_back(node);
      pending.insert(pending.end(), node->mChildren, node->mChildren + node->mNumChildren);
    }
    return found;
  }

  /// Distance of a point from the nearest node of that name; infinite when there is none.
  double distance(const std::string& name, const Eigen::Vector3d& point, int animation, double time) const {
    double least = INFINITY;
    for (const aiNode* node : find(name)) {
      least = std::min(least, (world_from_node(node, animation, time).topRightCorner<3, 1>() - point).norm());
    }
    return least;
  }

  /// `time` in the unit of Assimp's keys, which differs from format to format.
  Eigen::Matrix4d world_from_node(const aiNode* node, int animation, double time) const {
    Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
    for (; node != nullptr; node = node->mParent) world = local(node, animation, time) * world;
    return world;
  }
  double ticks_per_second(int animation) const { return scene_->mAnimations[animation]->mTicksPerSecond; }

 private:
  static Eigen::Matrix4d matrix(const aiMatrix4x4& m) {
    Eigen::Matrix4d result;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) result(r, c) = m[static_cast<unsigned>(r)][c];
    }
    return result;
  }

  template <class Key>
  static std::pair<unsigned, double> place(const Key* keys, unsigned count, double time) {
    if (time <= keys[0].mTime) return {0, 0.0};
    for (unsigned i = 0; i + 1 < count; ++i) {
      if (time < keys[i + 1].mTime) return {i, (time - keys[i].mTime) / (keys[i + 1].mTime - keys[i].mTime)};
    }
    return {count - 1, 0.0};
  }

  static aiVector3D vector(const aiVectorKey* keys, unsigned count, double time) {
    const auto [key, x] = place(keys, count, time);
    if (x == 0.0) return keys[key].mValue;
    return keys[key].mValue * static_cast<float>(1.0 - x) + keys[key + 1].mValue * static_cast<float>(x);
  }

  Eigen::Matrix4d local(const aiNode* node, int animation, double time) const {
    const aiNodeAnim* channel = this->channel(animation, node->mName.C_Str());
    if (channel == nullptr) return matrix(node->mTransformation);
    aiVector3D scale, translation;
    aiQuaternion rotation;
    node->mTransformation.Decompose(scale, rotation, translation);
    if (channel->mNumPositionKeys > 0) translation = vector(channel->mPositionKeys, channel->mNumPositionKeys, time);
    if (channel->mNumScalingKeys > 0) scale = vector(channel->mScalingKeys, channel->mNumScalingKeys, time);
    if (channel->mNumRotationKeys > 0) {
      const auto [key, x] = place(channel->mRotationKeys, channel->mNumRotationKeys, time);
      rotation = channel->mRotationKeys[key].mValue;
      if (x > 0.0) {
        aiQuaternion::Interpolate(rotation, channel->mRotationKeys[key].mValue, channel->mRotationKeys[key + 1].mValue,
                                  static_cast<float>(x));
      }
    }
    return matrix(aiMatrix4x4(scale, rotation, translation));
  }

  const aiNodeAnim* channel(int animation, const std::string& name) const {
    if (animation < 0) return nullptr;
    if (animation != cached_) {
      channels_.clear();
      const aiAnimation& source = *scene_->mAnimations[animation];
      for (unsigned i = 0; i < source.mNumChannels; ++i)
        channels_[source.mChannels[i]->mNodeName.C_Str()] = source.mChannels[i];
      cached_ = animation;
    }
    const auto it = channels_.find(name);
    return it == channels_.end() ? nullptr : it->second;
  }

  Assimp::Importer importer_;
  const aiScene* scene_;
  mutable int cached_ = -1;
  mutable std::map<std::string, const aiNodeAnim*> channels_;
};

}  // namespace shosa::test
