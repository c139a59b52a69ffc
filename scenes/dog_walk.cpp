#include <cassert>
#include <cmath>
#include <numbers>

#include "scenes/limbs.h"
#include "scenes/plan.h"
#include "scenes/scenes.h"

namespace shosa::scenes {
namespace {

struct Leg {
  const char* side;
  bool front;
  double strike;  // share of the cycle
};
constexpr Leg kLegs[] = {{"left", false, 0.0}, {"left", true, 0.25}, {"right", false, 0.5}, {"right", true, 0.75}};

/// The paw's contact point and how far the last segment (hock to toes, wrist to paw) is turned from its rest.
struct Paw {
  Vec3d point;
  double pitch = 0.0;
};

Paw paw(const DogWalkParams& p, const Leg& leg, const Vec3d& rest_point, double t) {
  const double stance_s = p.duty * p.cycle_s, swing_s = p.cycle_s - stance_s;
  const double stride_m = p.speed_mps * p.cycle_s;
  const double k = std::floor(t / p.cycle_s - leg.strike);
  const double strike_s = (k + leg.strike) * p.cycle_s;
  const double since = t - strike_s;
  // Planted so that the body passes over it in the middle of the stance.
  Paw result{.point = rest_point + Vec3d(0, 0, p.speed_mps * (strike_s + 0.5 * stance_s))};
  if (since <= stance_s) {
    const double x = since / stance_s;
    result.pitch = -0.25 + 0.75 * x * x;
    return result;
  }
  const double x = (since - stance_s) / swing_s;
  const Vec3d lift(0, 0.4, p.speed_mps), land(0, -0.4, 0.4 * p.speed_mps);
  result.point = hermite<Vec3d>(result.point, lift, result.point + Vec3d(0, 0, stride_m), land, swing_s, x);
  result.point.y() += 0.03 * 16.0 * x * x * (1 - x) * (1 - x);
  result.pitch = hermite<double>(0.5, 2.0, -0.25, 0.0, swing_s, x);
  return result;
}

}  // namespace

Scene dog_walk(const DogWalkParams& params) {
  assert(params.duration_s > 0 && params.fps > 0 && params.cycle_s > 0 && params.duty > 0.1 && params.duty < 0.95);
  const auto skeleton = dog();
  const int frames = static_cast<int>(std::lround(params.duration_s * params.fps)) + 1;
  Scene scene{.clip = Clip(skeleton, frames, 1.0 / params.fps), .feet = {}, .flights = {}};
  scene.clip.set_name("dog_walk");
  const auto about = [](double angle, const Vec3d& axis) { return Quatd(Eigen::AngleAxisd(angle, axis)); };
  const Vec3d x_axis = Vec3d::UnitX(), y_axis = Vec3d::UnitY();
  const double turn = 2.0 * std::numbers::pi / params.cycle_s;
  const Vec3d rest_hips = skeleton->rest_positions()[0];

  Pose pose = Pose::rest(*skeleton);
  for (int frame = 0; frame < frames; ++frame) {
    const double t = frame / params.fps;
    PoseWriter body(*skeleton, pose);
    const double bob = -0.035 + 0.006 * std::cos(2.0 * turn * t);
    body.root(rest_hips + Vec3d(0, bob, params.speed_mps * t), about(0.03 * std::sin(turn * t), y_axis));
    body.rotate("spine", about(-0.04 * std::sin(turn * t), y_axis));
    body.rotate("neck", about(0.08 * std::sin(2.0 * turn * t), x_axis));
    body.rotate("tail_1", about(0.35 * std::sin(turn * t), y_axis));
    for (const Leg& leg : kLegs) {
      const std::string side = leg.side;
      const std::string end = side + (leg.front ? "_hand" : "_foot");
      const std::string upper = side + (leg.front ? "_upper_arm" : "_upper_leg");
      const std::string middle = side + (leg.front ? "_lower_arm" : "_lower_leg");
      Vec3d segment(0, -0.11, 0.05);
      if (!leg.front) segment = skeleton->joint(skeleton->find(side + "_toes")).rest_translation_m.cast<double>();
      const Vec3d rest = skeleton->rest_positions()[skeleton->find(end)] + segment;
      const Paw state = paw(params, leg, rest, t);
      const Quatd turned = about(state.pitch, x_axis);
      body.reach(upper, middle, end, state.point - turned * segment, Vec3d(0, 0, leg.front ? -1 : 1));
      body.rotate_world(end, turned);
      if (!leg.front) body.rotate_world(side + "_toes", Quatd::Identity());
    }
    scene.clip.set_frame(frame, pose);
  }

  const TimeInterval whole{0.0, scene.clip.last_time_s()};
  for (const Leg& leg : kLegs) {
    FootPlan plan{
        .foot = std::string(leg.side) + (leg.front ? "_hand" : "_foot"), .heel = {}, .toes = {}, .standing = {}};
    for (int k = -1; k * params.cycle_s < params.duration_s; ++k) {
      const double strike = (k + leg.strike) * params.cycle_s;
      add_clipped(plan.toes, {strike, strike + params.duty * params.cycle_s}, whole);
    }
    plan.standing = plan.toes;
    scene.feet.push_back(plan);
  }
  return scene;
}

}  // namespace shosa::scenes
