#pragma once

#include <vector>

#include "segment/reconstruct.h"
#include "shosa/feet/follow_hips.h"

namespace shosa::segment {

/// Hips and held feet of an edit that moves the body: where `feet::follow_hips` has them, frame by frame.
class StandingBody {
 public:
  /// `params.ankles`: the held feet, then those that are led. `led`: the edited motion, its legs as they may be.
  static Result<StandingBody> create(const analysis::StudiedClip& captured, const Clip& led,
                                     feet::FollowHipsParams params);

  /// Goals of the pelvis and of held feet. `captured` is the world posture of that frame.
  void add_goals(const PointBody& body, int frame, const WorldPose& captured, std::vector<PointGoal>& goals,
                 std::vector<EndTurn>& turns) const;
  /// Toes keep their turn in the world where a heel rises: they lie on the ground while the ball stands.
  void level_toes(const PointBody& body, int frame, const WorldPose& captured, Pose& pose) const;

 private:
  std::size_t held_count() const { return params_.ankles.size() - params_.led_feet.size(); }

  feet::FollowHipsParams params_;
  feet::FollowedHips followed_;
  ClipPositions led_{0, 0, 0};
};

/// Whether an edit moves hips or hip joints.
bool moves_legs(const analysis::StudiedClip& captured, const Clip& led, const PointBody& body, int first, int last);

}  // namespace shosa::segment
