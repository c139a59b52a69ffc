#pragma once

#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::submovement {

/// One point-to-point movement of a point: MJ(t) * displacement_m, MJ the minimum-jerk step from t0_s to tf_s.
struct PositionSubmovement {
  double t0_s = 0.0;
  double tf_s = 1.0;  ///< > t0_s.
  Vec3d displacement_m = Vec3d::Zero();
};

/// x(t) = start + sum of displacement_k MJ_k(t)  (seed 003, eq. 4). Infinitely long: at rest before the first
/// submovement and after the last. C2 everywhere; the jerk jumps at every t0 and tf.
struct PositionModel {
  using Submovement = PositionSubmovement;
  using Value = Vec3d;
  Vec3d start_m = Vec3d::Zero();
  std::vector<PositionSubmovement> submovements;  ///< Ascending t0_s.
};

struct PositionState {
  Vec3d position_m = Vec3d::Zero();
  Vec3d velocity_mps = Vec3d::Zero();
  Vec3d acceleration_mps2 = Vec3d::Zero();
  Vec3d jerk_mps3 = Vec3d::Zero();
};

PositionState evaluate(const PositionModel& model, double time_s);
Vec3d position_at(const PositionModel& model, double time_s);

/// Where submovement `index` ends when all that began with or before it have ended: the goal the performer had in mind.
Vec3d goal_m(const PositionModel& model, std::size_t index);

/// One turn about a fixed axis: Slerp(MJ(t), identity, exp(rotation_rad)).
struct RotationSubmovement {
  double t0_s = 0.0;
  double tf_s = 1.0;                   ///< > t0_s.
  Vec3d rotation_rad = Vec3d::Zero();  ///< Rotation vector, in the frame that the submovements before it have reached.
};

/// R(t) = start * product over k of exp(rotation_k MJ_k(t)), in the order of t0_s  (seed 003, eq. 5).
struct RotationModel {
  using Submovement = RotationSubmovement;
  using Value = Quatd;
  Quatd start = Quatd::Identity();
  std::vector<RotationSubmovement> submovements;  ///< Ascending t0_s.
};

/// Derivatives are those of the body: angular velocity in the turning frame and its first two time derivatives.
struct RotationState {
  Quatd rotation = Quatd::Identity();
  Vec3d velocity_radps = Vec3d::Zero();
  Vec3d acceleration_radps2 = Vec3d::Zero();
  Vec3d jerk_radps3 = Vec3d::Zero();
};

RotationState evaluate(const RotationModel& model, double time_s);
Quatd rotation_at(const RotationModel& model, double time_s);

/// The orientation reached when submovement `index` and all that began before it have ended.
Quatd goal(const RotationModel& model, std::size_t index);

/// The model at `count` samples, `frame_time_s` apart from 0. O(samples x submovements under way).
std::vector<Vec3d> sample_positions(const PositionModel& model, int count, double frame_time_s);
std::vector<Quatd> sample_rotations(const RotationModel& model, int count, double frame_time_s);

}  // namespace shosa::submovement
