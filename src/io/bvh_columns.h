#pragma once

#include <vector>

#include "io/bvh_header.h"

namespace shosa::io {

/// A clip as the numbers of a BVH file.
struct BvhColumns {
  BvhHeader header;  ///< Joints in the skeleton's order; `first_channel` follows the file's depth-first order.
  std::vector<double> values;  ///< Row by row, `header.channel_count` a frame.
};

/// See `format_bvh`. `unit_m` must be finite and positive.
BvhColumns bvh_columns(const Clip& clip, const BvhLayout* layout, double unit_m);

}  // namespace shosa::io
