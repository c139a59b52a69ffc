#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/bvh.h"
#include "io/text_cursor.h"
#include "shosa/core/skeleton.h"

namespace shosa::io {

/// A BVH file above its frame lines: file units, file axes.
struct BvhHeader {
  struct Joint {
    std::string name;
    JointIndex parent = kNoJoint;
    Vec3d offset = Vec3d::Zero();
    std::vector<BvhChannel> channels = {};
    int first_channel = 0;  ///< Column of its first channel in a frame line.
  };
  struct EndSite {
    JointIndex parent = kNoJoint;
    Vec3d offset = Vec3d::Zero();
  };
  std::vector<Joint> joints;
  std::vector<EndSite> end_sites;
  int channel_count = 0;
  bool has_motion = false;  ///< There is a MOTION section.
  std::int64_t declared_frames = 0;
  double frame_time_s = 0.0;        ///< As written; not checked.
  std::size_t frame_time_byte = 0;  ///< Where it stands, for errors.
  std::size_t frames_begin = 0;     ///< First byte after the frame time.
  Notes warnings;
};

inline bool is_position(BvhChannel channel) {
  return channel <= BvhChannel::z_position;
}
/// 0 x, 1 y, 2 z.
inline int axis_of(BvhChannel channel) {
  return static_cast<int>(channel) % 3;
}

Result<BvhHeader> parse_bvh_header(TextCursor& cursor);

/// The rest pose in file units. Makes names unique: joints as the file has them, end sites `<parent>_end`.
Result<Skeleton> rest_skeleton(BvhHeader& header);

}  // namespace shosa::io
