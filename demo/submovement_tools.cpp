#include "demo/submovement_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "demo/posing_tools.h"
#include "shosa/core/angles.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::demo {

namespace {

Quatd model_turn(const submovement::RotationModel& model, double time_s) {
  Quatd turn = model.start;
  for (const auto& s : model.submovements)
    turn = turn * exp_rotation(s.rotation_rad * minimum_jerk_step(s.t0_s, s.tf_s, time_s));
  return turn;
}

}  // namespace

RolePath role_path(const FigureClip& shown, body::Role role) {
  RolePath path;
  Pose pose;
  WorldPose world;
  const auto joint = static_cast<std::size_t>(shown.body_map.joint(role));
  for (int f = 0; f < shown.clip.frame_count(); ++f) {
    shown.clip.get_frame(f, pose);
    forward_kinematics(shown.clip.skeleton(), pose, world);
    path.places.push_back(world.positions[joint]);
    path.turns.push_back(world.rotations[joint]);
  }
  return path;
}

double minimum_jerk_step(double t0_s, double tf_s, double time_s) {
  return shosa::minimum_jerk_step((time_s - t0_s) / (tf_s - t0_s));
}

double position_misfit_m(const std::vector<Vec3d>& path, double frame_time_s, const submovement::PositionModel& model) {
  double sum = 0.0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    Vec3d place = model.start_m;
    for (const auto& s : model.submovements)
      place += s.displacement_m * minimum_jerk_step(s.t0_s, s.tf_s, static_cast<double>(i) * frame_time_s);
    sum += (place - path[i]).squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(path.size()));
}

double rotation_misfit_rad(const std::vector<Quatd>& turns, double frame_time_s,
                           const submovement::RotationModel& model) {
  double sum = 0.0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const double angle = model_turn(model, static_cast<double>(i) * frame_time_s).angularDistance(turns[i]);
    sum += angle * angle;
  }
  return std::sqrt(sum / static_cast<double>(turns.size()));
}

draw::SubmovementPlot position_plot(const std::vector<Vec3d>& path, double frame_time_s,
                                    const submovement::PositionModel& model) {
  draw::SubmovementPlot plot{.title = "", .unit = "m", .frame_time_s = frame_time_s};
  plot.original = path;
  plot.model = submovement::sample_positions(model, static_cast<int>(path.size()), frame_time_s);
  for (const auto& s : model.submovements) {
    plot.submovements.push_back({s.t0_s, s.tf_s});
    plot.labels.push_back(fmt::format("{:.2f} m", s.displacement_m.norm()));
  }
  return plot;
}

draw::SubmovementPlot rotation_plot(const std::vector<Quatd>& turns, double frame_time_s,
                                    const submovement::RotationModel& model) {
  draw::SubmovementPlot plot{.title = "", .unit = "deg", .frame_time_s = frame_time_s};
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Quatd made = model_turn(model, static_cast<double>(i) * frame_time_s);
    plot.original.push_back(kDegPerRad * log_rotation(turns[0].conjugate() * turns[i]));
    plot.model.push_back(kDegPerRad * log_rotation(turns[0].conjugate() * made));
  }
  for (const auto& s : model.submovements) {
    plot.submovements.push_back({s.t0_s, s.tf_s});
    plot.labels.push_back(fmt::format("{:.0f} deg", kDegPerRad * s.rotation_rad.norm()));
  }
  return plot;
}

Result<Clip> lead_hand(const Clip& clip, const body::BodyMap& map, body::Role role,
                       const submovement::PositionModel& before, const submovement::PositionModel& after) {
  auto edit = human_edit(clip, map);
  if (!edit) return std::unexpected(edit.error());
  edit->desired_weight = 1.0;
  edit->pins =
      pins_on(map, {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot, body::Role::right_toes});
  posing::DragLayer drag{.joint = map.joint(role), .keys = {}, .relative = true};
  for (int f = 0; f < clip.frame_count(); ++f) {
    const double t = f * clip.frame_time_s();
    drag.keys.push_back({t, submovement::position_at(after, t) - submovement::position_at(before, t)});
  }
  edit->drags.push_back(std::move(drag));
  auto made = posing::edit_motion(clip, *edit);
  if (!made) return std::unexpected(made.error());
  return std::move(made->clip);
}

}  // namespace shosa::demo
