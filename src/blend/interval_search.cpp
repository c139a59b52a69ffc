#include "blend/interval_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shosa::blend {

namespace {

double mix(double a, double b, double weight) {
  return a + (b - a) * weight;
}

double time_cost_s(const IntervalProblem& problem, int length) {
  const double frames = problem.moving_length ? std::abs(*problem.moving_length - length) : length;
  return frames * problem.frame_time_s;
}

double distance_m(const IntervalProblem& problem, int begin, int end) {
  return PartTrack::distance(*problem.previous.track, problem.previous.frame(begin), *problem.next.track,
                             problem.next.frame(end));
}

// How much harder than `kPush_mps2` hips are pushed that change from one pace to the other, and get less far, or
// farther, than these paces would take them.
double push_mps2(const IntervalProblem& problem, int begin, int end) {
  if (problem.previous.hips == nullptr || problem.next.hips == nullptr) return 0.0;
  const Motion &a = *problem.previous.hips, &b = *problem.next.hips;
  const auto from = static_cast<std::size_t>(std::clamp(problem.previous.frame(begin), 0, a.frame_count() - 1));
  const auto to = static_cast<std::size_t>(std::clamp(problem.next.frame(end), 0, b.frame_count() - 1));
  const Eigen::Vector2d &leave = a.pace_mps[from], &arrive = b.pace_mps[to];
  const double time_s = (end - begin) * problem.frame_time_s;
  double stray_m = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < std::min(a.over_foot_m.size(), b.over_foot_m.size()); ++k) {
    const auto &before = a.over_foot_m[k][from], &after = b.over_foot_m[k][to];
    if (static_cast<int>(k) == problem.steps || !before || !after) continue;
    stray_m = std::min(stray_m, (*after - *before - 0.5 * time_s * (leave + arrive)).norm());
  }
  if (std::isinf(stray_m)) stray_m = 0.0;
  const double push = std::max(kPeak * (arrive - leave).norm() / time_s, kShiftPeak * stray_m / (time_s * time_s));
  return std::max(0.0, push - kPush_mps2);
}

IntervalCost cost_of(const IntervalProblem& problem, int begin, int end, double d, double d_later, double d_earlier) {
  IntervalCost cost;
  const int length = end - begin;
  const double step_s = problem.step * problem.frame_time_s;
  const double mean_mps = d / (length * problem.frame_time_s);
  cost.time_s = time_cost_s(problem, length);
  cost.distance_m = d;
  cost.speed_begin_mps = (d - d_later) / step_s;
  cost.speed_end_mps = (d - d_earlier) / step_s;
  cost.velocity_mps = std::abs(cost.speed_begin_mps - mean_mps) + std::abs(cost.speed_end_mps - mean_mps);
  cost.push_mps2 = push_mps2(problem, begin, end);
  cost.total = problem.weights.push * cost.push_mps2 + problem.weights.time * cost.time_s +
               problem.weights.pose * cost.distance_m + problem.weights.velocity * cost.velocity_mps;
  return cost;
}

// D of every pair that is asked for, computed once.
class DistanceTable {
 public:
  DistanceTable(const IntervalProblem& problem)
      : problem_(problem),
        first_begin_(problem.begins.begin),
        first_end_(problem.ends.begin - problem.step),
        columns_(problem.ends.end - first_end_ + 1),
        values_(
            static_cast<std::size_t>(problem.begins.length() + 1 + problem.step) * static_cast<std::size_t>(columns_),
            -1.0f) {}

  double operator()(int begin, int end) {
    float& value = values_[static_cast<std::size_t>(begin - first_begin_) * static_cast<std::size_t>(columns_) +
                           static_cast<std::size_t>(end - first_end_)];
    if (value < 0.0f) value = static_cast<float>(distance_m(problem_, begin, end));
    return value;
  }

 private:
  const IntervalProblem& problem_;
  int first_begin_, first_end_, columns_;
  std::vector<float> values_;
};

}  // namespace

CostWeights cost_weights(double smoothness) {
  const double w = std::clamp(smoothness, 0.0, 1.0);
  return {mix(kFast.time, kSmooth.time, w), mix(kFast.pose, kSmooth.pose, w), mix(kFast.velocity, kSmooth.velocity, w),
          mix(kFast.push, kSmooth.push, w)};
}

IntervalCost interval_cost(const IntervalProblem& problem, int begin, int end) {
  return cost_of(problem, begin, end, distance_m(problem, begin, end), distance_m(problem, begin + problem.step, end),
                 distance_m(problem, begin, end - problem.step));
}

IntervalChoice search_interval(const IntervalProblem& problem) {
  IntervalChoice best;
  double least = std::numeric_limits<double>::infinity();
  if (problem.begins.length() < 0 || problem.ends.length() < 0) return best;
  DistanceTable table(problem);
  for (int begin = problem.begins.begin; begin <= problem.begins.end; ++begin) {
    const int first = std::max(problem.ends.begin, begin + std::max(problem.min_length, 1));
    const int last = std::min<std::int64_t>(problem.ends.end, static_cast<std::int64_t>(begin) + problem.max_length);
    for (int end = first; end <= last; ++end) {
      const double time_cost = problem.weights.time * time_cost_s(problem, end - begin);
      if (time_cost >= least) continue;
      const double d = table(begin, end);
      if (time_cost + problem.weights.pose * d >= least) continue;
      const IntervalCost cost =
          cost_of(problem, begin, end, d, table(begin + problem.step, end), table(begin, end - problem.step));
      ++best.evaluations;
      if (!(cost.total < least)) continue;
      least = cost.total;
      best.found = true;
      best.frames = {begin, end};
      best.cost = cost;
    }
  }
  return best;
}

}  // namespace shosa::blend
