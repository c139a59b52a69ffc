#pragma once

#include <optional>
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

/// Steps, with all that is needed to walk them the same again.
struct ListedSteps {
  std::vector<segment::Footstep> steps;
  std::optional<segment::Terrain> terrain;
  GroundMove start;  ///< Of the walk before its first planned step.
  int cycles = 0;    ///< Loops of the clip's cycle to walk on; 0: the clip, or as many as the steps need.
};

/// Where a walk shall land: its steps, or what they are made from. One of
///
///     {"steps": [{"foot": "left", "position": [x, y, z], "heading_deg"?: 0}, …], "terrain"?, "start"?, "cycles"?}
///     {"stride_percent": 70 or a list}, {"slope_percent": 10}, {"rough": {"amplitude_m", "wavelength_m", "seed"}}
///     {"stairs": {"rise_m", "tread_m", "count", "before", "after", "at"?: [x, z], "heading_deg"?}}
///     {"terrain": …}: the clip's own landings on it
///
/// A terrain is the sum of {"level_m"?: 0, "edges"?: [{"at": [x, z], "heading_deg", "rise_m"}, …],
/// "slope"?: {"at", "heading_deg", "percent"}, "rough"?, "heights"?: {"at": [x, z], "spacing_m", "rows": [[…], …]}};
/// a start is {"at": [x, y, z], "turn_deg"}: the walk turned about the origin, then moved.
struct FootstepPlan {
  std::string file;  ///< For messages.
  std::variant<ListedSteps, StridePlan, segment::StairsPlanParams, SlopePlan, RoughPlan, segment::Terrain> steps;
};
Result<FootstepPlan> parse_footstep_plan(std::string_view text, const std::string& file);

/// What a plan became.
struct WalkedPlan {
  segment::StepPlan plan;  ///< The steps that were asked for …
  std::string text;        ///< … as a document; the same clip walks it the same, to the bit.
  segment::Footsteps walked;
};
/// `clearance_m`: of a swinging foot over the ground.
Result<WalkedPlan> evaluate(const FootstepPlan& plan, const analysis::StudiedClip& walker, double clearance_m = 0.03);

/// A list of steps with their terrain and start, as `parse_footstep_plan` reads it.
std::string format_footstep_plan(const ListedSteps& plan);

}  // namespace shosa::documents
