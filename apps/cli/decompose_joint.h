#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "goal_edits.h"
#include "input.h"
#include "verb.h"

namespace shosa::cli {

struct DecomposeOptions {
  std::string file, out, joint, picture;
  std::string kind = "position", space = "world";
  std::string solver = "fast";
  std::optional<double> max_error, max_error_deg, min_duration_s, min_gap_s;
  int count = 0;
  bool all = false, shared_timings = false;
  GoalEditOptions typed;
  std::vector<documents::SubmovementEdit> edits;
  InputOptions input;
};

/// One joint's path or turning, with its edits and --picture.
Result<Report> decompose_joint(const DecomposeOptions& options, ChosenClip& opened);

double seconds_since(std::chrono::steady_clock::time_point begin);
/// The bound is a wish where the motion changes faster than submovements may.
void warn_of_missed_bound(Report& report, double rms, double bound, const char* unit);

}  // namespace shosa::cli
