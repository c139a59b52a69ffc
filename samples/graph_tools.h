#pragma once

// What the samples of the motion graph share: a set of motions that ship, and how they end and save.

#include <initializer_list>

#include "motions/motions.h"
#include "sample_tools.h"
#include "shosa/graph/motion_set.h"

namespace shosa::sample {

inline int failure(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 1;
}

/// Motions that ship, all of one body, by their names.
inline Result<graph::MotionSet> shipped_set(std::initializer_list<const char*> names) {
  std::vector<graph::NamedClip> clips;
  body::BodyMap map;
  for (const char* name : names) {
    auto motion = motions::make(name);
    if (!motion) return std::unexpected(motion.error());
    map = motion->body_map;
    clips.push_back({name, std::move(motion->clip)});
  }
  return graph::make_motion_set(std::move(clips), map);
}

}  // namespace shosa::sample
