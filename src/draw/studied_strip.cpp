#include "shosa/draw/studied_strip.h"

#include <algorithm>
#include <cmath>

#include "draw/strip_layout.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::draw {
namespace {

/// Share of the shown frames' trunks that must point up for their facing to be taken.
constexpr double kUpright = 0.5;

/// The parts of a drawn body that belong to its feet.
BodyShape feet_of(const BodyShape& shape, const analysis::StudiedClip& studied) {
  BodyShape feet{.parts = {}, .size_m = shape.size_m};
  for (const BodyPart& part : shape.parts) {
    const bool of_foot = std::ranges::any_of(studied.contacts().feet, [&](const analysis::FootContactTrack& foot) {
      JointIndex joint = part.joint;
      while (joint != kNoJoint && joint != foot.points.joint) joint = studied.skeleton().parent(joint);
      return joint != kNoJoint;
    });
    if (of_foot) feet.parts.push_back(part);
  }
  return feet;
}

bool stands_within(const analysis::FootContacts& contacts, double from_s, double to_s) {
  return std::ranges::any_of(contacts.feet, [&](const analysis::FootContactTrack& foot) {
    return std::ranges::any_of(foot.joined,
                               [&](const TimeInterval& in) { return in.begin_s <= to_s && in.end_s >= from_s; });
  });
}

/// The mean direction of the faces of some frames, each as much as its trunk points up; nothing where hardly one does.
std::optional<double> facing_rad(const analysis::StudiedClip& studied, int first, int last) {
  const body::BodyMap& map = studied.map();
  const bool has_trunk = map.has(body::Role::hips) && map.has(body::Role::neck);
  Vec3d sum = Vec3d::Zero();
  double upright = 0.0;
  for (int f = first; f <= last; ++f) {
    double weight = 1.0;
    if (has_trunk) {
      const Vec3d trunk = studied.positions().joint(f, map.joint(body::Role::neck)) -
                          studied.positions().joint(f, map.joint(body::Role::hips));
      weight = std::max(0.0, trunk.y() / std::max(trunk.norm(), 1e-9));
    }
    const double heading = studied.heading_rad(f);
    sum += weight * toward(heading);
    upright += weight;
  }
  if (upright < kUpright * (last - first + 1) || sum.norm() < 1e-6) return std::nullopt;
  return heading_of(sum);
}

}  // namespace

Result<Strip> draw_strip(const analysis::StudiedClip& studied, StripParams params) {
  const Clip& clip = studied.clip();
  const auto times_s = strip_times(clip, params);
  if (!times_s) return std::unexpected(times_s.error());
  const auto [from_s, to_s] = std::ranges::minmax(*times_s);
  const auto& contacts = studied.contacts();
  if (params.contacts.empty())
    for (const analysis::FootContactTrack& foot : contacts.feet)
      params.contacts.push_back({foot.points.joint, foot.joined});

  const auto postures = make_postures(clip, studied.map(), *times_s);
  if (!postures) return std::unexpected(postures.error());
  const double last_s = clip.last_time_s();
  if (const BodyShape feet = feet_of(postures->shape, studied); !params.ground_m && !feet.parts.empty()) {
    if (stands_within(contacts, from_s, to_s))
      params.ground_m = find_ground_m(clip, feet, from_s, to_s);
    else if (stands_within(contacts, 0.0, last_s))
      params.ground_m = find_ground_m(clip, feet, 0.0, last_s);
  }
  if (!params.heading_rad) {
    const Vec3d& begin = postures->worlds.front().positions[postures->root];
    const Vec3d& end = postures->worlds.back().positions[postures->root];
    const bool travels = std::hypot(end.x() - begin.x(), end.z() - begin.z()) >= 0.5 * postures->shape.size_m;
    if (!travels) params.heading_rad = facing_rad(studied, clip.nearest_frame(from_s), clip.nearest_frame(to_s));
    if (!travels && !params.heading_rad) params.heading_rad = facing_rad(studied, 0, clip.frame_count() - 1);
  }
  return draw_strip(clip, studied.map(), params);
}

}  // namespace shosa::draw
