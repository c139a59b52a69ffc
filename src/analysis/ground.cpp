#include "shosa/analysis/ground.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "analysis/signals.h"

namespace shosa::analysis {

Result<Ground> find_ground(const ClipPositions& positions, std::span<const body::FootPoints> feet,
                           const GroundParams& params) {
  if (feet.empty()) return fail(ErrorCode::not_possible, "find_ground: no feet are known");
  if (positions.frame_count() < 1) return fail(ErrorCode::not_possible, "find_ground: the clip has no frames");
  if (!(params.percentile >= 0.0 && params.percentile <= 1.0)) {
    return fail(ErrorCode::invalid_argument, "find_ground: percentile is {}, expected 0 to 1", params.percentile);
  }
  std::vector<double> lowest(static_cast<std::size_t>(positions.frame_count()));
  for (int f = 0; f < positions.frame_count(); ++f) {
    double y = std::numeric_limits<double>::infinity();
    for (const body::FootPoints& foot : feet) {
      for (const int point : {foot.heel, foot.toe, foot.tip}) {
        if (point >= 0) y = std::min(y, positions.point(f, point).y());
      }
    }
    lowest[f] = y;
  }
  const double least = *std::min_element(lowest.begin(), lowest.end());
  return Ground{.height_m = percentile(lowest, params.percentile), .lowest_m = least};
}

Result<Clip> put_on_ground(const Clip& clip, const body::BodyMap& map, const GroundParams& params) {
  if (!clip.is_translated(0)) {
    return fail(ErrorCode::not_possible, "put_on_ground: the translation of the root '{}' does not vary in this clip",
                clip.skeleton().name(0));
  }
  const auto ground = find_ground(clip_positions(clip), body::find_foot_points(clip.skeleton(), map), params);
  if (!ground) return std::unexpected(ground.error());
  Clip moved = clip;
  for (int f = 0; f < clip.frame_count(); ++f) {
    Vec3f root = clip.translation(f, 0);
    root.y() = static_cast<float>(root.y() - ground->height_m);
    moved.set_translation(f, 0, root);
  }
  return moved;
}

}  // namespace shosa::analysis
