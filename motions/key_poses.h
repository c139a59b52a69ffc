#pragma once

#include "motions/body.h"
#include "shosa/core/result.h"

namespace shosa::motions {

/// The upper body over time: key postures with minimum-jerk movements between them.
///
/// The angles of a key are what is desired. Hands with a goal are brought there by pin-and-drag (human ranges, hips
/// held, trunk stiff), and the hips are put where the centre of mass stands over the feet that carry. Movements of
/// neighbouring keys may overlap: they add up, as submovements do, and the body passes the key without stopping. What
/// lies further out on a limb follows a little later.
class KeyTimeline {
 public:
  static Result<KeyTimeline> create(const std::shared_ptr<const Skeleton>& skeleton, const body::BodyMap& map,
                                    const Description& description, const std::array<FootPath, 2>& feet);

  UpperBody at(double time_s) const;

 private:
  struct Solved {
    double begin_s = 0.0, end_s = 0.0;
    UpperBody body;
  };
  std::vector<Solved> keys_;
  std::vector<double> lag_;  ///< Per joint, share of the movement's length.
};

}  // namespace shosa::motions
