#include "shosa/analysis/pose_distance.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "analysis/signals.h"

namespace shosa::analysis {
namespace {

/// Ground coordinates as a complex number: a turn by h about +Y is a product with exp(i h).
std::complex<double> on_ground(const Vec3d& p) {
  return {p.z(), p.x()};
}

}  // namespace

std::vector<JointIndex> part_joints(const Skeleton& skeleton, const body::BodyMap& map, BodyPart part) {
  const std::vector<bool> lower = lower_body(skeleton, map);
  std::vector<JointIndex> joints;
  // A joint above the hips is a place holder that may stay anywhere in the world.
  const JointIndex hips = root_joint(map);
  std::vector<bool> in_body(static_cast<std::size_t>(skeleton.joint_count()), false);
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    in_body[j] = j == hips || (j > 0 && in_body[skeleton.parent(j)]);
    if (!in_body[j]) continue;
    if (j != hips && skeleton.joint(j).rest_translation_m.norm() < 1e-6f) continue;
    const bool is_lower = lower[j];
    if (part == BodyPart::whole || is_lower == (part == BodyPart::lower)) joints.push_back(j);
  }
  return joints;
}

ClipPositions pelvis_aligned(const StudiedClip& studied) {
  const ClipPositions& positions = studied.positions();
  ClipPositions aligned = positions;
  for (int f = 0; f < positions.frame_count(); ++f) {
    const GroundPlace& place = studied.root().places[f];
    const double c = std::cos(place.heading_rad), s = std::sin(place.heading_rad);
    for (int point = 0; point < positions.point_count(); ++point) {
      const Vec3d& p = positions.point(f, point);
      const double x = p.x() - place.x_m, z = p.z() - place.z_m;
      aligned.point(f, point) = {c * x - s * z, p.y(), s * x + c * z};
    }
  }
  return aligned;
}

double pose_distance(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const JointIndex> joints) {
  if (joints.empty()) return 0.0;
  double sum = 0.0;
  for (const JointIndex j : joints) sum += (a[j] - b[j]).norm();
  return sum / static_cast<double>(joints.size());
}

Result<CloudMatch> match_clouds(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const double> weights) {
  if (a.size() != b.size() || a.size() != weights.size()) {
    return fail(ErrorCode::invalid_argument,
                "match_clouds: {} and {} points with {} weights, expected three equal counts", a.size(), b.size(),
                weights.size());
  }
  double total = 0.0;
  std::complex<double> mean_a = 0.0, mean_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(weights[i] >= 0.0))
      return fail(ErrorCode::invalid_argument, "match_clouds: weight {} is {}, expected >= 0", i, weights[i]);
    total += weights[i];
    mean_a += weights[i] * on_ground(a[i]);
    mean_b += weights[i] * on_ground(b[i]);
  }
  if (!(total > 0.0))
    return fail(ErrorCode::invalid_argument, "match_clouds: the weights sum to {}, expected > 0", total);
  mean_a /= total;
  mean_b /= total;

  // The turn is the phase of the correlation of the centred clouds; the shift takes one centre to the other.
  std::complex<double> correlation = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    correlation += weights[i] * (on_ground(a[i]) - mean_a) * std::conj(on_ground(b[i]) - mean_b);
  }
  const double heading = std::abs(correlation) > 0.0 ? std::arg(correlation) : 0.0;
  const std::complex<double> turn = std::polar(1.0, heading), shift = mean_a - turn * mean_b;
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double dy = a[i].y() - b[i].y();
    sum += weights[i] * (std::norm(on_ground(a[i]) - (turn * on_ground(b[i]) + shift)) + dy * dy);
  }
  return CloudMatch{.distance_m = std::sqrt(sum / total), .a_from_b = {heading, {shift.imag(), 0.0, shift.real()}}};
}

Result<CloudMatch> window_distance(const ClipPositions& a, int frame_a, const ClipPositions& b, int frame_b,
                                   double frame_time_s, const WindowParams& params) {
  if (a.joint_count() != b.joint_count()) {
    return fail(ErrorCode::invalid_argument, "window_distance: {} and {} joints, expected the same skeleton",
                a.joint_count(), b.joint_count());
  }
  if (!(params.window_s >= 0.0) || !(frame_time_s > 0.0)) {
    return fail(ErrorCode::invalid_argument, "window_distance: window {} s and frame time {} s, expected >= 0 and > 0",
                params.window_s, frame_time_s);
  }
  const std::size_t joints = static_cast<std::size_t>(a.joint_count());
  if (!params.joint_weights.empty() && params.joint_weights.size() != joints) {
    return fail(ErrorCode::invalid_argument, "window_distance: {} joint weights, expected {}",
                params.joint_weights.size(), joints);
  }
  const int half = std::min(whole_frames(std::round(0.5 * params.window_s / frame_time_s)),
                            std::max(a.frame_count(), b.frame_count()));
  std::vector<Vec3d> cloud_a, cloud_b;
  std::vector<double> weights;
  for (int k = -half; k <= half; ++k) {
    const double frame_weight = 1.0 - std::abs(k) / (half + 1.0);
    const int fa = std::clamp(frame_a + k, 0, a.frame_count() - 1),
              fb = std::clamp(frame_b + k, 0, b.frame_count() - 1);
    for (std::size_t j = 0; j < joints; ++j) {
      cloud_a.push_back(a.joint(fa, static_cast<JointIndex>(j)));
      cloud_b.push_back(b.joint(fb, static_cast<JointIndex>(j)));
      weights.push_back(frame_weight * (params.joint_weights.empty() ? 1.0 : params.joint_weights[j]));
    }
  }
  return match_clouds(cloud_a, cloud_b, weights);
}

}  // namespace shosa::analysis
