#include "segment/captured_foot.h"

#include <algorithm>

#include "segment/path_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {
namespace {

// Over which a foot takes up its captured speed as it leaves the ground, and gives it up as it comes down.
constexpr double kFade_s = 0.12;

std::size_t at(int f) {
  return static_cast<std::size_t>(f);
}

// delta of each frame from `from` to `to`: the share of the captured way that is behind it.
std::vector<double> shares(const CapturedFoot& captured, int from, int to) {
  std::vector<double> share(at(to - from + 1), 0.0);
  if (from < 0 || to >= captured.frame_count()) return share;
  const auto begin = captured.place_m.begin();
  const auto speeds = path_speeds(std::vector<Vec3d>(begin + from, begin + to + 1));
  double total = 0.0, sum = 0.0;
  for (const double r : speeds) total += r;
  for (std::size_t i = 0; i < share.size(); ++i) {
    share[i] = total > 0.0 ? sum / total : static_cast<double>(i) / (to - from);
    if (i < speeds.size()) sum += speeds[i];
  }
  return share;
}

}  // namespace

CapturedFoot captured_foot(const Clip& clip, const Limb& limb) {
  CapturedFoot out;
  out.dt_s = clip.frame_time_s();
  WorldPose world;
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    out.place_m.push_back(world.positions[at(limb.end)]);
    out.turn.push_back(world.rotations[at(limb.end)]);
    if (limb.toe == kNoJoint) continue;
    const Quatd foot_from_world = out.turn.back().conjugate();
    out.toe_world.push_back(world.rotations[at(limb.toe)]);
    out.toe_local.push_back(pose.rotation(limb.toe).cast<double>());
    out.ball_in_foot.push_back(foot_from_world * (world.positions[at(limb.toe)] - out.place_m.back()));
    out.toe_parent.push_back(foot_from_world * world.rotations[at(clip.skeleton().parent(limb.toe))]);
  }
  return out;
}

void centre_stance(const CapturedFoot& captured, StillStance& stance, StandingFoot& foot) {
  Vec3d shift = Vec3d::Zero();
  for (int f = stance.first; f <= stance.last; ++f) shift += captured.place_m[at(f)] - foot.place_m[at(f)];
  shift /= stance.last - stance.first + 1;
  shift.y() = 0.0;
  stance.place_m += shift;
  for (int f = stance.first; f <= stance.last; ++f) foot.place_m[at(f)] += shift;
}

void spread_over_swing(const CapturedFoot& captured, int from, int to, StandingFoot& foot) {
  const int frames = captured.frame_count();
  if ((from < 0 && to >= frames) || to - from < 2) return;
  const std::vector<double> share = shares(captured, from, to);
  const int a = from < 0 ? to : from, b = to >= frames ? from : to;
  const bool leaves = from > 0, lands = to + 1 < frames;
  const double fade = std::min(kFade_s / captured.dt_s, static_cast<double>(to - from));
  const auto faded = [&](double t) { return t < fade ? t * (1.0 - t / fade) * (1.0 - t / fade) : 0.0; };
  const auto spread = [&](const auto& change, const auto& apply) {
    const Vec3d first = change(a), last = change(b);
    const Vec3d first_speed = leaves ? Vec3d(first - change(a - 1)) : Vec3d(Vec3d::Zero());
    const Vec3d last_speed = lands ? Vec3d(change(b + 1) - last) : Vec3d(Vec3d::Zero());
    for (int f = from + 1; f < to; ++f) {
      const double x = share[at(f - from)];
      apply(f, Vec3d((1.0 - x) * first + x * last + (leaves ? faded(f - from) : 0.0) * first_speed -
                     (lands ? faded(to - f) : 0.0) * last_speed));
    }
  };
  spread([&](int f) { return Vec3d(foot.place_m[at(f)] - captured.place_m[at(f)]); },
         [&](int f, const Vec3d& change) { foot.place_m[at(f)] = captured.place_m[at(f)] + change; });
  spread([&](int f) { return log_rotation(foot.turn[at(f)] * captured.turn[at(f)].conjugate()); },
         [&](int f, const Vec3d& change) {
           foot.turn[at(f)] = (exp_rotation(change) * captured.turn[at(f)]).normalized();
         });
  if (captured.toe_local.empty()) return;
  spread([&](int f) { return log_rotation(captured.toe_local[at(f)].conjugate() * foot.toe_local[at(f)]); },
         [&](int f, const Vec3d& change) {
           foot.toe_local[at(f)] = (captured.toe_local[at(f)] * exp_rotation(change)).normalized();
         });
}

}  // namespace shosa::segment
