#pragma once

#include <optional>
#include <span>
#include <vector>

#include "draw/body_shape.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/draw/canvas.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/projection.h"

namespace shosa::draw {

struct FigureColours {
  Colour left = kLeft;
  Colour right = kRight;
  Colour middle = kMiddle;
  std::optional<Colour> silhouette;  ///< All in one flat, perhaps see-through colour instead.
};

/// Faint and flat, for a second motion behind the first.
FigureColours ghost_colours();

/// Paints one posture, farthest part first, every part outlined so that overlaps read.
void draw_figure(Canvas& canvas, const BodyShape& shape, const WorldPose& world, const Projection& projection,
                 const FigureColours& colours = {});

/// Everything `draw_figure` would touch (without the width of the outline).
PageBox figure_box(const BodyShape& shape, const WorldPose& world, const Projection& projection);

/// The height of the lowest point of the drawn body, metres.
double lowest_m(const BodyShape& shape, const WorldPose& world);

/// A mark under the parts of a foot, for a foot that stands: its outline on the ground, a bar seen from the side. It
/// lies on `ground_m` where the foot is near that, else (stairs) on the height of the foot's lowest point. `joint` is
/// the foot or the toes; parts of joints below it count. Without such parts, a dot under the joint.
void draw_contact_mark(Canvas& canvas, const Skeleton& skeleton, const BodyShape& shape, const WorldPose& world,
                       JointIndex joint, double ground_m, const Projection& projection,
                       const Colour& colour = kContact);

/// The outline of a foot on the plane of that mark, as seen.
Path footprint(const Skeleton& skeleton, const BodyShape& shape, const WorldPose& world, JointIndex joint,
               double ground_m, const Projection& projection);

/// The shadow of a light straight above on the ground. Nothing is drawn for views along the ground.
void draw_shadow(Canvas& canvas, const BodyShape& shape, const WorldPose& world, double ground_m,
                 const Projection& projection, const Colour& colour = {0.1, 0.12, 0.15, 0.14});

/// The longest of 1, 2, 5 x 10^n metres that is not longer than `at_most_m` (> 0).
double round_length_m(double at_most_m);

/// A grid of squares on the ground, aligned with the view, that fills `box`; seen from the side, one line.
/// Squares smaller than 4 px are left out.
void draw_ground(Canvas& canvas, double ground_m, const PageBox& box, const Projection& projection,
                 double step_m = 0.5);

}  // namespace shosa::draw
