#include "shosa/analysis/on_the_spot.h"

#include <algorithm>
#include <cmath>

namespace shosa::analysis {

namespace {

// Median horizontal speed of a point while it is within `near_m` of its lowest height.
double low_speed_mps(const ClipPositions& positions, int point, double near_m, double frame_time_s) {
  double lowest = positions.point(0, point).y();
  for (int f = 1; f < positions.frame_count(); ++f) lowest = std::min(lowest, positions.point(f, point).y());
  std::vector<double> speeds;
  for (int f = 1; f < positions.frame_count(); ++f) {
    if (positions.point(f, point).y() > lowest + near_m) continue;
    const Vec3d step = positions.point(f, point) - positions.point(f - 1, point);
    speeds.push_back(std::hypot(step.x(), step.z()) / frame_time_s);
  }
  if (speeds.empty()) return 0.0;
  const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
  std::nth_element(speeds.begin(), middle, speeds.end());
  return *middle;
}

}  // namespace

bool moves_on_the_spot(const StudiedClip& studied) {
  constexpr double kNear_m = 0.03;
  constexpr double kSweep_mps = 0.3;
  const FootContacts& contacts = studied.contacts();
  const ClipPositions& positions = studied.positions();
  if (contacts.feet.empty() || positions.frame_count() < 2) return false;
  const JointIndex hips = root_joint(studied.map());
  Eigen::AlignedBox2d reach;
  for (int f = 0; f < positions.frame_count(); ++f) {
    reach.extend(Eigen::Vector2d(positions.joint(f, hips).x(), positions.joint(f, hips).z()));
  }
  if (reach.diagonal().norm() > 0.5 * body::kHumanLegLength_m * contacts.scale) return false;
  return std::ranges::all_of(contacts.feet, [&](const FootContactTrack& foot) {
    const int point = foot.points.toe >= 0 ? foot.points.toe : foot.points.heel;
    return point >= 0 && low_speed_mps(positions, point, kNear_m * contacts.scale, studied.clip().frame_time_s()) >
                             kSweep_mps * std::sqrt(contacts.scale);
  });
}

Result<void> needs_still_ground(const StudiedClip& studied) {
  if (!moves_on_the_spot(studied)) return {};
  return fail(ErrorCode::not_possible,
              "the body steps on the spot: its feet stand on ground that moves under them and have no place to be held "
              "in; the clip needs its way over the ground back (root motion), or somebody's word on when feet stand");
}

}  // namespace shosa::analysis
