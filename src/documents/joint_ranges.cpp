#include "shosa/documents/joint_ranges.h"

#include <algorithm>
#include <cmath>

#include "documents/json_reader.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::documents {

namespace {

HingeLimits read_hinge(const Place& place) {
  place.only({"axis", "min_deg", "max_deg", "sideways_deg"});
  HingeLimits hinge;
  hinge.axis = place.at("axis").direction();
  hinge.min_deg = place.at("min_deg").number();
  hinge.max_deg = place.at("max_deg").number();
  place.read("sideways_deg", hinge.sideways_deg);
  return hinge;
}

RegionLimits read_region(const Place& place) {
  RegionLimits region;
  for (const Place& corner : place.at("corners").list()) {
    const auto parts = corner.numbers(4, "[a_y, a_z, twist_min_deg, twist_max_deg]");
    const auto bound = [](double deg) { return std::abs(deg) == 180.0 ? std::copysign(M_PI, deg) : deg * kRadPerDeg; };
    region.corners.push_back({parts[0], parts[1], bound(parts[2]), bound(parts[3])});
  }
  for (const Place& three : place.at("triangles").list()) {
    std::array<int, 3>& triangle = region.triangles.emplace_back();
    const auto parts = three.list();
    if (parts.size() != triangle.size()) three.expected("three corner numbers [0, 1, 2]");
    for (std::size_t c = 0; c < triangle.size() && c < parts.size(); ++c)
      triangle[c] = static_cast<int>(parts[c].whole(0, static_cast<std::int64_t>(region.corners.size()) - 1));
  }
  if (place.has("bone") && place.has("joint_from_frame")) place.wrong("both bone and joint_from_frame, expected one");
  if (place.has("joint_from_frame")) region.joint_from_frame = place.at("joint_from_frame").rotation();
  if (place.has("bone")) region.joint_from_frame = shortest_turn(Vec3d::UnitX(), place.at("bone").direction());
  if (place.has("parent_from_zero")) region.parent_from_zero = place.at("parent_from_zero").rotation();
  return region;
}

Result<posing::JointRange> range_of(const HingeLimits& hinge, const Quatd& rest) {
  return posing::hinge_range(rest, hinge.axis, hinge.min_deg, hinge.max_deg, hinge.sideways_deg);
}
Result<posing::JointRange> range_of(const RegionLimits& region, const Quatd& rest) {
  return posing::JointRange::create(region.corners, region.triangles,
                                    region.parent_from_zero.value_or(rest * region.joint_from_frame),
                                    region.joint_from_frame);
}

std::string text_of(const Quatd& q) {
  return fmt::format("[{}, {}, {}, {}]", q.x(), q.y(), q.z(), q.w());
}

}  // namespace

Result<JointRanges> parse_joint_ranges(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"joint_ranges", "others"});
  JointRanges document{.file = file, .joints = {}};
  if (const Place others = root.at("others"); others.exists()) {
    document.others_human = others.text("\"human\"") == "human";
    if (!document.others_human) others.expected("\"human\"");
  }
  for (const Place& place : root.at("joint_ranges").list()) {
    place.only({"joint", "corners", "triangles", "bone", "joint_from_frame", "parent_from_zero", "hinge"});
    JointLimits& entry = document.joints.emplace_back();
    entry.joint = place.at("joint").text("a joint's role or name");
    if (place.has("hinge")) {
      if (place.inside().size() > 2) place.wrong("a hinge beside other keys, expected it alone");
      entry.limits = read_hinge(place.at("hinge"));
    } else {
      entry.limits = read_region(place);
    }
  }
  return reader.finish(std::move(document));
}

Result<std::vector<posing::HumanRange>> evaluate(const JointRanges& document, const Skeleton& skeleton,
                                                 const body::BodyMap& map) {
  std::vector<posing::HumanRange> ranges;
  for (std::size_t i = 0; i < document.joints.size(); ++i) {
    const JointLimits& entry = document.joints[i];
    const auto wrong = [&](const std::string& message) {
      return fail(ErrorCode::bad_file, "{}: /joint_ranges/{} ('{}'): {}", document.file, i, entry.joint.substr(0, 60),
                  message);
    };
    const auto joint = resolve_joint(skeleton, map, entry.joint);
    if (!joint) return wrong(joint.error().message);
    for (const posing::HumanRange& before : ranges) {
      if (before.joint == *joint) return wrong("a second range of this joint");
    }
    const Quatd rest = skeleton.joint(*joint).rest_rotation.cast<double>();
    auto range = std::visit([&](const auto& limits) { return range_of(limits, rest); }, entry.limits);
    if (!range) return wrong(range.error().message);
    ranges.push_back({*joint, std::move(*range)});
  }
  if (!document.others_human) return ranges;
  auto human = posing::human_ranges(skeleton, map);
  if (!human) return fail(human.error().code, "{}: /others: {}", document.file, human.error().message);
  for (posing::HumanRange& other : *human) {
    if (std::ranges::find(ranges, other.joint, &posing::HumanRange::joint) == ranges.end())
      ranges.push_back(std::move(other));
  }
  return ranges;
}

std::string format_joint_ranges(const std::vector<posing::HumanRange>& ranges, const Skeleton& skeleton,
                                const body::BodyMap& map) {
  std::string text = "{\"joint_ranges\": [";
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const posing::JointRange& range = ranges[i].range;
    const auto role = map.role_of(ranges[i].joint);
    const std::string name = role ? std::string(role_name(*role)) : skeleton.name(ranges[i].joint);
    text += fmt::format("{}\n  {{\"joint\": {},\n   \"parent_from_zero\": {},\n   \"joint_from_frame\": {},\n",
                        i == 0 ? "" : ",", json_quoted(name), text_of(range.parent_from_zero()),
                        text_of(range.joint_from_frame()));
    text += "   \"corners\": [";
    for (std::size_t v = 0; v < range.vertices().size(); ++v) {
      const posing::RangeVertex& corner = range.vertices()[v];
      text += fmt::format("{}\n     [{}, {}, {}, {}]", v == 0 ? "" : ",", corner.a_y, corner.a_z,
                          corner.twist_min_rad / kRadPerDeg, corner.twist_max_rad / kRadPerDeg);
    }
    text += "],\n   \"triangles\": [";
    for (std::size_t t = 0; t < range.triangles().size(); ++t) {
      const auto& triangle = range.triangles()[t];
      text += fmt::format("{}[{}, {}, {}]", t == 0 ? "" : ", ", triangle[0], triangle[1], triangle[2]);
    }
    text += "]}";
  }
  return text + "\n]}\n";
}

}  // namespace shosa::documents
