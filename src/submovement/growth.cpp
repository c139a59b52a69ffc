#include "growth.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "shosa/solve/minimum_jerk.h"
#include "sum_fit.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kActive = 7;                // Submovements that are fitted anew at every step …
constexpr double kSeen_s = 0.25;          // … unless they ended so long ago …
constexpr double kActive_s = 2.0;         // … and began so long ago.
constexpr double kMissed = 2.5;           // Times the noise: samples that are not met.
constexpr int kBack = 8;                  // Samples before those met: what begins there may not be seen yet.
constexpr int kAhead[] = {8, 14, 5, 24};  // Samples beyond those met that one more, or two, must explain.
constexpr double kDurations_s[] = {0.11, 0.16, 0.23, 0.34, 0.5, 0.75, 1.1, 1.7, 2.6};
constexpr std::size_t kSingles = 3, kPairs = 4;        // Best places on the grid that are tried.
constexpr double kCrowded = 0.25, kFirstPieces = 4.0;  // Parameters for every value; as many pieces at once are not.
constexpr int kIterations = 40, kFirstIterations = 12;

struct Attempt {
  int to = 0;
  std::vector<Timing> fresh;
};

// The model explains samples [0, end); `attempts` are ways to go on.
struct Node {
  GrowthModel model;
  int end = 0;
  std::size_t settled = 0;  // How many submovements are part of the model's start.
  std::vector<Attempt> attempts = {};
  std::size_t next = 0;
  bool prepared = false;
};

class Growth {
 public:
  Growth(GrowthSpace& space, const GrowthParams& params) : space_(space), params_(params), n_(space.samples()) {
    most_ = params.tries + static_cast<int>(params.tries_per_s * n_ * params.step_s);
  }

  std::optional<GrowthModel> run() {
    GrowthModel nothing = space_.at_first();
    channels_ = static_cast<double>(nothing.start.size());
    std::vector<Node> nodes;
    nodes.push_back({.model = std::move(nothing)});
    advance(nodes.back());
    while (!nodes.empty()) {
      Node& node = nodes.back();
      settled_.resize(node.settled, {});
      if (node.end >= n_) return finish(std::move(node.model));
      if (!node.prepared && !crowded(node)) prepare(node);
      std::optional<Node> grown;
      while (!grown && node.next < node.attempts.size()) {
        if (++tries_ > most_) return std::nullopt;
        grown = go_on(node, node.attempts[node.next++]);
      }
      if (!grown) {
        nodes.pop_back();
        continue;
      }
      advance(*grown);
      settle(*grown);
      nodes.push_back(std::move(*grown));
    }
    return std::nullopt;
  }

  int tries() const { return tries_; }

 private:
  // Samples that were made otherwise: a submovement for every few of them explains anything.
  bool crowded(const Node& node) const {
    const double count = static_cast<double>(node.settled + node.model.pieces.size());
    return (2.0 + channels_) * (count - kFirstPieces) > kCrowded * channels_ * node.end;
  }

  // What ended long ago is not looked at again, so that time is linear in the length.
  void settle(Node& node) {
    auto& pieces = node.model.pieces;
    while (true) {
      const int first = first_active(node.model, node.end);
      if (first < 2) return;
      const int seen = std::min(window_begin(node.model, first, node.end), node.end - 2 * kBack);
      if (pieces.front().time.tf_s >= (seen - 1) * params_.step_s) return;
      if (node.settled == 0) first_start_ = {node.model.start, node.model.turn};
      settled_.push_back(pieces.front());
      space_.settle_first(node.model);
      ++node.settled;
    }
  }

  GrowthModel finish(GrowthModel model) {
    if (settled_.empty()) return model;
    std::tie(model.start, model.turn) = first_start_;
    model.pieces.insert(model.pieces.begin(), settled_.begin(), settled_.end());
    model.fixed_start = false;
    return model;
  }

  double bound(int count) const {
    const double miss = kMissed * params_.noise;
    return miss * miss * channels_ * count;
  }

  bool meets(const GrowthModel& model, int from, int seen, int to) const {
    const Eigen::MatrixXd left = space_.left(model, from, to);
    return left.squaredNorm() <= bound(to - from) && left.bottomRows(to - seen).squaredNorm() <= 2.0 * bound(to - seen);
  }

  int first_active(const GrowthModel& model, int end) const {
    const int count = static_cast<int>(model.pieces.size());
    int first = std::max(0, count - kActive);
    const double now_s = end * params_.step_s;
    const auto over = [&](const Timing& t) { return t.tf_s < now_s - kSeen_s && t.t0_s < now_s - kActive_s; };
    while (first < count && over(model.pieces[static_cast<std::size_t>(first)].time)) ++first;
    return first;
  }

  int window_begin(const GrowthModel& model, int first, int end) const {
    double begin_s = (end - kBack) * params_.step_s;
    for (std::size_t k = static_cast<std::size_t>(first); k < model.pieces.size(); ++k)
      begin_s = std::min(begin_s, model.pieces[k].time.t0_s - params_.step_s);
    return std::clamp(static_cast<int>(std::floor(begin_s / params_.step_s)), 0, n_ - 1);
  }

