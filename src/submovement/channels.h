#pragma once

#include <Eigen/Core>
#include <vector>

#include "search.h"

namespace shosa::submovement::detail {

/// A sum of submovements with shared timings over any number of channels.
struct ChannelModel {
  Eigen::RowVectorXd start;
  std::vector<Piece> pieces;  ///< Ascending t0.
  double noise = 0.0;
  long evaluations = 0;
};

/// The fast solver on channels that add up linearly, of any length.
ChannelModel decompose_channels(const Eigen::MatrixXd& data, double step_s, const SearchParams& params);

/// Merges displacements that start less than `gap_s` after the one before, and fits the rest anew, until none does. The
/// error may then be above the bound.
void keep_apart(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, double gap_s,
                ChannelModel& model);

}  // namespace shosa::submovement::detail
