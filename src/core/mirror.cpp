#include "shosa/core/mirror.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <limits>

#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {

namespace {

// Root mean square of the distance from the mirror image, in sizes of the body: rest postures that are meant to be
// symmetric have 0.03, the others above 0.3.
constexpr double kSymmetric = 0.1;
// Bones and widths below this share of the body's size have no direction.
constexpr double kNoBone = 1e-3;
constexpr int kPostures = 64;

// A reflection is -1 times the half turn about the plane's normal.
Quatd half_turn(const Vec3d& axis) {
  return {0.0, axis.x(), axis.y(), axis.z()};
}
const Quatd kWorldTurn(0.0, 1.0, 0.0, 0.0);

double size_of(const std::vector<Vec3d>& positions) {
  Vec3d mean = Vec3d::Zero();
  for (const Vec3d& p : positions) mean += p / static_cast<double>(positions.size());
  double sum = 0.0;
  for (const Vec3d& p : positions) sum += (p - mean).squaredNorm();
  return std::sqrt(sum / static_cast<double>(positions.size()));
}

Result<void> check_partners(const Skeleton& skeleton, std::span<const JointIndex> partner) {
  const int joints = skeleton.joint_count();
  if (static_cast<int>(partner.size()) != joints)
    return fail(ErrorCode::invalid_argument, "mirror: {} partners, expected one for each of the {} joints",
                partner.size(), joints);
  if (partner[0] != 0)
    return fail(ErrorCode::invalid_argument, "mirror: the partner of the root '{}' is {}, expected itself",
                skeleton.name(0), partner[0]);
  for (JointIndex j = 0; j < joints; ++j) {
    const JointIndex other = partner[j];
    if (other < 0 || other >= joints || partner[other] != j)
      return fail(ErrorCode::invalid_argument,
                  "mirror: the partner of '{}' is {}, expected a joint whose partner is '{}'", skeleton.name(j), other,
                  skeleton.name(j));
  }
  return {};
}

class MirrorFinder {
 public:
  MirrorFinder(const Skeleton& skeleton, std::span<const JointIndex> partner) : skeleton_(skeleton), partner_(partner) {
    trunk_ = 0;
    // The joint that all limbs hang on: down from the root, as long as a single child carries all pairs.
    while (true) {
      JointIndex next = kNoJoint;
      int carriers = 0;
      for (const JointIndex child : skeleton.children(trunk_))
        if (has_pairs(child)) ++carriers, next = child;
      if (carriers != 1 || partner[next] != next) break;
      trunk_ = next;
    }
  }

  std::vector<Quatd> turns(std::span<const Pose> postures) const {
    const int joints = skeleton_.joint_count();
    std::vector<Quatd> turns(static_cast<std::size_t>(joints));
    const auto& rest = skeleton_.rest_rotations();
    for (JointIndex j = 0; j < joints; ++j) turns[j] = rest[partner_[j]].conjugate() * kWorldTurn * rest[j];
    if (!has_pairs(trunk_)) return turns;

    Vec3d normal = Vec3d::UnitX();
    const bool symmetric = rest_plane(normal) < kSymmetric;
    std::vector<std::array<double, 4>> alike(static_cast<std::size_t>(joints), {0.0, 0.0, 0.0, 0.0});
    if (!symmetric)
      for (const Pose& pose : postures) add_posture(pose, 1.0 / static_cast<double>(postures.size()), alike);
    for (JointIndex j = 0; j < joints; ++j) {
      if (above_trunk(j)) continue;
      turns[j] = symmetric ? rest[partner_[j]].conjugate() * half_turn(normal) * rest[j] : by_axes(j, alike[j]);
    }
    return turns;
  }

 private:
  bool has_pairs(JointIndex j) const {
    if (partner_[j] != j) return true;
    for (const JointIndex child : skeleton_.children(j))
      if (has_pairs(child)) return true;
    return false;
  }
  bool above_trunk(JointIndex j) const {
    for (JointIndex above = skeleton_.parent(trunk_); above != kNoJoint; above = skeleton_.parent(above))
      if (above == j) return true;
    return false;
  }

  // How far the rest posture is from its image in its best plane, and that plane.
  double rest_plane(Vec3d& best) const {
    const auto& positions = skeleton_.rest_positions();
    const double size = size_of(positions);
    double least = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 6; ++axis) {
      const Vec3d unit = Vec3d::Unit(axis % 3);
      const Vec3d normal = axis < 3 ? unit : Vec3d(skeleton_.rest_rotations()[trunk_] * unit);
      const Vec3d middle = positions[trunk_];
      double sum = 0.0;
      for (JointIndex j = 0; j < skeleton_.joint_count(); ++j) {
        if (above_trunk(j)) continue;
        const Vec3d from = positions[j] - middle, to = positions[partner_[j]] - middle;
        sum += (from - 2.0 * normal.dot(from) * normal - to).squaredNorm();
      }
      const double off = std::sqrt(sum / skeleton_.joint_count());
      if (off < least) least = off, best = normal;
    }
    return size > 0.0 ? least / size : std::numeric_limits<double>::infinity();
  }

