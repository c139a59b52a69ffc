#pragma once

#include "channels.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

// What it may cost to be found again.
inline constexpr std::size_t kCost = 12, kCostMore = 4;  ///< A relay has so many times as many, and some more, at most.
inline constexpr std::size_t kNotMore = 4;               ///< Times as many doubtful steps as others need.
inline constexpr double kRatherAll = 0.5;  ///< Of the samples: so many steps rather go through all of them.

/// What rounding to single precision leaves, twice: of a model's samples and of a file's.
double rounding_noise(const Eigen::MatrixXd& data);

/// Whether turns on frames are so few at a time, in a recording that is long enough, that they are found again for
/// sure, unless there are steps among them.
bool is_easily_told(const std::vector<RotationSubmovement>& list, std::size_t samples, double step_s);

/// Whether submovements on frames are found again in samples that are made from them, rounded at least as coarsely as
/// files do, in one or several ways: of many some are found by a lucky rounding only.
enum class Roundings {
  one,
  several
};
bool is_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                    Roundings roundings, long& evaluations);
bool is_found_again(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                    long& evaluations, int most = 0);

/// The same for relays and steps, as they are read.
bool is_relay_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                          long& evaluations);
bool is_relay_found_again(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, double max_error);

}  // namespace shosa::submovement::detail
