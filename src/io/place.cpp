#include "io/place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "io/median.h"

namespace shosa::io {
namespace {

/// Unit vector from the feet to the upper body; empty when the roles are not known or the two coincide.
std::optional<Vec3d> stance(const body::BodyMap& map, const std::vector<Vec3d>& positions) {
  const auto mean_of = [&](std::initializer_list<body::Role> roles) -> std::optional<Vec3d> {
    Vec3d sum = Vec3d::Zero();
    int count = 0;
    for (const body::Role role : roles) {
      if (!map.has(role)) continue;
      sum += positions[map.joint(role)];
      ++count;
    }
    if (count == 0) return std::nullopt;
    return Vec3d(sum / count);
  };
  std::optional<Vec3d> low;
  std::optional<Vec3d> high;
  if (map.kind == body::BodyKind::quadruped) {
    low = mean_of({body::Role::left_foot, body::Role::right_foot, body::Role::left_hand, body::Role::right_hand});
    high = mean_of({body::Role::left_upper_leg, body::Role::right_upper_leg, body::Role::left_upper_arm,
                    body::Role::right_upper_arm});
  } else {
    low = mean_of({body::Role::left_foot, body::Role::right_foot});
    for (const body::Role role : {body::Role::head, body::Role::neck, body::Role::upper_chest, body::Role::chest,
                                  body::Role::spine, body::Role::hips}) {
      if (!high) high = mean_of({role});
    }
  }
  if (!low || !high) return std::nullopt;
  const Vec3d way = *high - *low;
  const double length = way.norm();
  if (!(length > 0.0)) return std::nullopt;
  return Vec3d(way / length);
}

/// 1 y, 2 z, 0 neither.
int axis_of_stance(const std::optional<Vec3d>& way) {
  if (!way) return 0;
  if ((*way)[1] > 0.75) return 1;
  if ((*way)[2] > 0.75) return 2;
  return 0;
}

/// How far the lowest points of the body lie from one level at zero along an axis, in body sizes.
double floor_misfit(const PlaceEvidence& evidence, int axis) {
  std::vector<double> lows;
  double size = 0.0;
  for (const std::vector<Vec3d>& posture : evidence.postures) {
    double low = std::numeric_limits<double>::infinity();
    for (const Vec3d& position : posture) {
      low = std::min(low, position[axis]);
      size = std::max(size, (position - posture.front()).norm());
    }
    lows.push_back(low);
  }
  const auto [least, most] = std::ranges::minmax(lows);
  return size > 0.0 ? (std::abs(median(lows)) + (most - least)) / size : 0.0;
}

/// Typical length of the bone above each joint, file units.
std::vector<double> bone_lengths(const PlaceEvidence& evidence) {
  const Skeleton& skeleton = *evidence.skeleton;
  std::vector<double> lengths(static_cast<std::size_t>(skeleton.joint_count()), 0.0);
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    std::vector<double> samples;
    for (const std::vector<Vec3d>& posture : evidence.postures) {
      samples.push_back((posture[j] - posture[skeleton.parent(j)]).norm());
    }
    lengths[j] =
        samples.empty() ? static_cast<double>(skeleton.joint(j).rest_translation_m.norm()) : median(std::move(samples));
  }
  return lengths;
}

/// Length of the chain from an ancestor down to a joint; empty when it is none.
std::optional<double> chain_length(const Skeleton& skeleton, const std::vector<double>& lengths, JointIndex from,
                                   JointIndex to) {
  double sum = 0.0;
  for (JointIndex j = to; j != kNoJoint; j = skeleton.parent(j)) {
    if (j == from) return sum > 0.0 ? std::optional(sum) : std::nullopt;
    sum += lengths[j];
  }
  return std::nullopt;
}

struct BodySize {
  double in_file_units = 0.0;
  double usual_m = 1.0;
  double trust_in_common_units = 1.0;  ///< Animals come in all sizes, so their unit is rather a common one.
};

BodySize body_size(const PlaceEvidence& evidence) {
  const Skeleton& skeleton = *evidence.skeleton;
  const body::BodyMap& map = *evidence.body_map;
  const std::vector<double> lengths = bone_lengths(evidence);
  for (const auto& [upper, foot] : {std::pair(body::Role::left_upper_leg, body::Role::left_foot),
                                    std::pair(body::Role::right_upper_leg, body::Role::right_foot)}) {
    if (!map.has(upper) || !map.has(foot)) continue;
    if (const auto leg = chain_length(skeleton, lengths, map.joint(upper), map.joint(foot))) {
      if (map.kind == body::BodyKind::quadruped) return {*leg, 0.5, 10.0};
      return {*leg, 0.83};
    }
  }

  // No legs known: the largest extent of the body, posed or at rest.
  const auto extent_of = [](const std::vector<Vec3d>& positions) {
    Eigen::AlignedBox3d box;
    for (const Vec3d& position : positions) box.extend(position);
    return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  };
  std::vector<double> extents;
  for (const std::vector<Vec3d>& posture : evidence.postures) extents.push_back(extent_of(posture));
  return {extents.empty() ? extent_of(skeleton.rest_positions()) : median(std::move(extents)), 1.65};
}

struct UnitCandidate {
  const char* name;
  double unit_m;
  double reluctance;  ///< Added to the distance in log scale: how seldom files use it.
};

constexpr std::array<UnitCandidate, 7> kUnits = {{
    {"cm", 0.01, 0.0},
    {"m", 1.0, 0.0},
    {"1/0.45 inch (CMU)", 0.0254 / 0.45, 0.05},
    {"inch", 0.0254, 0.05},
    {"dm", 0.1, 0.1},
    {"mm", 0.001, 0.05},
    {"foot", 0.3048, 0.4},
}};

}  // namespace

