#pragma once

#include <array>

#include "shosa/submovement/model.h"

namespace shosa {
class StateBytes;
}

namespace shosa::submovement {

/// A point that goes after a moving target at run time (Yeo, Lesmana, Neog and Pai 2012: catching).
///
/// Every time the prediction of where the target will be has changed enough, a submovement from the goal so far to the
/// new one is laid on top of those under way; none is ever changed, so that the path is C2 whatever the target does. No
/// allocation. State: this object.
struct ReachParams {
  double threshold_m = 0.01;     ///< A prediction that moved less is ignored; >= 0.
  double min_interval_s = 0.1;   ///< Between two submovements; > 0. People correct about every 0.1 to 0.2 s.
  double min_duration_s = 0.15;  ///< A later prediction than this before arrival still takes so long; > 0.
};

class CatchingPoint {
 public:
  /// At rest at `start_m`.
  explicit CatchingPoint(const Vec3d& start_m, const ReachParams& params = {});

  /// The target is now expected at `goal_m` at `arrival_s`. Times given to `aim` and `at` must not go back. Returns
  /// whether a submovement was added. Values that are not finite are ignored.
  bool aim(double now_s, const Vec3d& goal_m, double arrival_s);
  PositionState at(double now_s);

  /// Where the point will rest when nothing more is added.
  const Vec3d& goal_m() const { return goal_m_; }
  int added() const { return added_; }
  /// All that changes (`StateBytes`).
  void visit_state(StateBytes& bytes);

 private:
  static constexpr int kCapacity = 32;
  void fold(double now_s);

  ReachParams params_;
  Vec3d rest_m_;  ///< Start and all submovements that have ended.
  Vec3d goal_m_;
  double last_s_ = -1e300;
  int added_ = 0;
  int count_ = 0;
  std::array<PositionSubmovement, kCapacity> under_way_;
};

}  // namespace shosa::submovement
