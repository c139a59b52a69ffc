#include "posing/bent_postures.h"

#include <algorithm>

#include "posing/edit_goals.h"
#include "posing/edit_weights.h"
#include "posing/smooth_change.h"

namespace shosa::posing {

namespace {

// Neighbours in the prior come and go as a goal moves; a body of a person's mass bends over about this long.
constexpr double kBendSmooth_s = 0.12;

}  // namespace

std::optional<Clip> bent_postures(const Clip& reference, const MotionEditParams& params) {
  if (!params.prior) return {};
  EditGoals goals(reference, params);
  PostureLookup lookup(params.prior);
  Clip bent = reference;
  bool any = false;
  std::vector<double> firmness(static_cast<std::size_t>(reference.frame_count()), 1.0);
  std::vector<PriorGoal> asked;
  Pose pose;
  for (int f = 0; f < reference.frame_count(); ++f) {
    goals.aim(f);
    if (goals.ask_nothing()) {
      firmness[f] = kUnaskedWeight;
      continue;
    }
    asked.clear();
    for (std::size_t id = 0; id < goals.all().size(); ++id) {
      const Goal& goal = goals.all()[id];
      if (!goal.on || goal.position_axes == kNoAxes) continue;
      // A foot may have a pin of its swing and one of its stance.
      if (std::ranges::find(asked, goal.joint, &PriorGoal::joint) != asked.end()) continue;
      asked.push_back({.joint = goal.joint,
                       .position_m = goal.position_m,
                       .limb_top = limb_top(reference.skeleton(), params, goal.joint),
                       .leads = goals.leads(id)});
    }
    if (lookup.find(goals.ghost(), asked) == 0.0) continue;
    lookup.posture().get_pose(pose);
    bent.set_frame(f, pose);
    any = true;
  }
  if (!any) return {};
  return smooth_change(reference, bent, kBendSmooth_s, firmness);
}

}  // namespace shosa::posing