  // As far as the model goes, with its submovements fitted anew to every few samples more.
  void advance(Node& node) {
    int more = 4;
    while (node.end < n_) {
      const int to = std::min(n_, node.end + more);
      if (space_.left(node.model, node.end, to).squaredNorm() <= bound(to - node.end)) {
        node.end = to;
        more = std::min(2 * more, 16);
        continue;
      }
      GrowthModel trial = node.model;
      const int first = first_active(trial, node.end), from = window_begin(trial, first, node.end);
      space_.fit(trial, first, from, to, kFirstIterations, 0.2 * bound(to - from));
      if (meets(trial, from, node.end, to)) {
        node.model = std::move(trial);
        node.end = to;
        more = std::min(2 * more, 16);
      } else if (more > 2) {
        more = 2;
      } else {
        return;
      }
    }
  }

  std::optional<Node> go_on(const Node& node, const Attempt& attempt) {
    Node grown{.model = node.model, .end = attempt.to, .settled = node.settled};
    auto& pieces = grown.model.pieces;
    const int near = std::max(0, node.end - kBack - 2);
    const SumFit alone = fit_sum(space_.left(node.model, near, attempt.to), attempt.fresh,
                                 {.begin_s = near * params_.step_s,
                                  .step_s = params_.step_s,
                                  .free_start = node.end == 0,
                                  .min_duration_s = 0.8 * params_.min_duration_s,
                                  .max_duration_s = 1.1 * params_.max_duration_s,
                                  .max_iterations = kFirstIterations});
    int first_fresh = static_cast<int>(pieces.size());
    for (std::size_t k = 0; k < alone.timings.size(); ++k) {
      const auto at = std::upper_bound(pieces.begin(), pieces.end(), alone.timings[k].t0_s,
                                       [](double time, const Piece& p) { return time < p.time.t0_s; });
      first_fresh = std::min(first_fresh, static_cast<int>(at - pieces.begin()));
      pieces.insert(at, {alone.timings[k], alone.moves.row(static_cast<Eigen::Index>(k))});
    }
    const int first = std::min(first_active(grown.model, node.end), first_fresh);
    const int from = window_begin(grown.model, first, node.end);
    space_.fit(grown.model, first, from, attempt.to, kIterations, 0.2 * bound(attempt.to - from));
    if (!meets(grown.model, from, std::max(from, node.end - kBack), attempt.to)) return std::nullopt;
    return grown;
  }

  void prepare(Node& node) {
    node.prepared = true;
    std::vector<Attempt> ones, twos;
    for (const int ahead : kAhead) {
      const int to = std::min(n_, node.end + ahead), from = std::max(0, node.end - kBack - 2);
      const Eigen::MatrixXd rest = space_.left(node.model, from, to);
      std::vector<Timing> hints;
      const double low_s = node.end == 0 ? -1e300 : (node.end - kBack) * params_.step_s;
      for (const Piece& h : params_.hints) {
        if (h.time.t0_s < low_s || h.time.t0_s > to * params_.step_s || h.time.tf_s < node.end * params_.step_s)
          continue;
        const bool there = std::any_of(node.model.pieces.begin(), node.model.pieces.end(), [&](const Piece& p) {
          return std::abs(p.time.t0_s - h.time.t0_s) < 0.5 * params_.step_s &&
                 std::abs(p.time.tf_s - h.time.tf_s) < 2.0 * params_.step_s;
        });
        if (!there) hints.push_back(h.time);
      }
      std::vector<Timing> grid = hints;
      const auto put = [&](double t0) {
        for (const double duration : kDurations_s)
          if (duration < params_.max_duration_s && duration >= params_.min_duration_s &&
              t0 + duration > node.end * params_.step_s)
            grid.push_back({t0, t0 + duration});
      };
      for (int k = node.end - (node.end == 0 ? 0 : 6); k < to - 3; k += k < node.end + 2 ? 1 : 2)
        put((k + 0.5) * params_.step_s);
      if (node.end == 0)
        for (const double before : {0.03, 0.1, 0.25, 0.6, 1.2}) put(-before);
      choose(rest, from, to, grid, hints.size(), node.end == 0, ones, twos);
    }
    node.attempts = std::move(ones);
    node.attempts.insert(node.attempts.end(), twos.begin(), twos.end());
  }

  // The best of the grid, alone and in pairs, with displacements solved; hints in any case.
  void choose(const Eigen::MatrixXd& rest, int from, int to, const std::vector<Timing>& grid, std::size_t hints,
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

  GrowthSpace& space_;
  const GrowthParams& params_;
  int n_;
  double channels_ = 3.0;
  int tries_ = 0, most_ = 0;
  std::vector<Piece> settled_;
  std::pair<Eigen::RowVectorXd, Quatd> first_start_;
};

}  // namespace

std::optional<GrowthModel> grow_from_first(GrowthSpace&& space, const GrowthParams& params, long& evaluations) {
  Growth growth(space, params);
  auto model = growth.run();
  evaluations += growth.tries();
  return model;
}

}  // namespace shosa::submovement::detail
