#include "rotation_steps.h"

#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kNear = 1.3;  // Of the bound, for single samples.

}  // namespace

RotationModel follow_steps(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  RotationModel model{.start = params.fixed_start ? Quatd::Identity() : samples[0]};
  Quatd reached = model.start;
  const std::size_t n = samples.size();
  const auto stays_near = [&](std::size_t from, std::size_t to) {
    const Vec3d turn = log_rotation(reached.conjugate() * samples[to]);
    for (std::size_t i = from + 1; i < to; ++i) {
      const double share =
          solve::minimum_jerk_value(static_cast<double>(i), static_cast<double>(from), static_cast<double>(to));
      if ((reached * exp_rotation(share * turn)).angularDistance(samples[i]) > kNear * params.max_error) return false;
    }
    return true;
  };
  std::size_t from = 0;
  while (from + 1 < n) {
    std::size_t to = from + 1;
    while (to + 1 < n && static_cast<double>(to + 1 - from) * step_s <= params.max_duration_s &&
           stays_near(from, to + 1))
      ++to;
    model.submovements.push_back({static_cast<double>(from) * step_s, static_cast<double>(to) * step_s,
                                  log_rotation(reached.conjugate() * samples[to])});
    reached = samples[to];
    from = to;
  }
  return model;
}

}  // namespace shosa::submovement::detail
