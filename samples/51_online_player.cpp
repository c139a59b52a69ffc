// A game plays motions and adds the next one while it plays: walk, run, a jump that interrupts, and a stand.

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/blend/player.h"

int main() {
  using namespace shosa;
  const auto motion = [](const Clip& clip) {
    return *blend::prepare_motion(analysis::study(clip, body::guess_body_map(clip.skeleton())));
  };
  const auto walk = motion(scenes::walk().clip), run = motion(scenes::run().clip);
  const auto jump = motion(scenes::jump().clip), stand = motion(scenes::stand().clip);

  auto player = blend::MotionPlayer::create(walk);
  if (!player) return 1;
  Pose pose;
  const struct {
    double at_s;
    std::shared_ptr<const blend::Motion> motion;
    bool interrupt;
  } wishes[] = {{0.5, run, false}, {4.2, jump, true}, {5.0, stand, false}};
  std::size_t next = 0;
  for (double now_s = 0.0; now_s < 9.0; now_s += 1.0 / 60.0) {
    player->frame(now_s, pose);  // what is shown; allocates nothing
    if (next < std::size(wishes) && now_s >= wishes[next].at_s) {
      const auto report = player->add(wishes[next].motion, {.now_s = now_s, .interrupt = wishes[next].interrupt});
      if (!report || !report->executed) return 1;
      fmt::print("at {:.2f} s: {} from {:.2f} s on\n", now_s, method_name(report->method),
                 report->blends.front().time.begin_s);
      ++next;
    }
  }
  return next == std::size(wishes) ? 0 : 1;
}
