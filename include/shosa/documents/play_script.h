#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/planner.h"
#include "shosa/graph/player.h"

namespace shosa::documents {

/// What a character is told while it plays:
///
///     {"start": 0, "duration_s": 12.0, "fps": 60, "motion": "velocity_matched", "keep_feet": true,
///      "commands": [{"at_s": 1.5, "to": "run", "hurry": 80}, {"at_s": 6.0, "to": [3, 4]}, {"at_s": 8.0, "impossible":
///      [7]}, {"at_s": 9.0, "to": "stand", "ahead_m": 1.0}, {"at_s": 14.0, "to": "stand", "place_m": [2.0, 3.5],
///      "heading_deg": 90}]}
///
/// With `ahead_m` (along where the body faces) or `place_m` (x, z) the target shall be met there, facing `heading_deg`
/// about +Y (0 = +Z) where that is given: when to begin and how hurried is searched for (`plan_to_place`), so that
/// `hurry` must be left out. `start` is a node's id or name (of several nodes of a name the first), `to` an id, a name,
/// or a list of both. All but `commands` may be left out: the first node, 2 s after the last command, 60,
/// `velocity_matched`, true.
struct PlayCommand {
  double at_s = 0.0;
  std::vector<std::string> to, impossible;  ///< Ids or names of nodes; the latter cannot be taken from now on.
  int hurry = graph::kNoHurry;
  std::optional<double> ahead_m;               ///< How far ahead the target shall be met …
  std::optional<analysis::GroundPlace> place;  ///< … or where …
  bool heading_matters = false;                ///< … and whether facing as `place` does.
};
struct PlayScript {
  std::string file;                  ///< For messages; empty: no file, the commands were typed.
  std::string start;                 ///< Empty: the first node.
  std::optional<double> duration_s;  ///< Empty: what is on the way 2 s after the last command is carried out.
  graph::PlayerParams params;
  std::vector<PlayCommand> commands;
};

Result<PlayScript> parse_play_script(std::string_view text, const std::string& file);

}  // namespace shosa::documents
