#include "draw/strip_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/analysis/heading.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/core/sampling.h"

namespace shosa::draw {
namespace {

Vec3d root_of(const Postures& postures, std::size_t i) {
  return postures.worlds[i].positions[postures.root];
}

/// A projection in metres: one pixel is one metre and the world's origin lies at (0, 0).
Projection metre_projection(const View& view, const Vec3d& shift_m) {
  return {.view = view, .px_per_m = 1.0, .centre_m = -shift_m, .centre_px = Point::Zero()};
}

/// True where the motion itself keeps the postures apart on the page: from one to the nearest other it is at least half
/// a figure's width, on average.
bool travels(const View& view, const Postures& postures) {
  const std::size_t count = postures.worlds.size();
  if (count < 2) {
    return true;
  }
  const Projection projection = metre_projection(view, Vec3d::Zero());
  double widths_m = 0.0;
  double nearest_m = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    widths_m += figure_box(postures.shape, postures.worlds[i], projection).width_px();
    double least_m = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < count; ++j) {
      const Point apart = projection.to_px(root_of(postures, i)) - projection.to_px(root_of(postures, j));
      if (j != i) {
        least_m = std::min(least_m, sees_ground(view) ? apart.norm() : std::abs(apart.x()));
      }
    }
    nearest_m += least_m;
  }
  return nearest_m >= 0.5 * widths_m;
}

}  // namespace

Result<std::vector<double>> strip_times(const Clip& clip, const StripParams& params) {
  const double last_s = clip.last_time_s();
  const double slack_s = 0.5 * clip.frame_time_s();
  const auto inside = [&](double time_s) { return time_s >= -slack_s && time_s <= last_s + slack_s; };
  if (!params.times_s.empty()) {
    if (params.times_s.size() > 200) {
      return fail(ErrorCode::invalid_argument, "{} times: expected at most 200", params.times_s.size());
    }
    for (const double time_s : params.times_s) {
      if (!inside(time_s)) {
        return fail(ErrorCode::invalid_argument, "time {} s: expected 0 to {} s, the length of the clip", time_s,
                    last_s);
      }
    }
    return params.times_s;
  }
  if (params.count < 1 || params.count > 200) {
    return fail(ErrorCode::invalid_argument, "{} postures: expected 1 to 200", params.count);
  }
  const double from_s = params.from_s.value_or(0.0);
  const double to_s = params.to_s.value_or(last_s);
  if (!inside(from_s) || !inside(to_s) || to_s < from_s) {
    return fail(ErrorCode::invalid_argument, "times from {} s to {} s: expected an interval within 0 to {} s", from_s,
                to_s, last_s);
  }
  std::vector<double> times_s;
  const int count = to_s > from_s ? params.count : 1;
  for (int i = 0; i < count; ++i) {
    times_s.push_back(count == 1 ? from_s : from_s + (to_s - from_s) * i / (count - 1));
  }
  return times_s;
}

Result<Postures> make_postures(const Clip& clip, const body::BodyMap& map, const std::vector<double>& times_s) {
  Postures postures;
  Pose pose;
  for (const double time_s : times_s) {
    sample(clip, time_s, pose);
    postures.worlds.push_back(forward_kinematics(clip.skeleton(), pose));
    for (std::size_t j = 0; j < postures.worlds.back().positions.size(); ++j) {
      if (!postures.worlds.back().positions[j].allFinite()) {
        return fail(ErrorCode::not_possible, "joint '{}' at {} s: its position is not a finite number",
                    clip.skeleton().name(static_cast<JointIndex>(j)), time_s);
      }
    }
  }
  postures.root = root_joint(map);
  postures.shape = make_body_shape(clip.skeleton(), map, postures.worlds.front());
  return postures;
}

