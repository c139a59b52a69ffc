#include "rotation_search.h"

#include <cmath>

#include "rotation_fit.h"
#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kGroup = 6;
constexpr double kGentle = 0.05;  // Turns that nearly cancel are far from adding up.
constexpr double kMargin_s = 0.3;

double squared_error(std::span<const Quatd> samples, double step_s, const RotationModel& model) {
  const auto made = sample_rotations(model, static_cast<int>(samples.size()), step_s);
  double sum = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) sum += log_rotation(made[i].conjugate() * samples[i]).squaredNorm();
  return sum;
}

std::vector<Piece> pieces_of(const RotationModel& model) {
  std::vector<Piece> pieces;
  for (const auto& s : model.submovements) pieces.push_back({{s.t0_s, s.tf_s}, s.rotation_rad.transpose()});
  return pieces;
}

void set_submovements(RotationModel& model, const std::vector<Piece>& pieces) {
  model.submovements.clear();
  for (const Piece& p : pieces) model.submovements.push_back({p.time.t0_s, p.time.tf_s, p.move.transpose()});
  std::stable_sort(model.submovements.begin(), model.submovements.end(),
                   [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
}

// Factors [first, last) of `model` against the samples they touch.
bool polish_group(std::span<const Quatd> samples, double step_s, const SearchParams& params, int first, int last,
                  RotationModel& model, long& evaluations) {
  auto& list = model.submovements;
  const int count = static_cast<int>(list.size()), n = static_cast<int>(samples.size());
  const double length = (n - 1) * step_s;
  RotationWindow window{.step_s = step_s};
  window.fixed_timings = params.fixed_timings;
  window.free_start = first == 0 && !params.fixed_start;
  window.min_duration_s = params.min_duration_s;
  window.max_duration_s = params.max_duration_s;
  window.low_s = list[static_cast<std::size_t>(first)].t0_s - kMargin_s;
  window.high_s = 0.0;
  for (int k = first; k < last; ++k) window.high_s = std::max(window.high_s, list[static_cast<std::size_t>(k)].tf_s);
  window.high_s += kMargin_s;
  // Beyond the recording there are no samples that could move unseen.
  if (first == 0 || window.low_s <= 0.0) window.low_s = params.fixed_start ? 0.0 : -params.max_duration_s;
  if (last == count || window.high_s >= length) window.high_s = length + params.max_duration_s;
  window.first_t0_s = first > 0 ? list[static_cast<std::size_t>(first - 1)].t0_s : window.low_s;
  window.last_t0_s = last < count ? list[static_cast<std::size_t>(last)].t0_s : window.high_s;
  const int begin = std::clamp(static_cast<int>(std::floor(window.low_s / step_s)), 0, n - 1);
  const int end = std::clamp(static_cast<int>(std::ceil(window.high_s / step_s)) + 1, begin + 1, n);
  window.begin_s = begin * step_s;
  window.end_weight = last < count ? n - end + 1.0 : 0.0;
  window.samples.assign(samples.begin() + begin, samples.begin() + end);

  const auto product = [&](int from, int to, Quatd q, double time) {
    for (int k = from; k < to; ++k) {
      const auto& s = list[static_cast<std::size_t>(k)];
      if (s.t0_s >= time) break;
      q = q * exp_rotation(solve::minimum_jerk_value(time, s.t0_s, s.tf_s) * s.rotation_rad);
    }
    return q;
  };
  if (first > 0) {
    // What ended before the window is one rotation.
    int running = 0;
    Quatd ended = model.start;
    while (running < first && list[static_cast<std::size_t>(running)].tf_s <= window.begin_s)
      ended = ended * exp_rotation(list[static_cast<std::size_t>(running++)].rotation_rad);
    for (int i = begin; i < end; ++i) window.before.push_back(product(running, first, ended, i * step_s));
  }
  if (last < count) {
    for (int i = begin; i < end; ++i) window.after.push_back(product(last, count, Quatd::Identity(), i * step_s));
  }
  RotationFit fit(std::move(window), first == 0 ? model.start : Quatd::Identity(),
                  {list.begin() + first, list.begin() + last});
  const auto report = fit.fit(30, 0.0);
  evaluations += report.evaluations;
  if (!(report.final_cost < report.initial_cost)) return false;
  std::copy(fit.factors().begin(), fit.factors().end(), list.begin() + first);
  if (first == 0) model.start = fit.start();
  return true;
}

// One stretch: the model with its squared error, and the moves on it.
class RotationSearch {
 public:
  RotationSearch(std::span<const Quatd> samples, double step_s, const SearchParams& params)
      : samples_(samples), step_s_(step_s), params_(params), development_(develop(samples)) {
    if (params_.fixed_start) development_.rowwise() += log_rotation(samples[0]).transpose();
    params_.noise = estimate_noise(development_);
    model_.start = params_.fixed_start ? Quatd::Identity() : samples[0];
    bound_ = params.max_error * params.max_error * static_cast<double>(samples.size());
  }

  void run() {
    SearchParams linear = params_;
    linear.look_ahead = 0;
    Search search(development_, step_s_, linear);
    search.run();
    take(search);
    refit(3);
    if (error_ > 4.0 * bound_ && !search.at_noise(error_)) grow_from_seeds(linear);

    while (error_ > bound_ && !search.at_noise(error_) && add()) {
    }
    if (!search.at_noise(error_)) {
      const auto within = std::pair(model_, error_);
      const int most = params_.thorough ? params_.look_ahead : 1;
      for (int extra = 0; extra < most && !search.at_noise(error_); ++extra)
        if (!add(params_.thorough)) break;
      if (!search.at_noise(error_)) std::tie(model_, error_) = within;
    }
    const bool exact = search.at_noise(error_);
    while (!model_.submovements.empty()) {
      if (!remove(exact ? search.worthwhile_error(error_) : bound_)) break;
    }
    refit(3);
  }

  /// The result of a search at a lower rate, refitted.
  void run_from(const RotationModel& model, bool exact) {
    model_ = model;
    refit(2);
    while (!exact && error_ > bound_ && add()) {
    }
  }

  /// Whether the root mean square is at most so many times the bound.
  bool within(double times) const { return error_ <= times * times * bound_; }

  bool exact() const {
    const double values = 3.0 * static_cast<double>(samples_.size());
    return error_ <= std::max(1.7 * params_.noise * params_.noise * values, 1e-12 * values);
  }
  const RotationModel& model() const { return model_; }
  double noise() const { return params_.noise; }
  long evaluations() const { return evaluations_; }

 private:
  void take(const Search& search) {
    evaluations_ += search.evaluations();
    model_.start = params_.fixed_start ? Quatd::Identity() : samples_[0] * exp_rotation(search.start().transpose());
    set_submovements(model_, search.pieces());
  }

  // Large turns that overlap are no sum: where the search on sums leads astray, one more at a time on the exact error.
  void grow_from_seeds(const SearchParams& linear) {
    const auto before = std::pair(model_, error_);
    Search search(development_, step_s_, linear);
    search.seed();
    take(search);
    refit(3);
    while (error_ > bound_ && add()) {
    }
    if (error_ >= before.second) std::tie(model_, error_) = before;
  }

  void refit(int sweeps, const TimeInterval& where = {-1e300, 1e300}) {
    error_ = polish_rotations(samples_, step_s_, params_, sweeps, model_, evaluations_, where);
  }

  // A linear problem whose solution is the present model where that is right: the error's development laid on the sum.
  Search linearized() const {
    const auto made = sample_rotations(model_, static_cast<int>(samples_.size()), step_s_);
    Eigen::MatrixXd data = development_ - develop(made);
    const Eigen::RowVectorXd start = log_rotation(made[0].conjugate() * samples_[0]).transpose();
    if (params_.fixed_start)
      data.rowwise() -= log_rotation(made[0]).transpose();
    else
      data.rowwise() += start;
    auto pieces = pieces_of(model_);
    for (const Piece& p : pieces)
      for (Eigen::Index i = 0; i < data.rows(); ++i)
        data.row(i) += solve::minimum_jerk_value(static_cast<double>(i) * step_s_, p.time.t0_s, p.time.tf_s) * p.move;
    SearchParams linear = params_;
    Search search(std::move(data), step_s_, linear);
    search.set_pieces(Eigen::RowVectorXd::Zero(3), std::move(pieces));
    return search;
  }

  // From the first to the last submovement that is not in both.
  static TimeInterval changed(const RotationModel& a, const RotationModel& b) {
    TimeInterval where{1e300, -1e300};
    const auto compare = [&](const RotationModel& one, const RotationModel& other) {
      for (const auto& s : one.submovements) {
        const bool kept = std::any_of(other.submovements.begin(), other.submovements.end(), [&](const auto& t) {
          return t.t0_s == s.t0_s && t.tf_s == s.tf_s && t.rotation_rad == s.rotation_rad;
        });
        if (kept) continue;
        where.begin_s = std::min(where.begin_s, s.t0_s);
        where.end_s = std::max(where.end_s, s.tf_s);
      }
    };
    compare(a, b);
    compare(b, a);
    return where;
  }

  bool accept(const Search& search, double allowed) {
    evaluations_ += search.evaluations();
    const auto before = std::pair(model_, error_);
    set_submovements(model_, search.pieces());
    model_.start = model_.start * exp_rotation(search.start().transpose());
    refit(1, changed(before.first, model_));
    if (error_ <= allowed) return true;
    std::tie(model_, error_) = before;
    return false;
  }

  bool add(bool anyhow = true) {
    Search search = linearized();
    const double wanted = 0.97 * error_;
    if (search.add() && accept(search, wanted)) return true;
    return anyhow && insert_at_worst();
  }

  // A turn of nothing, put where the error is largest and fitted with its neighbours: never worse than before.
  bool insert_at_worst() {
    const auto made = sample_rotations(model_, static_cast<int>(samples_.size()), step_s_);
    const int half = std::max(1, static_cast<int>(std::lround(0.1 / step_s_)));
    std::vector<double> sums{0.0};
    for (std::size_t i = 0; i < made.size(); ++i)
      sums.push_back(sums.back() + log_rotation(made[i].conjugate() * samples_[i]).squaredNorm());
    const int n = static_cast<int>(made.size());
    int worst = 0;
    double most = -1.0;
    for (int i = 0; i < n; ++i) {
      const double around = sums[static_cast<std::size_t>(std::min(i + half + 1, n))] -
                            sums[static_cast<std::size_t>(std::max(i - half, 0))];
      if (around > most) most = around, worst = i;
    }
    const auto before = std::pair(model_, error_);
    auto best = before;
    for (const double duration : {0.25, 0.5, 0.9}) {
      for (const double lag : {0.0, 0.3}) {
        model_ = before.first;
        const double centre = worst * step_s_ - lag * duration;
        const RotationSubmovement fresh{centre - 0.5 * duration, centre + 0.5 * duration, Vec3d::Zero()};
        auto& list = model_.submovements;
        const auto at = std::upper_bound(list.begin(), list.end(), fresh.t0_s,
                                         [](double t, const RotationSubmovement& s) { return t < s.t0_s; });
        const int index = static_cast<int>(at - list.begin());
        list.insert(at, fresh);
        const int count = static_cast<int>(list.size()), room = std::min(count, kGroup);
        const int first = std::clamp(index - room / 2, 0, count - room);
        polish_group(samples_, step_s_, params_, first, first + room, model_, evaluations_);
        error_ = squared_error(samples_, step_s_, model_);
        if (error_ < best.second) best = std::pair(model_, error_);
      }
    }
    std::tie(model_, error_) = best;
    return error_ < 0.999 * before.second;
  }

  bool remove(double allowed) {
    Search search = linearized();
    // The linear estimate of the error is rough; the exact one decides.
    if (!search.remove_cheapest(2.0 * allowed)) return false;
    return accept(search, allowed);
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  Eigen::MatrixXd development_;
  double bound_;
  RotationModel model_;
  double error_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace

Eigen::MatrixXd develop(std::span<const Quatd> samples) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(samples.size()), 3);
  for (std::size_t i = 1; i < samples.size(); ++i)
    sum.row(static_cast<Eigen::Index>(i)) =
        sum.row(static_cast<Eigen::Index>(i) - 1) + log_rotation(samples[i - 1].conjugate() * samples[i]).transpose();
  return sum;
}

double polish_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params, int sweeps,
                        RotationModel& model, long& evaluations, const TimeInterval& where) {
  double error = squared_error(samples, step_s, model);
  const int count = static_cast<int>(model.submovements.size());
  if (count == 0 && !params.fixed_start) {
    // The mean rotation, near enough: one step of averaging rotation vectors.
    Vec3d mean = Vec3d::Zero();
    for (const Quatd& q : samples) mean += log_rotation(model.start.conjugate() * q);
    RotationModel shifted{.start = model.start * exp_rotation(mean / static_cast<double>(samples.size()))};
    const double shifted_error = squared_error(samples, step_s, shifted);
    if (shifted_error >= error) return error;
    model = shifted;
    return shifted_error;
  }
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
    const double now = squared_error(samples, step_s, model);
    if (!(now < error)) {
      model = before;
      break;
    }
    const bool settled = error - now < 1e-3 * error;
    error = now;
    if (settled || count <= kGroup) break;
  }
  return error;
}

RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  RotationDecomposition result;
  result.model.start = samples[0];
  Quatd ended = Quatd::Identity();
  std::vector<RotationSubmovement> under_way;

  struct Found {
    RotationModel model;
    std::vector<Timing> timings;
    bool first;
    bool good;
  };
  for_each_stretch(
      static_cast<int>(samples.size()), step_s,
      [&](int first, int count, bool is_first) {
        // Factors are in the order of t0: a prefix that has ended is one rotation.
        while (!under_way.empty() && under_way.front().tf_s <= first * step_s) {
          ended = (ended * exp_rotation(under_way.front().rotation_rad)).normalized();
          under_way.erase(under_way.begin());
        }
        std::vector<Quatd> rest;
        for (int i = first; i < first + count; ++i) {
          Quatd before = ended;
          for (const auto& s : under_way)
            before = before * exp_rotation(solve::minimum_jerk_value(i * step_s, s.t0_s, s.tf_s) * s.rotation_rad);
          rest.push_back((before.conjugate() * samples[static_cast<std::size_t>(i)]).normalized());
        }
        SearchParams own = params;
        own.fixed_start = !is_first;
        own.gentle = kGentle;
        const int stride = search_stride(step_s);
        std::vector<Quatd> coarse;
        for (std::size_t i = 0; i < rest.size(); i += static_cast<std::size_t>(stride)) coarse.push_back(rest[i]);
        RotationSearch search(coarse, stride * step_s, own);
        search.run();
        result.evaluations += search.evaluations();
        RotationSearch all(rest, step_s, own);
        if (is_first) result.noise_rad = all.noise();
        all.run_from(search.model(), search.exact());
        result.evaluations += all.evaluations();
        Found found{all.model(), {}, is_first, search.exact() || all.within(1.1)};
        for (auto& s : found.model.submovements) {
          s.t0_s += first * step_s;
          s.tf_s += first * step_s;
          found.timings.push_back({s.t0_s, s.tf_s});
        }
        return found;
      },
      [&](const Found& found, std::size_t kept) {
        if (found.first) {
          result.model.start = found.model.start;
          ended = found.model.start;
        }
        for (std::size_t k = 0; k < kept; ++k) {
          result.model.submovements.push_back(found.model.submovements[k]);
          under_way.push_back(found.model.submovements[k]);
        }
      });
  return result;
}

}  // namespace shosa::submovement::detail
