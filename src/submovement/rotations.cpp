#include "rotations.h"

#include <cmath>
#include <numbers>

#include "channels.h"
#include "follow.h"
#include "rotation_fit.h"
#include "rotation_polish.h"
#include "rotation_search.h"
#include "samples.h"
#include "shosa/core/rotations.h"

namespace shosa::submovement::detail {

namespace {

// Turns that multiply in the order of their starts.
struct Product {
  using Value = Quatd;
  static Value compose(const Value& a, const Value& b) { return (a * b).normalized(); }
  static Value seen_from(const Value& a, const Value& b) { return (a.conjugate() * b).normalized(); }
  static Value exp(const Eigen::RowVectorXd& move) { return exp_rotation(move.transpose()); }
  static Eigen::RowVectorXd log(const Value& value) { return log_rotation(value).transpose(); }
  static Eigen::MatrixXd path(std::span<const Value> samples) { return develop(samples); }
  static constexpr double kWayPerStretch = 2.0 * std::numbers::pi;

  static StretchFit<Product> fit(std::span<const Value> samples, double step_s, SearchParams params) {
    params.gentle = kGentleTurns;
    const int stride = search_stride(step_s);
    std::vector<Quatd> coarse;
    for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(stride)) coarse.push_back(samples[i]);
    RotationSearch search(coarse, stride * step_s, params);
    search.run();
    RotationSearch all(samples, step_s, params);
    all.run_from(search.model(), search.exact());
    StretchFit<Product> fit{.start = all.model().start,
                            .error = all.rms() / params.max_error,
                            .explained = search.exact(),
                            .evaluations = search.evaluations() + all.evaluations()};
    for (const auto& s : all.model().submovements) {
      fit.pieces.push_back({{s.t0_s, s.tf_s}, s.rotation_rad.transpose()});
      if (s.rotation_rad.norm() > kMostTurn_rad + 1e-6) fit.error = 1e300;
    }
    return fit;
  }
};

}  // namespace

RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  const Chain<Product> chain = follow<Product>(samples, step_s, params);
  RotationDecomposition result{.noise_rad = estimate_noise(develop(samples)), .evaluations = chain.evaluations};
  result.model.start = chain.start;
  for (const Piece& p : chain.pieces)
    result.model.submovements.push_back({p.time.t0_s, p.time.tf_s, p.move.transpose()});
  return result;
}

SharedRotations decompose_shared(const std::vector<std::vector<Quatd>>& samples, double step_s,
                                 const DecomposeParams& params) {
  const auto joints = static_cast<Eigen::Index>(samples.size());
  const auto frames = static_cast<Eigen::Index>(samples[0].size());
  Eigen::MatrixXd data(frames, 3 * joints);
  for (Eigen::Index j = 0; j < joints; ++j) data.middleCols(3 * j, 3) = develop(samples[j]);
  const SearchParams search{.max_error = params.max_error_rad * std::sqrt(static_cast<double>(joints)),
                            .min_duration_s = params.min_duration_s,
                            .max_duration_s = params.max_turn_s,
                            .thorough = false};
  const ChannelModel found = decompose_channels(data, step_s, search);

  SharedRotations result{.evaluations = found.evaluations};
  for (Eigen::Index j = 0; j < joints; ++j) {
    const auto& own = samples[j];
    RotationModel model{.start = own[0] * exp_rotation(found.start.segment<3>(3 * j).transpose())};
    for (const Piece& piece : found.pieces)
      model.submovements.push_back({piece.time.t0_s, piece.time.tf_s, piece.move.segment<3>(3 * j).transpose()});
    SearchParams fixed = search;
    fixed.fixed_timings = true;
    const double error = polish_rotations(own, step_s, fixed, 3, model, result.evaluations);
    result.rms_rad.push_back(std::sqrt(error / static_cast<double>(frames)));
    result.models.push_back(std::move(model));
  }
  return result;
}

}  // namespace shosa::submovement::detail
