#include "io/bvh_sample.h"

#include <algorithm>
#include <cmath>

#include "io/euler.h"

namespace shosa::io {
namespace {

constexpr std::size_t kSampleSize = 48;

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

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

/// Share of the rotation values that are whole degrees or within half a degree of zero.
double neat_share(const BvhHeader& header, const std::vector<double>& values) {
  int neat = 0;
  int all = 0;
  for (const BvhHeader::Joint& joint : header.joints) {
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      if (is_position(joint.channels[i])) continue;
      const double value = values[static_cast<std::size_t>(joint.first_channel) + i];
      neat += std::abs(value) < 0.5 || value == std::round(value) ? 1 : 0;
      ++all;
    }
  }
  return all == 0 ? 0.0 : static_cast<double>(neat) / all;
}

/// Mean angle between two frames over the joints that turn, degrees.
double mean_turn_deg(const BvhHeader& header, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  int count = 0;
  for (const BvhHeader::Joint& joint : header.joints) {
    if (std::ranges::all_of(joint.channels, is_position)) continue;
    sum += rotation_of(joint, a.data()).angularDistance(rotation_of(joint, b.data())) * kDegPerRad;
    ++count;
  }
  return count == 0 ? 0.0 : sum / count;
}

}  // namespace

std::vector<std::size_t> sample_frames(std::size_t frame_count) {
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < std::min<std::size_t>(frame_count, 3); ++i) frames.push_back(i);
  for (std::size_t i = 1; i <= kSampleSize; ++i) frames.push_back((frame_count - 1) * i / kSampleSize);
  std::ranges::sort(frames);
  frames.erase(std::ranges::unique(frames).begin(), frames.end());
  return frames;
}

bool starts_with_tpose(const BvhHeader& header, const BvhSample& sample) {
  if (sample.frames.size() < 2) return false;
  const double leap_deg = mean_turn_deg(header, sample.values[0], sample.values[1]);
  const double next_deg = sample.frames.size() > 2 ? mean_turn_deg(header, sample.values[1], sample.values[2]) : 0.0;
  return neat_share(header, sample.values[0]) > 0.9 && leap_deg > 3.0 && leap_deg > 4.0 * next_deg;
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
