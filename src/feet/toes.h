#pragma once

#include "shosa/feet/place_feet.h"

namespace shosa::feet {

/// Bends the toes of a foot that was placed: their tip stays out of the ground and keeps its height over a ball that
/// stands; elsewhere they go with the foot. `captured` is the motion before. Feet without a toe joint and tip stay.
void bend_toes(const Clip& captured, const FootPlan& plan, const FeetScales& scales, double scale, Clip& placed);

}  // namespace shosa::feet
