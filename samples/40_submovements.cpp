// The goals inside a motion: a hand's path is split into submovements, one goal is moved, and a second hand goes after
// a flying ball.

#include <cstdio>

#include "shosa/submovement/decompose.h"
#include "shosa/submovement/edit.h"
#include "shosa/submovement/reach.h"

using namespace shosa;

int main() {
  // A hand that goes from the side of the body to beside the face, in two overlapping movements, 60 samples a second.
  const submovement::PositionModel made{
      .start_m = {-0.25, 0.85, 0.05}, .submovements = {{0.3, 1.0, {-0.05, 0.35, 0.3}}, {0.75, 1.6, {0.08, 0.4, -0.2}}}};
  const double step = 1.0 / 60.0;
  const std::vector<Vec3d> path = submovement::sample_positions(made, 121, step);

  const auto found = submovement::decompose_positions(path, step);
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().message.c_str());
    return 1;
  }
  std::printf("%zu submovements, %.1f mm rms\n", found->model.submovements.size(), 1e3 * found->rms_m);
  for (const auto& s : found->model.submovements)
    std::printf("  %.2f s to %.2f s: %.2f m\n", s.t0_s, s.tf_s, s.displacement_m.norm());

  // One goal higher; all others stay, and the path is as smooth as before.
  submovement::PositionModel edited = found->model;
  const Vec3d goal = goal_m(edited, 0) + Vec3d(0.0, 0.2, 0.0);
  if (!submovement::move_goal(edited, 0, goal)) return 1;
  std::printf("the first goal is now at height %.2f m\n", goal_m(edited, 0).y());

  // A ball whose landing place is seen better the nearer it comes.
  submovement::CatchingPoint reach({0.2, 1.0, 0.3});
  const Vec3d landing(0.4, 1.3, 0.5);
  for (int i = 0; i <= 60; ++i) {
    const double now = i / 60.0, doubt = 0.2 * (1.0 - now);
    reach.aim(now, landing + doubt * Vec3d(1.0 - now, -0.5, now), 1.0);
  }
  const double miss = (reach.at(1.3).position_m - landing).norm();
  std::printf("caught after %d submovements, %.0f mm from the ball\n", reach.added(), 1e3 * miss);
  return found->model.submovements.size() == 2 && miss < 0.05 ? 0 : 1;
}
