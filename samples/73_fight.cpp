// A fight: punches and a kick out of a guard, one of them timed to a beat, and a block laid over the arms while
// walking.

#include "character_tools.h"

int main() {
  using namespace shosa;
  using namespace shosa::character;
  using sample::failure;

  const auto data = sample::character_data({"guard", "punch_left", "punch_right", "kick", "walk_normal"});
  if (!data) return failure(data.error());
  const int guard = (*data)->find_state("guard");
  auto fighter = Character::create(*data, {.start_state = guard});
  if (!fighter) return failure(fighter.error());

  // Each action once, then back to the guard. The kick's core begins 6 s after the start.
  struct Strike {
    const char* state;
    double at_s;
    std::optional<double> core_at_s;
    Handle handle = kNoHandle;
    double core_s = -1.0;
  };
  Strike strikes[] = {{"punch_left", 0.5, {}}, {"punch_right", 2.5, {}}, {"kick", 4.5, 6.5}};
  for (int frame = 0; frame < 600; ++frame) {
    for (Strike& strike : strikes) {
      if (strike.handle != kNoHandle || fighter->time_s() < strike.at_s) continue;
      const auto told = fighter->command(PlayOnce{(*data)->find_state(strike.state), strike.core_at_s});
      if (!told) return failure(told.error());
      strike.handle = *told;
    }
    fighter->update(1.0 / 60.0);
    for (const Event& event : fighter->events()) {
      for (Strike& strike : strikes)
        if (event.kind == EventKind::core_reached && event.handle == strike.handle) strike.core_s = event.time_s;
    }
  }
  bool all = true;
  for (const Strike& strike : strikes) {
    fmt::print("{}: told at {:.1f} s, its core at {:.2f} s, {}\n", strike.state, strike.at_s, strike.core_s,
               status_name(fighter->outcome(strike.handle).status));
    all = all && strike.core_s > 0.0;
  }

  // Walks on with its guard up.
  const auto block = fighter->command(Layer{.clip = (*data)->set().find("guard"), .part = Layer::Part::arms});
  if (!block || !fighter->command(GoDirection{.heading_rad = 0.5})) return failure("refused");
  for (int frame = 0; frame < 180; ++frame) fighter->update(1.0 / 60.0);
  fmt::print("walks at {:.1f} m/s with its guard up\n", fighter->speed_mps());
  return all && fighter->speed_mps() > 0.8 ? 0 : 1;
}
