#pragma once

#include <cmath>
#include <vector>

#include "blend/rig.h"

namespace shosa::blend {

/// The plain foot lock of games: a foot that stands is pinned where it is; when it lifts, or is drawn further away than
/// `kUnlock_m`, the difference decays.
class FootLock {
 public:
  static constexpr double kUnlock_m = 0.2;
  static constexpr double kHalfLife_s = 0.1;  ///< Also of the inertialized offsets it is used with.

  FootLock(const Rig& rig, double frame_time_s)
      : rig_(rig),
        world_(rig.make_world()),
        feet_(rig.legs().size()),
        keep_(std::exp2(-2.0 * frame_time_s / kHalfLife_s)) {}

  /// `frame` of `motion` says which feet stand. Where not `active`, feet are only watched.
  void apply(const Motion& motion, int frame, bool active, Pose& pose) {
    for (std::size_t k = 0; k < feet_.size(); ++k) {
      if (!rig_.legs()[k].solvable) continue;
      Foot& foot = feet_[k];
      rig_.world(pose, world_);
      FootPose raw = rig_.foot(pose, world_, k);
      bool stands = false;
      for (const FrameInterval& stance : motion.feet[k].standing) stands = stands || stance.contains(frame);
      if (!active) {
        foot = {stands, raw.anchor_m, Vec3d::Zero()};
        continue;
      }
      if (stands && !foot.locked) foot.place_m = raw.anchor_m + foot.offset_m;
      foot.locked = stands && (foot.place_m - raw.anchor_m).norm() < kUnlock_m;
      foot.offset_m = foot.locked ? Vec3d(foot.place_m - raw.anchor_m) : Vec3d(foot.offset_m * keep_);
      if (foot.offset_m.norm() < 1e-6) continue;
      raw.anchor_m += foot.offset_m;
      rig_.solve_leg(pose, world_, k, raw, motion.knee_axes[k]);
    }
  }

 private:
  struct Foot {
    bool locked = false;
    Vec3d place_m = Vec3d::Zero();
    Vec3d offset_m = Vec3d::Zero();
  };
  const Rig& rig_;
  RigWorld world_;
  std::vector<Foot> feet_;
  double keep_;  ///< Of an offset, per frame.
};

}  // namespace shosa::blend
