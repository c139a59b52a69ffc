#include "demo/piece_stairs.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/pose_distance.h"
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
Result<Meeting> best_meeting(const SourceMotion& of_a, const TimeInterval& in_a, const SourceMotion& of_b,
                             const TimeInterval& in_b) {
  const Clip &a = of_a.clip(), &b = of_b.clip();
  Meeting best;
  double least = 1e300;
  for (int i = a.nearest_frame(in_a.begin_s); i <= a.nearest_frame(in_a.end_s); ++i) {
    for (int j = b.nearest_frame(in_b.begin_s); j <= b.nearest_frame(in_b.end_s); ++j) {
      const auto match =
          analysis::window_distance(of_a.studied.positions(), i, of_b.studied.positions(), j, a.frame_time_s());
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
  const auto into = best_meeting(start, {2.0, 3.3}, walk, {0.3, 1.4});
  if (!into) return std::unexpected(into.error());
  const auto again = best_meeting(walk, {3.2, 3.9}, walk, {0.2, 1.2});
  if (!again) return std::unexpected(again.error());
  const auto leave = best_meeting(walk, {2.6, 3.9}, stop, {0.1, 0.9});
  if (!leave) return std::unexpected(leave.error());
  auto joined = segment::join_segments({.parts = {{start.studied, 0, into->a},
                                                  {walk.studied, into->b, again->a},
                                                  {walk.studied, again->b, leave->a},
                                                  {stop.studied, leave->b, stop.clip().frame_count() - 1}},
                                        .still_feet = false});
  if (!joined) return std::unexpected(joined.error());
  return std::move(joined->clip);
}

}  // namespace

Result<StairsWalk> make_stairs_walk(const Cast& cast) {
  const auto parts = find_all(cast, {"start", "walk_normal", "stop"});
  if (!parts) return std::unexpected(parts.error());
  const body::BodyMap& map = (*parts)[1]->body_map();
  const auto level = level_walk(*(*parts)[0], *(*parts)[1], *(*parts)[2]);
  if (!level) return std::unexpected(level.error());
  const auto source = segment::footstep_source(analysis::study(*level, map));
  if (!source) return std::unexpected(source.error());

  // The walk's own landings, with the length of those on stairs exchanged for a tread's.
  std::vector<segment::Footstep> steps;
  double own_z = 0.0, z = 0.0, up_edge = 0.0, down_edge = 0.0, ground = 0.0;
  int index = 0;
  for (const segment::OwnStep& step : segment::own_steps(**source)) {
    if (!step.lands) {
      own_z = z = std::max(own_z, step.position_m.z());
      continue;
    }
    const int up = index - kBefore, down = index - kBefore - kUp - kOnTop;
    const double before_z = z;
    z += step.position_m.z() - own_z;
    if (index == 0) ground = step.position_m.y();
    if (up == 0) up_edge = before_z + kBeforeEdge_m;
    if (up >= 0 && up < kUp) z = up_edge + up * kTread_m + kBehindEdge_m;
    if (down == 0) down_edge = before_z + kBeforeEdge_m;
    if (down >= 0 && down < kDown) z = down_edge + down * kTread_m + kBehindEdge_m;
    own_z = step.position_m.z();
    steps.push_back({step.foot, Vec3d(step.position_m.x(), ground, z), 0.0});
    ++index;
  }
  if (index < kBefore + kUp + kOnTop + kDown + 2)
    return fail(ErrorCode::not_possible, "the walk has {} steps, too few for the stairs", index);
  segment::Terrain terrain{.level_m = ground, .edges = {}, .slope = {}, .bumps = {}, .field = {}};
  for (int i = 0; i < kUp; ++i) terrain.edges.push_back({0.0, up_edge + i * kTread_m, 0.0, kRise_m});
  for (int i = 0; i < kDown; ++i) terrain.edges.push_back({0.0, down_edge + i * kTread_m, 0.0, -kRise_m});
  for (segment::Footstep& step : steps) step.position_m.y() = terrain.height_m(0.0, step.position_m.z());
  auto made = segment::walk_footsteps({.source = *source, .steps = steps, .terrain = terrain});
  if (!made) return std::unexpected(made.error());
  return StairsWalk{std::move(made->clip), std::move(steps), std::move(terrain)};
}

}  // namespace shosa::demo
