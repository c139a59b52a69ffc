#pragma once

#include <cmath>
#include <span>

#include "search.h"
#include "shosa/core/types.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// Turns that nearly cancel are far from adding up: what a turn by 180 degrees costs, as a share of the allowed error.
inline constexpr double kGentleTurns = 0.05;

/// The count and the timings of one stretch of rotations: the model with its squared error, and the moves on it
/// (docs/methods/submovements.md, "Rotations").
class RotationSearch {
 public:
  RotationSearch(std::span<const Quatd> samples, double step_s, const SearchParams& params);

  void run();
  /// The result of a search at a lower rate, refitted.
  void run_from(const RotationModel& model, bool exact);

  double rms() const { return std::sqrt(error_ / static_cast<double>(samples_.size())); }
  bool exact() const;
  const RotationModel& model() const { return model_; }
  long evaluations() const { return evaluations_; }

 private:
  void take(const Search& search);
  void grow_from_seeds(const SearchParams& linear);
  void refit(int sweeps, const TimeInterval& where = {-1e300, 1e300});
  Search linearized() const;
  bool accept(const Search& search, double allowed);
  bool add(bool anyhow = true);
  bool insert_at_worst();
  bool insert_at(double time_s);
  bool remove(double allowed);

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  Eigen::MatrixXd development_;
  double bound_;
  RotationModel model_;
  double error_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace shosa::submovement::detail
