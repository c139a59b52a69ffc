#pragma once

namespace shosa::scenes {

/// How often the calling thread has taken memory since it started, from C, C++ or Eigen. Programs that link
/// shosa_allocations count; they take memory a little slower.
long allocations();

}  // namespace shosa::scenes
