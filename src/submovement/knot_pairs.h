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

/// Share of these that begin on frames; 0 for none.
double share_on_frames(const std::vector<Piece>& pieces, double step_s);

/// Whether there are knots, but all too near each other to tell submovements.
bool are_crowded(const std::vector<Piece>& told, const Eigen::MatrixXd& data, double noise);

}  // namespace shosa::submovement::detail
