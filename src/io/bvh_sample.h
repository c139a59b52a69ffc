#pragma once

#include <vector>

#include "io/bvh_frames.h"
#include "io/place.h"

namespace shosa::io {

/// Some frames of a file, read ahead of the rest to decide what its numbers mean.
struct BvhSample {
  std::vector<std::size_t> frames;          ///< Ascending; holds 0 to 3 where they exist.
  std::vector<std::vector<double>> values;  ///< One line each.
};

/// The frames to read ahead: about 48, fewer on a skeleton of more than 20 000 joints, so that postures stay small.
std::vector<std::size_t> sample_frames(std::size_t frame_count, std::size_t joint_count);

/// How many frames of an added T-pose stand before the motion (tpose.h).
int count_tpose_frames(const BvhHeader& header, const BvhSample& sample);

/// Channels nearer to OFFSET or to zero, one vote per joint other than the root.
PositionConvention find_others_convention(const BvhHeader& header, const BvhSample& sample);

/// Joint positions of every sampled frame, file units and axes.
std::vector<std::vector<Vec3d>> sample_postures(const BvhHeader& header, const BvhSample& sample,
                                                PositionConvention root, PositionConvention others);

/// Which convention puts the lowest points of the body nearer to height 0. `postures` are those of `replaces_offset`.
PositionConvention find_root_convention(const BvhHeader& header, const BvhSample& sample,
                                        const std::vector<std::vector<Vec3d>>& postures, UpAxis up);

}  // namespace shosa::io
