#include "shosa/analysis/intervals.h"

#include <algorithm>

namespace shosa::analysis {

std::vector<TimeInterval> interval_union(std::span<const TimeInterval> a, std::span<const TimeInterval> b,
                                         double join_gap_s) {
  std::vector<TimeInterval> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.begin_s < y.begin_s; });
  std::vector<TimeInterval> out;
  for (const auto& interval : all) {
    if (!out.empty() && interval.begin_s - out.back().end_s <= join_gap_s) {
      out.back().end_s = std::max(out.back().end_s, interval.end_s);
    } else {
      out.push_back(interval);
    }
  }
  return out;
}

std::vector<TimeInterval> interval_intersection(std::span<const TimeInterval> a, std::span<const TimeInterval> b) {
  std::vector<TimeInterval> out;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double begin = std::max(a[i].begin_s, b[j].begin_s), end = std::min(a[i].end_s, b[j].end_s);
    if (begin < end) out.push_back({begin, end});
    (a[i].end_s < b[j].end_s ? i : j) += 1;
  }
  return out;
}

std::vector<TimeInterval> interval_gaps(std::span<const TimeInterval> list, const TimeInterval& whole) {
  std::vector<TimeInterval> out;
  double from = whole.begin_s;
  for (const auto& interval : list) {
    if (interval.begin_s > from) out.push_back({from, std::min(interval.begin_s, whole.end_s)});
    from = std::max(from, interval.end_s);
    if (from >= whole.end_s) break;
  }
  if (from < whole.end_s) out.push_back({from, whole.end_s});
  return out;
}

double total_length_s(std::span<const TimeInterval> list) {
  double sum = 0.0;
  for (const auto& interval : list) sum += interval.length_s();
  return sum;
}

int find_interval(std::span<const TimeInterval> list, double time_s) {
  const auto after =
      std::upper_bound(list.begin(), list.end(), time_s, [](double t, const TimeInterval& i) { return t < i.begin_s; });
  if (after == list.begin()) return -1;
  const auto candidate = after - 1;
  return candidate->contains(time_s) ? static_cast<int>(candidate - list.begin()) : -1;
}

}  // namespace shosa::analysis
