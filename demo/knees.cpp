#include "demo/knees.h"

#include <algorithm>
#include <cmath>

#include "demo/workshop.h"
#include "shosa/core/angles.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::demo {

KneeUse knee_use(const FigureClip& shown, const Clip& source) {
  KneeUse use;
  const Skeleton& skeleton = shown.clip.skeleton();
  for (const auto& [knee, freedom] : posing::human_knees(source, shown.body_map)) {
    const body::Role foot =
        knee == shown.body_map.joint(body::Role::left_lower_leg) ? body::Role::left_foot : body::Role::right_foot;
    const Vec3d thigh = skeleton.joint(knee).rest_translation_m.cast<double>().normalized();
    const Vec3d shank = skeleton.joint(shown.body_map.joint(foot)).rest_translation_m.cast<double>().normalized();
    const auto bend_deg = [&, axis = freedom.axis](const Quatd& parent_from_knee) {
      const Vec3d along = parent_from_knee * shank;
      return std::atan2(thigh.cross(along).dot(parent_from_knee * axis), thigh.dot(along)) * kDegPerRad;
    };
    for (int f = 0; f < shown.clip.frame_count(); ++f) {
      const Quatd now = shown.clip.rotation(f, knee).cast<double>();
      const Quatd was = source.rotation(std::min(f, source.frame_count() - 1), knee).cast<double>();
      use.backward_deg = std::max(use.backward_deg, -bend_deg(now));
      use.source_backward_deg = std::max(use.source_backward_deg, -bend_deg(was));
      const double across = std::clamp((now * freedom.axis).dot(was * freedom.axis), -1.0, 1.0);
      use.sideways_deg = std::max(use.sideways_deg, std::acos(across) * kDegPerRad);
    }
  }
  return use;
}

void check_knees(Figure& figure, const std::string& what, const FigureClip& shown, const Clip& source) {
  constexpr double kFree_deg = 0.5;
  const KneeUse use = knee_use(shown, source);
  at_most(figure, what + "knee bent backward (bound: what the start has, and half a degree)", use.backward_deg,
          use.source_backward_deg + kFree_deg, "deg");
  at_most(figure, what + "knee bent sideways", use.sideways_deg, kFree_deg, "deg");
}

}  // namespace shosa::demo
