#pragma once

#include "channels.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// For taking a sum or a product on frames apart, in samples with this noise.
SearchParams frame_params(const SearchParams& params, double step_s, double noise);

/// What rounding to single precision leaves, twice: of a model's samples and of a file's.
double rounding_noise(const Eigen::MatrixXd& data);

/// Whether submovements on frames are found again in samples that are made from them, rounded at least as coarsely as
/// files do and in several ways: what is found by a lucky rounding only is not. Turns that are easily told apart count
/// as found.
bool is_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                    long& evaluations);
bool is_found_again(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                    long& evaluations);

}  // namespace shosa::submovement::detail
