#pragma once

namespace shosa::segment {

/// How the change at a path's end is spread over the path.
enum class EditMethod {
  two_step,  ///< Position by delta, then the velocity still missing by epsilon. The default.
  one_step,  ///< Position and velocity at once by gamma and epsilon; bends a path whose end moves far.
  linear     ///< Position by i / n, velocity not met: the baseline that makes a resting foot slide.
};

}  // namespace shosa::segment
