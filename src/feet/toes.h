#pragma once

#include "feet/toe_bend.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

/// How toes of a foot that was placed bend, one entry per frame.
struct ToeBends {
  std::vector<double> rad;
  std::vector<char> crosses;  ///< Toes change from bent up to bent down, and the ground waits: the foot has to be over.
};
/// Their tip stays out of the ground and keeps its height over a ball that stands; elsewhere they go with the foot.
/// `captured` is the motion before. With `before`, what was found for nearly the same feet, they stay near it.
ToeBends find_bends(const Clip& captured, const FootPlan& plan, const Toes& toes, const FeetScales& scales,
                    double scale, const Clip& placed, const ToeBends* before = nullptr);
void bend_toes(const Toes& toes, const ToeBends& bends, Clip& placed);

}  // namespace shosa::feet
