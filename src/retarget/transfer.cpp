#include "retarget/transfer.h"

#include <algorithm>
#include <cmath>

#include "retarget/limbs.h"
#include "shosa/core/parallel.h"
#include "shosa/core/rotations.h"

namespace shosa::retarget {
namespace {

/// What leads one joint of the target: the turn of a source joint, or a mix of two neighbours in a column.
struct Lead {
  JointIndex a = kNoJoint;  ///< kNoJoint: nothing, the joint stays as it is.
  JointIndex b = kNoJoint;
  double share = 0.0;  ///< Of b.
};

/// A bone of the source whose turn must bring the canonical direction to where the bone points.
struct SourceBone {
  JointIndex joint = kNoJoint, next = kNoJoint;
  Vec3d direction = Vec3d::Zero();
};

bool whole_finger(const body::BodyMap& map, body::Role role) {
  for (const HandRoles& hand : kHands) {
    const int offset = static_cast<int>(role) - static_cast<int>(hand.first_finger);
    if (offset < 0 || offset >= kFingerRoles) continue;
    const int finger = offset / 3 * 3;
    return map.has(role_at(hand.first_finger, finger)) && map.has(role_at(hand.first_finger, finger + 1));
  }
  return true;
}

class Transfer {
 public:
  Transfer(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
           const Standing& standing)
      : source_(source), map_(source.map()), reference_(reference), body_(body), standing_(standing) {
    leads_.resize(body.skeleton->joint_count());
    lead_roles();
    lead_columns();
    lead_companions();
    find_bones();
    const auto& pose = body.reference.pose;
    const Quatd back = pose.rotations[0].conjugate();
    center_in_hips_m_ = back * (center(body.map, pose.positions) - pose.positions[0]);
  }

  Clip run() const {
    Clip clip(body_.skeleton, source_.clip().frame_count(), source_.clip().frame_time_s(), {0});
    clip.set_name(source_.clip().name());
    parallel_for(static_cast<std::size_t>(clip.frame_count()), 64, [&](std::size_t begin, std::size_t end) {
      Work work;
      for (std::size_t f = begin; f < end; ++f) frame(static_cast<int>(f), work, clip);
    });
    return clip;
  }

 private:
  struct Work {
    Pose from, to;
    WorldPose world;
    std::vector<Quatd> turns, placed;
  };

  void lead_roles() {
    for (int r = 0; r < body::kRoleCount; ++r) {
      const body::Role role = static_cast<body::Role>(r);
      if (!map_.has(role) || !body_.map.has(role)) continue;
      if (!whole_finger(map_, role) || !whole_finger(body_.map, role)) continue;
      const JointIndex from = map_.joint(role), to = body_.map.joint(role);
      if (!reference_.canonical[from] || !body_.reference.canonical[to]) continue;
      leads_[to] = {from, from, 0.0};
    }
  }

  // Knots along the source's column, from the joint below it; the target's joints take what lies at their share of the
  // way.
  void lead_column(JointIndex below, const std::vector<JointIndex>& from, const std::vector<JointIndex>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double way = static_cast<double>(from.size()) * static_cast<double>(i + 1) / static_cast<double>(to.size());
      const auto low = static_cast<std::size_t>(std::min(std::floor(way), static_cast<double>(from.size())));
      const auto knot = [&](std::size_t k) { return k == 0 ? below : from[std::min(k, from.size()) - 1]; };
      leads_[to[i]] = {knot(low), knot(low + 1), way - static_cast<double>(low)};
    }
  }

  void lead_columns() {
    const Columns from = find_columns(source_.clip().skeleton(), map_);
    const Columns to = find_columns(*body_.skeleton, body_.map);
    const JointIndex hips = map_.joint(body::Role::hips);
    lead_column(hips, from.spine, to.spine);
    lead_column(from.spine.empty() ? hips : from.spine.back(), from.neck, to.neck);
  }

