#pragma once

#include "shosa/core/result.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement {

// Edits of one submovement of a `PositionModel` or a `RotationModel`. The others keep their timings, and but for the
// one named below their displacements; the result is C2 like every model. All fail when the index is not there,
// something is not finite or t0 is not before tf, and then leave the model as it was. Indices are those of the order by
// t0, which an edit of timings can change.

/// What happens to the goals after the edited one.
enum class After {
  stays,  ///< The next submovement makes up for the change: all later goals stay where they were.
  moves,  ///< Everything later is carried along.
};

/// Moves where submovement `index` ends.
template <class Model>
Result<void> move_goal(Model& model, std::size_t index, const typename Model::Value& goal, After after = After::stays);

/// Leads the joint through `place` when submovement `index` ends. Those under way then, up to the first that has
/// half of its way before it, share the change, as little of it as possible. All goals after them stay; where nothing
/// comes after this one the joint stays at the place. Also fails when those that could come back have nearly ended too.
template <class Model>
Result<void> pass_through(Model& model, std::size_t index, const typename Model::Value& place);

/// Moves its start and end in time; rotations keep their goals, in the order by the new starts. Returns its new index.
template <class Model>
Result<std::size_t> set_timing(Model& model, std::size_t index, double t0_s, double tf_s);

/// Leaves it out; with `After::stays` the next one goes all the way.
template <class Model>
Result<void> remove(Model& model, std::size_t index, After after = After::stays);

/// Adds one; with `After::stays` the next one comes back from it. Returns its index.
template <class Model>
Result<std::size_t> insert(Model& model, const typename Model::Submovement& added, After after = After::moves);

/// Makes `index` and the next one a single submovement from the earlier start to the later end, with the same goal.
template <class Model>
Result<void> merge(Model& model, std::size_t index);

}  // namespace shosa::submovement