double find_heading_rad(const Postures& postures, const body::BodyMap& map) {
  const Vec3d way = level(root_of(postures, postures.worlds.size() - 1) - root_of(postures, 0));
  if (way.norm() >= 0.5 * postures.shape.size_m) {
    return heading_of(way);
  }
  Vec3d facing = Vec3d::Zero();
  for (const WorldPose& world : postures.worlds) {
    const double heading_rad = analysis::heading_rad(map, world.positions, world.rotations.front());
    facing += toward(heading_rad);
  }
  return facing.norm() > 1e-6 ? heading_of(facing) : 0.0;
}

double find_ground_m(const Clip& clip, const BodyShape& shape, double from_s, double to_s) {
  constexpr int kSamples = 120;
  std::vector<double> lowest;
  Pose pose;
  WorldPose world;
  for (int i = 0; i <= kSamples; ++i) {
    sample(clip, from_s + (to_s - from_s) * i / kSamples, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const double height_m = lowest_m(shape, world);
    if (std::abs(height_m) < 1e12) {
      lowest.push_back(height_m);
    }
  }
  if (lowest.empty()) {
    return 0.0;
  }
  std::ranges::sort(lowest);
  const double low_m = lowest[lowest.size() * 2 / 100];
  const double usual_m = lowest[lowest.size() * 15 / 100];
  return usual_m - low_m < 0.04 * shape.size_m ? usual_m : low_m;
}

std::vector<Way> find_ways(const Clip& clip, const body::BodyMap& map, JointIndex root, double from_s, double to_s) {
  const auto foot = [&](body::Role toes, body::Role ankle) {
    return map.has(toes) ? map.joint(toes) : map.joint(ankle);
  };
  const bool four_feet = map.kind == body::BodyKind::quadruped;
  const std::pair<JointIndex, Way> wanted[] = {
      {root, {with_alpha(kSoftInk, 0.6), true, {}}},
      {foot(body::Role::left_toes, body::Role::left_foot), {with_alpha(kLeft, 0.55), false, {}}},
      {foot(body::Role::right_toes, body::Role::right_foot), {with_alpha(kRight, 0.55), false, {}}},
      {four_feet ? map.joint(body::Role::left_hand) : kNoJoint, {with_alpha(kLeft, 0.55), false, {}}},
      {four_feet ? map.joint(body::Role::right_hand) : kNoJoint, {with_alpha(kRight, 0.55), false, {}}}};
  const int first = clip.nearest_frame(from_s);
  const int last = clip.nearest_frame(to_s);
  const int step = std::max(1, (last - first) / 600);
  std::vector<Way> ways;
  for (const auto& [joint, way] : wanted) {
    if (joint != kNoJoint) {
      ways.push_back(way);
    }
  }
  Pose pose;
  WorldPose world;
  for (int frame = first; frame <= last; frame += step) {
    clip.get_frame(frame, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    std::size_t next = 0;
    for (const auto& [joint, way] : wanted) {
      if (joint != kNoJoint) {
        ways[next++].points.push_back(world.positions[joint]);
      }
    }
  }
  return ways;
}

void include_ways(RowPlan& row, const std::vector<Way>& ways, double ground_m) {
  const Projection projection = metre_projection(row.view, Vec3d::Zero());
  for (const Way& way : ways) {
    for (const Vec3d& point : way.points) {
      if (point.allFinite()) {
        row.box_m.include(projection.to_px({point.x(), ground_m, point.z()}));
      }
    }
  }
}

RowPlan plan_row(const StripView& view, StripLayout layout, const Postures& postures, const Postures* ghost,
                 double heading_rad, double ground_m) {
  RowPlan row;
  row.view = {view.view.yaw_rad + heading_rad, view.view.pitch_rad};
  row.label = view.label;
  const std::size_t count = postures.worlds.size();
  const Vec3d right = row.view.right();

  // How far each posture reaches left and right of its root.
  row.true_place = layout == StripLayout::world && travels(row.view, postures);
  std::vector<Vec3d> centring(count, Vec3d::Zero());
  std::vector<PageBox> boxes(count);
  PageBox widest;
  for (std::size_t i = 0; i < count && !row.true_place; ++i) {
    centring[i] = -level(root_of(postures, i));
    const Projection projection = metre_projection(row.view, centring[i]);
    boxes[i].include(figure_box(postures.shape, postures.worlds[i], projection));
    if (ghost) {
      boxes[i].include(figure_box(ghost->shape, ghost->worlds[i], projection));
    }
    widest.include(boxes[i]);
  }
  const double air_m = 0.06 * postures.shape.size_m;
  double place_m = 0.0;

  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && layout == StripLayout::cells) {
      row.cell_m = widest.width_px() + air_m;
      place_m += row.cell_m;
    } else if (i > 0 && !row.true_place) {
      place_m += std::max(0.15 * postures.shape.size_m, boxes[i - 1].high.x() - boxes[i].low.x() + air_m);
    }
    row.shifts_m.push_back(centring[i] + place_m * right);
    const Projection projection = metre_projection(row.view, row.shifts_m[i]);
    row.figures_m.include(figure_box(postures.shape, postures.worlds[i], projection));
    if (ghost) {
      row.figures_m.include(figure_box(ghost->shape, ghost->worlds[i], projection));
    }
    // The ground under the body and, where the ground is seen from above, a margin around it.
    const Vec3d foot = root_of(postures, i);
    const Vec3d below(foot.x(), ground_m, foot.z());
    const bool level_view = !sees_ground(row.view);
    const double margin_m = level_view ? 0.0 : 0.30 * postures.shape.size_m;
    const Point at = projection.to_px(below);
    const double deep = margin_m * std::abs(std::sin(row.view.pitch_rad));
    row.box_m.include(at + Point(margin_m, deep));
    row.box_m.include(at - Point(margin_m, deep));
  }
  row.box_m.include(row.figures_m);
  return row;
}

