#include "shosa/analysis/studied_clip.h"

#include <utility>

#include "shosa/analysis/heading.h"
#include "shosa/body/foot_points.h"
#include "shosa/core/rotations.h"

namespace shosa::analysis {
namespace {

/// Along the hips; headings are unwound: neighbours differ by less than pi.
RootMotion path_of_hips(const Clip& clip, const ClipPositions& positions, const body::BodyMap& map) {
  RootMotion path{.places = {}, .frame_time_s = clip.frame_time_s()};
  const JointIndex hips = root_joint(map);
  for (int f = 0; f < clip.frame_count(); ++f) {
    const Vec3d& p = positions.joint(f, hips);
    double heading = heading_rad(map, positions.frame(f), clip.rotation(f, 0).cast<double>());
    if (f > 0) {
      const double before = path.places.back().heading_rad;
      heading = before + wrap_angle(heading - before);
    }
    path.places.push_back({p.x(), p.z(), heading});
  }
  return path;
}

}  // namespace

StudiedClip study_with(Clip clip, body::BodyMap map, std::optional<FootContacts> contacts) {
  ClipPositions positions = clip_positions(clip);
  if (!contacts) contacts = find_foot_contacts(clip, positions, map).value_or(FootContacts());
  std::optional<Ground> ground;
  if (auto found = find_ground(positions, body::find_foot_points(clip.skeleton(), map))) ground = *found;
  RootMotion root = path_of_hips(clip, positions, map);
  return StudiedClip(std::make_shared<const StudiedClip::Known>(
      StudiedClip::Known{std::move(clip), std::move(map), std::move(positions), std::move(*contacts), std::move(ground),
                         std::move(root)}));
}

StudiedClip study(Clip clip, body::BodyMap map) {
  return study_with(std::move(clip), std::move(map), std::nullopt);
}

Result<StudiedClip> study(Clip clip, body::BodyMap map, FootContacts contacts) {
  const int points = clip.joint_count() + static_cast<int>(clip.skeleton().end_sites().size());
  for (const FootContactTrack& foot : contacts.feet) {
    if (foot.points.joint < 0 || foot.points.joint >= clip.joint_count()) {
      return fail(ErrorCode::invalid_argument, "contacts of joint {}, but the skeleton has {} joints",
                  foot.points.joint, clip.joint_count());
    }
    for (const int point : {foot.points.heel, foot.points.toe, foot.points.tip}) {
      if (point >= points)
        return fail(ErrorCode::invalid_argument, "contacts of point {}, but the skeleton has {} joints and end sites",
                    point, points);
    }
  }
  return study_with(std::move(clip), std::move(map), std::move(contacts));
}

Result<void> StudiedClip::needs_feet() const {
  if (!contacts().feet.empty()) return {};
  return fail(ErrorCode::not_possible, "find_foot_contacts: the body map names no feet (left_foot, right_foot)");
}

}  // namespace shosa::analysis
