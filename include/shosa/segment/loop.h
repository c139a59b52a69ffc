#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"
#include "shosa/segment/edit_method.h"

namespace shosa::segment {

/// How high the next cycle starts.
enum class LoopRise {
  as_floor,  ///< On the level, unless the floor rises or falls under every foot (stairs, a slope): then as the floor.
  level,
  climb,  ///< As the floor under the feet, however little that is.
};

/// Makes a seamless cycle out of one of a cyclic motion, and lays it end to end.
///
/// The cycle is edited so that its end and its own start, moved over the ground, meet halfway in the place and speed of
/// every joint. Then feet stand where they stand: the cycle is laid end to end with itself and `feet::place_feet` gives
/// feet, hips and knees, so that a stance that crosses the seam is one stance. A cycle that turns gives a path along an
/// arc; one that climbs goes on climbing. O(frames). Figures and failure cases: docs/methods/segment_editing.md
struct LoopParams {
  std::optional<double> from_s;  ///< The cycle, to the nearest frames; both or none. None: `analysis::find_cycle`.
  std::optional<double> to_s;
  int cycles = 1;                            ///< >= 1.
  bool straight = false;                     ///< The heading's drift is taken out: the path is straight.
  bool in_place = false;                     ///< The body's way over the ground is taken out, evenly over the cycle.
  bool still_feet = true;                    ///< Feet that stand stay where they are; not with `linear`.
  EditMethod method = EditMethod::two_step;  ///< `linear` is the baseline.
  LoopRise rise = LoopRise::as_floor;
};
struct Loop {
  Clip clip;      ///< cycles x frames_per_cycle frames: frame k of cycle c is the first cycle's, moved c times.
  int first = 0;  ///< Of the source.
  int frames_per_cycle = 0;
  GroundMove per_cycle;            ///< From one cycle to the next.
  double seam_position_m = 0.0;    ///< Largest distance of any joint between the cycle's end and its next beginning.
  double seam_velocity_mps = 0.0;  ///< Largest change of any joint's velocity there: the cycle's own after its last
                                   ///< frame against that of the next beginning.
  double distance_m = 0.0;         ///< Mean joint distance of the ends before the edit.
  std::vector<std::string> warnings;
};
/// Fails when a rule is broken, no cycle is found or given, or the result would need more frames than memory holds.
Result<Loop> make_loop(const analysis::StudiedClip& studied, const LoopParams& params = {});

}  // namespace shosa::segment
