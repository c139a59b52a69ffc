// The stride of a walk narrowed step by step by where its feet land (seed 000, figure 7).

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"
#include "shosa/segment/footsteps.h"

int main() {
  using namespace shosa;
  const Clip walk = scenes::walk({.duration_s = 4.5}).clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());

  // A plan is a list of landing places; this one comes from the walk's own, each step shorter than the last.
  const std::vector<double> shares = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};
  const auto source = segment::footstep_source(analysis::study(walk, map));
  const auto plan = source ? segment::stride_plan(*source, shares) : std::unexpected(source.error());
  if (!plan) {
    fmt::print(stderr, "{}\n", plan.error().message);
    return 1;
  }
  const auto result = segment::walk_footsteps(*plan);
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    return 1;
  }
  double error = 0.0, slide = 0.0;
  for (const auto& step : result->steps) {
    error = std::max(error, step.error_m);
    slide = std::max(slide, step.slide_mps);
  }
  fmt::print("{} steps: landing error {:.4f} mm, slide {:.4f} m/s\n", result->steps.size(), 1e3 * error, slide);

  const auto strip =
      draw::draw_strip(result->clip, map, {.count = 9, .title = "Each step shorter than the last", .width_px = 900.0});
  const auto png = strip ? draw::encode(strip->canvas) : std::unexpected(strip.error());
  if (!png || !io::write_file_atomically("stride.png", *png)) return 1;
  return error <= 1e-3 && slide <= 0.01 ? 0 : 1;
}
