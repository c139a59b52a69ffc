#include "shosa/blend/join_cost.h"

#include "blend/transition.h"

namespace shosa::blend {

Result<JoinCost> join_cost(const Motion& previous, const Motion& next, const PlanParams& params) {
  if (const auto checked = check(params); !checked) return std::unexpected(checked.error());
  if (const auto why = mismatch(previous, next)) return fail(ErrorCode::not_possible, "{}", *why);
  const PreviousMotion placed{&previous, 0, times_at(previous, 0)};
  const TransitionPlan plan = plan_transition_auto(placed, next, -1, params);
  if (!plan.executed) return JoinCost{};
  const double dt = next.clip().frame_time_s();
  return JoinCost{.executed = true,
                  .cost = plan.lower.cost.total + plan.upper.cost.total,
                  .method = plan.choice.method,
                  .leave_s = plan.lower.frames.begin * dt,
                  .enter_s = (plan.lower.frames.end - plan.at) * dt,
                  .distance_m = plan.lower.cost.distance_m};
}

}  // namespace shosa::blend
