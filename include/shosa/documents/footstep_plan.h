#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shosa/segment/footsteps.h"

namespace shosa::documents {

/// Every step's length in percent of the clip's own; the last one holds on.
struct StridePlan {
  std::vector<double> percent;
};
/// Uphill where positive, along the clip's first heading.
struct SlopePlan {
  double percent = 0.0;
};
struct RoughPlan {
  double amplitude_m = 0.05;
  double wavelength_m = 1.5;
  int seed = 1;
};

/// Where a walk shall land: its steps, or what they are made from. One of
///
///     {"steps": [{"foot": "left", "position": [x, y, z], "heading_deg"?: 0}, …]}, {"stride_percent": 70 or a list},
///     {"stairs": {"rise_m", "tread_m", "count", "before", "after"}}, {"slope_percent": 10},
///     {"rough": {"amplitude_m", "wavelength_m", "seed"}}
struct FootstepPlan {
  std::string file;  ///< For messages.
  std::variant<std::vector<segment::Footstep>, StridePlan, segment::StairsPlanParams, SlopePlan, RoughPlan> steps;
};
Result<FootstepPlan> parse_footstep_plan(std::string_view text, const std::string& file);

/// What a plan became.
struct WalkedPlan {
  segment::StepPlan plan;  ///< The steps that were asked for.
  segment::Footsteps walked;
};
/// `clearance_m`: of a swinging foot over the ground.
Result<WalkedPlan> evaluate(const FootstepPlan& plan, const analysis::StudiedClip& walker, double clearance_m = 0.03);

/// A list of steps, as `parse_footstep_plan` reads it.
std::string format_footstep_plan(const std::vector<segment::Footstep>& steps);

}  // namespace shosa::documents
