#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// What no product of overlapping turns follows, such as a joint that flips between two frames of a capture: one turn
/// after the other, from `reached`, each as long as the samples under it stay near. The last sample is met but for
/// turns that are nobody's.
std::vector<RotationSubmovement> follow_steps(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                              const Quatd& reached);

/// The longest single turn, in samples, that begins at sample `from` at rest and passes through all samples up to its
/// end; 1 where there is none, as the next sample is always reached. `noise` is that of a sample, per channel.
int exact_step(std::span<const Quatd> samples, int from, int longest, double noise);

/// How many such turns of a few samples there are, counted up to `enough`. Two of them are no accident; of two samples
/// they are, where a joint turns evenly.
int count_exact_steps(std::span<const Quatd> samples, double noise, int enough);

}  // namespace shosa::submovement::detail
