#pragma once

#include <string>
#include <vector>

#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::documents {

/// What a pose script asks for, on the clip that it names.
struct PoseJob {
  io::MotionFile motion;                         ///< The file that the script names.
  Clip reference;                                ///< What is edited: the clip, or one posture of it held.
  std::vector<posing::MotionEditParams> layers;  ///< One after the other.
};

/// Reads the script and the clip it names (paths relative to the script). Errors name the place in the script.
Result<PoseJob> read_pose_script(const std::string& path);

}  // namespace shosa::documents
