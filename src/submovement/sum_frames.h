#pragma once

#include "channels.h"

namespace shosa::submovement::detail {

/// Puts the starts and ends of a measured sum's submovements on frames, starts `start_gap` apart, and solves the
/// displacements anew (docs/methods/submovements.md, "On frames"); with `complete`, adds some on frames where that
/// passes the bound. False, and the model as it was, where it is passed then.
bool put_on_frames(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, bool complete,
                   ChannelModel& model);

}  // namespace shosa::submovement::detail
