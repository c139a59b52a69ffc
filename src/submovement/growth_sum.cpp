#include "growth_sum.h"

#include <algorithm>

#include "frames.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

void subtract(Eigen::MatrixXd& rest, int from, double step_s, const Piece& piece) {
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const double value =
        solve::minimum_jerk_value((from + static_cast<double>(i)) * step_s, piece.time.t0_s, piece.time.tf_s);
    if (value != 0.0) rest.row(i) -= value * piece.move;
  }
}

}  // namespace

SumFitParams growing_sum(const SearchParams& params, double begin_s, double step_s, bool free_start, int iterations,
                         double stop_error) {
  return {.begin_s = begin_s,
          .step_s = step_s,
          .fixed_starts_from_s = params.on_frames ? 0.0 : 1e300,
          .free_start = free_start,
          .min_duration_s = 0.8 * params.min_duration_s,
          .max_duration_s = 1.1 * params.max_duration_s,
          .max_iterations = iterations,
          .stop_error = stop_error};
}

Eigen::MatrixXd SumSpace::left(const GrowthModel& model, int from, int to) const {
  Eigen::MatrixXd rest = data_.middleRows(from, to - from);
  if (model.start.size() > 0) rest.rowwise() -= model.start;
  for (const Piece& piece : model.pieces) subtract(rest, from, step_s_, piece);
  return rest;
}

void SumSpace::settle_first(GrowthModel& model) const {
  model.start += model.pieces.front().move;
  model.pieces.erase(model.pieces.begin());
  model.fixed_start = true;
}

void SumSpace::fit(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) {
  fit_sum_from(model, first, from, to, iterations, stop_error);
}

void SumSpace::fit_on_frames(GrowthModel& model, int first, int from, int to, double stop_error) {
  for (std::size_t k = static_cast<std::size_t>(first); k < model.pieces.size(); ++k) {
    Timing& t = model.pieces[k].time;
    t = {on_frame(t.t0_s, step_s_), on_frame(t.tf_s, step_s_)};
    if (!(t.tf_s > t.t0_s)) return;
  }
  fit_sum_from(model, first, from, to, 0, stop_error);
}

void SumSpace::fit_sum_from(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) {
  Eigen::MatrixXd target = data_.middleRows(from, to - from);
  const bool free_start = first == 0 && !model.fixed_start;
  if (!free_start) target.rowwise() -= model.start;
  std::vector<Timing> timings;
  for (int k = 0; k < static_cast<int>(model.pieces.size()); ++k) {
    const Piece& piece = model.pieces[static_cast<std::size_t>(k)];
    if (k < first)
      subtract(target, from, step_s_, piece);
    else
      timings.push_back(piece.time);
  }
  SumFitParams fitted = growing_sum(params_, from * step_s_, step_s_, free_start, iterations, stop_error);
  if (params_.on_frames) {
    fitted.fixed_ends_until_s = seen_until_s(to, step_s_);
    for (Timing& t : timings) snap_seen_end(t.tf_s, fitted.fixed_ends_until_s, step_s_);
  }
  const SumFit fit = fit_sum(target, std::move(timings), fitted);
  if (free_start) model.start = fit.start;
  for (std::size_t k = 0; k < fit.timings.size(); ++k)
    model.pieces[static_cast<std::size_t>(first) + k] = {fit.timings[k], fit.moves.row(static_cast<Eigen::Index>(k))};
  std::stable_sort(model.pieces.begin() + first, model.pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
}

}  // namespace shosa::submovement::detail
