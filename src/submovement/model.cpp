#include "shosa/submovement/model.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement {

using solve::minimum_jerk;
using solve::minimum_jerk_value;

PositionState evaluate(const PositionModel& model, double time_s) {
  PositionState state{.position_m = model.start_m};
  for (const auto& s : model.submovements) {
    const auto step = minimum_jerk(time_s, s.t0_s, s.tf_s);
    state.position_m += step.value * s.displacement_m;
    state.velocity_mps += step.velocity * s.displacement_m;
    state.acceleration_mps2 += step.acceleration * s.displacement_m;
    state.jerk_mps3 += step.jerk * s.displacement_m;
  }
  return state;
}

Vec3d position_at(const PositionModel& model, double time_s) {
  Vec3d position = model.start_m;
  for (const auto& s : model.submovements) position += minimum_jerk_value(time_s, s.t0_s, s.tf_s) * s.displacement_m;
  return position;
}

Vec3d goal_m(const PositionModel& model, std::size_t index) {
  Vec3d position = model.start_m;
  for (std::size_t k = 0; k <= index; ++k) position += model.submovements[k].displacement_m;
  return position;
}

RotationState evaluate(const RotationModel& model, double time_s) {
  // Angular velocity of a product E1 ... En in the turning frame, one factor exp(r s(t)) at a time:
  //   u = E^T w,  w_next = u + r s',  u' = E^T w' - s' r x u, and the same rule once more for u''.
  RotationState state{.rotation = model.start};
  for (const auto& k : model.submovements) {
    const auto step = minimum_jerk(time_s, k.t0_s, k.tf_s);
    const Vec3d& r = k.rotation_rad;
    const Quatd turn = exp_rotation(step.value * r);
    const Quatd back = turn.conjugate();
    const Vec3d u = back * state.velocity_radps;
    const Vec3d carried = back * state.acceleration_radps2;
    const Vec3d u1 = carried - step.velocity * r.cross(u);
    const Vec3d u2 = back * state.jerk_radps3 - step.velocity * r.cross(carried) - step.acceleration * r.cross(u) -
                     step.velocity * r.cross(u1);
    state.rotation = state.rotation * turn;
    state.velocity_radps = u + step.velocity * r;
    state.acceleration_radps2 = u1 + step.acceleration * r;
    state.jerk_radps3 = u2 + step.jerk * r;
  }
  state.rotation.normalize();
  return state;
}

Quatd rotation_at(const RotationModel& model, double time_s) {
  Quatd rotation = model.start;
  for (const auto& k : model.submovements)
    rotation = rotation * exp_rotation(minimum_jerk_value(time_s, k.t0_s, k.tf_s) * k.rotation_rad);
  return rotation.normalized();
}

Quatd goal(const RotationModel& model, std::size_t index) {
  Quatd rotation = model.start;
  for (std::size_t k = 0; k <= index; ++k) rotation = rotation * exp_rotation(model.submovements[k].rotation_rad);
  return rotation.normalized();
}

std::vector<Vec3d> sample_positions(const PositionModel& model, int count, double frame_time_s) {
  std::vector<Vec3d> samples(static_cast<std::size_t>(std::max(count, 0)));
  const auto& list = model.submovements;
  // What has ended is one sum; t0 ascends, so that what has begun is a prefix.
  Vec3d ended = model.start_m;
  std::size_t begun = 0;
  std::vector<std::size_t> under_way;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double time = static_cast<double>(i) * frame_time_s;
    while (begun < list.size() && list[begun].t0_s <= time) under_way.push_back(begun++);
    std::erase_if(under_way, [&](std::size_t k) {
      if (list[k].tf_s > time) return false;
      ended += list[k].displacement_m;
      return true;
    });
    samples[i] = ended;
    for (const std::size_t k : under_way)
      samples[i] += minimum_jerk_value(time, list[k].t0_s, list[k].tf_s) * list[k].displacement_m;
  }
  return samples;
}

std::vector<Quatd> sample_rotations(const RotationModel& model, int count, double frame_time_s) {
  std::vector<Quatd> samples(static_cast<std::size_t>(std::max(count, 0)));
  const auto& list = model.submovements;
  // Factors do not commute: only a prefix that has ended altogether is one rotation.
  Quatd ended = model.start;
  std::size_t first = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double time = static_cast<double>(i) * frame_time_s;
    while (first < list.size() && list[first].tf_s <= time)
      ended = (ended * exp_rotation(list[first++].rotation_rad)).normalized();
    Quatd rotation = ended;
    for (std::size_t k = first; k < list.size() && list[k].t0_s < time; ++k)
      rotation = rotation * exp_rotation(minimum_jerk_value(time, list[k].t0_s, list[k].tf_s) * list[k].rotation_rad);
    samples[i] = rotation.normalized();
  }
  return samples;
}

}  // namespace shosa::submovement
