#pragma once

#include <vector>

#include "demo/figure.h"
#include "shosa/core/angles.h"
#include "shosa/core/result.h"
#include "shosa/draw/submovement_plot.h"
#include "shosa/submovement/model.h"

namespace shosa::demo {

/// The hand that the figures take apart.
inline constexpr body::Role kHand = body::Role::right_hand;

/// World path and turning of a role's joint, per frame.
struct RolePath {
  std::vector<Vec3d> places;
  std::vector<Quatd> turns;
};
RolePath role_path(const FigureClip& shown, body::Role role);

/// The minimum-jerk step 6 t^5 - 15 t^4 + 10 t^3, written out again so that fits are measured by a second hand.
double minimum_jerk_step(double t0_s, double tf_s, double time_s);

/// Root mean square of the distance between a path and x(0) + sum of displacement * MJ.
double position_misfit_m(const std::vector<Vec3d>& path, double frame_time_s, const submovement::PositionModel& model);
/// The same of the angle, for R(0) * product of exp(rotation * MJ).
double rotation_misfit_rad(const std::vector<Quatd>& turns, double frame_time_s,
                           const submovement::RotationModel& model);

draw::SubmovementPlot position_plot(const std::vector<Vec3d>& path, double frame_time_s,
                                    const submovement::PositionModel& model);
draw::SubmovementPlot rotation_plot(const std::vector<Quatd>& turns, double frame_time_s,
                                    const submovement::RotationModel& model);

/// The body led so that a role's joint follows `after - before` on top of its own way; feet stay.
Result<Clip> lead_hand(const Clip& clip, const body::BodyMap& map, body::Role role,
                       const submovement::PositionModel& before, const submovement::PositionModel& after);

}  // namespace shosa::demo
