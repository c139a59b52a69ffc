// The shares delta, gamma and epsilon of a foot's path, and what the three methods make of a moved end.

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/draw/plot.h"
#include "shosa/io/atomic_file.h"
#include "shosa/segment/path_edit.h"

int main() {
  using namespace shosa;
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  const ClipPositions positions = clip_positions(walk);
  const JointIndex foot = walk.skeleton().find("left_foot");
  // From mid-stance over the swing to the middle of the next stance and the swing after it.
  std::vector<Vec3d> path;
  for (int f = 10; f <= 101; ++f) path.push_back(positions.joint(f, foot));
  const auto c = segment::path_coefficients(segment::path_speeds(path, {}, 0.002));
  const int n = c.last();

  std::vector<double> times, delta, gamma, epsilon, tail, linear, none;
  draw::Panel moved{.title = "Height of the path, end 20 cm higher and 0.5 m/s faster upward", .unit = "m"};
  std::vector<double> one, two;
  const segment::EndChange change{Vec3d(0.0, 0.2, 0.0), Vec3d(0.0, 0.5 / 60.0, 0.0), true};
  for (int i = 0; i <= n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    times.push_back(i / 60.0);
    delta.push_back(c.delta[k]);
    gamma.push_back(c.gamma[k]);
    linear.push_back(segment::linear_share(i, n));
    epsilon.push_back(c.epsilon[k]);
    tail.push_back(c.tail_epsilon[k]);
    const auto height = [&](segment::Method m) { return path[k].y() + segment::path_offset(c, m, change, i).y(); };
    one.push_back(height(segment::Method::one_step));
    two.push_back(height(segment::Method::two_step));
    none.push_back(path[k].y());
  }
  moved.series = {{"source", times, none, {}, true}, {"two_step", times, two}, {"one_step", times, one}};
  const auto plot = draw::draw_plot(
      {.title = "Shares of a foot's end constraint",
       .panels = {{.title = "Position",
                   .unit = "",
                   .series = {{"delta", times, delta}, {"gamma", times, gamma}, {"linear", times, linear, {}, true}}},
                  {.title = "Velocity",
                   .unit = "frames",
                   .series = {{"epsilon", times, epsilon}, {"epsilon after the last rest", times, tail}}},
                  moved}});
  if (!plot) {
    fmt::print(stderr, "{}\n", plot.error().message);
    return 1;
  }
  const auto png = draw::encode(plot->canvas);
  if (!png || !io::write_file_atomically("shares.png", *png)) return 1;
  fmt::print("delta ends at {}, its velocity share is {:.4f} per frame\n", delta.back(), c.end_share);
  return delta.back() == 1.0 ? 0 : 1;
}
