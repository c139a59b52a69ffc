#include "demo/range_picture.h"

#include "shosa/core/sampling.h"
#include "shosa/draw/range_region.h"
#include "shosa/posing/articulation.h"

namespace shosa::demo {

Result<draw::Canvas> draw_ranges(const Clip& clip, const body::BodyMap& map,
                                 const std::vector<posing::HumanRange>& ranges, double at_s) {
  Pose pose;
  sample(clip, at_s, pose);
  posing::Articulation body(clip.skeleton_ptr());
  body.set_pose(pose);
  std::vector<draw::RangeRegion> regions;
  for (const posing::HumanRange& entry : ranges) {
    draw::RangeRegion region;
    const auto role = map.role_of(entry.joint);
    region.name = role ? std::string(role_name(*role)) : clip.skeleton().name(entry.joint);
    for (const posing::RangeVertex& corner : entry.range.vertices())
      region.corners.emplace_back(corner.a_y, corner.a_z);
    region.triangles = entry.range.triangles();
    const posing::SwingTwist now = posing::swing_twist(entry.range.parent_from_zero().conjugate() *
                                                       body.rotation(entry.joint) * entry.range.joint_from_frame());
    region.now = draw::Point(now.a_y, now.a_z);
    region.violated = !entry.range.nearest(body.rotation(entry.joint)).inside;
    regions.push_back(std::move(region));
  }
  return draw::draw_range_regions(regions, {.title = fmt::format("Joint ranges at {:.2f} s", at_s)});
}

}  // namespace shosa::demo
