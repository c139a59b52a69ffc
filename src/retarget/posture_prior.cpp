#include "shosa/retarget/posture_prior.h"

#include "shosa/retarget/retarget.h"

namespace shosa::retarget {

Result<std::shared_ptr<const posing::PosturePrior>> posture_prior(std::span<const analysis::StudiedClip> clips,
                                                                  const analysis::StudiedClip& target) {
  std::vector<Clip> laid;
  for (const analysis::StudiedClip& clip : clips) {
    if (same_skeleton(clip.skeleton(), target.skeleton(), 1e-3)) {
      laid.push_back(clip.clip());
      continue;
    }
    auto moved = retarget_motion(clip, target.clip().skeleton_ptr(), target.map(),
                                 {.keep_feet = false, .keep_hands = false, .target_motion = target});
    if (!moved) return fail(moved.error().code, "'{}': {}", clip.clip().name(), moved.error().message);
    laid.push_back(std::move(moved->clip));
  }
  auto prior = posing::PosturePrior::create(target.clip().skeleton_ptr(), target.map(), laid);
  if (!prior) return std::unexpected(prior.error());
  return std::make_shared<const posing::PosturePrior>(std::move(*prior));
}

}  // namespace shosa::retarget
