#pragma once

#include <stdexcept>

#include "shosa/retarget/retarget.h"

namespace shosa::retarget {

/// A motion carried over between bodies whose roles are guessed.
inline RetargetResult onto(const Clip& clip, const std::shared_ptr<const Skeleton>& target,
                           const RetargetParams& params = {}) {
  auto result = retarget_motion(analysis::study(clip, body::guess_body_map(clip.skeleton())), target,
                                body::guess_body_map(*target), params);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

}  // namespace shosa::retarget
