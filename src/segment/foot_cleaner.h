#pragma once

#include "shosa/segment/standing_feet.h"

namespace shosa::segment {

/// One foot as captured, and the work of making it stand (standing_feet.h).
class FootCleaner {
 public:
  FootCleaner(const Clip& clip, const analysis::FootContactTrack& track, const Limb& limb, double scale);

  StandingFoot clean();

 private:
  void read_source();
  bool stands(const std::vector<TimeInterval>& list, int f) const;
  void find_stances();
  void keep_still_part(Stance& stance) const;
  void find_points(double scale);
  void lay_flat(Stance& stance, const Stance& other, const Vec3d& along) const;
  double lowest(const Stance& stance) const;
  Quatd flat_toes(const Stance& stance) const;
  void stand(Stance& stance);
  void put(int f, const Vec3d& place, const Quatd& turn);
  void swing();
  double lowest_at(const Vec3d& place, const Quatd& turn, const Quatd& world_from_toes) const;
  void clear_ground(int from, int to, double ground_m);

  const Clip& clip_;
  const analysis::FootContactTrack& track_;
  const Limb& limb_;
  int frames_;
  std::vector<Vec3d> place_, ball_;
  std::vector<Quatd> turn_, toe_world_, toe_local_, toe_parent_;  // toe_parent_: foot_from_parent of the toes
  StandingFoot out_;
};

}  // namespace shosa::segment
