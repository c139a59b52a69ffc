#include "shosa/submovement/edit.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement {

namespace {

template <class Model>
Result<void> check_index(const Model& model, std::size_t index) {
  if (index < model.submovements.size()) return {};
  return fail(ErrorCode::invalid_argument, "submovement {} is not there: the model has {}", index,
              model.submovements.size());
}

Result<void> check_timing(double t0_s, double tf_s) {
  if (std::isfinite(t0_s) && std::isfinite(tf_s) && t0_s < tf_s) return {};
  return fail(ErrorCode::invalid_argument, "a submovement from {} s to {} s: its start must lie before its end", t0_s,
              tf_s);
}

std::unexpected<Error> not_finite() {
  return fail(ErrorCode::invalid_argument, "a goal or displacement is not finite");
}

template <class Model>
std::size_t sorted_place(const Model& model, double t0_s) {
  const auto& list = model.submovements;
  return static_cast<std::size_t>(
      std::upper_bound(list.begin(), list.end(), t0_s, [](double t, const auto& s) { return t < s.t0_s; }) -
      list.begin());
}

// Orientation before submovement `index` begins, all before it ended.
Quatd reached_before(const RotationModel& model, std::size_t index) {
  return index == 0 ? model.start : goal(model, index - 1);
}

// Rotation vectors that lead through these goals.
void set_goals(RotationModel& model, const std::vector<Quatd>& goals) {
  Quatd from = model.start;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    model.submovements[k].rotation_rad = log_rotation(from.conjugate() * goals[k]);
    from = goals[k];
  }
}

}  // namespace

Result<void> move_goal(PositionModel& model, std::size_t index, const Vec3d& goal, After after) {
  if (auto ok = check_index(model, index); !ok) return ok;
  if (!goal.allFinite()) return not_finite();
  const Vec3d change = goal - goal_m(model, index);
  model.submovements[index].displacement_m += change;
  if (after == After::stays && index + 1 < model.submovements.size())
    model.submovements[index + 1].displacement_m -= change;
  return {};
}

Result<void> move_goal(RotationModel& model, std::size_t index, const Quatd& wanted, After after) {
  if (auto ok = check_index(model, index); !ok) return ok;
  if (!wanted.coeffs().allFinite() || wanted.norm() < 1e-9) return not_finite();
  const Quatd unit = wanted.normalized();
  const bool next = after == After::stays && index + 1 < model.submovements.size();
  const Quatd later = next ? goal(model, index + 1) : Quatd::Identity();
  model.submovements[index].rotation_rad = log_rotation(reached_before(model, index).conjugate() * unit);
  if (next) model.submovements[index + 1].rotation_rad = log_rotation(unit.conjugate() * later);
  return {};
}

Result<std::size_t> set_timing(PositionModel& model, std::size_t index, double t0_s, double tf_s) {
  if (auto ok = check_index(model, index); !ok) return std::unexpected(ok.error());
  if (auto ok = check_timing(t0_s, tf_s); !ok) return std::unexpected(ok.error());
  PositionSubmovement moved = model.submovements[index];
  moved.t0_s = t0_s;
  moved.tf_s = tf_s;
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index));
  const std::size_t place = sorted_place(model, t0_s);
  model.submovements.insert(model.submovements.begin() + static_cast<std::ptrdiff_t>(place), moved);
  return place;
}

Result<std::size_t> set_timing(RotationModel& model, std::size_t index, double t0_s, double tf_s) {
  if (auto ok = check_index(model, index); !ok) return std::unexpected(ok.error());
  if (auto ok = check_timing(t0_s, tf_s); !ok) return std::unexpected(ok.error());
  std::vector<Quatd> goals;
  for (std::size_t k = 0; k < model.submovements.size(); ++k) goals.push_back(goal(model, k));
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index));
  const std::size_t place = sorted_place(model, t0_s);
  model.submovements.insert(model.submovements.begin() + static_cast<std::ptrdiff_t>(place),
                            {t0_s, tf_s, Vec3d::Zero()});
  set_goals(model, goals);
  return place;
}

Result<void> remove(PositionModel& model, std::size_t index, After after) {
  if (auto ok = check_index(model, index); !ok) return ok;
  if (after == After::stays && index + 1 < model.submovements.size())
    model.submovements[index + 1].displacement_m += model.submovements[index].displacement_m;
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index));
  return {};
}

Result<void> remove(RotationModel& model, std::size_t index, After after) {
  if (auto ok = check_index(model, index); !ok) return ok;
  if (after == After::stays && index + 1 < model.submovements.size()) {
    model.submovements[index + 1].rotation_rad = log_rotation(exp_rotation(model.submovements[index].rotation_rad) *
                                                              exp_rotation(model.submovements[index + 1].rotation_rad));
  }
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index));
  return {};
}

Result<std::size_t> insert(PositionModel& model, const PositionSubmovement& added, After after) {
  if (auto ok = check_timing(added.t0_s, added.tf_s); !ok) return std::unexpected(ok.error());
  if (!added.displacement_m.allFinite()) return not_finite();
  const std::size_t place = sorted_place(model, added.t0_s);
  if (after == After::stays && place < model.submovements.size())
    model.submovements[place].displacement_m -= added.displacement_m;
  model.submovements.insert(model.submovements.begin() + static_cast<std::ptrdiff_t>(place), added);
  return place;
}

Result<std::size_t> insert(RotationModel& model, const RotationSubmovement& added, After after) {
  if (auto ok = check_timing(added.t0_s, added.tf_s); !ok) return std::unexpected(ok.error());
  if (!added.rotation_rad.allFinite()) return not_finite();
  const std::size_t place = sorted_place(model, added.t0_s);
  if (after == After::stays && place < model.submovements.size()) {
    Vec3d& next = model.submovements[place].rotation_rad;
    next = log_rotation(exp_rotation(added.rotation_rad).conjugate() * exp_rotation(next));
  }
  model.submovements.insert(model.submovements.begin() + static_cast<std::ptrdiff_t>(place), added);
  return place;
}

Result<void> merge(PositionModel& model, std::size_t index) {
  if (auto ok = check_index(model, index + 1); !ok) return ok;
  auto& first = model.submovements[index];
  const auto& second = model.submovements[index + 1];
  first.tf_s = std::max(first.tf_s, second.tf_s);
  first.displacement_m += second.displacement_m;
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index) + 1);
  return {};
}

Result<void> merge(RotationModel& model, std::size_t index) {
  if (auto ok = check_index(model, index + 1); !ok) return ok;
  auto& first = model.submovements[index];
  const auto& second = model.submovements[index + 1];
  first.tf_s = std::max(first.tf_s, second.tf_s);
  first.rotation_rad = log_rotation(exp_rotation(first.rotation_rad) * exp_rotation(second.rotation_rad));
  model.submovements.erase(model.submovements.begin() + static_cast<std::ptrdiff_t>(index) + 1);
  return {};
}

}  // namespace shosa::submovement
