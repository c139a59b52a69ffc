#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/metrics.h"
#include "shosa/analysis/studied_clip.h"

namespace shosa::retarget {

/// One skeleton's motion on another (docs/methods/retarget.md).
///
/// 1. Both bodies are laid into one canonical posture, bone by bone, so that T, A and arms-down rest poses, and rest
///    poses that are no posture at all, come to mean the same. What a joint has turned away from it, in the world, is
///    given to the joint of the same role. Spines and necks of different joint count share the turn out.
/// 2. The path of the hips is scaled by the ratio of leg lengths and put on the target's ground.
/// 3. Contacts found on the source say when the target's feet stand; they are held where they come down, at the height
///    of the target's own sole. Hands that stand on the floor or touch the body keep doing so.
/// Joints without a partner keep their rest rotation; where the rest pose does not stand, their mean one in
/// `target_motion`. O(frames). Deterministic.
struct RetargetParams {
  bool keep_feet = true;        ///< Off: turns and path only; feet slide where legs differ.
  bool keep_hands = true;       ///< Off: hands go where the arms' turns bring them.
  double hand_touch_m = 0.08;   ///< A hand nearer than this to the other hand, trunk, thighs or head touches it. >= 0.
  std::optional<double> scale;  ///< Target size / source size; from the legs when empty. > 0.
  /// A motion on the target's skeleton. Asked for how its limbs bend where its rest pose is no standing one.
  std::optional<analysis::StudiedClip> target_motion = {};
  /// The same for the source; its own motion is asked when empty. Round trips need it: what was learnt going must be
  /// known coming back.
  std::optional<analysis::StudiedClip> source_motion = {};
};

struct RolePair {
  body::Role role = body::Role::hips;
  JointIndex source = kNoJoint;
  JointIndex target = kNoJoint;
};

struct RetargetResult {
  Clip clip;                          ///< On the target's skeleton, at the source's frame times.
  std::vector<RolePair> pairs;        ///< Roles that both bodies have, in the order of `Role`.
  double scale = 1.0;                 ///< Target size / source size that was used.
  analysis::FootContacts contacts;    ///< When and on which level the target's feet stand; taken from the source.
  analysis::MotionQuality quality;    ///< Of `clip`, with `contacts`.
  int held_stances = 0;               ///< Diagnostic: stances of feet that were held.
  int held_touches = 0;               ///< Diagnostic: stretches of hand touches that were held.
  double max_foot_error_m = 0.0;      ///< How far a held foot stays from its place, at worst: legs that do not reach.
  std::vector<std::string> warnings;  ///< What was unclear, for people.
};

/// Fails when the bodies are of different kinds (a human's motion on a dog), a body lacks hips or legs, or a rule above
/// is broken. `target_map` names the target's roles (`guess_body_map`).
Result<RetargetResult> retarget_motion(const analysis::StudiedClip& source, std::shared_ptr<const Skeleton> target,
                                       const body::BodyMap& target_map, const RetargetParams& params = {});

}  // namespace shosa::retarget
