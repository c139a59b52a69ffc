#include "rotation_polish.h"

#include <algorithm>
#include <cmath>

#include "rotation_fit.h"
#include "shosa/core/rotations.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kPolishMargin_s = 0.3;
constexpr double kNothing = 1e-20;  // Squared angle, rad^2, below which a sample is met exactly.

}  // namespace

Eigen::MatrixXd develop(std::span<const Quatd> samples) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(samples.size()), 3);
  for (std::size_t i = 1; i < samples.size(); ++i)
    sum.row(static_cast<Eigen::Index>(i)) =
        sum.row(static_cast<Eigen::Index>(i) - 1) + log_rotation(samples[i - 1].conjugate() * samples[i]).transpose();
  return sum;
}

double rotation_error(std::span<const Quatd> samples, double step_s, const RotationModel& model) {
  const auto made = sample_rotations(model, static_cast<int>(samples.size()), step_s);
  double sum = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) sum += log_rotation(made[i].conjugate() * samples[i]).squaredNorm();
  return sum;
}

bool polish_group(std::span<const Quatd> samples, double step_s, const SearchParams& params, int first, int last,
                  RotationModel& model, long& evaluations) {
  auto& list = model.submovements;
  const int count = static_cast<int>(list.size()), n = static_cast<int>(samples.size());
  const double length = (n - 1) * step_s;
  RotationWindow window{.step_s = step_s};
  window.fixed_timings = params.fixed_timings;
  window.ridge = params.ridge;
  window.free_start = first == 0 && !params.fixed_start;
  window.min_duration_s = params.min_duration_s;
  window.max_duration_s = params.max_duration_s;
  window.low_s = list[first].t0_s - kPolishMargin_s;
  window.high_s = 0.0;
  for (int k = first; k < last; ++k) window.high_s = std::max(window.high_s, list[k].tf_s);
  window.high_s += kPolishMargin_s;
  // Beyond the recording there are no samples that could move unseen.
  if (first == 0 || window.low_s <= 0.0) window.low_s = params.fixed_start ? 0.0 : -params.max_duration_s;
  if (last == count || window.high_s >= length)
    window.high_s = length + (params.ends_inside ? 0.0 : params.max_duration_s);
  window.first_t0_s = first > 0 ? list[first - 1].t0_s : window.low_s;
  window.last_t0_s = last < count ? list[last].t0_s : window.high_s;
  const int begin = std::clamp(static_cast<int>(std::floor(window.low_s / step_s)), 0, n - 1);
  const int end = std::clamp(static_cast<int>(std::ceil(window.high_s / step_s)) + 1, begin + 1, n);
  window.begin_s = begin * step_s;
  window.end_weight = last < count ? n - end + 1.0 : 0.0;
  window.samples.assign(samples.begin() + begin, samples.begin() + end);

  const auto product = [&](int from, int to, Quatd q, double time) {
    for (int k = from; k < to; ++k) {
      const auto& s = list[k];
      if (s.t0_s >= time) break;
      q = q * exp_rotation(solve::minimum_jerk_value(time, s.t0_s, s.tf_s) * s.rotation_rad);
    }
    return q;
  };
  if (first > 0) {
    // What ended before the window is one rotation.
    int running = 0;
    Quatd ended = model.start;
    while (running < first && list[running].tf_s <= window.begin_s)
      ended = ended * exp_rotation(list[running++].rotation_rad);
    for (int i = begin; i < end; ++i) window.before.push_back(product(running, first, ended, i * step_s));
  }
  if (last < count) {
    for (int i = begin; i < end; ++i) window.after.push_back(product(last, count, Quatd::Identity(), i * step_s));
  }
  RotationFit fit(std::move(window), first == 0 ? model.start : Quatd::Identity(),
                  {list.begin() + first, list.begin() + last});
  const auto report = fit.fit(30, kNothing * static_cast<double>(end - begin));
  evaluations += report.evaluations;
  if (!(report.final_cost < report.initial_cost)) return false;
  std::copy(fit.factors().begin(), fit.factors().end(), list.begin() + first);
  if (first == 0) model.start = fit.start();
  return true;
}

double polish_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params, int sweeps,
                        RotationModel& model, long& evaluations, const TimeInterval& where) {
  double error = rotation_error(samples, step_s, model);
  const int count = static_cast<int>(model.submovements.size());
  if (count == 0 && !params.fixed_start) {
    // The mean rotation, near enough: one step of averaging rotation vectors.
    Vec3d mean = Vec3d::Zero();
    for (const Quatd& q : samples) mean += log_rotation(model.start.conjugate() * q);
    RotationModel shifted{.start = model.start * exp_rotation(mean / static_cast<double>(samples.size()))};
    const double shifted_error = rotation_error(samples, step_s, shifted);
    if (shifted_error >= error) return error;
    model = shifted;
    return shifted_error;
  }
  const auto penalty = [&] {
    double sum = 0.0;
    for (const auto& s : model.submovements) sum += s.rotation_rad.squaredNorm();
    return params.ridge * sum;
  };
  double penalized = error + penalty();
  for (int sweep = 0; sweep < sweeps && count > 0; ++sweep) {
    const RotationModel before = model;
    const int stride = count <= kGroup ? kGroup : kGroup / 2;
    for (int first = 0; first < count; first += stride) {
      const int last = std::min(first + kGroup, count);
      const bool touched = std::any_of(model.submovements.begin() + first, model.submovements.begin() + last,
                                       [&](const auto& s) { return s.tf_s > where.begin_s && s.t0_s < where.end_s; });
      if (touched) polish_group(samples, step_s, params, first, last, model, evaluations);
      if (last == count) break;
    }
    const double now = rotation_error(samples, step_s, model), now_penalized = now + penalty();
    if (!(now_penalized < penalized)) {
      model = before;
      break;
    }
    const bool settled = penalized - now_penalized < 1e-3 * penalized;
    error = now;
    penalized = now_penalized;
    if (settled || count <= kGroup) break;
  }
  return error;
}

}  // namespace shosa::submovement::detail
