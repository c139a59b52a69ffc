#include "shosa/posing/range_outline.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace shosa::posing {

std::vector<Vec3d> range_outline(const JointRange& range, int per_edge) {
  // Edges of one triangle only are the region's edge. All triangles are taken anticlockwise, so that they chain.
  const auto& vertices = range.vertices();
  std::map<std::pair<int, int>, int> uses;
  std::map<int, int> next;
  std::vector<std::array<int, 3>> triangles = range.triangles();
  for (auto& t : triangles) {
    const auto at = [&](int corner) {
      const RangeVertex& v = vertices[t[corner]];
      return Eigen::Vector2d(v.a_y, v.a_z);
    };
    const Eigen::Vector2d a = at(1) - at(0), b = at(2) - at(0);
    if (a.x() * b.y() - a.y() * b.x() < 0.0) std::swap(t[1], t[2]);
    for (std::size_t c = 0; c < 3; ++c) ++uses[std::minmax(t[c], t[(c + 1) % 3])];
  }
  for (const auto& t : triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (uses[std::minmax(t[c], t[(c + 1) % 3])] == 1) next[t[c]] = t[(c + 1) % 3];
    }
  }
  std::vector<Vec3d> outline;
  if (next.empty()) return outline;
  const int first = next.begin()->first;
  int corner = first;
  do {
    const auto step = next.find(corner);
    if (step == next.end()) break;
    const RangeVertex& from = vertices[corner];
    const RangeVertex& to = vertices[step->second];
    for (int k = 0; k < per_edge; ++k) {
      const double share = static_cast<double>(k) / per_edge;
      const SwingTwist swing{from.a_y + share * (to.a_y - from.a_y), from.a_z + share * (to.a_z - from.a_z), 0.0};
      outline.push_back(range.parent_from_zero() * (rotation_of(swing) * Vec3d::UnitX()));
    }
    corner = step->second;
    next.erase(step);
  } while (corner != first);
  return outline;
}

}  // namespace shosa::posing
