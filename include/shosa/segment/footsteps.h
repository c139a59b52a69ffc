#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"
#include "shosa/core/note.h"
#include "shosa/segment/terrain.h"

namespace shosa::segment {

/// A clip made ready to be walked with: its stances, and its steps in order. Made once, shared.
class FootstepSource;
/// Fails when no foot lands, or where the body's place does not vary.
Result<std::shared_ptr<const FootstepSource>> footstep_source(const analysis::StudiedClip& studied);

/// The same on `cycles` loops of the clip's cycle (loop.h), which begin where it has the cycle. Fails where there is
/// none.
Result<std::shared_ptr<const FootstepSource>> looped_source(const FootstepSource& source, int cycles);
/// Of such a source; 0: the clip as it is.
int cycles_of(const FootstepSource& source);

/// Where a foot lands.
struct Footstep {
  std::string foot;                   ///< "left", "right"; as analysis names the feet.
  Vec3d position_m = Vec3d::Zero();   ///< x and z of the ankle while the foot is flat, y of the ground under it: the
                                      ///< level of the foot's lowest point, as `analysis` and `info` measure ground.
  std::optional<double> heading_rad;  ///< Where the body goes then, about +Y, 0 = +Z. Empty: as the step before turned.
};

/// A step as the clip has it.
struct OwnStep : Footstep {
  bool lands = false;  ///< False: the foot stands from (nearly) the clip's first frame on.
};
/// All of a clip, by time of landing; every one has a heading.
std::vector<OwnStep> own_steps(const FootstepSource& source);

/// Lets a walking body land where a plan says: other strides, stairs, slopes, uneven ground.
///
/// The plan's steps are the clip's landings in order, from the first landing of the plan's first foot; earlier ones
/// stay, later ones go on from the last. A plan with more steps than the clip has landings is walked on loops of the
/// clip (loop.h). Feet are still while they stand. How: docs/methods/footsteps.md
struct StepPlan {
  std::shared_ptr<const FootstepSource> source;  ///< Who walks. Required.
  std::vector<Footstep> steps;                   ///< At least one.
  std::optional<Terrain> terrain;  ///< What feet are lifted over and lie on. Empty: level around each planned place.
  double clearance_m = 0.03;       ///< Of a swinging foot, where the walk itself has it over its ground; >= 0.
  GroundMove start;                ///< Of the walk before its first planned step.
};

struct FootstepOutcome {
  std::string foot;
  Vec3d position_m = Vec3d::Zero();
  double heading_rad = 0.0;
  double error_m = 0.0;    ///< From the place asked for, measured on the postures that came out, while flat.
  double slide_mps = 0.0;  ///< Mean speed of the points that stand, over the stance.
  double float_m = 0.0;    ///< Highest the foot's lowest point gets over its ground while flat.
  double lift_m = 0.0;     ///< Added to the swing that ends here.
  double time_s = 0.0;     ///< Of the landing.
};
struct Footsteps {
  Clip clip;
  std::vector<FootstepOutcome> steps;  ///< Of the plan.
  double max_unreached_m = 0.0;        ///< Largest distance of a foot from its goal in any frame: legs too short.
  double max_penetration_m = 0.0;      ///< Deepest sole point (heel, ball, tip) under the terrain in any frame.
  double max_knee_rad = 0.0;           ///< Largest bend of a knee.
  Notes warnings;
};
/// Fails when a rule above is broken, something is not finite, or feet do not take turns as the plan says.
Result<Footsteps> walk_footsteps(const StepPlan& plan);

// Plans made from a clip's own landings.

/// Every step's length along the body's way times `shares[i]` (the last one holds on), its width kept.
Result<StepPlan> stride_plan(std::shared_ptr<const FootstepSource> source, std::span<const double> shares);

/// A flight of stairs ahead of the clip's first `before` landings: one landing on each tread, then on the level behind
/// it to the end, straight on whether the clip turns or not. Level steps keep the clip's own length. A clip that lands
/// too rarely is looped.
struct StairsPlanParams {
  double rise_m = 0.15;  ///< Negative goes down.
  double tread_m = 0.30;
  int count = 4;
  int before = 2;             ///< Landings on the level before the flight; >= 1.
  int after = 3;              ///< Landings on the level behind it; >= 0.
  std::optional<Vec3d> at_m;  ///< x and z of the first edge where the walk crosses it. Empty: ahead of the clip.
  std::optional<double> heading_rad;  ///< Across the edges, about +Y, 0 = +Z. Empty: where the clip goes then.
};
Result<StepPlan> stairs_plan(std::shared_ptr<const FootstepSource> source, const StairsPlanParams& params);

/// The clip's own landings, put on a terrain.
Result<StepPlan> terrain_plan(std::shared_ptr<const FootstepSource> source, const Terrain& terrain);

}  // namespace shosa::segment
