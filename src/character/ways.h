#pragma once

#include <span>
#include <vector>

#include "shosa/character/character_data.h"

namespace shosa::character {

/// The shortest play time from every node to a set of nodes, and the link that begins that way. A way leaves the state
/// that it begins in, and then leads through states that are passed (`CharacterData::is_passed`) and that of the
/// targets; only from where there is no such way it leads through others. The planner goes round the same
/// states (`graph::Command::avoided_nodes`).
struct Ways {
  std::vector<double> time_s;
  std::vector<graph::LinkIndex> link;     ///< kNoLink at a target, and where there is no way.
  std::vector<graph::NodeIndex> by_time;  ///< Nodes with a way, each after all that its way leads through.
};
Ways ways_to(const CharacterData& data, std::span<const graph::NodeIndex> targets);

}  // namespace shosa::character
