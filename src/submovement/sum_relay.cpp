#include "sum_relay.h"

#include <Eigen/SparseCholesky>

#include "found_again.h"
#include "relay_reader.h"
#include "sum_fit.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kNoise = 2.0;     // Times the rounding.
constexpr double kJump = 10.0;     // Times the bound, …
constexpr double kFaster = 3.0;    // … and times as far as from sample to sample around it: what is a jump.
constexpr int kAround = 8;         // Samples on both sides.
constexpr int kFewSamples = 8;     // Between two jumps, that steps follow.
constexpr double kSeenJump = 3.0;  // Times the bound: what is left of one in the samples that steps follow.
constexpr double kGentle = 1e-6;   // Weight of a goal's distance from the one before, as of a sample's from its own.

// How a relay of displacements is read; times are frames.
struct PathSpace {
  using Value = Vec3d;
  std::vector<Vec3d> samples;
  double max_error;

  int size() const { return static_cast<int>(samples.size()); }
  const Vec3d& at(int frame) const { return samples[static_cast<std::size_t>(frame)]; }
  Vec3d between(const Vec3d& from, const Vec3d& to) const { return to - from; }
  Vec3d moved(const Vec3d& from, const Vec3d& move) const { return from + move; }
  int step_length(int) const { return 1; }
  bool is_longest(int from, int to) const {
    return to + 1 >= size() || (0.5 * (at(from) + at(to + 1)) - at(to)).norm() > kSeenJump * max_error;
  }

  void refit(int begin, const std::vector<Vec3d>& before, Vec3d* start, std::span<Link> links) const {
    Eigen::MatrixXd target(static_cast<Eigen::Index>(before.size()), 3);
    for (std::size_t i = 0; i < before.size(); ++i)
      target.row(static_cast<Eigen::Index>(i)) =
          (at(begin + static_cast<int>(i)) - (start ? Vec3d(*start) : before[i])).transpose();
    std::vector<Timing> timings;
    for (const Link& link : links) timings.push_back({1.0 * link.t0, 1.0 * link.tf});
    const SumFit fit = fit_sum(target, std::move(timings),
                               {.begin_s = 1.0 * begin,
                                .step_s = 1.0,
                                .free_start = start != nullptr,
                                .max_duration_s = 1e9,
                                .max_iterations = 0});
    if (start) *start += fit.start.transpose();
    for (std::size_t k = 0; k < links.size(); ++k)
      links[k].move = fit.moves.row(static_cast<Eigen::Index>(k)).transpose();
  }
};

PathSpace path_of(const Eigen::MatrixXd& data, double max_error) {
  PathSpace space{.max_error = max_error};
  for (Eigen::Index i = 0; i < data.rows(); ++i) space.samples.emplace_back(data.row(i).transpose());
  return space;
}

// The goals that meet the samples best: a goal counts from where its link begins to where the next but one has ended,
// so that only neighbours share samples.
Eigen::MatrixXd fit_goals(const Eigen::MatrixXd& data, const std::vector<Link>& links) {
  const auto count = static_cast<Eigen::Index>(links.size()) + 1;
  std::vector<Eigen::Triplet<double>> normal;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(count, data.cols());
  std::size_t ended = 0;
  for (int i = 0; i < data.rows(); ++i) {
    while (ended < links.size() && links[ended].tf <= i) ++ended;
    // Goals from `ended` on, each as much as its link has come and the next has not.
    std::vector<double> weights;
    double come = 1.0;
    for (std::size_t k = ended; k < links.size() && links[k].t0 < i; ++k) {
      const double share = links[k].share(i);
      weights.push_back(come - share);
      come = share;
    }
    weights.push_back(come);
    const auto first = static_cast<Eigen::Index>(ended);
    for (std::size_t a = 0; a < weights.size(); ++a) {
      const auto row = first + static_cast<Eigen::Index>(a);
      for (std::size_t b = 0; b < weights.size(); ++b)
        normal.emplace_back(row, first + static_cast<Eigen::Index>(b), weights[a] * weights[b]);
      right.row(row) += weights[a] * data.row(i);
    }
  }
  for (Eigen::Index k = 0; k + 1 < count; ++k) {
    normal.emplace_back(k, k, kGentle);
    normal.emplace_back(k + 1, k + 1, kGentle);
    normal.emplace_back(k, k + 1, -kGentle);
    normal.emplace_back(k + 1, k, -kGentle);
  }
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(normal.begin(), normal.end());
  return Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(right);
}

// Samples from one to the other, the first and the last of them.
struct Span {
  int first, last;
};

// Between the jumps.
std::vector<Span> split_at_jumps(const Eigen::MatrixXd& data, double max_error) {
  const int n = static_cast<int>(data.rows());
  std::vector<double> ways;
  for (int i = 0; i + 1 < n; ++i) ways.push_back((data.row(i + 1) - data.row(i)).norm());
  std::vector<Span> spans{{0, n - 1}};
  for (int i = 0; i + 1 < n; ++i) {
    const int from = std::max(0, i - kAround), to = std::min(n - 2, i + kAround);
    std::vector<double> around(ways.begin() + from, ways.begin() + to + 1);
    const auto middle = around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2);
    std::nth_element(around.begin(), middle, around.end());
    if (ways[static_cast<std::size_t>(i)] <= kFaster * *middle + kJump * max_error) continue;
    spans.back().last = i;
    spans.push_back({i + 1, n - 1});
  }
  return spans;
}

