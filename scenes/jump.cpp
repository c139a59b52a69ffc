#include <algorithm>
#include <cassert>
#include <cmath>

#include "scenes/limbs.h"
#include "scenes/scenes.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::scenes {
namespace {

constexpr double kStanding = 0.93;  // height of the hips, a little below the rest pose so that the knees are not locked
constexpr double kCrouch = 0.70;
constexpr double kCrouch_s = 0.40, kPush_s = 0.28, kAbsorb_s = 0.30, kRise_s = 0.55;
constexpr double kHeelOff_s = 0.10;   // before take-off
constexpr double kHeelDown_s = 0.05;  // after landing
constexpr double kTakeOffPitch = 0.75, kLandPitch = 0.25;
constexpr double kBallHeight = 0.02;

/// The jump as a function of time; phases follow each other from `still_s` on.
struct Jump {
  JumpParams p;
  double crouch = p.still_s;
  double push = crouch + kCrouch_s;
  double take_off = push + kPush_s;
  double land = take_off + p.flight_s;
  double rise = land + kAbsorb_s;
  double end = rise + kRise_s + p.still_s;
  double up_speed = 0.5 * kGravity_mps2 * p.flight_s;
  double take_off_height = 0.97;

  double forward_speed() const { return p.distance_m / p.flight_s; }

  Vec3d hips(double t) const {
    const double vz = forward_speed();
    // The hips lean ahead of the feet while pushing and catch up while absorbing; the flight covers distance_m.
    const double ahead = 0.25 * vz * kPush_s, back = 0.25 * vz * kAbsorb_s;
    if (t < crouch) return {0, kStanding, 0};
    if (t < push) {
      const double x = cubic_step((t - crouch) / kCrouch_s);
      return {0, kStanding + (kCrouch - kStanding) * x, 0};
    }
    if (t < take_off) {
      const double x = (t - push) / kPush_s;
      return {0, hermite<double>(kCrouch, 0, take_off_height, up_speed, kPush_s, x),
              hermite<double>(0, 0, ahead, vz, kPush_s, x)};
    }
    if (t < land) {
      const double u = t - take_off;
      return {0, take_off_height + up_speed * u - 0.5 * kGravity_mps2 * u * u, ahead + vz * u};
    }
    const double z1 = ahead + p.distance_m;
    if (t < rise) {
      const double x = (t - land) / kAbsorb_s;
      return {0, hermite<double>(take_off_height, -up_speed, kCrouch, 0, kAbsorb_s, x),
              hermite<double>(z1, vz, z1 + back, 0, kAbsorb_s, x)};
    }
    const double x = cubic_step((t - rise) / kRise_s);
    return {0, kCrouch + (kStanding - kCrouch) * x, z1 + back};
  }

  double foot_pitch(double t) const {
    if (t < take_off - kHeelOff_s) return 0.0;
    if (t < take_off) return kTakeOffPitch * (t - take_off + kHeelOff_s) / kHeelOff_s;
    if (t < land) return kTakeOffPitch + (kLandPitch - kTakeOffPitch) * cubic_step((t - take_off) / p.flight_s);
    if (t < land + kHeelDown_s) return kLandPitch * (1.0 - (t - land) / kHeelDown_s);
    return 0.0;
  }

