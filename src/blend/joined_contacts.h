#pragma once

#include "blend/foot_pass.h"

namespace shosa::blend {

struct PlayedMotion {
  const Motion* motion = nullptr;
  int at = 0;
  GroundMove place;
  const std::vector<FootPass>* feet = nullptr;  ///< How the feet came over from the motion before; null for the first.
};

/// Contacts of heel and toe of a chain of motions: each motion's own, between the changes of its feet.
analysis::FootContacts joined_contacts(const std::vector<PlayedMotion>& played, double frame_time_s);

}  // namespace shosa::blend
