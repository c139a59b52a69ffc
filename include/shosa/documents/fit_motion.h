#pragma once

#include <memory>
#include <optional>
#include <string>

#include "shosa/blend/motion.h"
#include "shosa/documents/clip_file.h"

namespace shosa::documents {

struct FitParams {
  const blend::Motion* first = nullptr;  ///< Whose body and rate are taken over; nullptr: the clip is the first itself.
  std::string first_name = {};           ///< For messages.
  std::optional<TimeInterval> core = {};  ///< Analysed when empty. Within the clip.
  std::optional<double> fps = {};         ///< Instead of the rate of the first.
};
struct FittedMotion {
  std::shared_ptr<const blend::Motion> motion;
  io::MotionFile form;  ///< What the clip was read from.
  Notes warnings;       ///< May hold one twice.
};
/// A clip as the composer takes it: cleaned (`ChosenClip::study_standing`), on the body and at the rate of the first.
/// Fails as `retarget_motion`, `resample` and `prepare_motion` do.
Result<FittedMotion> fit_motion(ChosenClip opened, const std::string& name, const FitParams& params = {});

}  // namespace shosa::documents
