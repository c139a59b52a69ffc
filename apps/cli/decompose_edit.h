#pragma once

#include "decompose_joint.h"
#include "shosa/submovement/model.h"

namespace shosa::cli {

struct EditedMotion {
  submovement::PositionModel model;
  std::string what;  ///< Which edits, as they were typed.
  Clip clip;
};

/// Submovements of the joint's path edited, and the body made to follow: the change of the path drags the joint, the
/// feet stay, and where the path is as it was the body is in its own posture. Says in `report` how well.
Result<EditedMotion> edited_motion(const DecomposeOptions& options, const ChosenClip& opened, JointIndex joint,
                                   const submovement::PositionModel& model, Report& report);

}  // namespace shosa::cli
