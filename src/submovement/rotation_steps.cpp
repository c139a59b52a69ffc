#include "rotation_steps.h"

#include <algorithm>

#include "frames.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kNear = 1.3;    // Of the bound, for single samples.
constexpr double kMissed = 4.0;  // Times the noise.
constexpr double kSeen = 300.0;  // Times the noise: a turn that is one.
constexpr int kShort = 5;        // Samples.
constexpr double kTells_rad = 1e-3;
constexpr double kFar_rad = 2.5;  // Turns that are no longer told from their opposite.

double share(int at, int length) {
  return solve::minimum_jerk_value(at, 0.0, length);
}

}  // namespace

std::vector<RotationSubmovement> follow_steps(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                              const Quatd& reached) {
  std::vector<RotationSubmovement> steps;
  Quatd now = reached;
  const int n = static_cast<int>(samples.size());
  const auto at = [&](int i) { return samples[static_cast<std::size_t>(i)]; };
  const auto stays_near = [&](int from, int to) {
    const Vec3d turn = log_rotation(now.conjugate() * at(to));
    for (int i = from + 1; i < to; ++i)
      if ((now * exp_rotation(share(i - from, to - from) * turn)).angularDistance(at(i)) > kNear * params.max_error)
        return false;
    return true;
  };
  for (int from = 0; from + 1 < n;) {
    int to = from + 1;
    while (to + 1 < n && (to + 1 - from) * step_s <= params.max_duration_s && stays_near(from, to + 1)) ++to;
    const Vec3d turn = log_rotation(now.conjugate() * at(to));
    if (turn.norm() >= std::max(kLeastMove, kWeakest * params.max_error)) {
      steps.push_back({from * step_s, to * step_s, turn});
      now = at(to);
    }
    from = to;
  }
  return steps;
}

int exact_step(std::span<const Quatd> samples, int from, int longest, double noise) {
  const int most = std::min(longest, static_cast<int>(samples.size()) - 1 - from);
  if (most < 2) return 1;
  const auto turn_to = [&](int i) {
    return log_rotation(samples[static_cast<std::size_t>(from)].conjugate() *
                        samples[static_cast<std::size_t>(from + i)]);
  };
  const Vec3d first = turn_to(1), second = turn_to(2);
  const double missed = kMissed * noise;
  int found = 1;
  for (int length = 2; length <= most; ++length) {
    // The first two samples tell about how long it is.
    const double one = share(1, length), two = share(2, length);
    if ((second * one - first * two).norm() > missed * (one + two)) continue;
    const Vec3d turn = turn_to(length);
    if (turn.norm() < kSeen * noise || turn.norm() > kFar_rad) continue;
    bool met = true;
    for (int i = length - 1; i >= 1 && met; --i) met = (turn_to(i) - share(i, length) * turn).norm() <= missed;
    if (met) found = length;
  }
  return found;
}

int count_exact_steps(std::span<const Quatd> samples, double noise, int enough) {
  int count = 0;
  for (int from = 0; from + 2 < static_cast<int>(samples.size()) && count < enough;) {
    const int length = exact_step(samples, from, kShort, noise);
    const double turn =
        samples[static_cast<std::size_t>(from)].angularDistance(samples[static_cast<std::size_t>(from + length)]);
    if (length > 2 && turn > kTells_rad) ++count;
    from += length;
  }
  return count;
}

}  // namespace shosa::submovement::detail
