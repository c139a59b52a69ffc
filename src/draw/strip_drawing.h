#pragma once

#include "draw/strip_layout.h"

namespace shosa::draw {

inline constexpr double kStripMarginPx = 24.0;
inline constexpr double kStripLabelPx = 11.0;

/// All that the pieces of one strip need.
struct Drawing {
  const Clip& clip;
  const body::BodyMap& map;
  const StripParams& params;
  const Postures& postures;
  const Postures* ghost;
  const std::vector<Way>& ways;
  const std::vector<JointPath>& joint_paths;
  Strip& strip;
};

/// Grid or line, ways and footprints, shadows, ghosts, marks and figures of one row. `corner_px` is where its box
/// begins.
void draw_row(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections, const Point& corner_px);

/// The ways of joints over the figures, with a dot at each posture.
void draw_joint_paths(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections);

/// Times under the postures, in up to two lines; one that fits in neither is left out.
void draw_time_labels(Drawing& drawing, const std::vector<Projection>& projections, double top_px);
void draw_scale_bar(Canvas& canvas, double px_per_m, const Point& at);
void draw_legend(Drawing& drawing, double right_px, double y_px);

}  // namespace shosa::draw
