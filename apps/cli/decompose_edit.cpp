#include "decompose_edit.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::cli {

namespace {

using submovement::PositionModel;

// A stretched arm would hand over to the trunk within a frame or two.
constexpr double kSmooth_s = 0.05;
// Of a foot from its pin or a joint from its goal: what is told.
constexpr double kNoticed_m = 0.01;
// An edit that moves the path by less moves nothing.
constexpr double kNothing_m = 1e-6;
// Submovements end between samples; nearer than this to the motion's end is at its end.
constexpr double kNothing_s = 1e-3;

// All feet stay but the one that is led itself.
std::vector<posing::MotionPin> other_feet(const Skeleton& skeleton, const body::BodyMap& map, JointIndex joint) {
  std::vector<std::vector<body::Role>> feet = {{body::Role::left_foot, body::Role::left_toes},
                                               {body::Role::right_foot, body::Role::right_toes}};
  if (map.kind == body::BodyKind::quadruped) {
    feet.push_back({body::Role::left_hand});
    feet.push_back({body::Role::right_hand});
  }
  std::vector<posing::MotionPin> pins;
  for (const std::vector<body::Role>& foot : feet) {
    bool led = false;
    for (JointIndex j = joint; j != kNoJoint && map.has(foot[0]); j = skeleton.parent(j))
      led |= j == map.joint(foot[0]);
    for (const body::Role role : foot)
      if (!led && map.has(role)) pins.push_back({.joint = map.joint(role)});
  }
  return pins;
}

posing::MotionEditParams follow(const Clip& clip, const body::BodyMap& map, posing::DragLayer drag) {
  posing::MotionEditParams params = posing::body_edit(clip.skeleton(), map);
  params.pins = other_feet(clip.skeleton(), map, drag.joint);
  params.drags.push_back(std::move(drag));
  params.smooth_s = kSmooth_s;
  return params;
}

// The body is moved by what the submovements change, so it is as far from them as it was before. Places are asked for
// the joint itself.
std::vector<documents::SubmovementEdit> for_the_joint(std::vector<documents::SubmovementEdit> edits, const Clip& clip,
                                                      JointIndex joint, const PositionModel& model) {
  Pose pose;
  for (documents::SubmovementEdit& edit : edits) {
    if (edit.kind != documents::SubmovementEdit::Kind::pass || edit.index >= model.submovements.size()) continue;
    const double tf_s = std::clamp(model.submovements[edit.index].tf_s, 0.0, clip.last_time_s());
    sample(clip, tf_s, pose);
    edit.value -= forward_kinematics(clip.skeleton(), pose).positions[joint] - submovement::position_at(model, tf_s);
  }
  return edits;
}

}  // namespace

Result<EditedMotion> edited_motion(const DecomposeOptions& options, const ChosenClip& opened, JointIndex joint,
                                   const PositionModel& model, Report& report) {
  const Clip& clip = opened.clip();
  PositionModel edited = model;
  const auto places = documents::apply_edits(edited, for_the_joint(options.edits, clip, joint, model));
  if (!places) return std::unexpected(places.error());
  const std::string& first = options.edits[0].asked;

  const auto before = submovement::sample_positions(model, clip.frame_count(), clip.frame_time_s());
  const auto after = submovement::sample_positions(edited, clip.frame_count(), clip.frame_time_s());
  posing::DragLayer drag{.joint = joint, .relative = true};
  double most = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    drag.keys.push_back({static_cast<double>(i) * clip.frame_time_s(), after[i] - before[i]});
    most = std::max(most, (after[i] - before[i]).stableNorm());
  }
  auto made = posing::edit_motion(clip, follow(clip, opened.motion.body_map, std::move(drag)));
  if (!made) return fail(made.error().code, "{}: {}", first, made.error().message);
  if (!std::isfinite(made->max_drag_error_m) || !std::isfinite(made->max_pin_error_m))
    return fail(ErrorCode::not_possible, "{}: {:.4g} m is too far for the body to be led there", first, most);

  // How near the joint came to the edited path, when each submovement ends.
  const GoalList goals = goal_list(edited);
  nlohmann::ordered_json edits = edits_json(options.edits, *places, goals);
  report.text += fmt::format("{}: the body follows to {:.1f} mm, the feet stay to {:.1f} mm\n", options.out,
                             1e3 * made->max_drag_error_m, 1e3 * made->max_pin_error_m);
  Pose pose;
  WorldPose world;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    report.text += "  " + options.edits[i].asked;
    if ((*places)[i]) {
      const std::size_t k = *(*places)[i];
      const double ends_s = goals.rows[k].tf_s, tf_s = std::clamp(ends_s, 0.0, made->clip.last_time_s());
      if (options.edits[i].kind == documents::SubmovementEdit::Kind::pass && std::abs(ends_s - tf_s) > kNothing_s) {
        warn(report,
             fmt::format("{}: submovement {} ends at {:.4g} s, and the motion lasts from 0 to {:.4g} s: no frame "
                         "is at that place",
                         options.edits[i].asked, k, ends_s, made->clip.last_time_s()));
      }
      sample(made->clip, tf_s, pose);
      forward_kinematics(clip.skeleton(), pose, world);
      const Vec3d& came_to = world.positions[joint];
      const double off_m = (came_to - submovement::position_at(edited, tf_s)).norm();
      edits[i]["passes"] = vector_json(came_to);
      edits[i]["off_by_m"] = off_m;
      report.text += fmt::format(": passes {:.3f}, {:.3f}, {:.3f} m at {:.3f} s, {:.1f} cm off the edited path",
                                 came_to.x(), came_to.y(), came_to.z(), tf_s, 1e2 * off_m);
      if (const auto missed = missed_by(options.edits[i], goals, k, came_to)) {
        edits[i]["missed_m"] = *missed;
        report.text += ", " + missed_text(options.edits[i], goals, k, *missed);
      }
    }
    report.text += "\n";
  }
  report.json["edited"] = {
      {"edits", edits}, {"max_drag_error_m", made->max_drag_error_m}, {"max_pin_error_m", made->max_pin_error_m}};

  if (most < kNothing_m)
    warn(report,
         fmt::format("{} moves {} in no frame of the clip, 0 to {:.4g} s", first, options.joint, clip.duration_s()));
  warn_of_haste(options.edits, *places, goals, report);
  if (made->max_drag_error_m > kNoticed_m)
    warn(report,
         fmt::format("the goal is out of reach: {} stays up to {:.3f} m away", options.joint, made->max_drag_error_m));
  if (made->max_pin_error_m > kNoticed_m)
    warn(report, fmt::format("the goal pulls the feet off their places by up to {:.3f} m", made->max_pin_error_m));
  const std::string what =
      options.edits.size() == 1 ? first : fmt::format("{} and {} more", first, options.edits.size() - 1);
  return EditedMotion{std::move(edited), what, std::move(made->clip)};
}

}  // namespace shosa::cli
