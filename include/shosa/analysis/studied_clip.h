#pragma once

#include <memory>
#include <optional>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/ground.h"
#include "shosa/analysis/root_motion.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"

namespace shosa::analysis {

/// A clip and its body, with what every method asks of them: where the joints are, when the feet stand, on which
/// ground, along which path. Found once by `study`, never changed; copies share it and cost a pointer.
class StudiedClip {
 public:
  const Clip& clip() const { return known_->clip; }
  const body::BodyMap& map() const { return known_->map; }
  const Skeleton& skeleton() const { return known_->clip.skeleton(); }
  const ClipPositions& positions() const { return known_->positions; }    ///< World.
  const FootContacts& contacts() const { return known_->contacts; }       ///< No feet where the map names none.
  const std::optional<Ground>& ground() const { return known_->ground; }  ///< Empty where the map names no feet.
  const RootMotion& root() const { return known_->root; }                 ///< Path of the hips.
  /// Where the body faces: radians about +Y, 0 = +Z, unwound.
  double heading_rad(int frame) const { return known_->root.places[frame].heading_rad; }

  /// Fails where there are no contacts to work with: the body map names no feet.
  Result<void> needs_feet() const;

 private:
  struct Known {
    Clip clip;
    body::BodyMap map;
    ClipPositions positions;
    FootContacts contacts;
    std::optional<Ground> ground;
    RootMotion root;
  };
  explicit StudiedClip(std::shared_ptr<const Known> known) : known_(std::move(known)) {}
  friend StudiedClip study_with(Clip clip, body::BodyMap map, std::optional<FootContacts> contacts);

  std::shared_ptr<const Known> known_;
};

/// O(frames * joints + frames log frames). Deterministic.
StudiedClip study(Clip clip, body::BodyMap map);
/// With contacts that are known from elsewhere: edited by hand, or carried over from another body. Fails when they name
/// points that the skeleton has not got.
Result<StudiedClip> study(Clip clip, body::BodyMap map, FootContacts contacts);

}  // namespace shosa::analysis
