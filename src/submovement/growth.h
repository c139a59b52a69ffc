#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "search.h"
#include "shosa/core/types.h"

namespace shosa::submovement::detail {

/// A sum or a product while it grows.
struct GrowthModel {
  Eigen::RowVectorXd start;        ///< Level of a sum before its pieces.
  Quatd turn = Quatd::Identity();  ///< What a product's pieces follow.
  bool fixed_start = false;        ///< The start holds submovements that have ended, and is not fitted.
  int from = 0;                    ///< The first sample that start and pieces explain.
  std::vector<Piece> pieces;       ///< Ascending t0.
};

/// What is known to be made of submovements: a sum over channels, or a product of turns.
class GrowthSpace {
 public:
  virtual ~GrowthSpace() = default;
  virtual int samples() const = 0;
  /// At rest where the first sample is.
  virtual GrowthModel at_first() const = 0;
  /// What the model leaves at samples [from, to), a row each: the difference, or the turn behind it.
  virtual Eigen::MatrixXd left(const GrowthModel& model, int from, int to) const = 0;
  /// Fits pieces from `first` on, and the start where `first` is 0 and it is not fixed, to samples [from, to).
  virtual void fit(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) = 0;
  /// The same with starts and ends put on the nearest frames, and left there.
  virtual void fit_on_frames(GrowthModel& model, int first, int from, int to, double stop_error) = 0;
  /// The first piece has ended and becomes part of the start.
  virtual void settle_first(GrowthModel& model) const = 0;
  /// A step from sample `from`, at rest, that passes through all samples up to its end; nothing where steps are not
  /// what the space is made of. `fresh` tells that a submovement may begin there as well.
  struct Step {
    Piece piece;
    int to = 0;
    bool fresh = false;
  };
  virtual std::optional<Step> step_from(const GrowthModel&, int /*from*/) const { return std::nullopt; }
};

struct GrowthParams {
  double step_s = 0.0;
  double noise = 0.0;  ///< Standard deviation of a sample, per channel.
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
  std::vector<Piece> hints = {};  ///< What may be among the submovements.
  int most = 1 << 30;             ///< Submovements, more of which are not followed.
  bool on_frames = false;         ///< Submovements that begin after the first sample begin at a sample.
  int tries = 40;                 ///< How many ways to go on are tried, at most: so many, …
  int tries_each = 6;             ///< … and so many more for every submovement found.
};

/// Takes samples that were made from submovements apart, from the first sample to the last
/// (docs/methods/submovements.md, "Samples without noise"). Nothing when a place is not explained down to the noise.
std::optional<GrowthModel> grow_from_first(GrowthSpace&& space, const GrowthParams& params, long& evaluations);

}  // namespace shosa::submovement::detail
