#include "decompose_edit.h"

#include <algorithm>
#include <cmath>

#include "shosa/posing/motion_edit.h"
#include "shosa/submovement/edit.h"

namespace shosa::cli {

namespace {

using submovement::PositionModel;

// How firmly the body keeps to its own posture in an edited motion; pinned feet beside it stay to 0.1 mm.
constexpr double kOwnPosture = 1.0;
// A stretched arm would hand over to the trunk within a frame or two.
constexpr double kSmooth_s = 0.05;
// Of a foot from its pin or a joint from its goal: what is told.
constexpr double kNoticed_m = 0.01;
// Shorter than people move: what is told.
constexpr double kHasty_s = 0.1;
// An edit that moves the path by less moves nothing.
constexpr double kNothing_m = 1e-6;

struct Applied {
  const char* option = "";
  PositionModel model;
  std::string what;
  std::optional<std::size_t> index;  // of the edited submovement, where it is still there
};

Result<std::size_t> index_of(const char* option, double typed, const PositionModel& model) {
  const std::size_t count = model.submovements.size();
  if (typed >= 0.0 && typed < static_cast<double>(count) && typed == std::floor(typed))
    return static_cast<std::size_t>(typed);
  if (count == 0) return fail(ErrorCode::invalid_argument, "{}: the path has no submovement", option);
  return fail(ErrorCode::invalid_argument, "{}: submovement {} is not there: the path has {}, 0 to {}", option, typed,
              count, count - 1);
}

std::unexpected<Error> named(const char* option, const Error& error) {
  return fail(error.code, "{}: {}", option, error.message);
}

// Later goals stay where they were.
Result<Applied> apply(const SubmovementEdit& edit, const PositionModel& model) {
  Applied done{.option = "", .model = model, .what = {}, .index = {}};
  const auto start = [&](const char* option, double typed) {
    done.option = option;
    return index_of(option, typed, model);
  };
  const auto vector_at = [](const std::vector<double>& typed, std::size_t first) {
    return Vec3d(typed[first], typed[first + 1], typed[first + 2]);
  };
  if (!edit.move_goal.empty()) {
    const auto index = start("--move-goal", edit.move_goal[0]);
    if (!index) return std::unexpected(index.error());
    if (const auto ok = move_goal(done.model, *index, vector_at(edit.move_goal, 1)); !ok)
      return named(done.option, ok.error());
    done.index = *index;
    done.what = fmt::format("goal {} moved", *index);
  } else if (!edit.set_timing.empty()) {
    const auto index = start("--set-timing", edit.set_timing[0]);
    if (!index) return std::unexpected(index.error());
    const auto placed = set_timing(done.model, *index, edit.set_timing[1], edit.set_timing[2]);
    if (!placed) return named(done.option, placed.error());
    done.index = *placed;
    done.what = fmt::format("submovement {} from {:.4g} to {:.4g} s", *index, edit.set_timing[1], edit.set_timing[2]);
  } else if (!edit.insert.empty()) {
    done.option = "--insert";
    const submovement::PositionSubmovement added{edit.insert[0], edit.insert[1], vector_at(edit.insert, 2)};
    const auto placed = insert(done.model, added, submovement::After::stays);
    if (!placed) return named(done.option, placed.error());
    done.index = *placed;
    done.what = fmt::format("submovement {} inserted", *placed);
  } else if (edit.remove) {
    const auto index = start("--remove", *edit.remove);
    if (!index) return std::unexpected(index.error());
    if (const auto ok = remove(done.model, *index); !ok) return named(done.option, ok.error());
    done.what = fmt::format("submovement {} removed", *index);
  } else {
    const auto index = start("--merge", *edit.merge);
    if (!index) return std::unexpected(index.error());
    if (*index + 1 == model.submovements.size())
      return fail(ErrorCode::invalid_argument, "--merge: submovement {} is the last, expected one with a next", *index);
    if (const auto ok = merge(done.model, *index); !ok) return named(done.option, ok.error());
    done.index = *index;
    done.what = fmt::format("submovements {} and {} merged", *index, *index + 1);
  }
  return done;
}

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
  posing::MotionEditParams params;
  params.pins = other_feet(clip.skeleton(), map, drag.joint);
  params.drags.push_back(std::move(drag));
  params.stiffness = posing::human_stiffness(clip.skeleton(), map);
  params.return_weight = kOwnPosture;
  params.smooth_s = kSmooth_s;
  return params;
}

}  // namespace

Result<EditedMotion> edited_motion(const DecomposeOptions& options, const ChosenClip& opened, JointIndex joint,
                                   const PositionModel& model, Report& report) {
  const Clip& clip = opened.clip();
  auto applied = apply(options.edit, model);
  if (!applied) return std::unexpected(applied.error());

  const auto before = submovement::sample_positions(model, clip.frame_count(), clip.frame_time_s());
  const auto after = submovement::sample_positions(applied->model, clip.frame_count(), clip.frame_time_s());
  posing::DragLayer drag{.joint = joint, .relative = true};
  double most = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    drag.keys.push_back({static_cast<double>(i) * clip.frame_time_s(), after[i] - before[i]});
    most = std::max(most, (after[i] - before[i]).stableNorm());
  }
  auto made = posing::edit_motion(clip, follow(clip, opened.motion.body_map, std::move(drag)));
  if (!made) return named(applied->option, made.error());
  if (!std::isfinite(made->max_drag_error_m) || !std::isfinite(made->max_pin_error_m))
    return fail(ErrorCode::not_possible, "{}: {:.4g} m is too far for the body to be led there", applied->option, most);

  auto& edited = report.json["edited"];
  edited = {{"edit", applied->what}};
  if (applied->index) {
    edited["submovement"] = *applied->index;
    edited["goal"] = vector_json(goal_m(applied->model, *applied->index));
  }
  edited["max_drag_error_m"] = made->max_drag_error_m;
  edited["max_pin_error_m"] = made->max_pin_error_m;
  report.text += fmt::format("{}: {}; the body follows to {:.1f} mm, the feet stay to {:.1f} mm\n", options.out,
                             applied->what, 1e3 * made->max_drag_error_m, 1e3 * made->max_pin_error_m);

  if (most < kNothing_m)
    warn(report, fmt::format("{} moves {} in no frame of the clip, 0 to {:.4g} s", applied->option, options.joint,
                             clip.duration_s()));
  if (applied->index && (!options.edit.set_timing.empty() || !options.edit.insert.empty())) {
    const auto& s = applied->model.submovements[*applied->index];
    if (s.tf_s - s.t0_s < kHasty_s)
      warn(report,
           fmt::format("{}: {:.3g} s is very short for {:.3g} m, up to {:.3g} m/s", applied->option, s.tf_s - s.t0_s,
                       s.displacement_m.norm(), 1.875 * s.displacement_m.norm() / (s.tf_s - s.t0_s)));
  }
  if (made->max_drag_error_m > kNoticed_m)
    warn(report,
         fmt::format("the goal is out of reach: {} stays up to {:.3f} m away", options.joint, made->max_drag_error_m));
  if (made->max_pin_error_m > kNoticed_m)
    warn(report, fmt::format("the goal pulls the feet off their places by up to {:.3f} m", made->max_pin_error_m));
  return EditedMotion{std::move(applied->model), std::move(applied->what), std::move(made->clip)};
}

}  // namespace shosa::cli