bool align_columns(std::vector<RowPlan>& rows, StripLayout layout) {
  const auto widen = [&](RowPlan& row, double low_m, double high_m) {
    row.box_m.low.x() = std::min(row.box_m.low.x(), low_m);
    row.box_m.high.x() = std::max(row.box_m.high.x(), high_m);
  };
  if (layout == StripLayout::cells) {
    // Every row gets the widest cell, with the root in the same place of it.
    double cell_m = 0.0;
    for (const RowPlan& row : rows) {
      cell_m = std::max(cell_m, row.cell_m);
    }
    double left_m = 0.0;
    double right_m = 0.0;
    for (RowPlan& row : rows) {
      const double more_m = cell_m - row.cell_m;
      const double count = static_cast<double>(row.shifts_m.size() - 1);
      for (std::size_t i = 0; i < row.shifts_m.size(); ++i) {
        row.shifts_m[i] += static_cast<double>(i) * more_m * row.view.right();
      }
      row.cell_m = cell_m;
      row.box_m.high.x() += count * more_m;
      row.figures_m.high.x() += count * more_m;
      left_m = std::min(left_m, row.box_m.low.x());
      right_m = std::max(right_m, row.box_m.high.x());
    }
    for (RowPlan& row : rows) {
      widen(row, left_m, right_m);
    }
    return true;
  }
  bool all_share = true;
  RowPlan& first = rows.front();
  for (RowPlan& row : rows) {
    const bool share = std::abs(row.view.yaw_rad - first.view.yaw_rad) < 1e-9 && row.true_place && first.true_place;
    all_share = all_share && (share || rows.size() == 1);
    if (share) {
      widen(row, first.box_m.low.x(), first.box_m.high.x());
      widen(first, row.box_m.low.x(), row.box_m.high.x());
    }
  }
  for (RowPlan& row : rows) {
    if (all_share) {
      widen(row, first.box_m.low.x(), first.box_m.high.x());
    }
  }
  return all_share;
}

Projection row_projection(const RowPlan& row, std::size_t posture, double px_per_m, const Point& corner_px) {
  return {.view = row.view,
          .px_per_m = px_per_m,
          .centre_m = -row.shifts_m[posture],
          .centre_px = corner_px - px_per_m * row.box_m.low};
}

}  // namespace shosa::draw
