// A dog lies down hind legs first, or drops at once: the hurry value decides (the seed's figures 12 and 13).

#include <cstdio>

#include "scenes/limbs.h"
#include "scenes/scenes.h"
#include "shosa/draw/strip.h"
#include "shosa/graph/player.h"
#include "shosa/io/atomic_file.h"

namespace {

using namespace shosa;

int failure(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 1;
}

/// The dog with its paws on their places, hips and chest lowered by shares of the way to the ground.
void lower(const Skeleton& skeleton, double hips, double chest, Pose& pose) {
  pose = Pose::rest(skeleton);
  scenes::PoseWriter body(skeleton, pose);
  const double down = 0.36, length = 0.62;
  const double pitch = std::asin(down * (chest - hips) / length);
  body.root(skeleton.rest_positions()[0] - Vec3d(0.0, down * hips, 0.0),
            Quatd(Eigen::AngleAxisd(pitch, Vec3d::UnitX())));
  for (const std::string side : {"left", "right"}) {
    for (const bool front : {false, true}) {
      const std::string end = side + (front ? "_hand" : "_foot");
      const Vec3d paw = skeleton.rest_positions()[static_cast<std::size_t>(skeleton.find(end))];
      body.reach(side + (front ? "_upper_arm" : "_upper_leg"), side + (front ? "_lower_arm" : "_lower_leg"), end, paw,
                 Vec3d(0, 0, front ? -1 : 1));
      body.rotate_world(end, Quatd::Identity());
    }
  }
}

/// 0 to 1 with minimum jerk between two times.
double ease(double t, double begin, double end) {
  const double x = std::clamp((t - begin) / (end - begin), 0.0, 1.0);
  return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
}

template <class Shares>
Clip motion(double length_s, const Shares& shares) {
  const auto skeleton = scenes::dog();
  Clip clip(skeleton, static_cast<int>(std::lround(60.0 * length_s)) + 1, 1.0 / 60.0);
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    const auto [hips, chest] = shares(f / 60.0);
    lower(*skeleton, hips, chest, pose);
    clip.set_frame(f, pose);
  }
  return clip;
}

}  // namespace

int main() {
  using Pair = std::pair<double, double>;
  const auto set = graph::make_motion_set({{"stand", motion(0.5,
                                                            [](double) {
                                                              return Pair{0.0, 0.0};
                                                            })},
                                           {"hind_first", motion(0.9,
                                                                 [](double t) {
                                                                   return Pair{ease(t, 0.0, 0.5), ease(t, 0.35, 0.9)};
                                                                 })},
                                           {"at_once", motion(0.9,
                                                              [](double t) {
                                                                return Pair{ease(t, 0.0, 0.35), ease(t, 0.0, 0.3)};
                                                              })},
                                           {"lie", motion(0.5,
                                                          [](double) {
                                                            return Pair{1.0, 1.0};
                                                          })}},
                                          guess_body_map(*scenes::dog()));
  if (!set) return failure(set.error().message);
  // Two ways of equal play time from standing (0) to lying (5).
  const auto net = graph::MotionGraph::create({"stand", "hind_first", "at_once", "lie"},
                                              {{.id = 0, .clip = 0, .time_s = 0.5, .default_link = 0, .name = "stand"},
                                               {.id = 1, .clip = 1, .time_s = 0.45},
                                               {.id = 2, .clip = 2, .time_s = 0.45},
                                               {.id = 3, .clip = 1, .time_s = 0.9},
                                               {.id = 4, .clip = 2, .time_s = 0.9},
                                               {.id = 5, .clip = 3, .time_s = 0.5, .default_link = 7, .name = "lie"}},
                                              {{.id = 0, .from = 0, .to = 0, .time_s = 0.5},
                                               {.id = 1, .from = 0, .to = 1, .time_s = 0.45, .hurry = 40},
                                               {.id = 2, .from = 0, .to = 2, .time_s = 0.45, .hurry = 60},
                                               {.id = 3, .from = 1, .to = 3, .time_s = 0.45},
                                               {.id = 4, .from = 2, .to = 4, .time_s = 0.45},
                                               {.id = 5, .from = 3, .to = 5, .time_s = 0.1},
                                               {.id = 6, .from = 4, .to = 5, .time_s = 0.1},
                                               {.id = 7, .from = 5, .to = 5, .time_s = 0.5}});
  if (!net) return failure(net.error().message);

  graph::Planner planner(*net);
  for (int hurry = 0; hurry <= 100; ++hurry) {
    const auto plan = planner.plan(0, {.targets = {5}, .hurry = hurry});
    const bool at_once = plan->nodes[1] == 2;
    if (at_once != (hurry >= 50)) return failure(fmt::format("hurry {} takes the wrong way", hurry));
  }
  for (const int hurry : {20, 80}) {
    auto player = graph::Player::create(*net, *set, 0, {.keep_feet = false});
    if (!player) return failure(player.error().message);
    Clip played(set->skeleton, 110, 1.0 / 60.0);
    Pose pose;
    for (int f = 0; f < played.frame_count(); ++f) {
      if (f == 1 && !player->command({.targets = {5}, .hurry = hurry})) return failure("the command was refused");
      player->step(pose);
      played.set_frame(f, pose);
    }
    const auto strip = draw::draw_strip(played, set->body_map,
                                        {.layout = draw::StripLayout::cells,
                                         .count = 8,
                                         .from_s = 0.4,
                                         .to_s = 1.6,
                                         .title = fmt::format("lie down, hurry {}", hurry),
                                         .width_px = 1100.0});
    if (!strip) return failure(strip.error().message);
    const auto bytes = draw::encode(strip->canvas, {.format = draw::Format::png});
    if (!bytes || !io::write_file_atomically(fmt::format("dog_{}.png", hurry), *bytes)) return failure("no picture");
  }
  fmt::print("hurry 0 to 49: hind legs first; 50 to 100: at once\n");
}
