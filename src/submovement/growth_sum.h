#pragma once

#include "growth.h"
#include "sum_fit.h"

namespace shosa::submovement::detail {

/// Channels that add up.
class SumSpace : public GrowthSpace {
 public:
  SumSpace(const Eigen::MatrixXd& data, double step_s, const SearchParams& params)
      : data_(data), step_s_(step_s), params_(params) {}
  int samples() const override { return static_cast<int>(data_.rows()); }
  GrowthModel at_first() const override { return {.start = data_.row(0)}; }
  Eigen::MatrixXd left(const GrowthModel& model, int from, int to) const override;
  void fit(GrowthModel& model, int first, int from, int to, int iterations, double stop_error) override;
  void fit_on_frames(GrowthModel& model, int first, int from, int to, double stop_error) override;
  void settle_first(GrowthModel& model) const override;

 private:
  void fit_sum_from(GrowthModel& model, int first, int from, int to, int iterations, double stop_error);

  const Eigen::MatrixXd& data_;
  double step_s_;
  SearchParams params_;
};

/// How a sum that grows is fitted: durations may be a little beyond their bounds on the way.
SumFitParams growing_sum(const SearchParams& params, double begin_s, double step_s, bool free_start, int iterations,
                         double stop_error);

}  // namespace shosa::submovement::detail
