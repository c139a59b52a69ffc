#include <algorithm>
#include <array>

#include "draw/strip_drawing.h"
#include "shosa/core/sampling.h"

namespace shosa::draw {
namespace {

/// One after the other, and again from the first; apart from the colours of sides and contacts.
constexpr std::array<Colour, 3> kPathColours = {rgb(0xb5338a), rgb(0x6a4fc4), rgb(0x8a6d1d)};
constexpr double kDot_px = 2.4;

/// Up to this many points a path: a line on a page shows no more.
constexpr int kMostPoints = 1200;

JointPath path_of(const Clip& clip, JointIndex joint, double from_s, double to_s) {
  JointPath path;
  const int first = clip.nearest_frame(from_s), last = clip.nearest_frame(std::min(to_s, clip.last_time_s()));
  const int step = std::max(1, (last - first) / kMostPoints);
  Pose pose;
  WorldPose world;
  for (int f = first; f <= last; f = f == last ? last + 1 : std::min(f + step, last)) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    path.times_s.push_back(f * clip.frame_time_s());
    path.points.push_back(world.positions[joint]);
  }
  return path;
}

}  // namespace

std::vector<JointPath> find_joint_paths(const Clip& clip, const StripParams& params, double from_s, double to_s) {
  std::vector<JointPath> paths;
  for (std::size_t i = 0; i < params.joint_paths.size(); ++i) {
    const JointIndex joint = params.joint_paths[i];
    const Clip* ghost = params.ghost.clip;
    const JointIndex other = ghost != nullptr ? ghost->skeleton().find(clip.skeleton().name(joint)) : kNoJoint;
    if (other != kNoJoint && from_s <= ghost->last_time_s()) {
      paths.push_back(path_of(*ghost, other, from_s, to_s));
      paths.back().dashed = true;
    }
    paths.push_back(path_of(clip, joint, from_s, to_s));
    const Colour colour = kPathColours[i % kPathColours.size()];
    paths.back().colour = colour;
    if (other != kNoJoint && paths.size() > 1 && paths[paths.size() - 2].dashed)
      paths[paths.size() - 2].colour = with_alpha(colour, 0.6);
  }
  return paths;
}

void include_joint_paths(RowPlan& row, const std::vector<JointPath>& paths) {
  const Projection projection{.view = row.view, .px_per_m = 1.0, .centre_m = Vec3d::Zero(), .centre_px = Point::Zero()};
  for (const JointPath& path : paths) {
    for (const Vec3d& point : path.points) {
      if (point.allFinite()) row.box_m.include(projection.to_px(point));
    }
  }
}

void draw_joint_paths(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections) {
  const std::vector<double>& times_s = drawing.strip.times_s;
  for (const JointPath& path : drawing.joint_paths) {
    const Stroke stroke{path.colour, 1.6, path.dashed ? std::vector<double>{4.0, 3.0} : std::vector<double>{}};
    // Where every posture stands in its place the path is one line, else what each has done since the one before.
    const auto draw = [&](double from_s, double to_s, const Projection& projection) {
      std::vector<Point> points;
      for (std::size_t k = 0; k < path.points.size(); ++k) {
        if (path.times_s[k] >= from_s - 1e-9 && path.times_s[k] <= to_s + 1e-9 && path.points[k].allFinite())
          points.push_back(projection.to_px(path.points[k]));
      }
      if (points.size() > 1) drawing.strip.canvas.stroke(Path::polyline(points), stroke);
    };
    if (row.true_place) draw(-1e300, 1e300, projections.front());
    for (std::size_t i = 0; i < times_s.size(); ++i) {
      if (!row.true_place && i > 0) draw(times_s[i - 1], times_s[i], projections[i]);
      const auto at = std::ranges::lower_bound(path.times_s, times_s[i] - 1e-9);
      if (path.dashed || at == path.times_s.end()) continue;
      const Vec3d& point = path.points[at - path.times_s.begin()];
      if (point.allFinite()) drawing.strip.canvas.fill(Path::circle(projections[i].to_px(point), kDot_px), path.colour);
    }
  }
}

}  // namespace shosa::draw
