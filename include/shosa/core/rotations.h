#pragma once

#include "shosa/core/types.h"

namespace shosa {

/// The smallest turn that takes direction `from` to direction `to`; neither need be unit. Opposite directions turn
/// about any axis across them. The identity where one of them is zero.
Quatd shortest_turn(const Vec3d& from, const Vec3d& to);

}  // namespace shosa
