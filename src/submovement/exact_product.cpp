#include "exact_product.h"

#include <algorithm>
#include <cmath>

#include "knot_pairs.h"
#include "rotation_polish.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

// How much further a stretch is tried to be, in seconds, or in samples where negative; the short ones only from what is
// known.
constexpr double kMore[] = {0.6, 0.3, 1.0, -16.0, -10.0, -6.0, 1.6};
// Error within which a sum explains what is left before the product is fitted, as a share of the way: beginning from
// all that is known so far, and from what was seen to its end alone.
constexpr double kWarmLevels[] = {1e-3, 1e-5, 1e-2};
constexpr double kColdLevels[] = {0.01, 0.003, 0.03, 1e-5};
constexpr double kLeastNoise_rad = 1e-8;     // Turns that overlap are no polynomials …
constexpr double kWarmNoise_rad = 1e-10;     // … but what begins after all that is known is one.
constexpr double kSureError = 1e-3;          // Of a duration that one knot tells.
constexpr double kSure = 10.0;               // Standard deviations that are allowed for what a knot predicts.
constexpr double kMissed = 3.0;              // Times the noise: samples that are not met.
constexpr double kBegun = 7.0;               // Samples that a submovement must have been seen for.
constexpr double kSeen_s = 0.1;              // How long ago one must have ended that was seen to its end.
constexpr double kSmall_rad = 0.05;          // Turns that may be nobody's …
constexpr double kNothing_rad = 1e-3;        // … and are not taken from knots.
constexpr double kNear_rad = 0.01;           // From here on the product is fitted to the last digit.
constexpr double kLongest_s = 120.0;         // Every step looks at all that came before.
constexpr int kFirstTries = 8, kTries = 24;  // Without getting further.
constexpr int kPasses = 3;
constexpr int kLive = 14;  // Factors fitted at once, to the last digit.
constexpr int kExactIterations = 100, kPruneIterations = 25;
constexpr double kAny_rad = 1e300;

Quatd turn_at(const RotationSubmovement& s, double time_s) {
  return exp_rotation(solve::minimum_jerk_value(time_s, s.t0_s, s.tf_s) * s.rotation_rad);
}

void insert(RotationModel& model, const RotationSubmovement& fresh) {
  auto& list = model.submovements;
  list.insert(std::upper_bound(list.begin(), list.end(), fresh.t0_s,
                               [](double t, const RotationSubmovement& s) { return t < s.t0_s; }),
              fresh);
}

// What is there at the first sample belongs to the start but for what is under way.
void set_start(RotationModel& model, const Quatd& first) {
  Quatd under_way = Quatd::Identity();
  for (const auto& s : model.submovements) under_way = under_way * turn_at(s, 0.0);
  model.start = (first * under_way.conjugate()).normalized();
}

// From the beginning, a stretch at a time: the model is exact up to sample `end_`.
class ProductGrower {
 public:
  ProductGrower(std::span<const Quatd> samples, double step_s, const SearchParams& params)
      : samples_(samples), step_s_(step_s), params_(params), development_(develop(samples)), rounding_(params.noise) {
    params_.noise = std::max(params_.noise, kLeastNoise_rad);
    params_.ridge = 0.0;
    way_ = std::min(1.0, (development_.rowwise() - development_.row(0)).rowwise().norm().maxCoeff());
    model_.start = samples[0];
  }

  bool run() {
    const int n = static_cast<int>(samples_.size());
    if (n * step_s_ > kLongest_s || !shows_knots()) return false;
    while (end_ < n) {
      if (!grow()) return false;
    }
    prune(model_, samples_, kAny_rad);
    return true;
  }

  RotationModel& model() { return model_; }
  long evaluations() const { return evaluations_; }

 private:
  // Smooth samples that were made otherwise have none.
  bool shows_knots() const {
    const std::vector<double> noise(samples_.size(), params_.noise);
    return !isolated_knots(development_, step_s_, noise, 5).empty();
  }

  bool grow() {
    const int n = static_cast<int>(samples_.size());
    for (const double more : kMore) {
      const int count = static_cast<int>(more > 0.0 ? more / step_s_ : -more);
      const int end = std::min(n, end_ + std::max(6, count));
      if (end_ > 0 && std::any_of(std::begin(kWarmLevels), std::end(kWarmLevels),
                                  [&](double level) { return extend(end, level, true); }))
        return true;
      if (more > 0.0 && std::any_of(std::begin(kColdLevels), std::end(kColdLevels),
                                    [&](double level) { return extend(end, level, false); }))
        return true;
    }
    return false;
  }

  bool meets(double error, int count) const {
    return error <= kMissed * kMissed * params_.noise * params_.noise * 3.0 * count;
  }

