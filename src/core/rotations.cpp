#include "shosa/core/rotations.h"

#include <algorithm>
#include <cmath>

namespace shosa {

// With half the angle h: cos h = sqrt((1 + cosine) / 2), and the cross product has the length sin 2h = 2 sin h cos h.
Quatd shortest_turn(const Vec3d& from, const Vec3d& to) {
  const Vec3d a = from.normalized(), b = to.normalized();
  if (a.isZero(0.0) || b.isZero(0.0)) return Quatd::Identity();
  const double cosine = b.dot(a);
  if (cosine < -1.0 + 1e-12) {  // the cross product has no direction left
    const double half = std::sqrt(0.5 * (1.0 + std::max(cosine, -1.0)));
    const Vec3d axis = std::sqrt(1.0 - half * half) * a.unitOrthogonal();
    return {half, axis.x(), axis.y(), axis.z()};
  }
  const double twice = std::sqrt(2.0 * (1.0 + cosine));
  const Vec3d axis = a.cross(b) * (1.0 / twice);
  return {0.5 * twice, axis.x(), axis.y(), axis.z()};
}

}  // namespace shosa
