#pragma once

#include <span>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"
#include "shosa/feet/place_feet.h"

namespace shosa::segment {

/// A stretch of a studied clip that was laid into another one, end to start with its neighbours.
struct LaidPart {
  analysis::StudiedClip source;
  int first = 0, last = 0;  ///< Of the source. `last` is the `first` of the part that follows.
  int at = 0;               ///< The frame of the whole at which `first` lies.
  GroundMove placed;        ///< world of the whole from that of the source.
};

/// When and on which ground the feet of the whole stand: as in its parts. A stance that a seam cuts is one. The ground
/// goes up and down with the ball, which editing may have moved since. Rest heights are the first part's.
analysis::FootContacts laid_contacts(std::span<const LaidPart> parts, const ClipPositions& whole, double frame_time_s);

/// Feet of the whole stand where they stand in the mean of each stance (feet::captured_stances, feet::place_feet).
Result<feet::PlacedFeet> stand_laid_parts(const Clip& whole, std::span<const LaidPart> parts);

}  // namespace shosa::segment
