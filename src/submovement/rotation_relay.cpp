#include "rotation_relay.h"

#include <numbers>

#include "frames.h"
#include "relay_reader.h"
#include "rotation_fit.h"
#include "rotation_polish.h"
#include "rotation_steps.h"
#include "rotation_stretch.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kSweeps = 4;
constexpr double kNoise_rad = 4e-8;  // What rounding to single precision leaves, twice: of the model and of a file.
constexpr double kEven = 10.0;       // Times the noise.
constexpr int kLongestStep = 2000;   // Samples.
// Times the bound: what samples are at least off a step that is longer by a frame, where it could not be (1.3 in
// rotation_steps.cpp, of which half may be in the samples within the next step).
constexpr double kJump = 0.6;
constexpr int kIterations = 8;
constexpr double kNothing = 1e-20;  // Squared angle, rad^2.

// How a relay of turns is read; times are frames.
struct TurnSpace {
  using Value = Quatd;
  std::span<const Quatd> samples;
  double max_error;

  int size() const { return static_cast<int>(samples.size()); }
  const Quatd& at(int frame) const { return samples[static_cast<std::size_t>(frame)]; }
  Vec3d between(const Quatd& from, const Quatd& to) const { return log_rotation(from.conjugate() * to); }
  Quatd moved(const Quatd& from, const Vec3d& move) const { return (from * exp_rotation(move)).normalized(); }
  int step_length(int frame) const { return exact_step(samples, frame, kLongestStep, 2.0 * kNoise_rad); }
  bool is_longest(int from, int to) const {
    if (to + 1 >= size()) return true;
    // What goes on as it went turns evenly.
    if ((between(at(to), at(to + 1)) - between(at(from), at(from + 1))).norm() < kEven * kNoise_rad) return false;
    const Link longer{from, to + 1, between(at(from), at(to + 1))};
    for (int i = from + 1; i <= to; ++i)
      if (moved(at(from), longer.share(i) * longer.move).angularDistance(at(i)) > kJump * max_error) return true;
    return false;
  }

  void refit(int begin, const std::vector<Quatd>& before, Quatd* start, std::span<Link> links) const {
    constexpr double kAnywhere = 1e9;
    RotationWindow window{.begin_s = 1.0 * begin, .step_s = 1.0, .fixed_timings = true, .free_start = start != nullptr};
    window.low_s = window.first_t0_s = -kAnywhere;
    window.high_s = window.last_t0_s = window.max_duration_s = kAnywhere;
    const auto first = samples.begin() + begin;
    window.samples.assign(first, first + static_cast<std::ptrdiff_t>(before.size()));
    if (!start) window.before = before;
    std::vector<RotationSubmovement> turns;
    for (const Link& link : links) turns.push_back({1.0 * link.t0, 1.0 * link.tf, link.move});
    RotationFit fit(std::move(window), start ? *start : Quatd::Identity(), std::move(turns));
    fit.fit_exactly(kIterations, kNothing);
    if (start) *start = fit.start();
    for (std::size_t k = 0; k < links.size(); ++k) links[k].move = fit.factors()[k].rotation_rad;
  }
};

}  // namespace

std::optional<RotationModel> follow_by_relay(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                             const RotationModel& model, std::vector<double>& errors,
                                             long& evaluations) {
  RelayLimits limits{.samples = static_cast<int>(samples.size()),
                     .from_rest = params.fixed_start,
                     .to_rest = params.ends_inside,
                     .bound = params.max_error * params.max_error * static_cast<double>(samples.size()),
                     .longest = static_cast<int>(std::min(params.max_duration_s / step_s, 1e6))};
  SearchParams own = params;
  own.fixed_timings = true;
  own.start_gap_s = 0.0;
  own.ridge = kGentleTurns * limits.bound / (std::numbers::pi * std::numbers::pi);
  std::vector<double> starts;
  for (const auto& s : model.submovements) starts.push_back(s.t0_s / step_s);

  RotationModel relay;
  const auto fit = [&](const std::vector<int>& knots) {
    relay = {.start = params.fixed_start ? Quatd::Identity() : samples[0]};
    Quatd reached = relay.start;
    for (std::size_t k = 0; k + 2 < knots.size(); ++k) {
      const int middle = std::clamp((knots[k + 1] + knots[k + 2]) / 2, 0, limits.samples - 1);
      const Quatd& goal = samples[static_cast<std::size_t>(middle)];
      relay.submovements.push_back(
          {knots[k] * step_s, knots[k + 2] * step_s, log_rotation(reached.conjugate() * goal)});
      reached = goal;
    }
    polish_rotations(samples, step_s, own, kSweeps, relay, evaluations);
    errors.clear();
    std::vector<double> squares;
    const auto made = sample_rotations(relay, limits.samples, step_s);
    for (std::size_t i = 0; i < made.size(); ++i) {
      errors.push_back(made[i].angularDistance(samples[i]));
      squares.push_back(errors.back() * errors.back());
    }
    return squares;
  };
  if (!find_relay(starts, limits, fit)) return std::nullopt;
  const auto weak = [&](const RotationSubmovement& s) { return s.rotation_rad.norm() < kWeak * params.max_error; };
  RotationModel strong = relay;
  if (std::erase_if(strong.submovements, weak) > 0 &&
      polish_rotations(samples, step_s, own, kSweeps, strong, evaluations) <= limits.bound)
    return strong;
  return relay;
}

std::optional<RotationRelay> read_relay(std::span<const Quatd> samples, double step_s, double max_error) {
  const TurnSpace space{samples, max_error};
  RotationRelay relay;
  const auto links = RelayReader(space, kNoise_rad).read(relay.model.start);
  if (!links) return std::nullopt;
  const Certainty certainty = certainty_of(*links, space.size(), max_error);
  if (certainty == Certainty::none) return std::nullopt;
  for (const Link& link : *links) relay.model.submovements.push_back({link.t0 * step_s, link.tf * step_s, link.move});
  relay.certain = certainty == Certainty::certain;
  return relay;
}

}  // namespace shosa::submovement::detail
