#pragma once

#include <memory>
#include <optional>

#include "io/bvh_frames.h"

namespace shosa::io {

/// A BVH text whose meaning is settled.
struct BvhClipTarget {
  const BvhHeader& header;
  const BvhFrameLines& lines;
  const BvhLayout& layout;
  double unit_m;
  UpAxis up;
};

struct BvhClip {
  std::shared_ptr<const Skeleton> skeleton;
  std::optional<Clip> clip;  ///< Empty when there are no frame lines.
};

/// Reads all frame lines on all cores into a clip in metres, Y up.
///
/// Translations of other joints than the root that stay within 1e-6 m throughout and within 1e-5 m of the OFFSET are
/// taken into the rest pose: most files with 6 channels everywhere only repeat their bone lengths. An error with an
/// empty message means that `problem` holds the first bad line.
Result<BvhClip> make_bvh_clip(const BvhClipTarget& target, const Skeleton& rest_in_file_units, double frame_time_s,
                              FrameLineProblem& problem);

}  // namespace shosa::io
