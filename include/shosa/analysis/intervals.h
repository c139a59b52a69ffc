#pragma once

#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::analysis {

// Lists of closed intervals of clip time, sorted by begin and disjoint.

/// What is in either list. Intervals that touch or overlap, or lie at most `join_gap_s` apart, become one.
std::vector<TimeInterval> interval_union(std::span<const TimeInterval> a, std::span<const TimeInterval> b,
                                         double join_gap_s = 0.0);

/// What is in both lists; points where two intervals only touch are left out.
std::vector<TimeInterval> interval_intersection(std::span<const TimeInterval> a, std::span<const TimeInterval> b);

/// The parts of `whole` that no interval covers; empty parts are left out.
std::vector<TimeInterval> interval_gaps(std::span<const TimeInterval> list, const TimeInterval& whole);

double total_length_s(std::span<const TimeInterval> list);

/// Index of the interval that contains the time; -1 when none does. O(log n).
int find_interval(std::span<const TimeInterval> list, double time_s);

}  // namespace shosa::analysis
