#pragma once

#include "shosa/core/result.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement {

// Edits of one submovement. The others keep their timings, and but for the one named below their displacements; the
// result is C2 like every model. All fail when the index is not there, something is not finite or t0 is not before tf,
// and then leave the model as it was. Indices are those of the order by t0, which an edit of timings can change.

/// What happens to the goals after the edited one.
enum class After {
  stays,  ///< The next submovement makes up for the change: all later goals stay where they were.
  moves,  ///< Everything later is carried along.
};

/// Moves where submovement `index` ends.
Result<void> move_goal(PositionModel& model, std::size_t index, const Vec3d& goal_m, After after = After::stays);
Result<void> move_goal(RotationModel& model, std::size_t index, const Quatd& goal, After after = After::stays);

/// Moves its start and end in time. Returns its new index.
Result<std::size_t> set_timing(PositionModel& model, std::size_t index, double t0_s, double tf_s);
/// For rotations goals stay, in the order by the new starts.
Result<std::size_t> set_timing(RotationModel& model, std::size_t index, double t0_s, double tf_s);

/// Leaves it out; with `After::stays` the next one goes the whole way.
Result<void> remove(PositionModel& model, std::size_t index, After after = After::stays);
Result<void> remove(RotationModel& model, std::size_t index, After after = After::stays);

/// Adds one; with `After::stays` the next one comes back from it. Returns its index.
Result<std::size_t> insert(PositionModel& model, const PositionSubmovement& added, After after = After::moves);
Result<std::size_t> insert(RotationModel& model, const RotationSubmovement& added, After after = After::moves);

/// Makes `index` and the next one a single submovement from the earlier start to the later end, with the same goal.
Result<void> merge(PositionModel& model, std::size_t index);
Result<void> merge(RotationModel& model, std::size_t index);

}  // namespace shosa::submovement
