#pragma once

// What the samples of the running character share.

#include "graph_tools.h"
#include "shosa/character/character.h"
#include "shosa/graph/link_gaits.h"

namespace shosa::sample {

/// What characters of motions that ship share.
inline Result<std::shared_ptr<const character::CharacterData>> character_data(
    std::initializer_list<const char*> names) {
  auto clips = shipped_set(names);
  if (!clips) return std::unexpected(clips.error());
  const auto set = std::make_shared<const graph::MotionSet>(std::move(*clips));
  auto gaits = graph::link_gaits(*set);
  if (!gaits) return std::unexpected(gaits.error());
  return character::CharacterData::create(std::make_shared<const graph::MotionGraph>(std::move(gaits->graph)), set);
}

inline Vec3d joint_at(const character::Character& character, JointIndex joint) {
  return forward_kinematics(character.data().skeleton(), character.pose()).positions[joint];
}

}  // namespace shosa::sample
