#pragma once

#include "demo/figure.h"

namespace shosa::demo {

/// How the knees of a clip bend, measured from its rotations against those of the motion it was made from, frame by
/// frame (the last one where that is shorter).
struct KneeUse {
  double backward_deg = 0.0;  ///< Most that a knee is overstretched.
  double sideways_deg = 0.0;  ///< Most that a knee's axis has left the thigh's plane since the source.
  double source_backward_deg = 0.0;
};
KneeUse knee_use(const FigureClip& shown, const Clip& source);

/// Knees are hinges: not bent backward (beyond the source's own) nor sideways by more than half a degree.
void check_knees(Figure& figure, const std::string& what, const FigureClip& shown, const Clip& source);

}  // namespace shosa::demo
