#pragma once

#include "demo/cast.h"
#include "shosa/core/clip.h"

namespace shosa::demo {

// What the joint piece is composed of, beyond motions as they are.

/// When the character is told to run, to walk and to stand.
struct RunTimes {
  double run_s = 1.5, walk_s = 7.0, stand_s = 12.0, end_s = 15.5;
};
/// The motion graph's part: stands, is told to run in a hurry, later to walk, then to stand.
Result<Clip> run_part(const Cast& cast, const RunTimes& times);

/// The reach: the last goal on the way up moved outward and up, and the body led there.
struct Reach {
  Clip clip;
  Vec3d goal_m = Vec3d::Zero();  ///< For the right hand.
  double time_s = 0.0;           ///< When the hand is there.
};
Result<Reach> reach_part(const SourceMotion& raise);

/// The dodge: head dragged down while walking, feet kept.
struct Dodge {
  double t0 = 9.2, t1 = 9.8, t2 = 10.1, t3 = 10.7;
  Vec3d by_m = Vec3d(0.0, -0.14, 0.0);
};
Result<Clip> with_dodge(const Clip& clip, const body::BodyMap& map, const Dodge& dodge);

}  // namespace shosa::demo
