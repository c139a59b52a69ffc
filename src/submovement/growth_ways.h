#pragma once

#include <vector>

#include "growth.h"
#include "growth_fit.h"
#include "growth_starts.h"

namespace shosa::submovement::detail {

/// A way to go on with a growing model: submovements more, or a start elsewhere, that must explain samples up to `to`.
struct Attempt {
  int to = 0;
  std::vector<Timing> fresh = {};
  int moved = -1;     ///< A piece whose start is elsewhere …
  double by_s = 0.0;  ///< … by this.
  int dropped = -1;   ///< A piece that the fresh ones replace.
};

/// Finds ways to go on where a model that explains samples [0, end) leaves them, stage after stage, the likeliest
/// first.
class WaysOn {
 public:
  /// `enough` is the squared error of a sample that is no more than noise.
  WaysOn(const GrowthSpace& space, const GrowthParams& params, double enough)
      : space_(space), params_(params), enough_(enough), n_(space.samples()) {}

  int stages() const;
  void find(const GrowthModel& model, int end, int stage, std::vector<Attempt>& attempts) const;

 private:
  StartWindow window(const GrowthModel& model, int end, int ahead) const;
  void on_frames(const GrowthModel& model, int end, int ahead, bool two, std::vector<Attempt>& attempts) const;
  void beginnings(const GrowthModel& model, std::vector<Attempt>& attempts) const;
  void unsure(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const;
  void last_replaced(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const;
  void starts_moved(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const;
  void on_grid(const GrowthModel& model, int end, std::vector<Attempt>& attempts) const;
  void choose(const Eigen::MatrixXd& rest, int from, int to, const std::vector<Timing>& grid, std::size_t hints,
              bool free_start, std::vector<Attempt>& ones, std::vector<Attempt>& twos) const;
  Timing on_frame(Timing t) const;

  const GrowthSpace& space_;
  const GrowthParams& params_;
  double enough_;
  int n_;
};

}  // namespace shosa::submovement::detail
