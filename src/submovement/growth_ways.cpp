#include "growth_ways.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kAhead[] = {8, 14, 5, 24};  // Samples beyond those met that one more, or two, must explain.
struct Look {
  int ahead = 0;     // The same where starts are at samples, …
  bool two = false;  // … one or two.
};
constexpr std::array<Look, 9> kLooks = {{{24}, {12}, {8}, {5}, {24, true}, {12, true}, {8, true}, {5, true}, {3}}};

constexpr int kFewKnown = 2;
constexpr std::array<int, 3> kFirstSamples = {9, 13, 7};
constexpr int kHistory = 24;                 // Samples before.
constexpr double kUnsure_s[] = {0.4, 1.5};   // Durations that hardly show yet.
constexpr int kRevised = 6;                  // Samples that a moved start must explain.
constexpr int kLately = 20;                  // Samples.
constexpr int kLast = 3;                     // How many of the last may have begun elsewhere.
constexpr double kOff = 0.3, kFarOff = 4.0;  // Frames.
constexpr double kDurations_s[] = {0.11, 0.16, 0.23, 0.34, 0.5, 0.75, 1.1, 1.7, 2.6};
constexpr std::size_t kSingles = 3, kPairs = 4;  // Best places on the grid that are tried.

}  // namespace

int WaysOn::stages() const {
  return params_.on_frames ? static_cast<int>(kLooks.size()) + 4 : 1;
}

void WaysOn::find(const GrowthModel& model, int end, int stage, std::vector<Attempt>& attempts) const {
  // One more is likelier than two that both hardly show.
  const int looks = static_cast<int>(kLooks.size());
  if (stage + 1 == stages()) {
    on_grid(model, end, attempts);
    if (params_.on_frames && end < kFewKnown && model.pieces.empty() && !model.fixed_start) beginnings(model, attempts);
    return;
  }
  if (stage < looks)
    on_frames(model, end, kLooks[static_cast<std::size_t>(stage)].ahead, kLooks[static_cast<std::size_t>(stage)].two,
              attempts);
  else if (stage == looks)
    unsure(model, end, attempts);
  else if (stage == looks + 1)
    last_replaced(model, end, attempts);
  else
    starts_moved(model, end, attempts);
}

Timing WaysOn::on_frame(Timing t) const {
  if (params_.on_frames && t.t0_s >= 0.0) t.t0_s = std::round(t.t0_s / params_.step_s) * params_.step_s;
  return t;
}

StartWindow WaysOn::window(const GrowthModel& model, int end, int ahead) const {
  const int to = std::min(n_, end + ahead), from = std::max(model.from, end - kHistory);
  StartWindow made{.rest = space_.left(model, from, to),
                   .begin = from,
                   .first = std::max(model.from, end - kBack),
                   .last = to - 2,
                   .step_s = params_.step_s,
                   .enough = enough_ * (to - from),
                   .min_duration_s = params_.min_duration_s,
                   .max_duration_s = params_.max_duration_s};
  std::vector<Eigen::VectorXd> known;
  const auto rows = made.rest.rows();
  for (const Piece& p : model.pieces) {
    if (p.time.tf_s < from * params_.step_s) continue;
    Eigen::MatrixXd own(rows, 3);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto step =
          solve::minimum_jerk_timing((from + static_cast<double>(i)) * params_.step_s, p.time.t0_s, p.time.tf_s);
      own.row(i) << step.value, step.by_tf, step.by_t0;
    }
    for (int c = 0; c < (p.time.t0_s < 0.0 ? 3 : 2); ++c) known.push_back(own.col(c));
  }
  if (!model.fixed_start) known.push_back(Eigen::VectorXd::Ones(rows));
  made.known.resize(rows, static_cast<Eigen::Index>(known.size()));
  for (std::size_t c = 0; c < known.size(); ++c) made.known.col(static_cast<Eigen::Index>(c)) = known[c];
  for (const Piece& p : model.pieces) made.begun_s.push_back(p.time.t0_s);
  return made;
}

