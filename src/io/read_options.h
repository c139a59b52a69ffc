#pragma once

#include <string>
#include <vector>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// Rates outside these bounds are taken for broken numbers: one frame in a quarter of an hour, one a microsecond.
inline constexpr double kSlowest_hz = 1e-3;
inline constexpr double kFastest_hz = 1e6;

inline bool is_usable_rate(double rate_hz) {
  return rate_hz >= kSlowest_hz && rate_hz <= kFastest_hz;
}
inline bool is_usable_frame_time(double frame_time_s) {
  return frame_time_s > 0.0 && is_usable_rate(1.0 / frame_time_s);
}

/// Unit finite and positive, rates usable; else `invalid_argument`.
Result<void> check_options(const ReadOptions& options);

/// Every joint of `options.body_map` is one of `skeleton`; else `invalid_argument`.
Result<void> check_body_map(const ReadOptions& options, const Skeleton& skeleton);

}  // namespace shosa::io
