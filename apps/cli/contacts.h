#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/draw/strip.h"

namespace shosa::cli {

/// The found contacts as marks of a strip; none where the body has no feet.
std::vector<draw::FootMarks> foot_marks(const Clip& clip, const body::BodyMap& map);

}  // namespace shosa::cli
