#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shosa/core/angles.h"
#include "shosa/submovement/model.h"

namespace shosa::cli {

/// One submovement as it is listed: metres, or rotation vectors in degrees.
struct GoalRow {
  double t0_s = 0.0, tf_s = 0.0;
  Vec3d move, goal;
  Vec3d passes;  ///< Where the joint really is at tf: the next submovement may have started by then.
};
struct GoalList {
  bool rotation = false;
  std::vector<GoalRow> rows;
};
GoalList goal_list(const submovement::PositionModel& model);
GoalList goal_list(const submovement::RotationModel& model);

nlohmann::ordered_json vector_json(const Vec3d& v);
/// {t0, tf, displacement | rotation_deg, goal, passes}.
nlohmann::ordered_json goal_json(const GoalList& list, std::size_t index);
/// How submovements follow each other: means over neighbours, null where there are none. Onsets lie `onset_s` apart;
/// of the shorter one the share `overlap` runs beside the other.
nlohmann::ordered_json statistics_json(const GoalList& list);
/// "passes X, Y, Z UNIT at T s".
std::string passes_text(const GoalList& list, std::size_t index);
/// A heading and a line each.
std::string goal_table(const GoalList& list);

}  // namespace shosa::cli