  // Adds how alike both sides of a posture are by each of the four reflections: the squared cosine of half the angle
  // between them and the one that the posture's own plane of symmetry makes.
  void add_posture(const Pose& pose, double share, std::vector<std::array<double, 4>>& alike) const {
    const WorldPose world = forward_kinematics(skeleton_, pose);
    const double least = kNoBone * size_of(world.positions);
    Eigen::Matrix3d widths = Eigen::Matrix3d::Zero();
    for (JointIndex j = 1; j < skeleton_.joint_count(); ++j) {
      // Hips, shoulders, eyes: pairs that hang on one place of the trunk.
      const Vec3d across = world.positions[j] - world.positions[partner_[j]];
      const Vec3d above = world.positions[skeleton_.parent(j)] - world.positions[skeleton_.parent(partner_[j])];
      if (across.norm() > least && above.norm() < least) widths += across * across.transpose();
    }
    if (widths.isZero(0.0)) return;
    const Vec3d normal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(widths).eigenvectors().col(2);
    for (JointIndex j = 0; j < skeleton_.joint_count(); ++j) {
      const Quatd turn = world.rotations[partner_[j]].conjugate() * half_turn(normal) * world.rotations[j];
      const std::array<double, 4> dots = {turn.w(), turn.x(), turn.y(), turn.z()};
      for (std::size_t k = 0; k < 4; ++k) alike[j][k] += share * dots[k] * dots[k];
    }
  }

  // The identity or a half turn about an axis of the frame.
  Quatd by_axes(JointIndex j, const std::array<double, 4>& alike) const {
    const std::array<Quatd, 4> ways = {Quatd::Identity(), half_turn(Vec3d::UnitX()), half_turn(Vec3d::UnitY()),
                                       half_turn(Vec3d::UnitZ())};
    Quatd best = ways[0];
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 4; ++k) {
      const double good = alike[k] - bones_missed(j, ways[k]);
      if (good > most) most = good, best = ways[k];
    }
    return best;
  }

  // Of the bones that start at j, the mean of (1 - cosine) to those of its partner, long bones counting more.
  double bones_missed(JointIndex j, const Quatd& turn) const {
    double missed = 0.0, total = 0.0;
    for (const JointIndex child : skeleton_.children(j)) {
      const JointIndex twin = partner_[child];
      if (skeleton_.parent(twin) != partner_[j]) continue;
      const Vec3d own = skeleton_.joint(child).rest_translation_m.cast<double>();
      const Vec3d wanted = skeleton_.joint(twin).rest_translation_m.cast<double>();
      const double length = own.norm() * wanted.norm();
      missed += length + wanted.dot(turn * own);  // the reflection is -turn
      total += length;
    }
    return total > 0.0 ? missed / total : 0.0;
  }

  const Skeleton& skeleton_;
  std::span<const JointIndex> partner_;
  JointIndex trunk_;
};

}  // namespace

Vec3d mirror_point(const Vec3d& point) {
  return {-point.x(), point.y(), point.z()};
}

Quatd JointMirrors::world_rotation(JointIndex j, const Quatd& of_partner) const {
  return (kWorldTurn * of_partner * turn[j]).normalized();
}

Quatd JointMirrors::rotation(const Skeleton& skeleton, JointIndex j, const Quatd& of_partner) const {
  const JointIndex parent = skeleton.parent(j);
  return ((parent == kNoJoint ? kWorldTurn : turn[parent].conjugate()) * of_partner * turn[j]).normalized();
}

Vec3d JointMirrors::translation_m(const Skeleton& skeleton, JointIndex j, const Vec3d& of_partner) const {
  const JointIndex parent = skeleton.parent(j);
  return parent == kNoJoint ? mirror_point(of_partner) : Vec3d(-(turn[parent].conjugate() * of_partner));
}

Result<JointMirrors> joint_mirrors(const Skeleton& skeleton, std::span<const JointIndex> partner,
                                   std::span<const Pose> postures) {
  if (const auto ok = check_partners(skeleton, partner); !ok) return std::unexpected(ok.error());
  return JointMirrors{{partner.begin(), partner.end()}, MirrorFinder(skeleton, partner).turns(postures)};
}

std::vector<Pose> spread_postures(const Clip& clip) {
  std::vector<Pose> postures;
  const int count = std::min(kPostures, clip.frame_count());
  for (int i = 0; i < count; ++i)
    postures.push_back(clip.frame(static_cast<int>(i * (clip.frame_count() - 1.0) / std::max(1, count - 1))));
  return postures;
}

Result<Clip> mirror(const Clip& clip, std::span<const JointIndex> partner) {
  const Skeleton& skeleton = clip.skeleton();
  const auto mirrors = joint_mirrors(skeleton, partner, spread_postures(clip));
  if (!mirrors) return std::unexpected(mirrors.error());

  // A translation varies in the mirror image where it varies in the partner.
  std::vector<JointIndex> translated;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j)
    if (clip.is_translated(partner[j])) translated.push_back(j);
  Clip result(clip.skeleton_ptr(), clip.frame_count(), clip.frame_time_s(), translated);
  result.set_name(clip.name());
  WorldPose world;
  Pose pose(skeleton.joint_count());
  std::vector<Quatd> seen(partner.size());
  for (int f = 0; f < clip.frame_count(); ++f) {
    // Through the world, so that partners may hang on different joints.
    clip.get_frame(f, pose);
    forward_kinematics(skeleton, pose, world);
    for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
      seen[j] = mirrors->world_rotation(j, world.rotations[partner[j]]);
      const JointIndex parent = skeleton.parent(j);
      const Quatd local = parent == kNoJoint ? seen[j] : seen[parent].conjugate() * seen[j];
      result.set_rotation(f, j, local.normalized().cast<float>());
      if (!result.is_translated(j)) continue;
      const Vec3d place = mirror_point(world.positions[partner[j]]);
      const Vec3d in_parent =
          parent == kNoJoint
              ? place
              : Vec3d(seen[parent].conjugate() * (place - mirror_point(world.positions[partner[parent]])));
      result.set_translation(f, j, in_parent.cast<float>());
    }
  }
  return result;
}

}  // namespace shosa
