// Walk, step down, walk: segments joined end to start, and stairs from a level walk (seed 000, figure 8).

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"
#include "shosa/segment/footsteps.h"
#include "shosa/segment/join.h"

int main() {
  using namespace shosa;
  const Clip level = scenes::walk({.duration_s = 3.0}).clip;
  const body::BodyMap map = body::guess_body_map(level.skeleton());
  const auto walk = analysis::study(level, map);
  const auto down =
      analysis::study(scenes::walk({.duration_s = 3.0, .speed_mps = 0.8, .rise_per_step_m = -0.12}).clip, map);

  // Each part is edited so that it ends as the next one begins.
  const auto join = segment::join_segments({.parts = {{walk, 0, 62}, {down, 62, 125}, {walk, 62, 125}}});
  if (!join) {
    fmt::print(stderr, "{}\n", join.error().message);
    return 1;
  }
  for (const auto& seam : join->seams) {
    fmt::print("frame {}: {:.1f} mm apart, then {:.4f} mm and {:.4f} m/s\n", seam.frame, 1e3 * seam.apart_m,
               1e3 * seam.position_m, seam.velocity_mps);
  }

  // The same without a captured step down: the level walk lands on the treads of a flight.
  const auto source = segment::footstep_source(walk);
  if (!source) return 1;
  const auto plan = segment::stairs_plan(*source, {.rise_m = -0.15, .count = 3});
  if (!plan) return 1;
  const auto stairs = segment::walk_footsteps(*plan);
  if (!stairs) return 1;
  fmt::print("stairs: soles at most {:.1f} mm in the ground\n", 1e3 * stairs->max_penetration_m);

  for (const auto& [name, clip] : {std::pair{"joined.png", &join->clip}, std::pair{"stairs.png", &stairs->clip}}) {
    const auto strip = draw::draw_strip(*clip, map, {.count = 12, .width_px = 900.0});
    const auto png = strip ? draw::encode(strip->canvas) : std::unexpected(strip.error());
    if (!png || !io::write_file_atomically(name, *png)) return 1;
  }
  return join->seams[0].position_m <= 1e-4 ? 0 : 1;
}
