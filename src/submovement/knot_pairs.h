#pragma once

#include "knots.h"
#include "search.h"

namespace shosa::submovement::detail {

/// A submovement that one or both of its knots tell.
struct KnownPiece {
  Piece piece;
  double error = 0.0;  ///< Standard deviation of its duration over its duration.
  bool saw_start = false, saw_end = false;
};

/// The submovements of knots that are in the order of time: those whose start and end are both there, and those whose
/// duration one knot tells to within a share of `sure`. For `turns` a jump at an end has been turned by what began
/// later: only its length is that of the start.
std::vector<KnownPiece> pair_knots(std::vector<Knot> knots, double step_s, const SearchParams& params, double sure,
                                   bool turns);

}  // namespace shosa::submovement::detail
