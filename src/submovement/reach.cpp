#include "shosa/submovement/reach.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/state_bytes.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement {

CatchingPoint::CatchingPoint(const Vec3d& start_m, const ReachParams& params)
    : params_(params), rest_m_(start_m), goal_m_(start_m) {}

void CatchingPoint::fold(double now_s) {
  int kept = 0;
  for (int k = 0; k < count_; ++k) {
    const PositionSubmovement s = under_way_[k];
    if (s.tf_s <= now_s)
      rest_m_ += s.displacement_m;
    else
      under_way_[kept++] = s;
  }
  count_ = kept;
}

void CatchingPoint::visit_state(StateBytes& bytes) {
  bytes(rest_m_, goal_m_, last_s_, added_, count_);
  if (count_ < 0 || count_ > kCapacity) return bytes.fail();
  for (int k = 0; k < count_; ++k) bytes(under_way_[k].t0_s, under_way_[k].tf_s, under_way_[k].displacement_m);
}

bool CatchingPoint::aim(double now_s, const Vec3d& goal_m, double arrival_s) {
  if (!std::isfinite(now_s) || !goal_m.allFinite() || !std::isfinite(arrival_s)) return false;
  fold(now_s);
  const Vec3d change = goal_m - goal_m_;
  if (change.norm() <= params_.threshold_m || now_s - last_s_ < params_.min_interval_s || count_ == kCapacity)
    return false;
  const double end_s = std::max(arrival_s, now_s + params_.min_duration_s);
  under_way_[count_++] = {now_s, end_s, change};
  goal_m_ = goal_m;
  last_s_ = now_s;
  ++added_;
  return true;
}

PositionState CatchingPoint::at(double now_s) {
  fold(now_s);
  PositionState state{.position_m = rest_m_};
  for (int k = 0; k < count_; ++k) {
    const auto& s = under_way_[k];
    const auto step = solve::minimum_jerk(now_s, s.t0_s, s.tf_s);
    state.position_m += step.value * s.displacement_m;
    state.velocity_mps += step.velocity * s.displacement_m;
    state.acceleration_mps2 += step.acceleration * s.displacement_m;
    state.jerk_mps3 += step.jerk * s.displacement_m;
  }
  return state;
}

}  // namespace shosa::submovement
