#include "rotation_search.h"

#include <algorithm>
#include <cmath>

#include "exact_product.h"
#include "found_again.h"
#include "noise.h"
#include "rotation_bound.h"
#include "rotation_frames.h"
#include "rotation_polish.h"
#include "rotation_regions.h"
#include "rotation_relay.h"
#include "rotation_steps.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kFewKnots = 8, kFewSteps = 2;
constexpr double kRounded = 1e-6;  // Frames.
constexpr double kPerhapsMade_rad = 3e-6;
constexpr double kCrowded_rad = 1e-7;
constexpr double kDoublePrecision_rad = 3e-10;  // Samples that were never rounded to single precision.
constexpr double kOverlap_rad = 1e-8;  // Turns that overlap are no polynomials; this is less than what a knot leaves.
// Times the noise of samples that were made, or, where that is less, this.
constexpr double kExplained = 4.0, kExplained_rad = 3e-7;

bool are_on_frames(const RotationModel& model, double step_s) {
  const auto is_one = [&](double time_s) { return std::abs(time_s - on_frame(time_s, step_s)) < kRounded * step_s; };
  return std::all_of(model.submovements.begin(), model.submovements.end(),
                     [&](const RotationSubmovement& s) { return is_one(s.t0_s) && is_one(s.tf_s); });
}

// What samples look like, and the submovements they were made of, if they were.
class Look {
 public:
  Look(std::span<const Quatd> samples, double step_s, const SearchParams& params)
      : samples_(samples), step_s_(step_s), own_(params) {
    const Eigen::MatrixXd development = develop(samples);
    own_.noise = estimate_noise(development);
    made_ = samples_were_made(development, own_.noise);
    exact_steps_ = count_exact_steps(samples, kRounding_rad, kFewSteps);
    own_.steps = exact_steps_ >= kFewSteps;
    own_.crowded = own_.noise > kCrowded_rad;
    perhaps_made_ = made_ || own_.steps || least_noise(development) < kPerhapsMade_rad;
    own_.steps = own_.steps || split_at_jumps(samples, step_s, params.max_error).size() > 1;
    few_ = made_ && knot_count(development, std::max(own_.noise, kOverlap_rad)) <= kFewKnots;
  }

  bool made() const { return made_; }
  // Of a product that was made a few submovements are found soonest by the search; many by growing.
  bool few() const { return few_; }
  bool steps() const { return own_.steps; }
  double noise() const { return own_.noise; }
  void set_most(int most) { own_.most = most; }

  void round(RotationDecomposition& result) const {
    SearchParams own = own_;
    own.noise = std::max(own_.noise, kRounding_rad);
    round_to_frames(samples_, step_s_, own, result.model, result.evaluations);
  }

  bool grown(bool on_frames, double noise, bool steps, RotationDecomposition& result) const {
    SearchParams trial = own_;
    trial.steps = steps;
    trial.on_frames = on_frames;
    if (on_frames) trial.min_duration_s = shortest_on_frames_s(own_.min_duration_s, step_s_);
    trial.noise = noise;
    auto exact = take_product_apart(samples_, step_s_, trial, result.evaluations);
    if (exact) {
      result.model = std::move(*exact);
      result.noise_rad = noise;
    }
    return exact.has_value();
  }

  // The estimate is too low where a joint hardly turns for most of the time, too high where turns begin all the time.
  bool grown_on_frames(RotationDecomposition& result) const {
    if (!perhaps_made_) return false;
    if (own_.noise < kDoublePrecision_rad && grown(true, own_.noise, false, result)) return true;
    return grown(true, kRounding_rad, false, result) ||
           ((own_.steps || (made_ && exact_steps_ > 0)) && grown(true, kRounding_rad, true, result));
  }

  bool grown_easily(RotationDecomposition& result) const {
    Look easy = *this;
    easy.own_.easily = true;
    return easy.grown_on_frames(result);
  }

 private:
  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams own_;
  bool made_ = false, perhaps_made_ = false, few_ = false;
  int exact_steps_ = 0;
};

}  // namespace

std::optional<RotationModel> read_back(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                       long& evaluations) {
  std::optional<RotationRelay> relay;
  if (!params.thorough) relay = read_relay(samples, step_s, params.max_error);
  if (relay && relay->certain) return std::move(relay->model);
  RotationDecomposition result{.evaluations = evaluations};
  const bool found = Look(samples, step_s, params).grown_easily(result);
  evaluations = result.evaluations;
  if (found) return std::move(result.model);
  return relay ? std::optional(std::move(relay->model)) : std::nullopt;
}

RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  RotationDecomposition result;
  std::optional<RotationRelay> relay;
  if (!params.thorough) relay = read_relay(samples, step_s, params.max_error);
  const auto as_read = [&] {
    result.model = std::move(relay->model);
    result.noise_rad = kRounding_rad;
    return std::move(result);
  };
  if (relay && relay->certain) return as_read();
  Look look(samples, step_s, params);
  // A body's are on frames, and were looked for like this before they were kept.
  if (!params.thorough && look.grown_easily(result)) return result;
  const auto grown = [&] { return !look.few() && look.grown_on_frames(result); };
  if (!relay && grown()) return result;
  const long before = result.evaluations;
  // Of a few that were made the times are better than frames.
  result = bound_rotations(samples, step_s, params, look.made() && !look.steps() ? kFewExplained : 0);
  result.evaluations += before;
  if (relay) {
    if (relay->model.submovements.size() <= kNotMore * result.model.submovements.size()) return as_read();
    if (grown()) return result;
  }
  result.noise_rad = look.noise();
  if (!look.made()) return result;
  const double allowed = std::max(kExplained * look.noise(), kExplained_rad);
  const double error = rotation_error(samples, step_s, result.model) / static_cast<double>(samples.size());
  if (error <= allowed * allowed) {
    // If they explain as much on frames, that is where they were.
    if (!params.thorough) look.round(result);
    return result;
  }
  // What is smooth but no product of turns is explained to the last digit by many that nearly cancel.
  const std::size_t needed = result.model.submovements.size();
  look.set_most(most_made(std::max(kFewExplained, needed)));
  if (look.few() && look.grown_on_frames(result)) return result;
  look.set_most(most_made(needed));
  if (look.grown(false, look.noise(), false, result)) return result;
  if (!are_on_frames(result.model, step_s))
    put_on_frames(samples, step_s, params, true, result.model, result.evaluations);
  return result;
}

}  // namespace shosa::submovement::detail
