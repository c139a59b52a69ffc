#include "goal_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::cli {

GoalList goal_list(const submovement::PositionModel& model) {
  GoalList list;
  for (std::size_t k = 0; k < model.submovements.size(); ++k) {
    const auto& s = model.submovements[k];
    list.rows.push_back({s.t0_s, s.tf_s, s.displacement_m, goal_m(model, k), position_at(model, s.tf_s)});
  }
  return list;
}

GoalList goal_list(const submovement::RotationModel& model) {
  GoalList list{.rotation = true, .rows = {}};
  const auto degrees = [](const Quatd& q) -> Vec3d { return kDegPerRad * log_rotation(q); };
  for (std::size_t k = 0; k < model.submovements.size(); ++k) {
    const auto& s = model.submovements[k];
    list.rows.push_back({s.t0_s, s.tf_s, kDegPerRad * s.rotation_rad, degrees(submovement::goal(model, k)),
                         degrees(rotation_at(model, s.tf_s))});
  }
  return list;
}

nlohmann::ordered_json vector_json(const Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

nlohmann::ordered_json goal_json(const GoalList& list, std::size_t index) {
  const GoalRow& row = list.rows[index];
  return {{"t0", row.t0_s},
          {"tf", row.tf_s},
          {list.rotation ? "rotation_deg" : "displacement", vector_json(row.move)},
          {"goal", vector_json(row.goal)},
          {"passes", vector_json(row.passes)}};
}

nlohmann::ordered_json statistics_json(const GoalList& list) {
  const std::size_t pairs = list.rows.empty() ? 0 : list.rows.size() - 1;
  double duration_s = 0.0, onset_s = 0.0, overlap = 0.0, least_onset_s = 0.0;
  for (std::size_t k = 0; k < list.rows.size(); ++k) {
    const GoalRow& row = list.rows[k];
    duration_s += (row.tf_s - row.t0_s) / static_cast<double>(list.rows.size());
    if (k == pairs) break;
    const GoalRow& next = list.rows[k + 1];
    const double apart_s = next.t0_s - row.t0_s;
    const double beside_s = std::max(0.0, std::min(row.tf_s, next.tf_s) - next.t0_s);
    least_onset_s = k == 0 ? apart_s : std::min(least_onset_s, apart_s);
    onset_s += apart_s / static_cast<double>(pairs);
    overlap += beside_s / std::min(row.tf_s - row.t0_s, next.tf_s - next.t0_s) / static_cast<double>(pairs);
  }
  nlohmann::ordered_json json = {
      {"duration_s", nullptr}, {"onset_s", nullptr}, {"least_onset_s", nullptr}, {"overlap", nullptr}};
  if (!list.rows.empty()) json["duration_s"] = duration_s;
  if (pairs > 0) json.update({{"onset_s", onset_s}, {"least_onset_s", least_onset_s}, {"overlap", overlap}});
  return json;
}

std::string passes_text(const GoalList& list, std::size_t index) {
  const GoalRow& row = list.rows[index];
  const Vec3d& p = row.passes;
  return list.rotation ? fmt::format("passes {:.1f}, {:.1f}, {:.1f} deg at {:.3f} s", p.x(), p.y(), p.z(), row.tf_s)
                       : fmt::format("passes {:.3f}, {:.3f}, {:.3f} m at {:.3f} s", p.x(), p.y(), p.z(), row.tf_s);
}

std::string goal_table(const GoalList& list) {
  const char* unit = list.rotation ? "deg" : "m";
  std::string text = fmt::format("    k   t0 (s)   tf (s)   {:<27}{:<27}passes x, y, z ({})\n",
                                 fmt::format("{} ({})", list.rotation ? "rotation" : "displacement", unit),
                                 fmt::format("goal x, y, z ({})", unit), unit);
  const auto numbers = [&](const Vec3d& v) {
    return list.rotation ? fmt::format("{:8.1f} {:8.1f} {:8.1f}", v.x(), v.y(), v.z())
                         : fmt::format("{:8.3f} {:8.3f} {:8.3f}", v.x(), v.y(), v.z());
  };
  for (std::size_t k = 0; k < list.rows.size(); ++k) {
    const GoalRow& row = list.rows[k];
    text += fmt::format("  {:3} {:8.3f} {:8.3f} {} {} {}\n", k, row.t0_s, row.tf_s, numbers(row.move),
                        numbers(row.goal), numbers(row.passes));
  }
  return text;
}

}  // namespace shosa::cli
