#include "exact_sum.h"

#include <algorithm>
#include <cmath>

#include "frames.h"
#include "growth_sum.h"
#include "knot_pairs.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kLeastNoise = 1e-11;  // Of the way: what fits to the last digits leave.
constexpr double kSureError = 0.03;    // Of a duration that one knot tells.
constexpr double kHidden = 3.0;        // Times the error that is left: what dropping one may leave.
constexpr double kMissed = 2.5;        // Times the noise.
constexpr std::size_t kRefitted = 40;  // At once, so that time is linear in the length.

// Backwards in time a sum is a sum again.
void reverse(std::vector<Piece>& pieces, double length_s) {
  for (Piece& p : pieces) p = {{length_s - p.time.tf_s, length_s - p.time.t0_s}, -p.move};
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
}

// What was put on frames is there to the last digit, what is under way at the last sample too.
ChannelModel on_frames(const Eigen::MatrixXd& data, const Eigen::RowVectorXd& first, double step_s,
                       const SearchParams& params, GrowthModel grown, ChannelModel model) {
  const int n = static_cast<int>(data.rows());
  SumSpace space(data, step_s, params);
  // What is longer than anything we put there, or smaller, follows the rounding.
  const FrameLimits limits(params.min_duration_s, params.max_duration_s, step_s);
  GrowthModel rounded = grown;
  std::erase_if(rounded.pieces, [&](const Piece& p) {
    return p.time.tf_s - p.time.t0_s > (limits.longest + 0.5) * step_s || p.move.norm() < kLeastMove;
  });
  const double noise = kMissed * params.noise;
  if (rounded.pieces.size() < grown.pieces.size()) {
    const bool few = rounded.pieces.size() <= kRefitted;
    if (few) space.fit_on_frames(rounded, 0, 0, n, 0.0);
    const double allowed = noise * noise * static_cast<double>(n * data.cols());
    if (few && space.left(rounded, 0, n).squaredNorm() <= allowed)
      grown = rounded;
    else
      rounded = grown;
  }
  const int from = std::max(0, static_cast<int>(grown.pieces.size()) - static_cast<int>(kRefitted));
  const double begin_s = from == 0 ? 0.0 : std::max(0.0, grown.pieces[static_cast<std::size_t>(from)].time.t0_s);
  const int begin = static_cast<int>(begin_s / step_s);
  space.fit_on_frames(rounded, from, begin, n, 0.0);
  const double before = space.left(grown, begin, n).squaredNorm(), after = space.left(rounded, begin, n).squaredNorm();
  if (after <= std::max(before, noise * noise * static_cast<double>((n - begin) * data.cols())))
    grown = std::move(rounded);
  model.start = first + grown.start;
  model.pieces = std::move(grown.pieces);
  return model;
}

}  // namespace

std::optional<ChannelModel> take_sum_apart(const Eigen::MatrixXd& data, double step_s, const SearchParams& params) {
  const Eigen::MatrixXd forwards = data.rowwise() - data.row(0);
  const double range = forwards.rowwise().norm().maxCoeff(), length_s = static_cast<double>(data.rows() - 1) * step_s;
  GrowthParams growth{.step_s = step_s,
                      .noise = std::max(params.noise, kLeastNoise * range),
                      .min_duration_s = params.min_duration_s,
                      .max_duration_s = params.max_duration_s};
  const std::vector<double> noise(static_cast<std::size_t>(data.rows()), growth.noise);
  for (const KnownPiece& known :
       pair_knots(isolated_knots(forwards, step_s, noise, 5), step_s, params, kSureError, false))
    growth.hints.push_back(known.piece);
  // Smooth samples that were made otherwise have no knots, or none on frames.
  const bool crowded = params.crowded || are_crowded(growth.hints, forwards, growth.noise);
  if (params.on_frames ? !crowded && share_on_frames(growth.hints, step_s) == 0.0 : growth.hints.empty())
    return std::nullopt;

  SearchParams own = params;
  own.explain = true;
  own.noise = growth.noise;
  growth.on_frames = params.on_frames;
  growth.most = params.most;

  // From both ends: what is hidden among others' starts often shows among their ends.
  ChannelModel model{.noise = params.noise};
  std::optional<GrowthModel> best = grow_from_first(SumSpace(forwards, step_s, own), growth, model.evaluations);
  std::optional<GrowthModel> other;
  if (!best || !own.on_frames) {
    reverse(growth.hints, length_s);
    const Eigen::MatrixXd backwards = forwards.colwise().reverse();
    other = grow_from_first(SumSpace(backwards, step_s, own), growth, model.evaluations);
  }
  if (other && (!best || other->pieces.size() < best->pieces.size())) {
    for (const Piece& p : other->pieces) other->start += p.move;
    reverse(other->pieces, length_s);
    best = std::move(other);
  }
  if (!best) return std::nullopt;
  if (own.on_frames) return on_frames(forwards, data.row(0), step_s, own, std::move(*best), model);

  Search whole(forwards, step_s, own);
  whole.set_ridge(0.0);
  whole.set_pieces(best->start, std::move(best->pieces));
  for (int sweep = 0; sweep < 3 && !whole.at_noise(whole.squared_error()); ++sweep) whole.polish(4);
  // Steps that lead far away leave an error that was kept up to date digit by digit without any: it is summed anew.
  const auto summed = [&] {
    whole.set_pieces(Eigen::RowVectorXd(whole.start()), std::vector<Piece>(whole.pieces()));
    return whole.squared_error();
  };
  if (!whole.at_noise(summed())) return std::nullopt;
  const Eigen::RowVectorXd start = whole.start();
  const std::vector<Piece> pieces = whole.pieces();
  // What the noise hides is nobody's. Without one that is somebody's the error is a thousand times as large.
  const double hidden = std::max(whole.noise_error(), kHidden * kHidden * whole.squared_error());
  while (whole.remove_cheapest(hidden)) {
  }
  if (!(summed() <= hidden)) whole.set_pieces(start, pieces);
  model.start = data.row(0) + whole.start();
  model.pieces = whole.pieces();
  model.evaluations += whole.evaluations();
  return model;
}

}  // namespace shosa::submovement::detail
