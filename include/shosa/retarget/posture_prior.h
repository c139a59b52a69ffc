#pragma once

#include <memory>
#include <span>

#include "shosa/analysis/studied_clip.h"
#include "shosa/posing/posture_prior.h"

namespace shosa::retarget {

/// How people bend, as the body of `target` would: the postures of clips on any bodies of its kind. Those on another
/// skeleton are laid onto it joint by joint; feet and hands are not kept, for only postures count. Fails as
/// `retarget_motion` and `PosturePrior::create` do, and names the clip.
Result<std::shared_ptr<const posing::PosturePrior>> posture_prior(std::span<const analysis::StudiedClip> clips,
                                                                  const analysis::StudiedClip& target);

}  // namespace shosa::retarget
