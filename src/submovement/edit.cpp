#include "shosa/submovement/edit.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "shosa/core/rotations.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement {

namespace {

// The least share of a submovement's change that is there when the joint passes its place.
constexpr double kLeastShare = 0.1;
// One that has gone no more of its way can take the change back; else the one after it helps.
constexpr double kMostGone = 0.5;
constexpr double kProbe = 1e-6;  // Of finite differences; metres or radians.
constexpr int kMaxSteps = 30;
constexpr double kMet = 1e-9;  // Metres or radians.

// What edits of displacements and of turns have in common.
struct Path {
  static Vec3d& move(PositionSubmovement& s) { return s.displacement_m; }
  static Vec3d start(const PositionModel& model) { return model.start_m; }
  static Vec3d goal(const PositionModel& model, std::size_t index) { return goal_m(model, index); }
  static Vec3d at(const PositionModel& model, double time_s) { return position_at(model, time_s); }
  static Vec3d after(const Vec3d& from, const Vec3d& move) { return from + move; }
  static Vec3d between(const Vec3d& from, const Vec3d& to) { return to - from; }
  static bool is_value(const Vec3d& place) { return place.allFinite(); }
  static Vec3d unit(const Vec3d& place) { return place; }
};
struct Turning {
  static Vec3d& move(RotationSubmovement& s) { return s.rotation_rad; }
  static Quatd start(const RotationModel& model) { return model.start; }
  static Quatd goal(const RotationModel& model, std::size_t index) { return submovement::goal(model, index); }
  static Quatd at(const RotationModel& model, double time_s) { return rotation_at(model, time_s); }
  static Quatd after(const Quatd& from, const Vec3d& move) { return (from * exp_rotation(move)).normalized(); }
  static Vec3d between(const Quatd& from, const Quatd& to) { return log_rotation(from.conjugate() * to); }
  static bool is_value(const Quatd& q) { return q.coeffs().allFinite() && q.norm() > 1e-9; }
  static Quatd unit(const Quatd& q) { return q.normalized(); }
};
template <class Model>
using KindOf = std::conditional_t<std::is_same_v<Model, PositionModel>, Path, Turning>;

// Where submovement `index` starts when all before it have ended.
template <class Model>
typename Model::Value from_of(const Model& model, std::size_t index) {
  return index == 0 ? KindOf<Model>::start(model) : KindOf<Model>::goal(model, index - 1);
}

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

template <class List>
auto place_in(List& list, std::size_t index) {
  return list.begin() + static_cast<std::ptrdiff_t>(index);
}

template <class Model>
std::size_t sorted_place(const Model& model, double t0_s) {
  const auto& list = model.submovements;
  return static_cast<std::size_t>(
      std::upper_bound(list.begin(), list.end(), t0_s, [](double t, const auto& s) { return t < s.t0_s; }) -
      list.begin());
}

}  // namespace

template <class Model>
Result<void> move_goal(Model& model, std::size_t index, const typename Model::Value& wanted, After after) {
  using Kind = KindOf<Model>;
  if (auto ok = check_index(model, index); !ok) return ok;
  if (!Kind::is_value(wanted)) return not_finite();
  const auto goal = Kind::unit(wanted);
  auto& list = model.submovements;
  if (after == After::stays && index + 1 < list.size())
    Kind::move(list[index + 1]) = Kind::between(goal, Kind::goal(model, index + 1));
  Kind::move(list[index]) = Kind::between(from_of(model, index), goal);
  return {};
}

// Least change of the moves d_j of those under way at tf, subject to
//   R(tf) = place  and  goal of the last of them as it was.
// Of displacements both are linear: sum a_j delta_j = missed and sum delta_j = 0, a_j = MJ_j(tf). Of turns nearly so,
// and Newton's method with the least step goes on from there.
template <class Model>
Result<void> pass_through(Model& model, std::size_t index, const typename Model::Value& wanted) {
  using Kind = KindOf<Model>;
  if (auto ok = check_index(model, index); !ok) return ok;
  if (!Kind::is_value(wanted)) return not_finite();
  const auto place = Kind::unit(wanted);
  const double tf_s = model.submovements[index].tf_s;
  std::vector<std::size_t> shared;
  bool comes_back = false;
  for (std::size_t k = 0; k < model.submovements.size(); ++k) {
    const auto& s = model.submovements[k];
    if (s.tf_s < tf_s) continue;
    shared.push_back(k);
    comes_back |= s.tf_s > tf_s;
    if (k > index && solve::minimum_jerk_value(tf_s, s.t0_s, s.tf_s) <= kMostGone) break;
  }
  const std::size_t last = shared.back();
  const auto kept = Kind::goal(model, last);
  const auto missed_of = [&](const Model& edited) {
    Eigen::VectorXd missed(comes_back ? 6 : 3);
    missed.head<3>() = Kind::between(Kind::at(edited, tf_s), place);
    if (comes_back) missed.tail<3>() = Kind::between(Kind::goal(edited, last), kept);
    return missed;
  };

  Model edited = model;
  const double asked = missed_of(model).norm();
  for (int step = 0; step < kMaxSteps; ++step) {
    const Eigen::VectorXd missed = missed_of(edited);
    if (missed.norm() < kMet) break;
    Eigen::MatrixXd slopes(missed.size(), 3 * static_cast<Eigen::Index>(shared.size()));
    for (Eigen::Index v = 0; v < slopes.cols(); ++v) {
      Model probe = edited;
      Kind::move(probe.submovements[shared[v / 3]])[v % 3] += kProbe;
      slopes.col(v) = (missed - missed_of(probe)) / kProbe;
    }
    const Eigen::VectorXd change = slopes.completeOrthogonalDecomposition().solve(missed);
    for (std::size_t i = 0; i < shared.size(); ++i)
      Kind::move(edited.submovements[shared[i]]) += change.segment<3>(3 * static_cast<Eigen::Index>(i));
  }
  double most = 0.0;
  for (const std::size_t k : shared)
    most = std::max(most, (Kind::move(edited.submovements[k]) - Kind::move(model.submovements[k])).norm());
  if (!(most * kLeastShare <= asked))
    return fail(ErrorCode::not_possible, "all other submovements under way have ended, or nearly, when this one does");
  model = std::move(edited);
  return {};
}