  // A hand may be several bones side by side, of which one plays the role.
  void lead_companions() {
    const auto& at = body_.reference.pose.positions;
    for (const HandRoles& roles : kHands) {
      if (!body_.map.has(roles.hand) || !body_.map.has(roles.lower)) continue;
      const JointIndex hand = body_.map.joint(roles.hand), lower = body_.map.joint(roles.lower);
      if (leads_[hand].a == kNoJoint || body_.skeleton->parent(hand) != lower) continue;
      const double forearm_m = (at[hand] - at[lower]).norm();
      for (const JointIndex beside : body_.skeleton->children(lower)) {
        if (beside == hand || body_.map.role_of(beside)) continue;
        if ((at[beside] - at[hand]).norm() < 0.6 * forearm_m) leads_[beside] = leads_[hand];
      }
    }
  }

  void find_bones() {
    for (const LimbBone& bone : limb_bones(map_.kind)) {
      if (map_.has(bone.role) && map_.has(bone.next) && reference_.canonical[map_.joint(bone.role)])
        bones_.push_back({map_.joint(bone.role), map_.joint(bone.next), bone.direction});
    }
  }

  /// Between the hip joints.
  template <class Positions>
  static Vec3d center(const body::BodyMap& map, const Positions& positions) {
    if (!map.has(body::Role::left_upper_leg) || !map.has(body::Role::right_upper_leg))
      return positions[map.joint(body::Role::hips)];
    return 0.5 * (positions[map.joint(body::Role::left_upper_leg)] + positions[map.joint(body::Role::right_upper_leg)]);
  }

  // turns[j]: what source joint j has turned away from its canonical posture, in the world.
  void measure_turns(int f, Work& work) const {
    source_.clip().get_frame(f, work.from);
    forward_kinematics(source_.clip().skeleton(), work.from, work.world);
    work.turns.resize(work.world.rotations.size());
    for (std::size_t j = 0; j < work.turns.size(); ++j)
      work.turns[j] = work.world.rotations[j] * reference_.laid[j].conjugate();
    // Joints between two roles bend too; the bone as a whole counts.
    for (const SourceBone& bone : bones_) {
      const Vec3d along = work.world.positions[bone.next] - work.world.positions[bone.joint];
      if (along.norm() < 1e-6) continue;
      Quatd& turn = work.turns[bone.joint];
      turn = (shortest_turn(turn * bone.direction, along) * turn).normalized();
    }
  }

  void frame(int f, Work& work, Clip& clip) const {
    measure_turns(f, work);
    const Skeleton& skeleton = *body_.skeleton;
    if (work.to.joint_count() != skeleton.joint_count()) work.to = Pose::rest(skeleton);
    work.placed.resize(leads_.size());
    for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
      const JointIndex parent = skeleton.parent(j);
      const Quatd above = parent == kNoJoint ? Quatd::Identity() : work.placed[parent];
      const Lead& lead = leads_[j];
      if (lead.a == kNoJoint) {
        work.placed[j] = above * body_.reference.neutral[j];
      } else {
        const Quatd turn =
            lead.share == 0.0 ? work.turns[lead.a] : work.turns[lead.a].slerp(lead.share, work.turns[lead.b]);
        work.placed[j] = (turn * body_.reference.laid[j]).normalized();
      }
      work.to.set_rotation(j, (above.conjugate() * work.placed[j]).normalized().cast<float>());
    }
    const Vec3d from = center(map_, work.world.positions);
    const Standing& s = standing_;
    const double height_m = from.y() - s.source_ground_m - s.source_ankle_m;
    const Vec3d to(s.scale * from.x(), s.target_ground_m + s.target_ankle_m + s.scale * height_m, s.scale * from.z());
    work.to.set_translation(0, (to - work.placed[0] * center_in_hips_m_).cast<float>());
    clip.set_frame(f, work.to);
  }

  const analysis::StudiedClip& source_;
  const body::BodyMap& map_;
  const Reference& reference_;
  const WorkBody& body_;
  const Standing& standing_;
  std::vector<Lead> leads_;  // per joint of the work body
  std::vector<SourceBone> bones_;
  Vec3d center_in_hips_m_ = Vec3d::Zero();
};

}  // namespace

Clip transfer(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
              const Standing& standing) {
  return Transfer(source, reference, body, standing).run();
}

}  // namespace shosa::retarget
