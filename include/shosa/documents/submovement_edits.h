#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/submovement/edit.h"

namespace shosa::documents {

/// One edit in a list of them, as a person asks for it who has seen the model before all edits.
struct SubmovementEdit {
  enum class Kind {
    move_goal,     ///< `value`: the goal.
    move_goal_by,  ///< `value`: how far the goal is moved; of turns, in the parent's frame.
    pass,          ///< `value`: where the joint is when the submovement ends.
    set_timing,    ///< `from` and `to`: start and end, s.
    shift,         ///< `from`: later by so much, s.
    stretch,       ///< `from`: so many times as long, > 0; one from its own start, all from time 0.
    insert,        ///< `from`, `to`, and `value`: the displacement or turn.
    remove,
    merge,
  };
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  Kind kind = Kind::move_goal;
  std::size_t index = 0;  ///< Of the model before all edits; not of `insert`. `kAll`: every one, of shift and stretch.
  double from = 0.0, to = 0.0;
  Vec3d value = Vec3d::Zero();  ///< Metres; for rotations a rotation vector, radians.
  std::string asked = {};       ///< How it was asked for: errors start with it.
};

/// Where the submovement of each edit is in the end: empty where it was taken out, or all were meant.
using EditedPlaces = std::vector<std::optional<std::size_t>>;

/// Makes all edits, one after the other; later goals stay. Fails with the first that cannot be made, and then leaves
/// the model as it was. `Model` is a `submovement::PositionModel` or a `submovement::RotationModel`.
template <class Model>
Result<EditedPlaces> apply_edits(Model& model, std::span<const SubmovementEdit> edits);

}  // namespace shosa::documents
