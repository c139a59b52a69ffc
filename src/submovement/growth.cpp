#include "growth.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "frames.h"
#include "growth_fit.h"
#include "growth_ways.h"
#include "sum_fit.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kCrowded = 0.25, kFirstPieces = 4.0;  // Parameters for every value; as many pieces at once are not.
constexpr int kFewTries = 20, kTriesEach = 12, kMany = 1 << 20;
constexpr int kProof = 3;             // Samples that a step passes through: no accident.
constexpr std::size_t kFewHere = 12;  // Ways that are tried after a step.
// Steps in a row without proof, so many more for everything with, and at most.
constexpr int kUnproven = 30, kUnprovenMore = 5, kUnprovenMost = 100;
constexpr double kRounded = 0.05;  // Frames.
constexpr int kIterations = 40, kFirstIterations = 12;

// The model explains samples [0, end); `attempts` are ways to go on.
struct Node {
  GrowthModel model;
  int end = 0;
  std::size_t settled = 0;  // How many submovements are part of the model's start.
  int steps = 0;            // How many of these are steps, …
  int unproven = 0;         // … and the last ones that may be anything.
  int proven = 0;           // Submovements and steps that are no accident.
  std::vector<Attempt> attempts = {};
  std::size_t next = 0;
  int stage = 0;          // Of finding attempts.
  bool stepped = false;   // A step was the last of them.
  bool stepping = false;  // Reached by a step.
};

class Growth {
 public:
  Growth(GrowthSpace& space, const GrowthParams& params)
      : space_(space),
        params_(params),
        n_(space.samples()),
        channels_(static_cast<double>(space.at_first().start.size())),
        fits_(space, params, channels_) {
    // A few are found soon or not at all.
    if (params.most < kMany) most_ = kFewTries + kTriesEach * params.most;
  }

  std::optional<GrowthModel> run() {
    std::vector<Node> nodes;
    nodes.push_back({.model = space_.at_first()});
    advance(nodes.back());
    while (!nodes.empty()) {
      Node& node = nodes.back();
      settled_.resize(node.settled, {});
      if (node.end >= n_ && !too_many(node)) return finish(std::move(node.model));
      const WaysOn ways(space_, params_, fits_.bound(1));
      std::optional<Node> grown;
      const std::optional<GrowthSpace::Step> step = step_from(node);
      if (step && node.stepping && !step->fresh) node.stage = ways.stages();
      const bool stepping = step && node.stepping;
      const std::size_t most = stepping ? kFewHere : ~std::size_t{0};
      while (!grown && !crowded(node)) {
        if (node.next == node.attempts.size()) {
          if (node.stage == ways.stages()) break;
          ways.find(node.model, node.end, node.stage++, node.attempts);
          continue;
        }
        if (step && node.next >= most) break;
        int& tries = stepping ? stepping_tries_ : tries_;
        if (tries >= (stepping ? static_cast<int>(kFewHere) * n_ : allowed_tries())) {
          if (!step) return std::nullopt;
          break;
        }
        ++tries;
        grown = go_on(node, node.attempts[node.next++]);
      }
      if (!grown && step && node.unproven < kUnproven + std::min(kUnprovenMore * node.proven, kUnprovenMost))
        grown = take(node, *step);
      if (!grown) {
        nodes.pop_back();
        continue;
      }
      advance(*grown);
      settle(*grown);
      if (grown->end > farthest_) {
        farthest_ = grown->end;
        deepest_ = static_cast<int>(grown->settled + grown->model.pieces.size());
      }
      nodes.push_back(std::move(*grown));
    }
    return std::nullopt;
  }

  int tries() const { return tries_ + stepping_tries_; }

 private:
  // What is no sum or product is left where it shows.
  int allowed_tries() const { return std::min(most_, params_.tries + params_.tries_each * deepest_); }

  bool too_many(const Node& node) const {
    return static_cast<int>(node.settled + node.model.pieces.size()) - node.steps > params_.most;
  }

