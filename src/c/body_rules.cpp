// What is known of a human's body beyond its skeleton: how far joints turn, what its parts weigh.

#include <fmt/ranges.h>

#include "c/objects.h"
#include "shosa/c/pin_drag.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/posing/balance.h"
#include "shosa/posing/body_weights.h"

namespace shosa::c {

std::optional<std::vector<posing::HumanRange>> ranges_of(Call& c, const Skeleton& skeleton, const body::BodyMap& map,
                                                         const char* json) {
  if (c.failed()) return std::nullopt;
  if (json == nullptr) return c.take(posing::human_ranges(skeleton, map));
  const auto document = c.take(documents::parse_joint_ranges(json, "joint_ranges"));
  return document ? c.take(documents::evaluate(*document, skeleton, map)) : std::nullopt;
}

}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

namespace {

/// A point of a joint, as the beginning of a JSON object.
std::string point_text(JointIndex joint, const Vec3d& offset_m) {
  return fmt::format("{{\"joint\": {}, \"offset_m\": [{}, {}, {}]", joint, offset_m.x(), offset_m.y(), offset_m.z());
}

}  // namespace

shosa_status shosa_joint_ranges(shosa_context* context, shosa_handle of, const char* json, shosa_buffer* out) {
  return call(context, "shosa_joint_ranges", [&](Call& c) {
    c.clear(out);
    const auto body = find_body(c, of);
    if (!body) return;
    if (const auto ranges = ranges_of(c, *body->skeleton, *body->map, json))
      c.give_bytes(out, documents::format_joint_ranges(*ranges, *body->skeleton, *body->map));
  });
}

shosa_status shosa_body_weights(shosa_context* context, shosa_handle of, shosa_buffer* out) {
  return call(context, "shosa_body_weights", [&](Call& c) {
    c.clear(out);
    const auto body = find_body(c, of);
    if (!body) return;
    const auto masses = c.take(posing::human_masses(*body->skeleton, *body->map));
    if (!masses) return;
    std::vector<std::string> parts, support;
    for (const posing::PointMass& part : *masses)
      parts.push_back(fmt::format("{}, \"mass\": {}}}", point_text(part.joint, part.offset_m), part.mass));
    for (const posing::SupportPoint& point : posing::human_support(*body->skeleton, *body->map))
      support.push_back(point_text(point.joint, point.offset_m) + "}");
    c.give_bytes(out, fmt::format("{{\"masses\": [{}], \"support\": [{}], \"inertia_m2\": [{}]}}",
                                  fmt::join(parts, ", "), fmt::join(support, ", "),
                                  fmt::join(posing::body_weights(*body->skeleton, *body->map).inertia_m2, ", ")));
  });
}
