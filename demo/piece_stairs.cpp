#include "demo/piece_stairs.h"

#include <algorithm>
#include <cmath>

#include "demo/posing_tools.h"
#include "shosa/analysis/pose_distance.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/segment/join.h"

namespace shosa::demo {

namespace {

constexpr double kRise_m = 0.12, kTread_m = 0.4;
/// Steps on the level, up, on top and down; those that are left are level again.
constexpr int kBefore = 4, kUp = 4, kOnTop = 3, kDown = 4;
/// Of a foot's ankle from the edge before it, and of the edge from the last ankle before it: a foot has 20 cm ahead of
/// its ankle and 5 behind.
constexpr double kBehindEdge_m = 0.12, kBeforeEdge_m = 0.28;

/// The frames of two motions at which they are most alike over a third of a second, so speeds count too.
struct Meeting {
  int a = 0, b = 0;
};
Result<Meeting> best_meeting(const Clip& a, const TimeInterval& in_a, const Clip& b, const TimeInterval& in_b) {
  const ClipPositions first = clip_positions(a), second = clip_positions(b);
  Meeting best;
  double least = 1e300;
  for (int i = a.nearest_frame(in_a.begin_s); i <= a.nearest_frame(in_a.end_s); ++i) {
    for (int j = b.nearest_frame(in_b.begin_s); j <= b.nearest_frame(in_b.end_s); ++j) {
      const auto match = analysis::window_distance(first, i, second, j, a.frame_time_s());
      if (!match) return std::unexpected(match.error());
      if (match->distance_m >= least) continue;
      least = match->distance_m;
      best = {i, j};
    }
  }
  return best;
}

/// Start, walk on for two cycles more than the clip has, stop: on the level, along +Z.
Result<Clip> level_walk(const SourceMotion& start, const SourceMotion& walk, const SourceMotion& stop) {
  const auto into = best_meeting(start.clip, {2.0, 3.3}, walk.clip, {0.3, 1.4});
  if (!into) return std::unexpected(into.error());
  const auto again = best_meeting(walk.clip, {3.2, 3.9}, walk.clip, {0.2, 1.2});
  if (!again) return std::unexpected(again.error());
  const auto leave = best_meeting(walk.clip, {2.6, 3.9}, stop.clip, {0.1, 0.9});
  if (!leave) return std::unexpected(leave.error());
  auto joined = segment::join_segments(walk.body_map, {.parts = {{&start.clip, 0, into->a},
                                                                 {&walk.clip, into->b, again->a},
                                                                 {&walk.clip, again->b, leave->a},
                                                                 {&stop.clip, leave->b, stop.clip.frame_count() - 1}},
                                                       .still_feet = false});
  if (!joined) return std::unexpected(joined.error());
  return std::move(joined->clip);
}

/// The hips led along a smooth height with the feet kept: where a flight begins and ends legs take over from each other
/// within a frame or two, and the hips would start.
Result<Clip> with_smooth_hips(const Clip& clip, const BodyMap& map) {
  const ClipPositions positions = clip_positions(clip);
  const JointIndex hips = root_joint(map);
  const int frames = clip.frame_count(), reach = 9;
  const auto height = [&](int f) { return positions.joint(std::clamp(f, 0, frames - 1), hips).y(); };
  // Never over the legs' reach: the lowest of the frames around, then rounded off.
  std::vector<double> low(static_cast<std::size_t>(frames));
  for (int f = 0; f < frames; ++f) {
    double least = height(f);
    for (int k = -reach; k <= reach; ++k) least = std::min(least, height(f + k));
    low[static_cast<std::size_t>(f)] = least;
  }
  auto edit = human_edit(clip.skeleton(), map);
  if (!edit) return std::unexpected(edit.error());
  edit->pins = pins_on(map, {Role::left_foot, Role::left_toes, Role::right_foot, Role::right_toes});
  for (auto& pin : edit->pins) pin.hold_orientation = true;
  edit->pins.push_back({.joint = hips, .position = false, .hold_orientation = true});
  edit->desired_weight = 3.0;
  posing::DragLayer drag{.joint = hips, .keys = {}, .relative = true};
  for (int f = 0; f < frames; ++f) {
    double sum = 0.0, weights = 0.0;
    for (int k = -reach; k <= reach; ++k) {
      const double weight = std::pow(1.0 - std::pow(k / (reach + 1.0), 2.0), 3.0);
      sum += weight * low[static_cast<std::size_t>(std::clamp(f + k, 0, frames - 1))];
      weights += weight;
    }
    drag.keys.push_back({f * clip.frame_time_s(), Vec3d(0.0, sum / weights - height(f), 0.0)});
  }
  edit->drags.push_back(std::move(drag));
  auto made = posing::edit_motion(clip, *edit);
  if (!made) return std::unexpected(made.error());
  // Toes that leave a tread are let go at once: rounded off over a tenth of a second.
  Clip smooth = made->clip;
  for (const Role role : {Role::left_toes, Role::right_toes}) {
    const JointIndex toes = map.joint(role);
    for (int f = 0; toes != kNoJoint && f < frames; ++f) {
      Eigen::Vector4f sum = Eigen::Vector4f::Zero();
      for (int k = -4; k <= 4; ++k) {
        const Quatf turn = made->clip.rotation(std::clamp(f + k, 0, frames - 1), toes);
        const float weight = 5.0f - std::abs(static_cast<float>(k));
        sum += (turn.coeffs().dot(made->clip.rotation(f, toes).coeffs()) < 0.0f ? -weight : weight) * turn.coeffs();
      }
      smooth.set_rotation(f, toes, Quatf(Eigen::Vector4f(sum.normalized())));
    }
  }
  return smooth;
}

}  // namespace

Result<StairsWalk> make_stairs_walk(const Cast& cast) {
  const auto parts = find_all(cast, {"start", "walk_normal", "stop"});
  if (!parts) return std::unexpected(parts.error());
  const BodyMap& map = (*parts)[1]->body_map;
  const auto level = level_walk(*(*parts)[0], *(*parts)[1], *(*parts)[2]);
  if (!level) return std::unexpected(level.error());
  const auto source = segment::FootstepSource::create(*level, map);
  if (!source) return std::unexpected(source.error());

  // The walk's own landings, with the length of those on stairs exchanged for a tread's.
  std::vector<segment::Footstep> steps;
  double own_z = 0.0, z = 0.0, up_edge = 0.0, down_edge = 0.0, ground = 0.0;
  int index = 0;
  for (const segment::SourceStep& step : (*source)->steps()) {
    if (!step.lands) {
      own_z = z = std::max(own_z, step.place_m.z());
      continue;
    }
    const int up = index - kBefore, down = index - kBefore - kUp - kOnTop;
    const double before_z = z;
    z += step.place_m.z() - own_z;
    if (index == 0) ground = step.place_m.y();
    if (up == 0) up_edge = before_z + kBeforeEdge_m;
    if (up >= 0 && up < kUp) z = up_edge + up * kTread_m + kBehindEdge_m;
    if (down == 0) down_edge = before_z + kBeforeEdge_m;
    if (down >= 0 && down < kDown) z = down_edge + down * kTread_m + kBehindEdge_m;
    own_z = step.place_m.z();
    steps.push_back(
        {(*source)->feet().feet[static_cast<std::size_t>(step.foot)].name, Vec3d(step.place_m.x(), ground, z), 0.0});
    ++index;
  }
  if (index < kBefore + kUp + kOnTop + kDown + 2)
    return fail(ErrorCode::not_possible, "the walk has {} steps, too few for the stairs", index);
  segment::Terrain terrain;
  terrain.height_m = [=](double, double at_z) {
    const auto risen = [at_z](double edge, int count) {
      return std::clamp(static_cast<int>(std::floor((at_z - edge) / kTread_m)) + 1, 0, count);
    };
    return ground + kRise_m * (risen(up_edge, kUp) - risen(down_edge, kDown));
  };
  for (segment::Footstep& step : steps) step.position_m.y() = terrain.height_m(0.0, step.position_m.z());
  auto made = segment::walk_footsteps(*level, map, {.steps = steps, .terrain = terrain});
  if (!made) return std::unexpected(made.error());
  auto smooth = with_smooth_hips(made->clip, map);
  if (!smooth) return std::unexpected(smooth.error());
  return StairsWalk{std::move(*smooth), std::move(steps), std::move(terrain)};
}

}  // namespace shosa::demo