  // Samples that were made otherwise: a submovement for every few of them explains anything.
  bool crowded(const Node& node) const {
    const double count = static_cast<double>(node.settled + node.model.pieces.size()) - node.steps;
    if (node.end >= n_ || too_many(node)) return true;
    return (2.0 + channels_) * (count - kFirstPieces) > kCrowded * channels_ * node.end;
  }

  // Where all has ended.
  std::optional<GrowthSpace::Step> step_from(const Node& node) const {
    if (node.stepped || node.end >= n_) return std::nullopt;
    const int from = std::max(0, node.end - 1);
    if (!has_ended(node, from)) return std::nullopt;
    return space_.step_from(node.model, from);
  }

  Node take(Node& node, const GrowthSpace::Step& step) {
    node.stepped = true;
    Node grown{.model = node.model, .end = step.to + 1, .settled = node.settled, .steps = node.steps + 1};
    grown.stepping = true;
    const bool proven = step.to + 1 - node.end >= kProof;
    grown.proven = node.proven + (proven ? 1 : 0);
    grown.unproven = proven ? 0 : node.unproven + 1;
    grown.model.pieces.push_back(step.piece);
    while (!grown.model.pieces.empty()) settle_first(grown);
    grown.model.from = step.to;
    return grown;
  }

  // What ended long ago is not looked at again, so that time is linear in the length.
  void settle(Node& node) {
    auto& pieces = node.model.pieces;
    while (true) {
      const int first = fits_.first_active(node.model, node.end);
      if (first < 2) return;
      const int seen = std::min(fits_.window_begin(node.model, first, node.end), node.end - 2 * kBack);
      if (pieces.front().time.tf_s >= (seen - 1) * params_.step_s) return;
      settle_first(node);
    }
  }

  void settle_first(Node& node) {
    if (node.settled == 0) first_start_ = {node.model.start, node.model.turn};
    settled_.push_back(node.model.pieces.front());
    space_.settle_first(node.model);
    ++node.settled;
  }

  GrowthModel finish(GrowthModel model) {
    if (settled_.empty()) return model;
    std::tie(model.start, model.turn) = first_start_;
    model.pieces.insert(model.pieces.begin(), settled_.begin(), settled_.end());
    model.fixed_start = false;
    return model;
  }

  // As far as the model goes, with its submovements fitted anew to every few samples more.
  void advance(Node& node) {
    int more = 4;
    while (node.end < n_) {
      const int to = std::min(n_, node.end + more);
      if (space_.left(node.model, node.end, to).squaredNorm() <= fits_.bound(to - node.end)) {
        node.end = to;
        more = std::min(2 * more, 16);
        continue;
      }
      if (refit(node, to)) {
        more = std::min(2 * more, 16);
      } else if (more > 2) {
        more = 2;
      } else if (!refit_all(node, node.end + more) &&
                 (!under_way(node) ||
                  !(refit(node, node.end + 4) || refit(node, node.end + 8) || refit(node, node.end + 12)))) {
        break;
      }
    }
    const auto met = [&] { return space_.left(node.model, node.end, node.end + 1).squaredNorm() <= fits_.bound(1); };
    const auto go_on_met = [&] {
      while (node.end < n_ && met()) ++node.end;
    };
    go_on_met();
    // Where all ends with this very sample a step may follow, and there is nothing more to see of the ends.
    if (params_.on_frames && node.end < n_ && has_ended(node, node.end) && !has_ended(node, node.end - 1) &&
        refit(node, node.end + 1))
      go_on_met();
  }

  bool has_ended(const Node& node, int at) const {
    return std::all_of(node.model.pieces.begin(), node.model.pieces.end(),
                       [&](const Piece& p) { return p.time.tf_s <= (at + kRounded) * params_.step_s; });
  }

  // What was under way at the first sample is known the better the more of it is seen: far off it may fit where it does
  // not near by.
  bool under_way(const Node& node) const {
    return params_.on_frames && !node.model.pieces.empty() && node.model.pieces.front().time.t0_s < 0.0;
  }

