#pragma once

#include <initializer_list>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::demo {

inline constexpr std::initializer_list<body::Role> kFeet = {body::Role::left_foot, body::Role::left_toes,
                                                            body::Role::right_foot, body::Role::right_toes};

/// One posture of a clip, held at 60 Hz.
Clip held(const Clip& clip, int frame, double seconds);

/// Pins where the reference has the joints, for the roles that are there.
std::vector<posing::MotionPin> pins_on(const body::BodyMap& map, std::initializer_list<body::Role> roles);

/// An edit with a human's stiffness, ranges and knees (hinges, as they bend in `clip`), without pins and drags.
Result<posing::MotionEditParams> human_edit(const Clip& clip, const body::BodyMap& map);
Result<posing::Balance> human_balance(const Skeleton& skeleton, const body::BodyMap& map);

/// Where the body faces in the first frame, level, unit.
Vec3d forward_of(const Clip& clip, const body::BodyMap& map);

}  // namespace shosa::demo
