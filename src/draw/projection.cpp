#include "shosa/draw/projection.h"

#include <array>
#include <cmath>
#include <utility>

#include "shosa/core/angles.h"

namespace shosa::draw {
namespace {

constexpr std::array<std::pair<ViewName, std::string_view>, 4> kViewNames = {{
    {ViewName::side, "side"},
    {ViewName::front, "front"},
    {ViewName::top, "top"},
    {ViewName::three_quarter, "three_quarter"},
}};

}  // namespace

Vec3d View::right() const {
  return {std::cos(yaw_rad), 0.0, -std::sin(yaw_rad)};
}

Vec3d View::towards_viewer() const {
  return {std::sin(yaw_rad) * std::cos(pitch_rad), std::sin(pitch_rad), std::cos(yaw_rad) * std::cos(pitch_rad)};
}

Vec3d View::up() const {
  return towards_viewer().cross(right());
}

View make_view(ViewName name, double heading_rad) {
  switch (name) {
    case ViewName::side:
      return {heading_rad - 90.0 * kRadPerDeg, 0.0};
    case ViewName::front:
      return {heading_rad, 0.0};
    case ViewName::top:
      return {heading_rad - 90.0 * kRadPerDeg, 90.0 * kRadPerDeg};
    case ViewName::three_quarter:
      return {heading_rad - 58.0 * kRadPerDeg, 16.0 * kRadPerDeg};
  }
  return {};
}

Result<ViewName> find_view(std::string_view name) {
  for (const auto& [view, text] : kViewNames) {
    if (text == name) {
      return view;
    }
  }
  return fail(ErrorCode::invalid_argument, "view '{}': expected side, front, top or three_quarter", name);
}

std::string_view view_name(ViewName name) {
  return kViewNames[static_cast<int>(name)].second;
}

Point Projection::to_px(const Vec3d& world_m) const {
  const Vec3d from_centre_m = world_m - centre_m;
  return centre_px + px_per_m * Point(from_centre_m.dot(view.right()), -from_centre_m.dot(view.up()));
}

double Projection::depth_m(const Vec3d& world_m) const {
  return (world_m - centre_m).dot(view.towards_viewer());
}

}  // namespace shosa::draw
