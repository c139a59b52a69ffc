#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shosa/posing/human_ranges.h"

namespace shosa::documents {

/// Joint ranges as a text that people edit (docs/methods/joint_ranges.md, "As a file").
///
/// {"joint_ranges": [ … ], "others"?: "human"}, each entry with `joint` (role or name) and either
///   "corners": [[a_y, a_z, twist_min_deg, twist_max_deg], …], "triangles": [[0, 1, 2], …], with
///   "joint_from_frame": [x, y, z, w] or "bone": [x, y, z] (the frame's x axis, in the joint) and
///   "parent_from_zero": [x, y, z, w]; left out, the zero is the rest pose; or
///   "hinge": {"axis": [x, y, z], "min_deg": …, "max_deg": …, "sideways_deg"?: 2}, about an axis of the joint, from
///   rest.
struct HingeLimits {
  Vec3d axis = Vec3d::UnitX();  ///< Unit, in the joint.
  double min_deg = 0.0;
  double max_deg = 0.0;
  double sideways_deg = 2.0;
};
struct RegionLimits {
  std::vector<posing::RangeVertex> corners;
  std::vector<std::array<int, 3>> triangles;
  Quatd joint_from_frame = Quatd::Identity();
  std::optional<Quatd> parent_from_zero;  ///< Empty: the rest pose.
};
struct JointLimits {
  std::string joint;
  std::variant<HingeLimits, RegionLimits> limits;
};
struct JointRanges {
  std::string file;  ///< For messages.
  std::vector<JointLimits> joints;
  bool others_human = false;  ///< Joints that are not named have the standard set; otherwise none.
};
Result<JointRanges> parse_joint_ranges(std::string_view text, const std::string& file);

/// The ranges on a body. Fails with the place when a joint is unknown or given twice, or a rule of `JointRange::create`
/// or `hinge_range` is broken.
Result<std::vector<posing::HumanRange>> evaluate(const JointRanges& document, const Skeleton& skeleton,
                                                 const body::BodyMap& map);

/// One line a corner. Joints go by role where they have one, so that the text fits other skeletons of like rest pose.
std::string format_joint_ranges(const std::vector<posing::HumanRange>& ranges, const Skeleton& skeleton,
                                const body::BodyMap& map);

}  // namespace shosa::documents
