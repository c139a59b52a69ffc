#pragma once

#include <span>

#include "growth.h"

namespace shosa::submovement::detail {

/// Turns that follow one another, in the order of their starts.
class ProductSpace : public GrowthSpace {
 public:
  ProductSpace(std::span<const Quatd> samples, double step_s, const SearchParams& params)
      : samples_(samples), step_s_(step_s), params_(params) {}
  int samples() const override { return static_cast<int>(samples_.size()); }
  GrowthModel at_first() const override { return {.start = Eigen::RowVectorXd::Zero(3), .turn = samples_[0]}; }
  Eigen::MatrixXd left(const GrowthModel& model, int from, int to) const override;
  void fit(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) override;
  void fit_on_frames(GrowthModel& model, int first, int from, int to, double stop_error) override;
  void settle_first(GrowthModel& model) const override;
  std::optional<Step> step_from(const GrowthModel& model, int from) const override;

 private:
  void fit_only(GrowthModel& model, int from, int to, int iterations, double stop_error);
  void fit_product(GrowthModel& model, int first, int from, int to, int iterations, double stop_error,
                   bool fixed_timings);

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
};

}  // namespace shosa::submovement::detail
