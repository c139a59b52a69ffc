// A hand reaches for a ball that flies along while the character walks, and both hands carry a box.

#include "character_tools.h"

int main() {
  using namespace shosa;
  using namespace shosa::character;
  using sample::failure;

  const auto data = sample::character_data({"idle", "walk_normal"});
  if (!data) return failure(data.error());
  auto hero = Character::create(*data);
  if (!hero) return failure(hero.error());
  const auto& map = (*data)->set().body_map;
  const JointIndex right = map.joint(body::Role::right_hand), left = map.joint(body::Role::left_hand);

  if (!hero->command(GoDirection{.heading_rad = 0.0, .speed_mps = 1.25})) return failure("no such speed");
  for (int frame = 0; frame < 180; ++frame) hero->update(1.0 / 60.0);

  // The ball goes as fast as the character, and up and down beside it.
  const double from_z = hero->place().z_m, from_s = hero->time_s(), speed = hero->speed_mps();
  const auto ball = [&] {
    const double t = hero->time_s() - from_s;
    return Vec3d(-0.35, 1.25 + 0.1 * std::sin(2.0 * t), from_z + 0.4 + speed * t);
  };
  const auto reach = hero->command(Reach{.joint = right, .target_m = ball()});
  if (!reach) return failure(reach.error());
  double farthest_m = 0.0;
  for (int frame = 0; frame < 180; ++frame) {
    hero->move_target(*reach, ball());
    const Vec3d target = ball();
    hero->update(1.0 / 60.0);
    if (frame > 90) farthest_m = std::max(farthest_m, (sample::joint_at(*hero, right) - target).norm());
  }
  fmt::print("the hand stays within {:.1f} cm of the ball\n", 100.0 * farthest_m);

  // A box between both hands, carried before the body.
  hero->release(*reach);
  const auto box = hero->command(
      Reach{.joint = left, .target_m = {0.0, 1.1, 0.35}, .frame = Frame::body, .other = right, .apart_m = 0.3});
  if (!box) return failure(box.error());
  for (int frame = 0; frame < 120; ++frame) hero->update(1.0 / 60.0);
  const double apart = (sample::joint_at(*hero, left) - sample::joint_at(*hero, right)).norm();
  fmt::print("the hands are {:.2f} m apart, {}\n", apart, hero->outcome(*box).met ? "on the box" : "not on the box");
  return farthest_m < 0.03 && hero->outcome(*box).met ? 0 : 1;
}
