// One captured-like cycle of steps joined end to start into a loop (seed 000, figure 6).

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"
#include "shosa/segment/loop.h"

int main() {
  using namespace shosa;
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());

  // The cycle is found, edited so that its end meets its own beginning, and laid end to end.
  const auto loop = segment::make_loop(analysis::study(walk, map), {.cycles = 3});
  if (!loop) {
    fmt::print(stderr, "{}\n", loop.error().message);
    return 1;
  }
  fmt::print("{} frames a cycle; seam {:.4f} mm, {:.4f} m/s\n", loop->frames_per_cycle, 1e3 * loop->seam_position_m,
             loop->seam_velocity_mps);

  const auto strip = draw::draw_strip(loop->clip, map, {.count = 16, .title = "One cycle, three times"});
  const auto png = strip ? draw::encode(strip->canvas) : std::unexpected(strip.error());
  if (!png || !io::write_file_atomically("loop.png", *png)) return 1;
  return loop->seam_position_m <= 1e-4 && loop->seam_velocity_mps <= 0.01 ? 0 : 1;
}
