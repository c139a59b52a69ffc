#include "rotations.h"

#include <numbers>

#include "follow.h"
#include "noise.h"
#include "rotation_fit.h"
#include "rotation_polish.h"
#include "rotation_search.h"

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

}  // namespace shosa::submovement::detail