  // What knots tell, then what a sum explains, then the product's own fit. True when samples up to `end` are met.
  bool extend(int end, double level, bool warm) {
    if (++tries_ > (end_ == 0 ? kFirstTries : kTries)) return false;
    const auto samples = samples_.first(static_cast<std::size_t>(end));
    const double now_s = end_ * step_s_;
    RotationModel model = model_;
    std::erase_if(model.submovements,
                  [&](const auto& s) { return warm ? s.t0_s > now_s - kBegun * step_s_ : s.tf_s > now_s - kSeen_s; });
    if (!warm) set_start(model, samples_[0]);
    std::vector<double> noise(static_cast<std::size_t>(end),
                              std::max(rounding_, warm ? kWarmNoise_rad : kLeastNoise_rad));
    const auto rest = [&] {
      return (development_.topRows(end) - develop(sample_rotations(model, end, step_s_))).eval();
    };
    for (int pass = 0; pass < kPasses && add_known(model, rest(), noise); ++pass) {
    }
    SearchParams own = params_;
    own.max_error = level * way_;
    own.noise = 0.1 * own.max_error;
    own.look_ahead = 0;
    Search search(rest(), step_s_, own);
    search.run();
    evaluations_ += search.evaluations();
    model.start = model.start * exp_rotation(search.start().transpose());
    for (const Piece& p : search.pieces()) insert(model, {p.time.t0_s, p.time.tf_s, p.move.transpose()});

    double error = polish_rotations(samples, step_s_, params_, 4, model, evaluations_);
    const int count = static_cast<int>(model.submovements.size());
    if (!meets(error, end) && error < kNear_rad * kNear_rad * end && count > 0) {
      polish_group(samples, step_s_, params_, std::max(0, count - kLive), count, model, evaluations_, kExactIterations);
      error = rotation_error(samples, step_s_, model);
    }
    if (!meets(error, end)) return false;
    prune(model, samples, kSmall_rad);
    model_ = std::move(model);
    end_ = end;
    tries_ = 0;
    return true;
  }

  // Adds the submovements that knots of `rest` tell; their surroundings are noisier from then on.
  bool add_known(RotationModel& model, const Eigen::MatrixXd& rest, std::vector<double>& noise) {
    const int n = static_cast<int>(rest.rows());
    const auto doubt = [&](double time_s, double amount) {
      const int at = static_cast<int>(std::clamp(time_s / step_s_, -9.0, n + 9.0));
      for (int i = std::max(at - 2, 0); i <= std::min(at + 3, n - 1); ++i)
        noise[static_cast<std::size_t>(i)] = std::hypot(noise[static_cast<std::size_t>(i)], amount);
    };
    evaluations_ += n;
    bool any = false;
    const auto knots = isolated_knots(rest, step_s_, noise, 5);
    for (const KnownPiece& known : pair_knots(knots, step_s_, params_, kSureError, true)) {
      const double turn = known.piece.move.norm();
      if (turn < kNothing_rad) continue;
      const double unsure = kSure * (params_.noise + turn * known.error);
      doubt(known.piece.time.t0_s, known.saw_start ? kSure * params_.noise : unsure);
      doubt(known.piece.time.tf_s, known.saw_end ? kSure * params_.noise : unsure);
      RotationSubmovement fresh{known.piece.time.t0_s, known.piece.time.tf_s, known.piece.move.transpose()};
      if (!known.saw_start) {
        // Turned by what began later.
        Quatd later = Quatd::Identity();
        for (const auto& s : model.submovements)
          if (s.t0_s > fresh.t0_s) later = later * turn_at(s, fresh.tf_s);
        fresh.rotation_rad = later * fresh.rotation_rad;
      }
      insert(model, fresh);
      any = true;
    }
    if (any) set_start(model, samples_[0]);
    return any;
  }

  // What the noise hides is nobody's.
  void prune(RotationModel& model, std::span<const Quatd> samples, double largest_rad) {
    for (std::size_t k = 0; k < model.submovements.size();) {
      if (model.submovements[k].rotation_rad.norm() < largest_rad) {
        RotationModel without = model;
        auto& list = without.submovements;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
        const int count = static_cast<int>(list.size());
        const int first = std::clamp(static_cast<int>(k) - kLive / 2, 0, std::max(0, count - kLive));
        if (count > 0)
          polish_group(samples, step_s_, params_, first, std::min(count, first + kLive), without, evaluations_,
                       kPruneIterations);
        if (meets(rotation_error(samples, step_s_, without), static_cast<int>(samples.size()))) {
          model = std::move(without);
          continue;
        }
      }
      ++k;
    }
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  Eigen::MatrixXd development_;
  double rounding_;
  double way_ = 1.0;  ///< Largest turn from the first sample, radians, at most 1.
  RotationModel model_;
  int end_ = 0;
  int tries_ = 0;  ///< Since the last stretch that was met.
  long evaluations_ = 0;
};

}  // namespace

std::optional<RotationModel> take_product_apart(std::span<const Quatd> samples, double step_s,
                                                const SearchParams& params, long& evaluations) {
  ProductGrower grower(samples, step_s, params);
  const bool grown = grower.run();
  evaluations += grower.evaluations();
  if (!grown) return std::nullopt;
  return std::move(grower.model());
}

}  // namespace shosa::submovement::detail
