#pragma once

#include <chrono>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "input.h"
#include "shosa/core/types.h"
#include "verb.h"

namespace shosa::cli {

struct DecomposeOptions {
  std::string file, out, joint, picture;
  std::string kind = "position", space = "world";
  std::string solver = "fast";
  std::optional<double> max_error, max_error_deg;
  int count = 0;
  bool all = false, shared_timings = false;
  std::vector<double> move_goal;
  InputOptions input;
};

inline constexpr double kDegrees = 180.0 / std::numbers::pi;

/// One joint's path or turning, with --move-goal and --picture.
Result<Report> decompose_joint(const DecomposeOptions& options, ChosenClip& opened);

double seconds_since(std::chrono::steady_clock::time_point begin);
nlohmann::ordered_json vector_json(const Vec3d& v);
/// The bound is a wish where the motion changes faster than submovements may.
void warn_of_missed_bound(Report& report, double rms, double bound, const char* unit);

}  // namespace shosa::cli
