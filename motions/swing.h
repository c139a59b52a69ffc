#pragma once

#include "motions/frames.h"

namespace shosa::motions {

/// Lets the legs swing smoothly between their stances.
///
/// A swinging leg is taken as angles: knee, direction from hip to ankle (ahead, aside), ankle, heading of the foot and
/// toes. With the way of `frames` as guide g, the angles q of the frames of a swing are those of least
///   sum (third difference of q)^2 + (2 pi / (guide_share * n))^6 sum (q - g)^2,
/// n the frames of the swing; the differences reach into the stances on both sides, whose frames stay as they are. So
/// knee, hip and ankle pass lift-off and landing with their speed and acceleration, whatever corners the guide has.
/// Then the foot is raised, as smoothly, to where no point of its sole is nearer to the ground than
/// `FootState::clear_m` in the middle of the swing (less toward its ends).
void relax_swings(Frames& frames);

}  // namespace shosa::motions
