#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/note.h"
#include "shosa/submovement/body.h"

namespace shosa::documents {

/// Where the feet of a clip stand, for `BodyDecomposition::feet`. None where the body map names no feet.
Result<std::vector<submovement::StandingFoot>> stances_of(const analysis::StudiedClip& studied);

struct PlaySubmovementsParams {
  std::optional<double> fps;  ///< That of the clip when empty; > 0.
  bool keep_feet = true;      ///< Feet stand where the file says that they stood.
};

struct PlayedSubmovements {
  Clip clip;
  int kept_stances = 0;            ///< Stances that feet were held in; 0: as the submovements alone have it.
  double max_foot_error_m = 0.0;   ///< Largest distance of a standing ball from its place: a leg that was too short.
  double worst_s = 0.0;            ///< When that is.
  double max_root_change_m = 0.0;  ///< How far the hips had to leave their submovements for that.
  double max_joint_change_m = 0.0;
  Notes warnings;
};

/// Plays a body's submovements back as a clip. Fails when that would be more than memory can bear, or sums up to more
/// than a float holds.
Result<PlayedSubmovements> evaluate(const submovement::BodyDecomposition& body, const body::BodyMap& map,
                                    const PlaySubmovementsParams& params = {});

}  // namespace shosa::documents
