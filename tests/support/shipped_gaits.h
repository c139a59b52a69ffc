#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "motions/motions.h"
#include "shosa/character/character_data.h"
#include "shosa/graph/link_gaits.h"

namespace shosa::test {

/// What characters of gaits that ship share: for tests and benchmarks. `change`, where given, is made to each motion.
inline std::shared_ptr<const character::CharacterData> shipped_gaits(std::initializer_list<const char*> names,
                                                                     void (*change)(motions::Motion&) = nullptr) {
  std::vector<graph::NamedClip> clips;
  body::BodyMap map;
  for (const char* name : names) {
    auto motion = motions::make(name);
    if (change != nullptr) change(*motion);
    map = motion->body_map;
    clips.push_back({name, std::move(motion->clip)});
  }
  auto set = std::make_shared<const graph::MotionSet>(*graph::make_motion_set(std::move(clips), map));
  auto net = std::make_shared<const graph::MotionGraph>(graph::link_gaits(*set)->graph);
  return *character::CharacterData::create(net, set);
}

}  // namespace shosa::test
