#include "shosa/documents/joint_ranges.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <numbers>

#include "shosa/core/json_depth.h"
#include "shosa/core/rotations.h"

namespace shosa::documents {

using namespace posing;

namespace {

using nlohmann::json;

constexpr double kDeg = std::numbers::pi / 180.0;

Quatd along(const Vec3d& direction) {
  return shortest_turn(Vec3d::UnitX(), direction);
}

/// One entry, so that every complaint can name it.
class Entry {
 public:
  Entry(const json& value, std::string place) : value_(value), place_(std::move(place)) {}

  bool has(const char* key) const { return value_.contains(key); }
  const json& at(const char* key) const { return value_.at(key); }
  Entry inside(const char* key) const { return {value_.at(key), place_ + "." + key}; }

  std::unexpected<Error> error(const std::string& text) const {
    return fail(ErrorCode::bad_file, "{}: {}", place_, text);
  }

  Result<void> only(std::initializer_list<const char*> keys) const {
    if (!value_.is_object()) return error(fmt::format("found a JSON {}, expected an object", value_.type_name()));
    for (const auto& [key, value] : value_.items()) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      std::string known;
      for (const char* name : keys) known += (known.empty() ? "" : ", ") + std::string(name);
      return error(fmt::format("no key '{}'; the keys are {}", key.substr(0, 40), known));
    }
    return {};
  }

  /// An array of `count` numbers.
  Result<std::vector<double>> numbers(const json& value, const std::string& name, std::size_t count,
                                      const char* form) const {
    bool fits = value.is_array() && value.size() == count;
    std::vector<double> list;
    for (std::size_t i = 0; fits && i < count; ++i) {
      fits = value[i].is_number() && std::isfinite(value[i].get<double>());
      if (fits) list.push_back(value[i].get<double>());
    }
    if (!fits) return error(fmt::format("{} is not {}", name, form));
    return list;
  }

  Result<Quatd> rotation(const char* key) const {
    const auto parts = numbers(at(key), key, 4, "a quaternion [x, y, z, w]");
    if (!parts) return std::unexpected(parts.error());
    const Quatd q((*parts)[3], (*parts)[0], (*parts)[1], (*parts)[2]);
    if (!(q.norm() > 1e-6) || !std::isfinite(q.norm())) return error(fmt::format("{} has no length", key));
    return q.normalized();
  }
  Result<Vec3d> direction(const char* key) const {
    const auto parts = numbers(at(key), key, 3, "a direction [x, y, z]");
    if (!parts) return std::unexpected(parts.error());
    const Vec3d v((*parts)[0], (*parts)[1], (*parts)[2]);
    if (!(v.norm() > 1e-6) || !std::isfinite(v.norm())) return error(fmt::format("{} has no length", key));
    return v.normalized();
  }
  Result<double> number(const char* key) const {
    if (!has(key)) return error(fmt::format("no {}, expected a number", key));
    if (!at(key).is_number() || !std::isfinite(at(key).get<double>())) {
      return error(fmt::format("{} is not a number", key));
    }
    return at(key).get<double>();
  }

 private:
  const json& value_;
  std::string place_;
};

Result<JointRange> read_hinge(const Entry& entry, const Quatd& rest) {
  const Entry hinge = entry.inside("hinge");
  if (const auto known = hinge.only({"axis", "min_deg", "max_deg", "sideways_deg"}); !known) {
    return std::unexpected(known.error());
  }
  if (!hinge.has("axis")) return hinge.error("no axis, expected a direction [x, y, z]");
  const auto axis = hinge.direction("axis");
  if (!axis) return std::unexpected(axis.error());
  const auto low = hinge.number("min_deg"), high = hinge.number("max_deg");
  if (!low) return std::unexpected(low.error());
  if (!high) return std::unexpected(high.error());
  const auto sideways = hinge.has("sideways_deg") ? hinge.number("sideways_deg") : Result<double>(2.0);
  if (!sideways) return std::unexpected(sideways.error());
  auto range = hinge_range(rest, *axis, *low, *high, *sideways);
  if (!range) return hinge.error(range.error().message);
  return range;
}

Result<JointRange> read_region(const Entry& entry, const Quatd& rest) {
  for (const char* key : {"corners", "triangles"}) {
    if (!entry.has(key) || !entry.at(key).is_array()) return entry.error(fmt::format("no list of {}", key));
  }
  std::vector<RangeVertex> corners;
  for (std::size_t i = 0; i < entry.at("corners").size(); ++i) {
    const auto parts = entry.numbers(entry.at("corners")[i], fmt::format("corner {}", i), 4,
                                     "[a_y, a_z, twist_min_deg, twist_max_deg]");
    if (!parts) return std::unexpected(parts.error());
    const auto bound = [](double deg) { return std::abs(deg) == 180.0 ? std::copysign(M_PI, deg) : deg * kDeg; };
    corners.push_back({(*parts)[0], (*parts)[1], bound((*parts)[2]), bound((*parts)[3])});
  }
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t i = 0; i < entry.at("triangles").size(); ++i) {
    const auto parts =
        entry.numbers(entry.at("triangles")[i], fmt::format("triangle {}", i), 3, "three corner numbers [0, 1, 2]");
    if (!parts) return std::unexpected(parts.error());
    std::array<int, 3> triangle{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double number = (*parts)[c];
      if (number != std::floor(number) || number < 0.0 || number >= static_cast<double>(corners.size())) {
        return entry.error(fmt::format("triangle {} names corner {}, expected 0 to {}", i, number,
                                       static_cast<int>(corners.size()) - 1));
      }
      triangle[c] = static_cast<int>(number);
    }
    triangles.push_back(triangle);
  }
  if (entry.has("bone") && entry.has("joint_from_frame")) {
    return entry.error("both bone and joint_from_frame, expected one");
  }
  Quatd joint_from_frame = Quatd::Identity();
  if (entry.has("joint_from_frame")) {
    const auto frame = entry.rotation("joint_from_frame");
    if (!frame) return std::unexpected(frame.error());
    joint_from_frame = *frame;
  } else if (entry.has("bone")) {
    const auto bone = entry.direction("bone");
    if (!bone) return std::unexpected(bone.error());
    joint_from_frame = along(*bone);
  }
  Quatd parent_from_zero = rest * joint_from_frame;
  if (entry.has("parent_from_zero")) {
    const auto zero = entry.rotation("parent_from_zero");
    if (!zero) return std::unexpected(zero.error());
    parent_from_zero = *zero;
  }
  auto range = JointRange::create(std::move(corners), std::move(triangles), parent_from_zero, joint_from_frame);
  if (!range) return entry.error(range.error().message);
  return range;
}

