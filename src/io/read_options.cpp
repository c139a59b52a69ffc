#include "io/read_options.h"

#include <cmath>

namespace shosa::io {

Result<void> check_options(const ReadOptions& options) {
  if (options.unit_m && !(std::isfinite(*options.unit_m) && *options.unit_m > 0.0)) {
    return fail(ErrorCode::invalid_argument, "unit of {} m, expected a positive number", *options.unit_m);
  }
  for (const std::optional<double>& rate_hz : {options.fps_is, options.sample_fps}) {
    if (rate_hz && !is_usable_rate(*rate_hz)) {
      return fail(ErrorCode::invalid_argument, "frame rate {}, expected {} to {}", *rate_hz, kSlowest_hz, kFastest_hz);
    }
  }
  return {};
}

Result<void> check_body_map(const ReadOptions& options, const Skeleton& skeleton) {
  if (!options.body_map) return {};
  for (int i = 0; i < body::kRoleCount; ++i) {
    const auto role = static_cast<body::Role>(i);
    const JointIndex joint = options.body_map->joint(role);
    if (joint == kNoJoint || (joint >= 0 && joint < skeleton.joint_count())) continue;
    return fail(ErrorCode::invalid_argument, "the body map gives {} joint {}, expected one of the file's {}",
                role_name(role), joint, skeleton.joint_count());
  }
  return {};
}

}  // namespace shosa::io
