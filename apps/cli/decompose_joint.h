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

/// One edit of a submovement of a path. The numbers are as typed; empty: not asked for.
struct SubmovementEdit {
  std::vector<double> move_goal;   ///< Index, x, y, z.
  std::vector<double> set_timing;  ///< Index, start, end.
  std::vector<double> insert;      ///< Start, end, displacement.
  std::optional<double> remove;    ///< Index.
  std::optional<double> merge;     ///< Index; with the next one.

  bool any() const { return !move_goal.empty() || !set_timing.empty() || !insert.empty() || remove || merge; }
};

struct DecomposeOptions {
  std::string file, out, joint, picture;
  std::string kind = "position", space = "world";
  std::string solver = "fast";
  std::optional<double> max_error, max_error_deg;
  int count = 0;
  bool all = false, shared_timings = false;
  SubmovementEdit edit;
  InputOptions input;
};

inline constexpr double kDegrees = 180.0 / std::numbers::pi;

/// One joint's path or turning, with its edits and --picture.
Result<Report> decompose_joint(const DecomposeOptions& options, ChosenClip& opened);

double seconds_since(std::chrono::steady_clock::time_point begin);
nlohmann::ordered_json vector_json(const Vec3d& v);
void warn(Report& report, std::string text);
/// The bound is a wish where the motion changes faster than submovements may.
void warn_of_missed_bound(Report& report, double rms, double bound, const char* unit);

}  // namespace shosa::cli
