#pragma once

#include <functional>

#include "blend/junction.h"

namespace shosa::blend {

/// What of a joined motion the momentum of the body is solved on. Frames are those of the common grid.
struct MomentumInput {
  const Motion& next;
  const analysis::FootContacts& contacts;             ///< Of the joined motion, on the player's time.
  const std::vector<FootTimes>& feet;                 ///< Of the joined motion.
  std::function<void(int frame, Pose& pose)> joined;  ///< The joined motion as it is.
  int held = 0;                                       ///< Nothing changes up to here: core or what was played.
  int core = 0;                                       ///< The next core begins.
  int end = 0;                                        ///< Last frame of the next motion.
};

/// How hips and feet leave the joined motion so that the body keeps its momentum (`feet::join_feet`). Empty where there
/// is no room for it or the legs cannot be led.
BodyChange keep_momentum(const MomentumInput& input);

/// How much worse than its sources the joined motion is between the cores: the largest of push, fall, kink of a knee,
/// slide of a foot and acceleration of a joint, each as a share of what is allowed. `input.joined` is what will be
/// played.
double strain(const MomentumInput& input, const Motion& previous);

}  // namespace shosa::blend
