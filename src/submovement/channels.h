#pragma once

#include <Eigen/Core>
#include <optional>
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

/// The model at `count` samples, a row each.
Eigen::MatrixXd sample_channels(const ChannelModel& model, Eigen::Index count, double step_s);

/// The relay, or the submovements on frames, that samples were made of, if that is seen at once; or, at last, up to
/// `most` at any times.
std::optional<ChannelModel> read_back(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, int most);

/// The fast solver on channels that add up linearly, of any length.
ChannelModel decompose_channels(const Eigen::MatrixXd& data, double step_s, const SearchParams& params);

}  // namespace shosa::submovement::detail