Result<HumanRange> read_entry(const json& value, const std::string& place, const Skeleton& skeleton,
                              const body::BodyMap& map) {
  const Entry unnamed(value, place);
  const auto known =
      unnamed.only({"joint", "corners", "triangles", "bone", "joint_from_frame", "parent_from_zero", "hinge"});
  if (!known) return std::unexpected(known.error());
  if (!unnamed.has("joint") || !unnamed.at("joint").is_string()) {
    return unnamed.error("no joint, expected its role or name");
  }
  const std::string& name = unnamed.at("joint").get_ref<const std::string&>();
  const auto joint = resolve_joint(skeleton, map, name);
  if (!joint) return unnamed.error(joint.error().message);
  const Entry entry(value, fmt::format("{} ('{}')", place, name.substr(0, 60)));
  const Quatd rest = skeleton.joint(*joint).rest_rotation.cast<double>();
  if (entry.has("hinge") && value.size() > 2) return entry.error("a hinge beside other keys, expected it alone");
  auto range = entry.has("hinge") ? read_hinge(entry, rest) : read_region(entry, rest);
  if (!range) return std::unexpected(range.error());
  return HumanRange{*joint, std::move(*range)};
}

std::string text_of(const Quatd& q) {
  return fmt::format("[{}, {}, {}, {}]", q.x(), q.y(), q.z(), q.w());
}

}  // namespace

Result<std::vector<HumanRange>> parse_joint_ranges(std::string_view text, const std::string& name_for_errors,
                                                   const Skeleton& skeleton, const body::BodyMap& map) {
  if (const auto byte = too_deep_at(text)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: JSON nested deeper than {} levels, expected joint ranges",
                name_for_errors, *byte, kMaxJsonDepth);
  }
  json document;
  try {
    document = json::parse(text);
  } catch (const json::exception& error) {
    return fail(ErrorCode::bad_file, "{}: no JSON: {}", name_for_errors, error.what());
  }
  const Entry top(document, name_for_errors);
  if (const auto known = top.only({"joint_ranges"}); !known) return std::unexpected(known.error());
  if (!top.has("joint_ranges") || !top.at("joint_ranges").is_array()) {
    return top.error("no list joint_ranges");
  }
  std::vector<HumanRange> ranges;
  const json& list = top.at("joint_ranges");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}: joint_ranges[{}]", name_for_errors, i);
    auto range = read_entry(list[i], place, skeleton, map);
    if (!range) return std::unexpected(range.error());
    for (const HumanRange& before : ranges) {
      if (before.joint == range->joint) {
        return fail(ErrorCode::bad_file, "{}: a second range of joint '{}'", place, skeleton.name(range->joint));
      }
    }
    ranges.push_back(std::move(*range));
  }
  return ranges;
}

std::string format_joint_ranges(const std::vector<HumanRange>& ranges, const Skeleton& skeleton,
                                const body::BodyMap& map) {
  std::string text = "{\"joint_ranges\": [";
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const JointRange& range = ranges[i].range;
    const auto role = map.role_of(ranges[i].joint);
    const std::string name = role ? std::string(role_name(*role)) : skeleton.name(ranges[i].joint);
    text += fmt::format("{}\n  {{\"joint\": {},\n   \"parent_from_zero\": {},\n   \"joint_from_frame\": {},\n",
                        i == 0 ? "" : ",", json(name).dump(-1, ' ', false, json::error_handler_t::replace),
                        text_of(range.parent_from_zero()), text_of(range.joint_from_frame()));
    text += "   \"corners\": [";
    for (std::size_t v = 0; v < range.vertices().size(); ++v) {
      const RangeVertex& corner = range.vertices()[v];
      text += fmt::format("{}\n     [{}, {}, {}, {}]", v == 0 ? "" : ",", corner.a_y, corner.a_z,
                          corner.twist_min_rad / kDeg, corner.twist_max_rad / kDeg);
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
