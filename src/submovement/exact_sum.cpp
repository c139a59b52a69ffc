#include "exact_sum.h"

#include <algorithm>
#include <cmath>

#include "knot_pairs.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kPasses = 8;
constexpr double kLeastNoise = 1e-14;   // What the arithmetic leaves.
constexpr double kExactNoise = 1e-10;   // Metres or radians; below it samples are double precision …
constexpr double kExactError = 0.001;   // … and a duration is taken from one knot when it is as sure as this; …
constexpr double kRoundedError = 0.03;  // … above it, when it is as sure as this.
constexpr double kHidden = 3.0;         // Times the error that is left: what dropping one may leave.
constexpr double kSure = 10.0;          // Standard deviations that are allowed for what a knot predicts.

void subtract(Eigen::MatrixXd& data, double step_s, const Piece& piece) {
  const int n = static_cast<int>(data.rows());
  const int begin = std::clamp(static_cast<int>(std::floor(piece.time.t0_s / step_s)), 0, n);
  const int end = std::clamp(static_cast<int>(std::ceil(piece.time.tf_s / step_s)) + 1, begin, n);
  for (int i = begin; i < end; ++i)
    data.row(i) -= solve::minimum_jerk_value(i * step_s, piece.time.t0_s, piece.time.tf_s) * piece.move;
  data.bottomRows(n - end).rowwise() -= piece.move;
}

}  // namespace

std::optional<ChannelModel> take_sum_apart(const Eigen::MatrixXd& data, double step_s, const SearchParams& given,
                                           const SearchRest& search_rest) {
  SearchParams params = given;
  params.noise = std::max(params.noise, kLeastNoise);
  ChannelModel model{.start = data.row(0)};
  model.noise = params.noise;
  Eigen::MatrixXd rest = data.rowwise() - data.row(0);
  std::vector<double> noise(static_cast<std::size_t>(data.rows()), params.noise);
  // Where a submovement has been taken away, what was not known of it exactly is left.
  const auto doubt = [&](double time_s, double amount) {
    const int n = static_cast<int>(noise.size()), at = static_cast<int>(std::clamp(time_s / step_s, -9.0, n + 9.0));
    for (int i = std::max(at - 2, 0); i <= std::min(at + 3, n - 1); ++i)
      noise[static_cast<std::size_t>(i)] = std::hypot(noise[static_cast<std::size_t>(i)], amount);
  };
  double level = params.noise;
  const double sure = params.noise < kExactNoise ? kExactError : kRoundedError;
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto found = pair_knots(isolated_knots(rest, step_s, noise, 5), step_s, params, sure, false);
    model.evaluations += static_cast<long>(data.rows());
    if (found.empty()) break;
    for (const KnownPiece& f : found) {
      const double unsure = kSure * (params.noise + f.piece.move.norm() * f.error);
      subtract(rest, step_s, f.piece);
      doubt(f.piece.time.t0_s, f.saw_start ? kSure * params.noise : unsure);
      doubt(f.piece.time.tf_s, f.saw_end ? kSure * params.noise : unsure);
      level = std::max(level, 1.5 * f.piece.move.norm() * f.error);
      model.pieces.push_back(f.piece);
    }
  }
  if (model.pieces.empty()) return std::nullopt;

  // What has both ends among others' is few, and left to the search.
  SearchParams own = params;
  own.max_error = 2.0 * level;
  own.noise = level;
  own.gentle = 0.0;
  own.explain = level < 1e-6;
  const ChannelModel more = search_rest(rest, own);
  model.start += more.start;
  model.evaluations += more.evaluations;
  model.pieces.insert(model.pieces.end(), more.pieces.begin(), more.pieces.end());
  std::stable_sort(model.pieces.begin(), model.pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });

  own = params;
  own.explain = true;
  Search whole(data.rowwise() - data.row(0), step_s, own);
  whole.set_ridge(0.0);
  whole.set_pieces(model.start - data.row(0), std::move(model.pieces));
  for (int sweep = 0; sweep < 5 && !whole.at_noise(whole.squared_error()); ++sweep) whole.polish(4);
  if (!whole.at_noise(whole.squared_error())) return std::nullopt;
  // What the noise hides is nobody's. Without one that is somebody's the error is a thousand times as large.
  const double hidden = std::max(whole.noise_error(), kHidden * kHidden * whole.squared_error());
  while (whole.remove_cheapest(hidden)) {
  }
  whole.polish(4);
  model.start = data.row(0) + whole.start();
  model.pieces = whole.pieces();
  model.evaluations += whole.evaluations();
  return model;
}

}  // namespace shosa::submovement::detail