  bool refit(Node& node, int to) {
    if (to > n_) return false;
    GrowthModel trial = node.model;
    const int first = fits_.first_active(trial, node.end), from = fits_.window_begin(trial, first, node.end);
    if (!fits_.fit(trial, first, from, node.end, to, kFirstIterations)) return false;
    node.model = std::move(trial);
    node.end = to;
    return true;
  }

  // With what has been under way for long, and is no longer fitted at every step.
  bool refit_all(Node& node, int to) {
    to = std::min(n_, to);
    const double now_s = node.end * params_.step_s;
    int first = 0;
    while (first < static_cast<int>(node.model.pieces.size()) &&
           node.model.pieces[static_cast<std::size_t>(first)].time.tf_s < now_s)
      ++first;
    if (!params_.on_frames || first >= fits_.first_active(node.model, node.end)) return false;
    GrowthModel trial = node.model;
    if (!fits_.fit(trial, first, fits_.window_begin(trial, first, node.end), node.end, to, kFirstIterations))
      return false;
    node.model = std::move(trial);
    node.end = to;
    return true;
  }

  Node after(const Node& node, int end) const {
    return {.model = node.model, .end = end, .settled = node.settled, .steps = node.steps, .proven = node.proven + 1};
  }

  // A start that hardly showed may be a frame or two off.
  std::optional<Node> revise(const Node& node, const Attempt& attempt) {
    Node grown = after(node, attempt.to);
    Timing& t = grown.model.pieces[static_cast<std::size_t>(attempt.moved)].time;
    t.t0_s += attempt.by_s;
    if (too_near(grown.model.pieces)) return std::nullopt;
    const int first = std::min(fits_.first_active(grown.model, node.end), attempt.moved);
    const int from = fits_.window_begin(grown.model, first, node.end);
    if (!fits_.fit(grown.model, first, from, std::max(from, node.end - kBack), attempt.to, kIterations))
      return std::nullopt;
    return grown;
  }

  std::optional<Node> go_on(const Node& node, const Attempt& attempt) {
    if (attempt.moved >= 0) return revise(node, attempt);
    Node grown = after(node, attempt.to);
    auto& pieces = grown.model.pieces;
    if (attempt.dropped >= 0) pieces.erase(pieces.begin() + attempt.dropped);
    int near = std::max(node.model.from, node.end - kBack - 2);
    if (attempt.dropped >= 0)
      near = std::clamp(static_cast<int>(attempt.fresh.front().t0_s / params_.step_s) - 1, node.model.from, near);
    const SumFit alone = fit_sum(space_.left(grown.model, near, attempt.to), attempt.fresh,
                                 {.begin_s = near * params_.step_s,
                                  .step_s = params_.step_s,
                                  .fixed_starts_from_s = params_.on_frames ? 0.0 : 1e300,
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
    if (params_.on_frames && too_near(pieces)) return std::nullopt;
    const int first = std::min(fits_.first_active(grown.model, node.end), first_fresh);
    const int from = fits_.window_begin(grown.model, first, node.end);
    if (!fits_.fit(grown.model, first, from, std::max(from, node.end - kBack), attempt.to, kIterations))
      return std::nullopt;
    if (params_.on_frames) {
      for (const Timing& t : attempt.fresh)
        for (const Piece& p : pieces)
          if (p.time.t0_s == t.t0_s && p.move.norm() < kLeastMove) return std::nullopt;
    }
    return grown;
  }

  // What was put on frames was kept apart.
  bool too_near(const std::vector<Piece>& pieces) const {
    for (std::size_t k = 1; k < pieces.size(); ++k)
      if (pieces[k].time.t0_s - pieces[k - 1].time.t0_s <
          (pieces[k - 1].time.t0_s >= 0.0 ? kStartGap - 0.5 : 0.0) * params_.step_s)
        return true;
    return false;
  }

  GrowthSpace& space_;
  const GrowthParams& params_;
  int n_;
  double channels_;
  GrowthFit fits_;
  int tries_ = 0, stepping_tries_ = 0, most_ = kMany;
  int farthest_ = 0;  // Samples that were explained, …
  int deepest_ = 0;   // … and by how many submovements.
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
