#pragma once

#include "segment/captured_foot.h"

namespace shosa::segment {

/// One foot as captured, and the work of making it stand (standing_feet.h).
class FootCleaner {
 public:
  FootCleaner(const Clip& clip, const analysis::FootContactTrack& track, const Limb& limb, double scale);

  StandingFoot clean();

 private:
  bool stands(const std::vector<TimeInterval>& list, int f) const;
  void find_stances();
  void keep_still_part(StillStance& stance) const;
  void find_points(double scale);
  void lay_flat(StillStance& stance, const StillStance& other, const Vec3d& along) const;
  double lowest(const StillStance& stance) const;
  Quatd flat_toes(const StillStance& stance) const;
  void stand(StillStance& stance);
  void put(int f, const Vec3d& place, const Quatd& turn);
  void swing();
  double lowest_at(const Vec3d& place, const Quatd& turn, const Quatd& world_from_toes) const;
  void clear_ground(int from, int to, double ground_m);

  const Clip& clip_;
  const analysis::FootContactTrack& track_;
  const Limb& limb_;
  int frames_;
  const CapturedFoot captured_;
  StandingFoot out_;
};

}  // namespace shosa::segment