// The links fitted to samples.
ChannelModel fit_links(const Eigen::MatrixXd& data, double step_s, const std::vector<Link>& links) {
  const Eigen::RowVectorXd origin = data.row(0);
  const Eigen::MatrixXd goals = fit_goals(data.rowwise() - origin, links);
  ChannelModel relay{.start = origin + goals.row(0)};
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    relay.pieces.push_back({{links[k].t0 * step_s, links[k].tf * step_s}, goals.row(row + 1) - goals.row(row)});
  }
  return relay;
}

// By a relay, alone.
std::optional<ChannelModel> follow_span(const Eigen::MatrixXd& data, double step_s, double max_error,
                                        const RelayLimits& limits, const std::vector<double>& starts) {
  std::vector<Link> links;
  ChannelModel relay;
  const auto fit = [&](const std::vector<int>& knots) {
    links.clear();
    for (std::size_t k = 0; k + 2 < knots.size(); ++k) links.push_back({knots[k], knots[k + 2]});
    relay = fit_links(data, step_s, links);
    std::vector<double> errors;
    const Eigen::MatrixXd left = data - sample_channels(relay, data.rows(), step_s);
    for (Eigen::Index i = 0; i < left.rows(); ++i) errors.push_back(left.row(i).squaredNorm());
    return errors;
  };
  if (!find_relay(starts, limits, fit)) return std::nullopt;
  std::vector<Link> strong;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (relay.pieces[k].move.norm() >= kWeak * max_error) strong.push_back(links[k]);
  if (strong.size() == links.size()) return relay;
  ChannelModel fewer = fit_links(data, step_s, strong);
  return (data - sample_channels(fewer, data.rows(), step_s)).squaredNorm() <= limits.bound ? fewer : relay;
}

}  // namespace

std::optional<ChannelModel> follow_by_relay(const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                                            const ChannelModel& model) {
  if (data.cols() != 3) return std::nullopt;
  const int last = static_cast<int>(data.rows()) - 1;
  ChannelModel relay{.start = data.row(0), .noise = model.noise};
  Eigen::RowVectorXd reached = relay.start;
  const auto step_to = [&](const Eigen::RowVectorXd& goal, int frame) {
    if ((goal - reached).norm() < kWeak * params.max_error) return;
    relay.pieces.push_back({{(frame - 1) * step_s, frame * step_s}, goal - reached});
    reached = goal;
  };
  for (const Span& span : split_at_jumps(data, params.max_error)) {
    const int count = span.last - span.first + 1;
    std::vector<double> starts;
    for (const Piece& p : model.pieces) {
      const double start = p.time.t0_s / step_s - span.first;
      if (start > 0.0 && start < count) starts.push_back(start);
    }
    const RelayLimits limits{.samples = count,
                             .from_rest = span.first > 0,
                             .to_rest = span.last < last,
                             .bound = params.max_error * params.max_error * count,
                             .longest = static_cast<int>(std::min(params.max_duration_s / step_s, 1e6))};
    std::optional<ChannelModel> own;
    if (count >= kFewSamples)
      own = follow_span(data.middleRows(span.first, count), step_s, params.max_error, limits, starts);
    if (!own) {
      for (int i = std::max(1, span.first); i <= span.last; ++i) step_to(data.row(i), i);
      continue;
    }
    if (span.first == 0)
      relay.start = reached = own->start;
    else
      step_to(own->start, span.first);
    for (Piece piece : own->pieces) {
      piece.time.t0_s += span.first * step_s;
      piece.time.tf_s += span.first * step_s;
      reached += piece.move;
      relay.pieces.push_back(std::move(piece));
    }
  }
  return relay;
}

ChannelModel follow_every_sample(const Eigen::MatrixXd& data, double step_s, double noise) {
  ChannelModel model{.start = data.row(0), .noise = noise};
  for (Eigen::Index i = 1; i < data.rows(); ++i) {
    const Eigen::RowVectorXd move = data.row(i) - data.row(i - 1);
    const auto frame = static_cast<double>(i);
    if (!move.isZero(0.0)) model.pieces.push_back({{(frame - 1.0) * step_s, frame * step_s}, move});
  }
  return model;
}

std::optional<ChannelRelay> read_relay(const Eigen::MatrixXd& data, double step_s, double max_error) {
  const double noise = kNoise * rounding_noise(data);
  if (data.cols() != 3 || !(noise > 0.0)) return std::nullopt;
  const PathSpace space = path_of(data, max_error);
  Vec3d start;
  const auto links = RelayReader(space, noise).read(start);
  if (!links) return std::nullopt;
  const Certainty certainty = certainty_of(*links, space.size(), max_error);
  if (certainty == Certainty::none) return std::nullopt;
  ChannelRelay relay{.model = {.start = start.transpose()}, .certain = certainty == Certainty::certain};
  for (const Link& link : *links)
    relay.model.pieces.push_back({{link.t0 * step_s, link.tf * step_s}, link.move.transpose()});
  return relay;
}

}  // namespace shosa::submovement::detail
