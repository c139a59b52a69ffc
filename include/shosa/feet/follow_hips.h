#pragma once

#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::feet {

/// A foot that is led elsewhere, too.
struct LedFoot {
  JointIndex joint = kNoJoint;  ///< The ankle of one of the feet that follow.
  std::vector<Vec3d> shift_m;   ///< From its path in the capture, one entry per frame of the stretch.
};

/// Takes a capture whose hips are led elsewhere, by an edit, to the feet, hips and knees that go with that.
///
/// The problem of `place_feet` with other ends. Feet that stand keep the place that they have in the capture in that
/// frame, and those in the air are drawn to theirs; heels may rise. Knees bend as the legs then need, as softly as in
/// the capture and never straighter. The root is drawn to where it is led, within millimetres. O(frames).
/// Figures and failure cases: docs/methods/segment_editing.md
struct FollowHipsParams {
  int first = 0, last = 0;         ///< The stretch of frames that may change; inside the clip.
  std::vector<JointIndex> ankles;  ///< Of the feet that follow; at least one.
  std::vector<LedFoot> led_feet;
  /// Set for a path of the root that somebody chose: where legs do not reach, the root leaves that path softly. Not set
  /// for one that came about frame by frame: there the root leaves its own path, of the capture, softly.
  bool firm = false;
};

struct FollowedHips {
  std::vector<Vec3d> root_m;                ///< Shift of the root from the capture, one entry per frame of the stretch.
  std::vector<std::vector<Vec3d>> ankle_m;  ///< World places, for each of `ankles` …
  std::vector<std::vector<Quatd>> rotation;  ///< … and world_from_foot.
};

/// `led` is the capture with hips, and all that hangs on them above the legs, where they are led: same frames, same
/// skeleton. Fails when the capture knows no such feet, a foot does not hang on its leg, or a rule above is broken.
Result<FollowedHips> follow_hips(const analysis::StudiedClip& captured, const Clip& led,
                                 const FollowHipsParams& params);

}  // namespace shosa::feet