  /// Ball of the foot on the body's middle plane.
  Vec3d ball(double t) const {
    const Vec3d start(0, kBallHeight, kBallFromAnkle.z());
    const double back = 0.25 * forward_speed() * (kPush_s + kAbsorb_s);
    const Vec3d goal = start + Vec3d(0, 0, p.distance_m + back);
    if (t <= take_off) return start;
    if (t >= land) return goal;
    // Carried by the hips; the legs tuck in between.
    const double x = (t - take_off) / p.flight_s;
    const Vec3d from = start - hips(take_off), to = goal - hips(land);
    const Vec3d tuck(0, 0.10 * 16.0 * x * x * (1 - x) * (1 - x), 0);
    return hips(t) + from + (to - from) * cubic_step(x) + tuck;
  }
};

void write_frame(const Jump& jump, double t, PoseWriter& body) {
  const auto about = [](double angle, const Vec3d& axis) { return Quatd(Eigen::AngleAxisd(angle, axis)); };
  const Vec3d x = Vec3d::UnitX(), z = Vec3d::UnitZ();
  const Vec3d hips = jump.hips(t);

  // The lower the hips, the further the trunk leans; the arms swing back in the crouch and up in flight.
  const double low = std::clamp((kStanding - hips.y()) / (kStanding - kCrouch), 0.0, 1.0);
  const double air = cubic_step((t - jump.push) / kPush_s) * (1.0 - cubic_step((t - jump.land) / 0.4));
  body.root(hips, about(0.35 * low, x));
  body.rotate("spine", about(0.25 * low, x));
  body.rotate("chest", about(0.15 * low, x));
  body.rotate("head", about(-0.5 * low, x));
  const double arm = 0.9 * low * (1.0 - air) - 1.9 * air;
  body.rotate("left_upper_arm", about(arm, x) * about(-1.38, z));
  body.rotate("right_upper_arm", about(arm, x) * about(1.38, z));
  body.rotate("left_lower_arm", about(-0.3, Vec3d::UnitY()));
  body.rotate("right_lower_arm", about(0.3, Vec3d::UnitY()));

  const double pitch = jump.foot_pitch(t);
  const double flown = std::clamp((t - jump.take_off) / jump.p.flight_s, 0.0, 1.0);
  const double toe_share = 1.0 - 2.0 * flown * (1.0 - flown);  // of the foot's pitch that the toes undo
  for (const auto& [name, side] : {std::pair{std::string("left"), 1.0}, {std::string("right"), -1.0}}) {
    const Quatd foot = about(pitch, x);
    const Vec3d ankle = jump.ball(t) + Vec3d(0.09 * side, 0, 0) - foot * kBallFromAnkle;
    body.reach(name + "_upper_leg", name + "_lower_leg", name + "_foot", ankle, z);
    body.rotate_world(name + "_foot", foot);
    body.rotate(name + "_toes", about(-toe_share * pitch, x));
  }
}

Scene empty_scene(double duration_s, double fps, const char* name) {
  const int frames = static_cast<int>(std::lround(duration_s * fps)) + 1;
  Scene scene{.clip = Clip(humanoid(), frames, 1.0 / fps), .feet = {}, .flights = {}};
  scene.clip.set_name(name);
  return scene;
}

}  // namespace

Scene jump(const JumpParams& params) {
  assert(params.fps > 0 && params.flight_s > 0 && params.still_s >= 0);
  const Jump jump{.p = params};
  Scene scene = empty_scene(jump.end, params.fps, "jump");
  Pose pose = Pose::rest(scene.clip.skeleton());
  for (int frame = 0; frame < scene.clip.frame_count(); ++frame) {
    PoseWriter body(scene.clip.skeleton(), pose);
    write_frame(jump, frame / params.fps, body);
    scene.clip.set_frame(frame, pose);
  }
  const double last = scene.clip.last_time_s();
  for (const char* foot : {"left_foot", "right_foot"}) {
    scene.feet.push_back({.foot = foot,
                          .heel = {{0.0, jump.take_off - kHeelOff_s}, {jump.land + kHeelDown_s, last}},
                          .toes = {{0.0, jump.take_off}, {jump.land, last}},
                          .standing = {{0.0, jump.take_off}, {jump.land, last}}});
  }
  scene.flights = {{jump.take_off, jump.land}};
  return scene;
}

Scene stand(double duration_s, double fps) {
  assert(duration_s > 0 && fps > 0);
  Scene scene = empty_scene(duration_s, fps, "stand");
  const Jump still{.p = {.fps = fps, .flight_s = 1.0, .distance_m = 0.0, .still_s = 2.0 * duration_s}};
  Pose pose = Pose::rest(scene.clip.skeleton());
  for (int frame = 0; frame < scene.clip.frame_count(); ++frame) {
    const double t = frame / fps;
    PoseWriter body(scene.clip.skeleton(), pose);
    write_frame(still, t, body);
    const Vec3d sway(0.012 * std::sin(1.3 * t), 0.003 * std::sin(1.7 * t), 0.008 * std::sin(0.9 * t));
    body.root(still.hips(t) + sway, Quatd::Identity());
    body.rotate("chest", Quatd(Eigen::AngleAxisd(0.02 * std::sin(1.7 * t), Vec3d::UnitX())));
    for (const auto& [name, side] : {std::pair{std::string("left"), 0.09}, {std::string("right"), -0.09}}) {
      body.reach(name + "_upper_leg", name + "_lower_leg", name + "_foot", Vec3d(side, 0.08, 0), Vec3d::UnitZ());
      body.rotate_world(name + "_foot", Quatd::Identity());
    }
    scene.clip.set_frame(frame, pose);
  }
  const TimeInterval whole{0.0, scene.clip.last_time_s()};
  for (const char* foot : {"left_foot", "right_foot"}) {
    scene.feet.push_back({.foot = foot, .heel = {whole}, .toes = {whole}, .standing = {whole}});
  }
  return scene;
}

}  // namespace shosa::scenes
