#pragma once

#include <optional>

#include "channels.h"

namespace shosa::submovement::detail {

/// Takes a sum that was made from submovements apart, down to the rounding of its samples
/// (docs/methods/submovements.md, "Samples without noise"). Nothing when the samples are no such sum or not all of it
/// is found. `params.noise` is that of the rounding. O(samples).
std::optional<ChannelModel> take_sum_apart(const Eigen::MatrixXd& data, double step_s, const SearchParams& params);

}  // namespace shosa::submovement::detail