template <class Model>
Result<std::size_t> set_timing(Model& model, std::size_t index, double t0_s, double tf_s) {
  using Kind = KindOf<Model>;
  if (auto ok = check_index(model, index); !ok) return std::unexpected(ok.error());
  if (auto ok = check_timing(t0_s, tf_s); !ok) return std::unexpected(ok.error());
  auto& list = model.submovements;
  std::vector<typename Model::Value> goals;
  for (std::size_t k = 0; k < list.size(); ++k) goals.push_back(Kind::goal(model, k));
  auto moved = list[index];
  moved.t0_s = t0_s;
  moved.tf_s = tf_s;
  list.erase(place_in(list, index));
  const std::size_t place = sorted_place(model, t0_s);
  list.insert(place_in(list, place), moved);
  if constexpr (std::is_same_v<Model, RotationModel>) {
    for (std::size_t k = std::min(index, place); place != index && k <= std::max(index, place); ++k)
      list[k].rotation_rad = Kind::between(from_of(model, k), goals[k]);
  }
  return place;
}

template <class Model>
Result<void> remove(Model& model, std::size_t index, After after) {
  using Kind = KindOf<Model>;
  if (auto ok = check_index(model, index); !ok) return ok;
  auto& list = model.submovements;
  if (after == After::stays && index + 1 < list.size())
    Kind::move(list[index + 1]) = Kind::between(from_of(model, index), Kind::goal(model, index + 1));
  list.erase(place_in(list, index));
  return {};
}

template <class Model>
Result<std::size_t> insert(Model& model, const typename Model::Submovement& added, After after) {
  using Kind = KindOf<Model>;
  if (auto ok = check_timing(added.t0_s, added.tf_s); !ok) return std::unexpected(ok.error());
  auto fresh = added;
  if (!Kind::move(fresh).allFinite()) return not_finite();
  auto& list = model.submovements;
  const std::size_t place = sorted_place(model, added.t0_s);
  if (after == After::stays && place < list.size())
    Kind::move(list[place]) =
        Kind::between(Kind::after(from_of(model, place), Kind::move(fresh)), Kind::goal(model, place));
  list.insert(place_in(list, place), fresh);
  return place;
}

template <class Model>
Result<void> merge(Model& model, std::size_t index) {
  using Kind = KindOf<Model>;
  if (auto ok = check_index(model, index + 1); !ok) return ok;
  auto& list = model.submovements;
  Kind::move(list[index]) = Kind::between(from_of(model, index), Kind::goal(model, index + 1));
  list[index].tf_s = std::max(list[index].tf_s, list[index + 1].tf_s);
  list.erase(place_in(list, index + 1));
  return {};
}

template Result<void> move_goal(PositionModel&, std::size_t, const PositionModel::Value&, After);
template Result<void> pass_through(PositionModel&, std::size_t, const PositionModel::Value&);
template Result<std::size_t> set_timing(PositionModel&, std::size_t, double, double);
template Result<void> remove(PositionModel&, std::size_t, After);
template Result<std::size_t> insert(PositionModel&, const PositionModel::Submovement&, After);
template Result<void> merge(PositionModel&, std::size_t);

template Result<void> move_goal(RotationModel&, std::size_t, const RotationModel::Value&, After);
template Result<void> pass_through(RotationModel&, std::size_t, const RotationModel::Value&);
template Result<std::size_t> set_timing(RotationModel&, std::size_t, double, double);
template Result<void> remove(RotationModel&, std::size_t, After);
template Result<std::size_t> insert(RotationModel&, const RotationModel::Submovement&, After);
template Result<void> merge(RotationModel&, std::size_t);

}  // namespace shosa::submovement
