#pragma once

#include <optional>
#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// Follows samples by a relay of turns within the bound, from the starts of `model` on (docs/methods/submovements.md,
/// "Relays"); none where there is none, and `errors` is then how far each sample is off the finest one.
std::optional<RotationModel> follow_by_relay(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                             const RotationModel& model, std::vector<double>& errors,
                                             long& evaluations);

struct RotationRelay {
  RotationModel model;
  bool certain = true;  ///< Not mostly steps, which others might be made of too.
};

/// The relays and steps that samples were made of, down to rounding, where they followed others within `max_error`.
std::optional<RotationRelay> read_relay(std::span<const Quatd> samples, double step_s, double max_error);

}  // namespace shosa::submovement::detail
