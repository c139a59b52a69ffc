#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"
#include "shosa/feet/stance_plan.h"
#include "shosa/solve/report.h"

namespace shosa::feet {

/// What each change costs: a residual of one scale counts 1 per second. Lengths are for a leg of 0.85 m.
struct FeetScales {
  double root_m = 0.02;             ///< Hips stay where the performer had them.
  double rise_m = 0.02;             ///< … and at their height.
  double root_jerk_mps3 = 30.0;     ///< Hips change their path softly.
  double swing_m = 0.10;            ///< A swing goes back to the captured one.
  double swing_jerk_mps3 = 1200.0;  ///< Swings are reshaped softly.
  double turn_rad = 0.14;           ///< 8 degrees: feet keep their turn, heels rise when legs need it.
  double turn_rate_radps2 = 10.5;   ///< 600 degrees/s^2: feet turn softly.
  double knee_rad = 0.07;           ///< 4 degrees: knees keep the performer's bend.
  double knee_rate_radps2 = 80.0;   ///< Knees do not pop: 1.3 degrees over (1/60 s)^2.
  double straight_rad = 0.0022;     ///< 0.5 degrees / 4: no knee is straighter than the clip has it, or 3 degrees.
  double below_m = 0.0001;          ///< Heel, ball and tip stay out of the ground.
  double heel_m = 0.0002;           ///< The heel of the sole stays while the foot rolls over it.
  double toe_rate_radps2 = 60.0;    ///< Toes bend softly.
  double tip_m = 0.002;             ///< Toes keep lying while the ball stands.
  double push_mps2 = 2.0;           ///< Where motions meet: feet push the centre of mass over the ground softly …
  double fall_mps2 = 0.5;           ///< … and it falls no faster than with g.
};

/// Takes a motion and a plan of stances to feet, hips and knees that obey it.
///
/// Unknown in each frame are a shift r of the root and, for each foot, a shift d of its ball and a turn w about the
/// ball (world, a rotation vector). Where the plan gives the ball or a rotation these are known. Hip, ankle and the
/// bones then give the knee's angle. The least sum of squares of what changes (`FeetScales`) is found by
/// Gauss-Newton steps with Levenberg's damping; the matrix is block-banded, so a step is O(frames). Then each frame
/// by itself: the root moves, the leg bends in its own plane, the foot turns; toes bend so that their tips stay out
/// of the ground. Joints outside the legs keep their rotations to the bit, and so does every frame in which nothing
/// changes. Figures and failure cases: docs/methods/feet.md
struct PlaceFeetParams {
  FeetScales scales;
  int max_steps = 25;       ///< >= 1.
  double converged = 1e-4;  ///< Done when a step lowers the cost by less than this share of it; > 0.
};

struct PlacedFeet {
  Clip clip;
  double max_foot_error_m = 0.0;  ///< Largest distance of a standing ball from its place: a leg that was too short.
  int worst_frame = 0;            ///< Where that is.
  double max_root_change_m = 0.0;
  double mean_joint_change_m = 0.0;  ///< Over all joints and frames.
  double max_joint_change_m = 0.0;
  solve::SolveReport report;
};

/// Fails when the plan has no feet, a stance is outside the clip or a ground has not one entry per frame, a foot does
/// not hang on its leg, the root cannot move, or a parameter is out of its bounds.
Result<PlacedFeet> place_feet(const Clip& clip, const body::BodyMap& map, const StancePlan& plan,
                              const PlaceFeetParams& params = {});

}  // namespace shosa::feet
