#include "shosa/analysis/root_motion.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/rotations.h"

namespace shosa::analysis {
namespace {

constexpr double kSpeedSmoothing_s = 0.15;

std::optional<Error> unusable(const Clip& clip, const RootMotion& motion, const char* where) {
  if (static_cast<int>(motion.places.size()) != clip.frame_count()) {
    return Error{ErrorCode::invalid_argument, fmt::format("{}: the root motion has {} places, the clip {} frames",
                                                          where, motion.places.size(), clip.frame_count())};
  }
  if (!clip.is_translated(0)) {
    return Error{ErrorCode::not_possible, fmt::format("{}: the translation of the root '{}' does not vary in this clip",
                                                      where, clip.skeleton().name(0))};
  }
  return std::nullopt;
}

/// Step of the standing feet per frame interval (frame f to f + 1); interpolated where no foot stands over both frames.
std::vector<Vec3d> foot_steps(const ClipPositions& positions, const FootContacts& contacts, double frame_time_s,
                              bool& any) {
  const int count = positions.frame_count() - 1;
  std::vector<Vec3d> steps(static_cast<std::size_t>(std::max(count, 0)), Vec3d::Zero());
  int last = -1;
  any = false;
  for (int f = 0; f < count; ++f) {
    Vec3d sum = Vec3d::Zero();
    int standing = 0;
    const auto add = [&](const std::vector<TimeInterval>& list, int point) {
      const int k = point < 0 ? -1 : find_interval(list, (f + 0.5) * frame_time_s);
      if (k < 0) return;
      sum += positions.point(f + 1, point) - positions.point(f, point);
      ++standing;
    };
    for (const FootContactTrack& foot : contacts.feet) {
      if (foot.points.toe >= 0)
        add(foot.toe, foot.points.toe);
      else
        add(foot.heel, foot.points.heel);
    }
    if (standing == 0) continue;
    const Vec3d step = sum / standing;
    for (int g = last + 1; g < f; ++g) {
      const double x = last < 0 ? 1.0 : static_cast<double>(g - last) / (f - last);
      const Vec3d from = last < 0 ? step : steps[last];
      steps[g] = from + (step - from) * x;
    }
    steps[f] = step;
    last = f;
    any = true;
  }
  for (int g = last + 1; any && g < count; ++g) steps[g] = steps[last];
  return steps;
}

Clip moved(const Clip& clip, const RootMotion& motion, bool inverse) {
  Clip out = clip;
  for (int f = 0; f < clip.frame_count(); ++f) {
    const GroundPlace& place = motion.places[f];
    const Vec3d at(place.x_m, 0.0, place.z_m);
    const Vec3d p = clip.translation(f, 0).cast<double>();
    const Quatd q = clip.rotation(f, 0).cast<double>();
    const Quatd turn = about_y(inverse ? -place.heading_rad : place.heading_rad);
    const Vec3d moved_p = inverse ? Vec3d(turn * (p - at)) : Vec3d(turn * p + at);
    out.set_translation(f, 0, moved_p.cast<float>());
    out.set_rotation(f, 0, (turn * q).cast<float>());
  }
  return out;
}

}  // namespace

Result<RootMotion> root_motion_from_feet(const StudiedClip& studied) {
  const Clip& clip = studied.clip();
  RootMotion motion = studied.root();
  bool any = false;
  const std::vector<Vec3d> steps = foot_steps(studied.positions(), studied.contacts(), clip.frame_time_s(), any);
  if (!any && clip.frame_count() > 1) {
    return fail(ErrorCode::not_possible, "root_motion_from_feet: no foot ever stands for two frames in '{}'",
                clip.name());
  }
  double slid_x = 0.0, slid_z = 0.0;
  for (std::size_t i = 1; i < motion.places.size(); ++i) {
    slid_x += steps[i - 1].x();
    slid_z += steps[i - 1].z();
    motion.places[i].x_m -= slid_x;
    motion.places[i].z_m -= slid_z;
  }
  return motion;
}

double root_speed_mps(const RootMotion& motion) {
  if (motion.places.size() < 2) return 0.0;
  std::vector<Vec3d> path;
  for (const GroundPlace& place : motion.places) path.push_back({place.x_m, 0.0, place.z_m});
  path = low_pass(path, kSpeedSmoothing_s / motion.frame_time_s);
  double length = 0.0;
  for (std::size_t i = 1; i < path.size(); ++i) length += (path[i] - path[i - 1]).norm();
  return length / (static_cast<double>(path.size() - 1) * motion.frame_time_s);
}

Result<Clip> without_root_motion(const Clip& clip, const RootMotion& motion) {
  if (auto error = unusable(clip, motion, "without_root_motion")) return std::unexpected(*error);
  return moved(clip, motion, true);
}

Result<Clip> with_root_motion(const Clip& clip, const RootMotion& motion) {
  if (auto error = unusable(clip, motion, "with_root_motion")) return std::unexpected(*error);
  return moved(clip, motion, false);
}

}  // namespace shosa::analysis