void WaysOn::on_frames(const GrowthModel& model, int end, int ahead, bool two, std::vector<Attempt>& attempts) const {
  const StartWindow around = window(model, end, ahead);
  const int to = around.begin + static_cast<int>(around.rest.rows()), from = around.begin;
  const auto rows = around.rest.rows();
  // A start that hardly showed may be a frame or two off.
  const int count = static_cast<int>(model.pieces.size());
  for (int k = count - 1; !two && k >= std::max(0, count - kLast); --k) {
    const Piece& p = model.pieces[static_cast<std::size_t>(k)];
    if (p.time.t0_s < 0.0) continue;
    Eigen::VectorXd slope(rows);
    for (Eigen::Index i = 0; i < rows; ++i)
      slope(i) =
          solve::minimum_jerk_timing((from + static_cast<double>(i)) * params_.step_s, p.time.t0_s, p.time.tf_s).by_t0;
    const double frames = start_error(around, slope, p.move) / params_.step_s;
    if (std::abs(frames) > kOff && std::abs(frames) < kFarOff)
      attempts.push_back(
          {to, {}, k, (frames > 0.0 ? std::ceil(frames - kOff) : std::floor(frames + kOff)) * params_.step_s});
  }
  for (auto& set : likely_starts(around, two)) attempts.push_back({to, std::move(set)});
  for (auto& set : likely_short_ones(around, two)) attempts.push_back({to, std::move(set)});
}

void WaysOn::beginnings(const GrowthModel& model, std::vector<Attempt>& attempts) const {
  for (const int to : kFirstSamples) {
    if (to > n_) continue;
    const StartWindow around{.rest = space_.left(model, 0, to),
                             .known = {},
                             .step_s = params_.step_s,
                             .min_duration_s = params_.min_duration_s,
                             .max_duration_s = params_.max_duration_s};
    for (auto& set : likely_beginnings(around)) attempts.push_back({to, std::move(set)});
  }
}

