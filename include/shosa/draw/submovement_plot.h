#pragma once

#include <string>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"
#include "shosa/draw/canvas.h"

namespace shosa::draw {

/// Three channels of a motion and of its model over time, and the submovements as lanes below.
struct SubmovementPlot {
  std::string title;
  std::string unit;
  double frame_time_s = 0.0;
  std::vector<Vec3d> original;
  std::vector<Vec3d> model;
  std::vector<Vec3d> edited;  ///< The model after an edit; empty where there was none.
  std::vector<TimeInterval> submovements;
  std::vector<std::string> labels;  ///< One per submovement.
};

Result<Canvas> draw_submovements(const SubmovementPlot& plot);

}  // namespace shosa::draw
