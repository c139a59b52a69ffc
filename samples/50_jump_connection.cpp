// A jump is joined to a walk while it is in the air: the top of the jump survives. As in the seed, without momentum,
// which would lower the jump so that the body falls no faster than g.

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/blend/compose.h"

int main() {
  using namespace shosa;
  const Clip jump = scenes::jump({.still_s = 0.6}).clip;
  const body::BodyMap map = body::guess_body_map(jump.skeleton());
  const auto jumping = analysis::study(jump, map), standing = analysis::study(scenes::stand(3.0).clip, map);

  // What must survive of the jump ends before it leaves the ground; so its flight is the move that is used.
  const ClipPositions& positions = jumping.positions();
  int top = 0;
  for (int f = 0; f < jump.frame_count(); ++f) {
    if (positions.joint(f, 0).y() > positions.joint(top, 0).y()) top = f;
  }
  const double crouch_s = top * jump.frame_time_s() - 0.35;
  const auto first = blend::prepare_motion(jumping, {.core = TimeInterval{0.3, crouch_s}});
  const auto second = blend::prepare_motion(standing, {.core = TimeInterval{1.0, 2.5}});
  if (!first || !second) return 1;
  const auto made = blend::compose(std::vector<blend::ScoreMotion>{{*first, 0.0}, {*second, std::nullopt}},
                                   {.plan = {.momentum = false}});
  if (!made || !made->joins.front().report.executed) return 1;

  const auto method = made->joins.front().report.method;
  const ClipPositions joined = clip_positions(made->clip);
  double highest = 0.0;
  for (int f = 0; f < made->clip.frame_count(); ++f) highest = std::max(highest, joined.joint(f, 0).y());
  fmt::print("{}: hips rise to {:.3f} m, in the source to {:.3f} m\n", method_name(method), highest,
             positions.joint(top, 0).y());
  return method == blend::JoinMethod::connection && highest > positions.joint(top, 0).y() - 0.02 ? 0 : 1;
}
