#pragma once

#include <optional>

#include "channels.h"

namespace shosa::submovement::detail {

/// Follows a path by a relay of displacements within the bound, from the starts of `model` on
/// (docs/methods/submovements.md, "Relays"), and by steps where it jumps. None where there is none, or the path has not
/// three coordinates.
std::optional<ChannelModel> follow_by_relay(const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                                            const ChannelModel& model);

/// A step from each sample to the next: whatever is found in these samples is found again, because they stay the same
/// but for rounding.
ChannelModel follow_every_sample(const Eigen::MatrixXd& data, double step_s, double noise);

struct ChannelRelay {
  ChannelModel model;
  bool certain = true;  ///< Not mostly steps, which others might be made of too.
};

/// The relays and steps that samples were made of, down to rounding, where they followed others within `max_error`.
std::optional<ChannelRelay> read_relay(const Eigen::MatrixXd& data, double step_s, double max_error);

}  // namespace shosa::submovement::detail
