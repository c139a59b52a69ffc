#include "growth_product.h"

#include "frames.h"
#include "growth_sum.h"
#include "rotation_fit.h"
#include "rotation_steps.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

// Timings and turns are fitted together, and settle the slower for it; with the starts known soon: iterations after
// which it shows whether the rest is worth it.
constexpr int kAnywhere = 20, kOnFrames = 12, kFixed = 8;
constexpr double kHopeless = 1e5;  // Times the squared error that is enough: not followed further.
constexpr double kGentle = 0.25;   // What begins moves so little in its first sample, as a share of its first three.

// The product of the first `count` pieces behind the model's start.
Quatd product_at(const GrowthModel& model, std::size_t count, double time_s) {
  Quatd q = model.turn;
  for (std::size_t k = 0; k < count; ++k) {
    const Piece& p = model.pieces[k];
    const double value = solve::minimum_jerk_value(time_s, p.time.t0_s, p.time.tf_s);
    if (value != 0.0) q = q * exp_rotation(value * p.move.transpose());
  }
  return q;
}

}  // namespace

Eigen::MatrixXd ProductSpace::left(const GrowthModel& model, int from, int to) const {
  Eigen::MatrixXd rest(to - from, 3);
  for (int i = from; i < to; ++i)
    rest.row(i - from) = log_rotation(product_at(model, model.pieces.size(), i * step_s_).conjugate() *
                                      samples_[static_cast<std::size_t>(i)])
                             .transpose();
  return rest;
}

void ProductSpace::settle_first(GrowthModel& model) const {
  model.turn = (model.turn * exp_rotation(model.pieces.front().move.transpose())).normalized();
  model.pieces.erase(model.pieces.begin());
  model.fixed_start = true;
}

std::optional<GrowthSpace::Step> ProductSpace::step_from(const GrowthModel& model, int from) const {
  if (!params_.steps || !params_.on_frames || from + 1 >= samples()) return std::nullopt;
  const int longest = FrameLimits(params_.min_duration_s, params_.max_duration_s, step_s_).longest;
  const int to = from + exact_step(samples_, from, longest, params_.noise);
  const Quatd reached = product_at(model, model.pieces.size(), from * step_s_);
  const auto turn_to = [&](int i) { return log_rotation(reached.conjugate() * samples_[static_cast<std::size_t>(i)]); };
  return Step{.piece = {{from * step_s_, to * step_s_}, turn_to(to).transpose()},
              .to = to,
              .fresh = from + 3 < samples() && turn_to(from + 1).norm() < kGentle * turn_to(from + 3).norm()};
}

// A turn that is alone adds up.
void ProductSpace::fit_only(GrowthModel& model, int from, int to, int iterations, double stop_error) {
  const Quatd& origin = samples_[static_cast<std::size_t>(from)];
  Eigen::MatrixXd target(to - from, 3);
  for (int i = from; i < to; ++i)
    target.row(i - from) = log_rotation(origin.conjugate() * samples_[static_cast<std::size_t>(i)]).transpose();
  const SumFit fit = fit_sum(target, {model.pieces[0].time},
                             growing_sum(params_, from * step_s_, step_s_, true, iterations, stop_error));
  model.turn = (origin * exp_rotation(fit.start.transpose())).normalized();
  model.pieces[0] = {fit.timings[0], fit.moves.row(0)};
}

void ProductSpace::fit(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) {
  if (model.pieces.size() == 1 && first == 0 && !model.fixed_start)
    fit_only(model, from, to, iterations, stop_error);
  else
    fit_product(model, first, from, to, iterations, stop_error, false);
}

void ProductSpace::fit_on_frames(GrowthModel& model, int first, int from, int to, double stop_error) {
  for (std::size_t k = static_cast<std::size_t>(first); k < model.pieces.size(); ++k) {
    Timing& t = model.pieces[k].time;
    t = {on_frame(t.t0_s, step_s_), on_frame(t.tf_s, step_s_)};
    if (!(t.tf_s > t.t0_s)) return;
  }
  fit_product(model, first, from, to, kFixed, stop_error, true);
}

void ProductSpace::fit_product(GrowthModel& model, int first, int from, int to, int iterations, double stop_error,
                               bool fixed_timings) {
  const auto begin = static_cast<std::size_t>(first);
  RotationWindow window{.begin_s = from * step_s_, .step_s = step_s_};
  window.fixed_timings = fixed_timings;
  window.samples.assign(samples_.begin() + from, samples_.begin() + to);
  window.free_start = first == 0 && !model.fixed_start;
  if (params_.on_frames) {
    window.fixed_starts_from_s = 0.0;
    window.fixed_ends_until_s = seen_until_s(to, step_s_);
    for (std::size_t k = begin; k < model.pieces.size(); ++k)
      snap_seen_end(model.pieces[k].time.tf_s, window.fixed_ends_until_s, step_s_);
  }
  window.min_duration_s = (params_.on_frames ? 0.9 : 0.8) * params_.min_duration_s;
  window.max_duration_s = 1.1 * params_.max_duration_s;
  window.low_s = -2.0 * params_.max_duration_s;
  window.high_s = to * step_s_ + 2.0 * params_.max_duration_s;
  window.first_t0_s = first > 0 ? model.pieces[begin - 1].time.t0_s : window.low_s;
  window.last_t0_s = window.high_s;
  if (first > 0)
    for (int i = from; i < to; ++i) window.before.push_back(product_at(model, begin, i * step_s_));
  std::vector<RotationSubmovement> factors;
  for (std::size_t k = begin; k < model.pieces.size(); ++k) {
    const Piece& p = model.pieces[k];
    factors.push_back({p.time.t0_s, p.time.tf_s, p.move.transpose()});
  }
  RotationFit fit(std::move(window), first == 0 ? model.turn : Quatd::Identity(), std::move(factors));
  fit.fit_exactly(params_.on_frames ? kOnFrames : kAnywhere, stop_error);
  if (fit.squared_error() > stop_error && fit.squared_error() < kHopeless * stop_error)
    fit.fit_exactly(iterations, stop_error);
  if (first == 0 && !model.fixed_start) model.turn = fit.start();
  for (std::size_t k = begin; k < model.pieces.size(); ++k) {
    const RotationSubmovement& s = fit.factors()[k - begin];
    model.pieces[k] = {{s.t0_s, s.tf_s}, s.rotation_rad.transpose()};
  }
}

}  // namespace shosa::submovement::detail
