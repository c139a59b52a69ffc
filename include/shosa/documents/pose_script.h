#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/documents/clip_source.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::documents {

struct ScriptPin {
  std::string joint;                 ///< Name or role.
  std::optional<Vec3d> position_m;   ///< Empty: where the held or playing clip has the joint.
  bool position = true;              ///< False: its turn alone is held.
  std::optional<Quatd> orientation;  ///< Empty: free.
  double weight = 1.0;
  double from_s = 0.0;
  std::optional<double> to_s;
};
struct ScriptDrag {
  std::string joint;
  std::vector<posing::DragKey> keys;
  bool relative = false;
  /// Empty: 0.25 s over a playing clip, and longer where the trunk has to come along; none over a held posture.
  std::optional<double> fade_in_s;
  std::optional<double> fade_out_s;  ///< Empty: the layer's `return_s`.
};
/// The goals of one layer, or of the script itself.
struct ScriptGoals {
  std::vector<ScriptPin> pins;
  std::vector<ScriptDrag> drags;
  std::vector<std::pair<std::string, double>> desired;    ///< Joints and their weights.
  std::vector<std::pair<std::string, double>> stiffness;  ///< Joints and how many times less readily they turn.
  std::optional<bool> keep_feet;   ///< Empty: feet that are neither dragged nor pinned, where the body has any.
  bool returns = true;             ///< After its last key a drag goes back to the clip; false: it stays at that key.
  std::optional<double> return_s;  ///< … within this long; empty: 0.5 s, and longer where the trunk has to come along.
  bool equal_weights = false;      ///< Every joint costs the same; otherwise its inertia, the limb first.
  std::variant<bool, std::string> ranges = false;  ///< The standard set or none, or a file of joint ranges.
  bool balance = false;
  bool on = true;  ///< A layer that is off is left out.
};

/// {"clip": "walk.bvh", "at_s"?: T, "duration_s"?, "fps"?, "pins": [{"joint", "position"?: place or false,
/// "orientation"?, "weight"?, "from_s"?, "to_s"?}], "drags": [{"joint", "keys": [[t, [x, y, z]], …], "relative"?,
/// "fade_in_s"?, "fade_out_s"?}], "desired": [{"joint", "weight"}], "stiffness": [{"joint", "factor"}], "keep_feet"?,
/// "ranges"?: true or a file, "balance"?, "return_s"?: S or false, "weights"?: "inertia" or "equal", "prior"?: false or
/// ["bend.bvh", …], "layers"?: [{the same goals, "on"?, "name"?}]}. With `at_s` the posture of the clip at that time is
/// held, without it the clip plays.
struct PoseScript {
  std::string file;  ///< For messages.
  ClipReference clip;
  std::optional<double> at_s, duration_s, fps;
  /// Clips whose postures show how people bend for what limbs do not reach; empty: the usual ones.
  std::vector<ClipReference> prior;
  bool use_prior = true;
  ScriptGoals goals;
  std::vector<ScriptGoals> layers;  ///< One after the other, on what the script's own goals made.
};
Result<PoseScript> parse_pose_script(std::string_view text, const std::string& file);

/// What a script asks for, on the clip that it names.
struct PoseJob {
  io::MotionFile motion;                         ///< The clip's file.
  Clip reference;                                ///< What is edited: the clip, or one posture of it held.
  std::vector<posing::MotionEditParams> layers;  ///< One after the other.
};
/// Errors name the place in the script. `usual_prior` are postures on any human bodies, for scripts that name none.
Result<PoseJob> stage(const PoseScript& script, const ClipSource& source,
                      std::span<const analysis::StudiedClip> usual_prior = {});

/// What a script became.
struct PosedScript {
  io::MotionFile motion;            ///< The edited clip in the form of its file.
  posing::MotionEditResult edited;  ///< Ranges that were left are among the motion's warnings.
};
Result<PosedScript> evaluate(PoseJob job, const std::string& file);
Result<PosedScript> evaluate(const PoseScript& script, const ClipSource& source,
                             std::span<const analysis::StudiedClip> usual_prior = {});

}  // namespace shosa::documents
