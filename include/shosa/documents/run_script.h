#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/character/commands.h"
#include "shosa/documents/clip_source.h"
#include "shosa/segment/terrain.h"

namespace shosa::documents {

struct TargetKey {
  double time_s = 0.0;
  Vec3d position_m = Vec3d::Zero();
};
/// One command. Words for joints and states are looked up when the script is run.
struct RunCommand {
  double at_s = 0.0;
  character::Command command;
  std::string what;               ///< The key that says what it is: "go", "reach", …
  std::string word;               ///< The state, joint or motion that it names.
  std::string other;              ///< The second hand of a reach, or the joint that a layer lies over.
  std::vector<std::string> feet;  ///< Of a footstep plan, step by step.
  std::vector<TargetKey> keys;    ///< Of a target that moves: linear in between.
  std::optional<double> until_s;  ///< Reaches, drags, pins, gazes and layers let go then.
};

/// A timed list of commands to one running character on a ground:
///
///     {"graph": "town.json", "start": "stand", "place_m": [0, 0], "heading_deg": 0, "duration_s": 12, "fps": 60,
///      "ground": {"stairs": {"at": [0, 2], "heading_deg": 0, "rise_m": 0.17, "tread_m": 0.28, "count": 6}},
///      "commands": [{"at_s": 0, "direction_deg": 0, "speed_mps": 1.3}, …]}
///
/// Instead of a graph `"clips": {"stand": "idle.bvh", "walk": "walk.bvh"}`: loops of them are linked; `"layers":
/// {"wave": "wave.bvh"}` beside them are motions for layers alone. The ground is `stairs`, or a terrain as a footstep
/// plan has it. Commands, each with `at_s`: {"go": STATE, "hurry"}, {"direction_deg", "speed_mps", "facing_deg" or
/// "facing_m"}, {"place_m": [x, z], "heading_deg", "speed_mps", "facing_deg" or "facing_m"}, {"path_m": [[x, z], …],
/// "speed_mps"}, {"steps": [{"foot": "left", "at": [x, z], "heading_deg"}, …]}, {"stop": true}, {"stop_ahead_m"},
/// {"once": STATE, "core_at_s"}, {"face_deg"}, {"face_m": [x, z]}, {"reach": JOINT, "to_m" or "keys", "duration_s",
/// "until_s", "frame": "body", "with": JOINT, "apart_m"}, {"drag": JOINT, "to_m" or "keys", "until_s"}, {"pin": JOINT,
/// "orientation", "until_s"}, {"look_m": [x, y, z], "keys", "until_s"}, {"layer": MOTION, "over": PART or JOINT,
/// "weight", "fade_s", "from_s", "once", "heading_deg", "until_s"}, {"push_mps": [x, y, z]}.
struct RunScript {
  std::string file;  ///< For messages.
  std::string graph;
  std::vector<std::pair<std::string, ClipReference>> clips;   ///< Names of states and where they come from.
  std::vector<std::pair<std::string, ClipReference>> layers;  ///< Motions that are no states.
  std::string start;                                          ///< Empty: standing, where the clips can.
  double x_m = 0.0, z_m = 0.0, heading_rad = 0.0;
  std::optional<double> duration_s;  ///< Empty: until 3 s after the last command.
  double fps = 60.0;
  std::optional<segment::Terrain> ground;  ///< Empty: level.
  std::vector<RunCommand> commands;
};
Result<RunScript> parse_run_script(std::string_view text, const std::string& file);
/// What the key "ground" of a script may hold, as a text of its own.
Result<segment::Terrain> parse_ground(std::string_view text, const std::string& file);

/// What became of a command.
struct RanCommand {
  double at_s = 0.0;
  std::string what, word;
  character::Outcome outcome;
  std::optional<double> reached_s;  ///< When it was first met, done or given up.
};
struct RanScript {
  io::MotionFile motion;
  std::vector<RanCommand> commands;  ///< In the order of the script.
  Notes notes;
};
/// `source` finds clips and the graph beside the script. Fails with the place in the script of a state or joint that is
/// not there. `usual_prior` are postures on any human bodies: how reaches bend the body.
Result<RanScript> evaluate(const RunScript& script, const ClipSource& source,
                           std::span<const analysis::StudiedClip> usual_prior = {});

}  // namespace shosa::documents
