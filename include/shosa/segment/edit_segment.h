#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/posing/posture_prior.h"
#include "shosa/segment/edit_method.h"

namespace shosa::segment {

/// Where and how fast a joint is at the segment's end.
struct HandleEnd {
  JointIndex joint = kNoJoint;        ///< Required; one of the body's points.
  Vec3d position_m = Vec3d::Zero();   ///< Required, but along free axes.
  std::optional<Vec3d> velocity_mps;  ///< Empty: whatever the position edit gives.
  /// World axes x, y, z along which the end is left free: it stays as the clip has it, or goes where the body reaches
  /// the rest.
  std::array<bool, 3> free = {};
};

/// How postures are made from handles.
enum class Reconstruction {
  particles,  ///< The particle method: fast.
  pin_drag    ///< The pin-and-drag solver of `posing`: the whole body gives way by joint weights. Slower.
};

/// Edits a stretch of a clip so that handles end where, and as fast as, they are asked to
/// (docs/methods/segment_editing.md).
///
/// Frames before `from_s` and frame `from_s` itself keep their bits. After `to_s` the change of position stays, or goes
/// back until `back_by_s`, from where frames keep their bits; a change of velocity dies out within `settle_s`. Feet
/// that are no handles stay on their paths. Where the edit moves the hips, standing feet stay on their places, their
/// heels may rise, and feet in the air may be some way off their paths (`feet::follow_hips`). Feet that are handles do
/// not move while they stand. O(frames).
struct SegmentEditParams {
  std::vector<HandleEnd> handles;  ///< At least one.
  std::optional<double> from_s;    ///< The clip's begin when empty.
  std::optional<double> to_s;      ///< The clip's last sample when empty.
  EditMethod method = EditMethod::two_step;
  Reconstruction reconstruction = Reconstruction::particles;
  /// With `pin_drag`: how people bend for what limbs do not reach, on the clip's skeleton. None: the smallest change.
  std::shared_ptr<const posing::PosturePrior> prior;
  bool hold_feet = true;
  /// No handle goes faster in the segment than this, or than it does in the clip: its change of position and velocity
  /// is made as much smaller as that asks for. > 0.
  std::optional<double> max_speed_mps;
  double settle_s = 0.3;            ///< >= 0.
  std::optional<double> back_by_s;  ///< A time of the clip after `to_s`. Empty: the change stays.
};

/// Measured on the postures that came out.
struct HandleOutcome {
  JointIndex joint = kNoJoint;
  double end_error_m = 0.0;             ///< Along the axes that are not free.
  double end_velocity_error_mps = 0.0;  ///< 0 where no velocity was asked for.
  double max_speed_mps = 0.0;           ///< In the segment, of the path that the handle was sent along.
  double share = 1.0;                   ///< Of the change that was asked for; less than 1 where that was too fast.
  bool eased = false;                   ///< The handle never moved: its way is a plain ease in time.
};
struct SegmentEdit {
  Clip clip;
  int first = 0;  ///< The segment's frames.
  int last = 0;
  std::vector<HandleOutcome> handles;
  int max_iterations = 0;         ///< Of the particle method in any frame.
  double max_link_error_m = 0.0;  ///< Left by it in any frame.
  double max_feet_error_m = 0.0;  ///< Of the balls of held feet from their places, in any frame in which they stand.
  std::vector<std::string> warnings;
};
/// Fails when a rule above is broken, a joint is no handle, or something is not finite. An end that the body cannot
/// reach is no failure: the outcome says so.
Result<SegmentEdit> edit_segment(const analysis::StudiedClip& studied, const SegmentEditParams& params);

}  // namespace shosa::segment
