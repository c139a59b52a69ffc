#include "rotation_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rotation_polish.h"
#include "samples.h"
#include "shosa/core/rotations.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kPlaces = 4;  // How many places of large error are tried before a search gives up.

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

// From the first to the last submovement that is not in both.
TimeInterval changed(const RotationModel& a, const RotationModel& b) {
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

}  // namespace

RotationSearch::RotationSearch(std::span<const Quatd> samples, double step_s, const SearchParams& params)
    : samples_(samples), step_s_(step_s), params_(params), development_(develop(samples)) {
  if (params_.fixed_start) development_.rowwise() += log_rotation(samples[0]).transpose();
  params_.noise = estimate_noise(development_);
  model_.start = params_.fixed_start ? Quatd::Identity() : samples[0];
  bound_ = params.max_error * params.max_error * static_cast<double>(samples.size());
}

void RotationSearch::run() {
  // A plain search will do where the product's own fit then explains everything.
  SearchParams linear = params_;
  linear.look_ahead = 0;
  linear.thorough = false;
  Search search(development_, step_s_, linear);
  search.run();
  take(search);
  refit(3);
  if (!search.at_noise(error_)) {
    params_.ridge = kGentleTurns * bound_ / (kPi * kPi);
    if (params_.thorough) {
      linear.thorough = true;
      search = Search(development_, step_s_, linear);
      search.run();
    }
    take(search);
    refit(3);
  }
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
  if (exact && params_.ridge > 0.0) {
    params_.ridge = 0.0;
    refit(3);
  }
  const double before = error_;
  while (!model_.submovements.empty()) {
    if (!remove(exact ? search.worthwhile_error(error_) : bound_)) break;
  }
  if (!exact || error_ != before) refit(3);
}

void RotationSearch::run_from(const RotationModel& model, bool exact) {
  model_ = model;
  params_.ridge = exact ? 0.0 : kGentleTurns * bound_ / (kPi * kPi);
  refit(2);
  while (!exact && error_ > bound_ && add()) {
  }
}

bool RotationSearch::exact() const {
  const double values = 3.0 * static_cast<double>(samples_.size());
  return error_ <= std::max(1.7 * params_.noise * params_.noise * values, 1e-12 * values);
}

void RotationSearch::take(const Search& search) {
  evaluations_ += search.evaluations();
  model_.start = params_.fixed_start ? Quatd::Identity() : samples_[0] * exp_rotation(search.start().transpose());
  set_submovements(model_, search.pieces());
}

// Large turns that overlap are no sum: where the search on sums leads astray, one more at a time on the exact error.
void RotationSearch::grow_from_seeds(const SearchParams& linear) {
  const auto before = std::pair(model_, error_);
  Search search(development_, step_s_, linear);
  search.seed();
  take(search);
  refit(3);
  while (error_ > bound_ && add()) {
  }
  if (error_ >= before.second) std::tie(model_, error_) = before;
}

void RotationSearch::refit(int sweeps, const TimeInterval& where) {
  error_ = polish_rotations(samples_, step_s_, params_, sweeps, model_, evaluations_, where);
}

// A linear problem whose solution is the present model where that is right: the error's development laid on the sum.
Search RotationSearch::linearized() const {
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

bool RotationSearch::accept(const Search& search, double allowed) {
  evaluations_ += search.evaluations();
  const auto before = std::pair(model_, error_);
  set_submovements(model_, search.pieces());
  model_.start = model_.start * exp_rotation(search.start().transpose());
  refit(1, changed(before.first, model_));
  if (error_ <= allowed) return true;
  std::tie(model_, error_) = before;
  return false;
}

bool RotationSearch::add(bool anyhow) {
  Search search = linearized();
  // Far from the bound several at once, about one every two seconds, before all is fitted again.
  const int several = static_cast<int>(0.5 * static_cast<double>(samples_.size()) * step_s_);
  if (several > 1 && error_ > 2.0 * bound_) {
    Search more = search;
    int added = 0;
    while (added < several && more.squared_error() > bound_ && more.add()) ++added;
    if (added > 1 && accept(more, std::pow(0.97, added) * error_)) return true;
  }
  const double wanted = 0.97 * error_;
  if (search.add() && accept(search, wanted)) return true;
  return anyhow && insert_at_worst();
}

// A turn of nothing, put where the error is largest and fitted with its neighbours, or where it is next largest, …
bool RotationSearch::insert_at_worst() {
  const auto made = sample_rotations(model_, static_cast<int>(samples_.size()), step_s_);
  const int half = std::max(1, static_cast<int>(std::lround(0.1 / step_s_)));
  std::vector<double> sums{0.0};
  for (std::size_t i = 0; i < made.size(); ++i)
    sums.push_back(sums.back() + log_rotation(made[i].conjugate() * samples_[i]).squaredNorm());
  const int n = static_cast<int>(made.size());
  std::vector<double> around;
  for (int i = 0; i < n; ++i) around.push_back(sums[std::min(i + half + 1, n)] - sums[std::max(i - half, 0)]);
  for (int place = 0; place < kPlaces; ++place) {
    const auto worst = static_cast<int>(std::max_element(around.begin(), around.end()) - around.begin());
    if (insert_at(worst * step_s_)) return true;
    for (int i = std::max(worst - 2 * half, 0); i < std::min(worst + 2 * half + 1, n); ++i) around[i] = 0.0;
  }
  return false;
}

// Never worse than before; true when it pays.
bool RotationSearch::insert_at(double time_s) {
  const auto before = std::pair(model_, error_);
  auto best = before;
  for (const double duration : {1.3 * params_.min_duration_s, 0.25, 0.5, 0.9}) {
    for (const double lag : {0.0, 0.3}) {
      model_ = before.first;
      const double centre = time_s - lag * duration;
      const RotationSubmovement fresh{centre - 0.5 * duration, centre + 0.5 * duration, Vec3d::Zero()};
      auto& list = model_.submovements;
      const auto at = std::upper_bound(list.begin(), list.end(), fresh.t0_s,
                                       [](double t, const RotationSubmovement& s) { return t < s.t0_s; });
      const int index = static_cast<int>(at - list.begin());
      list.insert(at, fresh);
      const int count = static_cast<int>(list.size()), room = std::min(count, kGroup);
      const int first = std::clamp(index - room / 2, 0, count - room);
      polish_group(samples_, step_s_, params_, first, first + room, model_, evaluations_);
      error_ = rotation_error(samples_, step_s_, model_);
      if (error_ < best.second) best = std::pair(model_, error_);
    }
  }
  if (best.second < 0.99 * before.second) {
    std::tie(model_, error_) = best;
    return true;
  }
  std::tie(model_, error_) = before;
  return false;
}

bool RotationSearch::remove(double allowed) {
  Search search = linearized();
  const std::size_t several = model_.submovements.size() / 8;
  if (several > 1) {
    Search fewer = search;
    std::size_t removed = 0;
    while (removed < several && fewer.remove_cheapest(allowed)) ++removed;
    if (removed > 1 && accept(fewer, allowed)) return true;
  }
  // The linear estimate of the error is rough; the exact one decides.
  return search.remove_cheapest(2.0 * allowed) && accept(search, allowed);
}

}  // namespace shosa::submovement::detail