// The same with other durations than those that hardly show yet.
void WaysOn::unsure(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const {
  for (const auto& [ahead, two] : kLooks) {
    if (two) continue;
    const StartWindow around = window(model, end, ahead);
    const int to = around.begin + static_cast<int>(around.rest.rows());
    for (auto& set : likely_starts(around, false))
      for (const double duration : kUnsure_s) {
        if (duration > params_.max_duration_s) continue;
        set.back().tf_s = set.back().t0_s + duration;
        attempts.push_back({to, set});
      }
  }
}

// One of the last that began so lately that it is hardly known, together with what begins now.
void WaysOn::last_replaced(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const {
  const int count = static_cast<int>(model.pieces.size());
  for (int k = count - 1; k >= std::max(0, count - 2); --k) {
    const double began = model.pieces[static_cast<std::size_t>(k)].time.t0_s / params_.step_s;
    if (began < std::max(0, end - kLately)) continue;
    GrowthModel without = model;
    without.pieces.erase(without.pieces.begin() + k);
    for (const auto& [ahead, two] : kLooks) {
      StartWindow around = window(without, end, ahead);
      around.first = std::max(model.from, static_cast<int>(std::lround(began)) - 3);
      for (auto& set : likely_starts(around, two))
        attempts.push_back(
            {.to = around.begin + static_cast<int>(around.rest.rows()), .fresh = std::move(set), .dropped = k});
    }
  }
}

// A frame or two.
void WaysOn::starts_moved(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const {
  const int count = static_cast<int>(model.pieces.size()), to = std::min(n_, end + kRevised);
  for (int k = count - 1; k >= std::max(0, count - 2); --k) {
    if (model.pieces[static_cast<std::size_t>(k)].time.t0_s < 0.0) continue;
    for (const double by : {-1.0, 1.0, -2.0, 2.0}) attempts.push_back({to, {}, k, by * params_.step_s});
  }
}

void WaysOn::on_grid(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const {
  std::vector<Attempt> ones, twos;
  for (const int ahead : kAhead) {
    const int to = std::min(n_, end + ahead), from = std::max(model.from, end - kBack - 2);
    const Eigen::MatrixXd rest = space_.left(model, from, to);
    std::vector<Timing> hints;
    const double low_s = end == 0 ? -1e300 : (end - kBack) * params_.step_s;
    for (const Piece& h : params_.hints) {
      if (h.time.t0_s < low_s || h.time.t0_s > to * params_.step_s || h.time.tf_s < end * params_.step_s) continue;
      const bool there = std::any_of(model.pieces.begin(), model.pieces.end(), [&](const Piece& p) {
        return std::abs(p.time.t0_s - h.time.t0_s) < 0.5 * params_.step_s &&
               std::abs(p.time.tf_s - h.time.tf_s) < 2.0 * params_.step_s;
      });
      if (!there) hints.push_back(on_frame(h.time));
    }
    std::vector<Timing> grid = hints;
    const auto put = [&](double t0) {
      for (const double duration : kDurations_s)
        if (duration < params_.max_duration_s && duration >= params_.min_duration_s &&
            t0 + duration > end * params_.step_s)
          grid.push_back({t0, t0 + duration});
    };
    for (int k = end - (end == 0 ? 0 : 6); k < to - 3; k += k < end + 2 ? 1 : 2)
      put((k + (params_.on_frames ? 0.0 : 0.5)) * params_.step_s);
    if (end == 0)
      for (const double before : {0.03, 0.1, 0.25, 0.6, 1.2}) put(-before);
    choose(rest, from, to, grid, hints.size(), end == 0, ones, twos);
  }
  attempts.insert(attempts.end(), ones.begin(), ones.end());
  attempts.insert(attempts.end(), twos.begin(), twos.end());
}

// The best of the grid, alone and in pairs, with displacements solved; hints in any case.
void WaysOn::choose(const Eigen::MatrixXd& rest, int from, int to, const std::vector<Timing>& grid, std::size_t hints,
                    bool free_start, std::vector<Attempt>& ones, std::vector<Attempt>& twos) const {
  const auto rows = rest.rows(), size = static_cast<Eigen::Index>(grid.size());
  Eigen::MatrixXd steps(rows, size);
  for (Eigen::Index c = 0; c < size; ++c) {
    const Timing& t = grid[static_cast<std::size_t>(c)];
    for (Eigen::Index i = 0; i < rows; ++i)
      steps(i, c) = solve::minimum_jerk_value((from + static_cast<double>(i)) * params_.step_s, t.t0_s, t.tf_s);
  }
  Eigen::MatrixXd data = rest;
  if (free_start) {
    data.rowwise() -= data.colwise().mean().eval();
    steps.rowwise() -= steps.colwise().mean().eval();
  }
  const Eigen::MatrixXd onto = steps.transpose() * data, gram = steps.transpose() * steps;
  struct Choice {
    double gain;
    Eigen::Index a, b;
  };
  std::vector<Choice> singles, pairs;
  for (Eigen::Index a = 0; a < size; ++a) {
    if (!(gram(a, a) > 0.0)) continue;
    singles.push_back({onto.row(a).squaredNorm() / gram(a, a), a, a});
    for (Eigen::Index b = a + 1; b < size; ++b) {
      // The part of b across a.
      const double share = gram(a, b) / gram(a, a), across = gram(b, b) - share * gram(a, b);
      if (!(across > 1e-9 * gram(b, b))) continue;
      pairs.push_back({singles.back().gain + (onto.row(b) - share * onto.row(a)).squaredNorm() / across, a, b});
    }
  }
  const auto better = [](const Choice& x, const Choice& y) {
    return x.gain != y.gain ? x.gain > y.gain : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  const auto is_hint = [&](Eigen::Index c) { return c < static_cast<Eigen::Index>(hints); };
  const auto at = [&](Eigen::Index c) { return grid[static_cast<std::size_t>(c)]; };
  std::sort(singles.begin(), singles.end(), better);
  for (const Choice& c : singles)
    if (is_hint(c.a)) ones.push_back({to, {at(c.a)}});
  std::size_t taken = 0;
  for (const Choice& c : singles) {
    if (is_hint(c.a)) continue;
    if (++taken > kSingles) break;
    ones.push_back({to, {at(c.a)}});
  }
  const std::size_t best = std::min(pairs.size(), 40 * kPairs);
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(best), pairs.end(), better);
  // Pairs with a hint first; of the others those that are not neighbours of better ones.
  std::vector<Choice> kept;
  const auto far = [&](const Choice& x) {
    return std::none_of(kept.begin(), kept.end(), [&](const Choice& y) {
      const auto near = [&](Eigen::Index p, Eigen::Index q) {
        return std::abs(at(p).t0_s - at(q).t0_s) < 1.5 * params_.step_s &&
               at(p).tf_s - at(p).t0_s < 1.6 * (at(q).tf_s - at(q).t0_s) &&
               at(q).tf_s - at(q).t0_s < 1.6 * (at(p).tf_s - at(p).t0_s);
      };
      return (near(x.a, y.a) && near(x.b, y.b)) || (near(x.a, y.b) && near(x.b, y.a));
    });
  };
  for (const bool with_hint : {true, false}) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < best && count < kPairs; ++i) {
      if ((is_hint(pairs[i].a) || is_hint(pairs[i].b)) != with_hint || !far(pairs[i])) continue;
      kept.push_back(pairs[i]);
      twos.push_back({to, {at(pairs[i].a), at(pairs[i].b)}});
      ++count;
    }
  }
}

}  // namespace shosa::submovement::detail
