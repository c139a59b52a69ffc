#pragma once

#include <span>
#include <string>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/note.h"

namespace shosa::io {

/// How many frames stand before the motion: a reference posture in which most joints are at rest and from which the
/// body leaps as it does nowhere after, and a frame of zeros that may follow it. 0: the motion starts at once. `frames`
/// are the first of the motion, up to 4: how far each joint is turned from its rest.
int count_tpose_frames(std::span<const std::vector<Quatd>> frames);
int count_tpose_frames(const Clip& clip);

/// What is said of them, as warning.
Note tpose_note(int frames, bool left_out);

}  // namespace shosa::io
