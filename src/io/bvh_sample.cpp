#include "io/bvh_sample.h"

#include <algorithm>
#include <cmath>

#include "io/euler.h"
#include "io/median.h"
#include "io/tpose.h"

namespace shosa::io {
namespace {

constexpr std::size_t kSampleSize = 48;
constexpr std::size_t kMostPositions = 1'000'000;

bool has_position(const BvhHeader::Joint& joint) {
  return std::ranges::any_of(joint.channels, is_position);
}

/// The part of `vector` along the axes that the joint has position channels for.
Vec3d channel_part(const BvhHeader::Joint& joint, const Vec3d& vector) {
  Vec3d part = Vec3d::Zero();
  for (const BvhChannel channel : joint.channels) {
    if (is_position(channel)) part[axis_of(channel)] = vector[axis_of(channel)];
  }
  return part;
}

Vec3d channel_values(const BvhHeader::Joint& joint, const std::vector<double>& values) {
  Vec3d channels = Vec3d::Zero();
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    if (is_position(joint.channels[i])) {
      channels[axis_of(joint.channels[i])] = values[static_cast<std::size_t>(joint.first_channel) + i];
    }
  }
  return channels;
}

}  // namespace

std::vector<std::size_t> sample_frames(std::size_t frame_count, std::size_t joint_count) {
  const std::size_t count = std::clamp<std::size_t>(kMostPositions / joint_count, 1, kSampleSize);
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < std::min<std::size_t>(frame_count, 4); ++i) frames.push_back(i);
  for (std::size_t i = 1; i <= count; ++i) frames.push_back((frame_count - 1) * i / count);
  std::ranges::sort(frames);
  frames.erase(std::ranges::unique(frames).begin(), frames.end());
  return frames;
}

int count_tpose_frames(const BvhHeader& header, const BvhSample& sample) {
  std::vector<std::vector<Quatd>> frames(std::min<std::size_t>(sample.values.size(), 4));
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (const BvhHeader::Joint& joint : header.joints)
      frames[f].push_back(rotation_of(joint, sample.values[f].data()));
  }
  return count_tpose_frames(frames);
}

PositionConvention find_others_convention(const BvhHeader& header, const BvhSample& sample) {
  double longest = 0.0;
  for (const BvhHeader::Joint& joint : header.joints) longest = std::max(longest, joint.offset.norm());
  int votes = 0;
  for (std::size_t j = 1; j < header.joints.size(); ++j) {
    const BvhHeader::Joint& joint = header.joints[j];
    const Vec3d offset = channel_part(joint, joint.offset);
    if (!has_position(joint) || offset.norm() <= 1e-3 * longest) continue;
    std::vector<double> from_offset;
    std::vector<double> from_zero;
    for (const std::vector<double>& values : sample.values) {
      const Vec3d channels = channel_values(joint, values);
      from_offset.push_back((channels - offset).norm());
      from_zero.push_back(channels.norm());
    }
    votes += median(std::move(from_zero)) < median(std::move(from_offset)) ? 1 : -1;
  }
  return votes > 0 ? PositionConvention::added_to_offset : PositionConvention::replaces_offset;
}

std::vector<std::vector<Vec3d>> sample_postures(const BvhHeader& header, const BvhSample& sample,
                                                PositionConvention root, PositionConvention others) {
  std::vector<std::vector<Vec3d>> postures;
  postures.reserve(sample.values.size());
  std::vector<Quatd> turns(header.joints.size());
  for (const std::vector<double>& values : sample.values) {
    std::vector<Vec3d> positions(header.joints.size());
    for (std::size_t j = 0; j < header.joints.size(); ++j) {
      const BvhHeader::Joint& joint = header.joints[j];
      const Vec3d translation = translation_of(joint, values.data(), j == 0 ? root : others);
      const Quatd rotation = rotation_of(joint, values.data());
      if (joint.parent == kNoJoint) {
        positions[j] = translation;
        turns[j] = rotation;
      } else {
        const auto parent = static_cast<std::size_t>(joint.parent);
        positions[j] = positions[parent] + turns[parent] * translation;
        turns[j] = turns[parent] * rotation;
      }
    }
    postures.push_back(std::move(positions));
  }
  return postures;
}

PositionConvention find_root_convention(const BvhHeader& header, const BvhSample& sample,
                                        const std::vector<std::vector<Vec3d>>& postures, UpAxis up) {
  const BvhHeader::Joint& root = header.joints.front();
  const Vec3d offset = channel_part(root, root.offset);
  if (offset.isZero()) return PositionConvention::replaces_offset;

  // Channels that are zero throughout say nothing; the offset is then the only position there is.
  const bool all_zero = std::ranges::all_of(
      sample.values, [&](const std::vector<double>& values) { return channel_values(root, values).isZero(); });
  if (all_zero) return PositionConvention::added_to_offset;

  // A component that the channels repeat in every frame is a position, not a difference.
  for (int a = 0; a < 3; ++a) {
    if (offset[a] == 0.0) continue;
    const bool repeated = std::ranges::all_of(sample.values, [&](const std::vector<double>& values) {
      return std::abs(channel_values(root, values)[a] - offset[a]) <= 1e-5 * std::abs(offset[a]);
    });
    if (repeated) return PositionConvention::replaces_offset;
  }

  const int axis = up == UpAxis::y ? 1 : 2;
  std::vector<double> lows;
  std::vector<double> extents;
  for (const std::vector<Vec3d>& posture : postures) {
    double low = posture.front()[axis];
    double extent = 0.0;
    for (const Vec3d& position : posture) {
      low = std::min(low, position[axis]);
      extent = std::max(extent, (position - posture.front()).norm());
    }
    lows.push_back(low);
    extents.push_back(extent);
  }
  const double low = median(std::move(lows));
  const double size = median(std::move(extents));
  const bool offset_matters = std::abs(offset[axis]) > 0.05 * size;
  return offset_matters && std::abs(low + offset[axis]) < std::abs(low) ? PositionConvention::added_to_offset
                                                                        : PositionConvention::replaces_offset;
}

}  // namespace shosa::io
