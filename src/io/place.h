#pragma once

#include <string>
#include <vector>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// What a reader knows before unit and up axis are: file units, file axes.
struct PlaceEvidence {
  const Skeleton* skeleton = nullptr;       ///< Rest pose in file units. Required.
  const body::BodyMap* body_map = nullptr;  ///< Required; may know no role.
  std::vector<std::vector<Vec3d>> postures =
      {};                               ///< Joint positions of some frames spread over the motion; may be empty.
  bool first_posture_is_tpose = false;  ///< An added reference posture: upright, whatever the motion does.
};

/// Where a file's numbers lie in the world.
struct Place {
  double unit_m = 1.0;
  UpAxis up = UpAxis::y;
  Notes warnings;  ///< A choice that was doubtful, for people. Empty when both are clear or given.
};

/// The file's up axis: the way from the feet to the upper body, in the rest pose and over the motion.
///
/// Where the two disagree the motion wins only when at least 3 of 5 postures stand along its axis, at most 1 in 10
/// along the other, and the lowest points of the body keep a level nearer to zero along its axis: people lie on the
/// floor in some clips. Neither stands: Y.
UpAxis find_up(const PlaceEvidence& evidence, Notes& warnings);

/// Metres per file unit: the one of mm, cm, inch, 1/0.45 inch (CMU), dm, foot, m that makes the body nearest to its
/// usual size.
///
/// Size is taken along the bones, so that it does not depend on the posture: a human leg from hip to ankle 0.83 m, a
/// quadruped's hind leg 0.5 m; without known roles the posed skeleton's largest extent, 1.65 m. Nearness in log scale;
/// cm and m win a close call. Warns when the second best is close or the size is unusual in every unit.
double find_unit(const PlaceEvidence& evidence, Notes& warnings);

/// Both, where `options` does not give them.
Place find_place(const PlaceEvidence& evidence, const ReadOptions& options);

/// The rotation that takes the file's axes to the world's: none, or -90° about X for Z up.
Quatd world_from_file(UpAxis up);

/// The rest pose in metres and Y up. Only the root's own transform turns; other joints keep their frames.
Result<Skeleton> place_skeleton(const Skeleton& in_file_units, double unit_m, UpAxis up);

}  // namespace shosa::io
