#pragma once

#include <cmath>

#include "draw/figure.h"
#include "shosa/draw/strip.h"

namespace shosa::draw {

/// A clip made ready to be drawn at some times.
struct Postures {
  BodyShape shape;
  std::vector<WorldPose> worlds;  ///< One per time.
  JointIndex root = 0;            ///< The hips where they are known.
};

/// The way of a joint over the shown time, for views from above.
struct Way {
  Colour colour;
  bool dashed = false;
  std::vector<Vec3d> points;
};

/// The way of a joint through space over the shown time.
struct JointPath {
  Colour colour;
  bool dashed = false;  ///< That of the ghost.
  std::vector<double> times_s;
  std::vector<Vec3d> points;
};

/// How one view places the postures, in metres on the page (y down).
struct RowPlan {
  View view;
  std::string label;
  bool true_place = true;       ///< Every posture stands where the motion has it.
  double cell_m = 0.0;          ///< Width of a cell, in that layout.
  std::vector<Vec3d> shifts_m;  ///< Added to every world point of a posture.
  PageBox figures_m;
  PageBox box_m;  ///< Figures and ground.
};

Result<std::vector<double>> strip_times(const Clip& clip, const StripParams& params);

/// Fails when a position is not finite.
Result<Postures> make_postures(const Clip& clip, const body::BodyMap& map, const std::vector<double>& times_s);

/// See draw_strip.
double find_heading_rad(const Postures& postures, const body::BodyMap& map);
/// Where the drawn soles come down to. `analysis::find_ground` is the level of the foot's joints, some centimetres
/// above.
double find_ground_m(const Clip& clip, const BodyShape& shape, double from_s, double to_s);

/// Of the root, then of the feet.
std::vector<Way> find_ways(const Clip& clip, const body::BodyMap& map, JointIndex root, double from_s, double to_s);

/// A row as it would be alone.
RowPlan plan_row(const StripView& view, StripLayout layout, const Postures& postures, const Postures* ghost,
                 double heading_rad, double ground_m);

/// Gives rows that can share it one place per posture, so that columns read downwards: all rows of a layout in cells,
/// and rows of one yaw whose postures stand at their true place. True when all rows share.
bool align_columns(std::vector<RowPlan>& rows, StripLayout layout);

inline bool from_above(const View& view) {
  return std::abs(view.pitch_rad) > 1.0;
}

/// Makes room in a row for ways over the ground.
void include_ways(RowPlan& row, const std::vector<Way>& ways, double ground_m);

/// Those that the parameters name, each behind that of the ghost's joint of the same name.
std::vector<JointPath> find_joint_paths(const Clip& clip, const StripParams& params, double from_s, double to_s);
/// Makes room in a row whose postures stand at their place.
void include_joint_paths(RowPlan& row, const std::vector<JointPath>& paths);

/// The projection that shows posture i of a row with its metre box's corner at `corner_px`.
Projection row_projection(const RowPlan& row, std::size_t posture, double px_per_m, const Point& corner_px);

}  // namespace shosa::draw
