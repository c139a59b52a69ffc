#pragma once

#include "motions/body.h"

namespace shosa::motions {

/// A human's frames before the legs are put in: hips and what is above them, and where the feet are.
struct Frames {
  std::vector<UpperBody> bodies;
  std::vector<std::array<FootState, 2>> feet;
};

}  // namespace shosa::motions