UpAxis find_up(const PlaceEvidence& evidence, Notes& warnings) {
  const body::BodyMap& map = *evidence.body_map;
  const int at_rest = axis_of_stance(stance(map, evidence.skeleton->rest_positions()));
  std::array<int, 3> votes = {0, 0, 0};
  for (const std::vector<Vec3d>& posture : evidence.postures) {
    ++votes[axis_of_stance(stance(map, posture))];
  }
  if (evidence.first_posture_is_tpose && !evidence.postures.empty()) {
    const int axis = axis_of_stance(stance(map, evidence.postures.front()));
    if (axis != 0) return axis == 1 ? UpAxis::y : UpAxis::z;
  }

  const auto up = [](int axis) { return axis == 2 ? UpAxis::z : UpAxis::y; };
  const int moving = votes[2] > votes[1] ? 2 : votes[1] > 0 ? 1 : 0;
  if (at_rest == moving || moving == 0) return up(at_rest);
  const int other = 3 - moving;
  const int all = votes[0] + votes[1] + votes[2];
  const bool clear = 5 * votes[moving] >= 3 * all && 10 * votes[other] <= all;
  if (at_rest == 0) {
    if (!clear) {
      warnings.push_back(
          fmt::format("up axis is not clear from rest pose or motion; {} taken", moving == 2 ? 'Z' : 'Y'));
    }
    return up(moving);
  }
  if (clear && floor_misfit(evidence, moving) < floor_misfit(evidence, at_rest)) return up(moving);
  if (clear) {
    warnings.push_back(fmt::format("the rest pose stands along {} and the motion along {}; {} taken for up",
                                   at_rest == 2 ? 'Z' : 'Y', moving == 2 ? 'Z' : 'Y', at_rest == 2 ? 'Z' : 'Y'));
  }
  return up(at_rest);
}

double find_unit(const PlaceEvidence& evidence, Notes& warnings) {
  const BodySize size = body_size(evidence);
  if (!(size.in_file_units > 0.0) || !std::isfinite(size.in_file_units)) {
    warnings.push_back("the skeleton has no extent, so its unit cannot be found; metres taken");
    return 1.0;
  }
  std::array<double, kUnits.size()> distances;
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    // Children and small animals exist, giants do not.
    const double log_ratio = std::log(size.in_file_units * kUnits[i].unit_m / size.usual_m);
    distances[i] =
        (log_ratio > 0.0 ? 1.25 * log_ratio : -log_ratio) + size.trust_in_common_units * kUnits[i].reluctance;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < kUnits.size(); ++i) {
    if (distances[i] < distances[best]) best = i;
  }
  std::size_t second = best == 0 ? 1 : 0;
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (i != best && distances[i] < distances[second]) second = i;
  }
  const double factor = size.in_file_units * kUnits[best].unit_m / size.usual_m;
  if (distances[second] - distances[best] < 0.12 || distances[best] > 0.7) {
    warnings.push_back(
        fmt::format("unit is doubtful: {} taken, which makes the body {:.2f} times its usual size; the next best is {}",
                    kUnits[best].name, factor, kUnits[second].name));
  }
  return kUnits[best].unit_m;
}

Place find_place(const PlaceEvidence& evidence, const ReadOptions& options) {
  Place place;
  place.up = options.up ? *options.up : find_up(evidence, place.warnings);
  place.unit_m = options.unit_m ? *options.unit_m : find_unit(evidence, place.warnings);
  return place;
}

Quatd world_from_file(UpAxis up) {
  if (up == UpAxis::y) return Quatd::Identity();
  return Quatd(std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, 0.0, 0.0);
}

Result<Skeleton> place_skeleton(const Skeleton& in_file_units, double unit_m, UpAxis up) {
  const Quatd turn = world_from_file(up);
  std::vector<Joint> joints(in_file_units.joints().begin(), in_file_units.joints().end());
  for (Joint& joint : joints) {
    joint.rest_translation_m = (joint.rest_translation_m.cast<double>() * unit_m).cast<float>();
    if (joint.parent == kNoJoint) {
      joint.rest_translation_m = (turn * joint.rest_translation_m.cast<double>()).cast<float>();
      joint.rest_rotation = (turn * joint.rest_rotation.cast<double>()).cast<float>();
    }
  }
  std::vector<EndSite> end_sites(in_file_units.end_sites().begin(), in_file_units.end_sites().end());
  for (EndSite& site : end_sites) site.offset_m = (site.offset_m.cast<double>() * unit_m).cast<float>();
  return Skeleton::create(std::move(joints), std::move(end_sites));
}

}  // namespace shosa::io
