#include "shosa/documents/run_script.h"

#include <algorithm>

#include "documents/clip_reference.h"
#include "documents/terrain_reader.h"
#include "shosa/core/angles.h"

namespace shosa::documents {
namespace {

constexpr double kLongest_s = 86400.0, kMostSpeed_mps = 20.0;

/// The keys that say what a command is; each has exactly one of them.
constexpr std::array<std::string_view, 16> kCommandKeys = {
    "go",     "direction_deg", "place_m", "path_m", "stop",   "stop_ahead_m", "once",  "face_deg",
    "face_m", "reach",         "drag",    "pin",    "look_m", "push_mps",     "steps", "layer"};

character::Point read_point(const Place& place) {
  const auto [x, z] = read_at(place);
  return {x, z};
}

double read_degrees(const Place& place, std::string_view key) {
  double degrees = 0.0;
  place.read(key, degrees, -kMostTurn_deg, kMostTurn_deg);
  return degrees * kRadPerDeg;
}

/// A terrain, or a flight of stairs.
segment::Terrain read_ground(const Place& place) {
  if (!place.has("stairs")) return read_terrain(place);
  place.only({"stairs"});
  const Place stairs = place.at("stairs");
  stairs.only({"at", "heading_deg", "rise_m", "tread_m", "count"});
  segment::StairsParams params;
  if (stairs.has("at")) {
    const auto [x, z] = read_at(stairs.at("at"));
    params.first_edge_m = {x, 0.0, z};
  }
  params.heading_rad = read_heading_rad(stairs);
  stairs.read("rise_m", params.rise_m, -1.0, 1.0);
  stairs.read("tread_m", params.tread_m, 0.05, kFarthestStep_m);
  stairs.read("count", params.count, 1, kMostSteps);
  return segment::stairs_terrain(params);
}

/// The target of a reach, a drag or a gaze: a place, or keys of one that moves.
Vec3d read_target(const Place& place, std::string_view key, RunCommand& command) {
  if (!place.has("keys")) return place.at(key).point();
  if (place.has(key) && key == "to_m") place.wrong("both to_m and keys");
  for (const Place& entry : place.at("keys").list(1)) {
    entry.only({"time_s", "position"});
    TargetKey& target = command.keys.emplace_back();
    target.time_s = entry.at("time_s").number(0.0, kLongest_s);
    target.position_m = entry.at("position").point();
    if (command.keys.size() > 1 && target.time_s <= command.keys[command.keys.size() - 2].time_s)
      entry.at("time_s").wrong("not later than the key before it");
  }
  return command.keys.empty() ? Vec3d(Vec3d::Zero()) : command.keys.front().position_m;
}

character::GoPath read_path(const Place& place) {
  character::GoPath path;
  for (const Place& point : place.list(1)) {
    if (path.count == character::GoPath::kMostPoints) {
      place.expected(fmt::format("at most {} points", character::GoPath::kMostPoints));
      break;
    }
    path.points[path.count++] = read_point(point);
  }
  return path;
}

std::optional<character::Facing> read_facing(const Place& place) {
  if (!place.has("facing_deg") && !place.has("facing_m")) return std::nullopt;
  if (place.has("facing_deg") && place.has("facing_m")) place.wrong("both facing_deg and facing_m");
  character::Facing facing;
  if (place.has("facing_m"))
    facing.point = read_point(place.at("facing_m"));
  else
    facing.heading_rad = read_degrees(place, "facing_deg");
  return facing;
}

character::GoSteps read_steps(const Place& place, std::vector<std::string>& feet) {
  character::GoSteps plan;
  for (const Place& entry : place.list(1)) {
    if (plan.count == character::GoSteps::kMostSteps) {
      place.expected(fmt::format("at most {} steps", character::GoSteps::kMostSteps));
      break;
    }
    entry.only({"foot", "at", "heading_deg"});
    character::GoSteps::Step& step = plan.steps[plan.count++];
    feet.push_back(entry.at("foot").text("the name of a foot"));
    step.place = read_point(entry.at("at"));
    if (entry.has("heading_deg")) step.heading_rad = read_heading_rad(entry);
  }
  return plan;
}

character::Layer read_layer(const Place& place, std::string& over) {
  character::Layer layer;
  place.read("over", over);
  constexpr std::array<std::string_view, 4> kParts = {"upper_body", "arms", "left_arm", "right_arm"};
  const auto part = std::ranges::find(kParts, over.empty() ? kParts.front() : std::string_view(over));
  layer.part = static_cast<character::Layer::Part>(part - kParts.begin());
  place.read("weight", layer.weight, 0.0, 1.0);
  place.read("fade_s", layer.fade_s, 0.05, 5.0);
  place.read("from_s", layer.from_s, 0.0, kLongest_s);
  place.read("once", layer.once);
  if (place.has("heading_deg")) layer.heading_rad = read_heading_rad(place);
  return layer;
}

RunCommand read_run_command(const Place& place) {
  RunCommand command;
  place.read("at_s", command.at_s, 0.0, kLongest_s);
  for (const std::string_view kind : kCommandKeys) {
    if (!place.has(kind)) continue;
    if (command.what == "layer") continue;  // its own `once`
    if (!command.what.empty() && kind != "layer") place.wrong(fmt::format("both {} and {}", command.what, kind));
    command.what = kind;
  }
  const std::string& what = command.what;
  const Place value = place.at(what);
  double speed = 1.3;
  place.read("speed_mps", speed, 0.0, kMostSpeed_mps);
  if (what == "go") {
    place.only({"at_s", "go", "hurry"});
    character::GoState go;
    place.read("hurry", go.hurry, 0, graph::kMaxHurry);
    command.word = value.text("the name of a state");
    command.command = go;
  } else if (what == "direction_deg") {
    place.only({"at_s", "direction_deg", "speed_mps", "facing_deg", "facing_m"});
    command.command = character::GoDirection{read_degrees(place, what), speed, read_facing(place)};
  } else if (what == "place_m") {
    place.only({"at_s", "place_m", "heading_deg", "speed_mps", "facing_deg", "facing_m"});
    character::GoPlace go{
        .place = read_point(value), .heading_rad = {}, .speed_mps = speed, .facing = read_facing(place)};
    if (place.has("heading_deg")) go.heading_rad = read_heading_rad(place);
    command.command = go;
  } else if (what == "path_m") {
    place.only({"at_s", "path_m", "speed_mps"});
    character::GoPath path = read_path(value);
    path.speed_mps = speed;
    command.command = path;
  } else if (what == "stop") {
    place.only({"at_s", "stop"});
    if (!value.flag()) value.expected("true");
    command.command = character::Stop{};
  } else if (what == "stop_ahead_m") {
    place.only({"at_s", "stop_ahead_m"});
    command.command = character::Stop{value.number(1e-3, 1e4)};
  } else if (what == "once") {
    place.only({"at_s", "once", "core_at_s"});
    character::PlayOnce once;
    place.read("core_at_s", once.core_at_s, 0.0, kLongest_s);
    command.word = value.text("the name of a state");
    command.command = once;
  } else if (what == "face_deg" || what == "face_m") {
    place.only({"at_s", what});
    character::Face face;
    if (what == "face_m")
      face.point = read_point(value);
    else
      face.heading_rad = read_degrees(place, what);
    command.command = face;
  } else if (what == "reach" || what == "drag") {
    const bool reaches = what == "reach";
    place.only({"at_s", what, "to_m", "keys", "until_s", reaches ? "duration_s" : what, reaches ? "frame" : what,
                reaches ? "with" : what, reaches ? "apart_m" : what});
    command.word = value.text("a joint's name or role");
    const Vec3d target = read_target(place, "to_m", command);
    if (reaches) {
      character::Reach reach{.target_m = target};
      place.read("duration_s", reach.duration_s, 0.0, 60.0);
      place.read("apart_m", reach.apart_m, 0.0, 2.0);
      place.read("with", command.other);
      if (place.has("frame") && place.at("frame").word({"world", "body"}) == "body")
        reach.frame = character::Frame::body;
      command.command = reach;
    } else {
      command.command = character::Drag{.target_m = target};
    }
  } else if (what == "pin") {
    place.only({"at_s", "pin", "orientation", "until_s"});
    command.word = value.text("a joint's name or role");
    character::Pin pin;
    place.read("orientation", pin.orientation);
    command.command = pin;
  } else if (what == "look_m") {
    place.only({"at_s", "look_m", "keys", "until_s"});
    command.command = character::LookAt{read_target(place, "look_m", command)};
  } else if (what == "push_mps") {
    place.only({"at_s", "push_mps"});
    command.command = character::Push{value.point()};
  } else if (what == "steps") {
    place.only({"at_s", "steps"});
    command.command = read_steps(value, command.feet);
  } else if (what == "layer") {
    place.only({"at_s", "layer", "over", "weight", "fade_s", "from_s", "once", "heading_deg", "until_s"});
    command.word = value.text("the name of a motion");
    command.command = read_layer(place, command.other);
  } else {
    // A key that is none is named first.
    place.only({"at_s", "until_s", "speed_mps", "heading_deg", "facing_deg", "facing_m", "hurry", "core_at_s", "to_m",
                "keys", "duration_s", "frame", "with", "apart_m", "orientation", "over", "weight", "fade_s", "from_s"},
               kCommandKeys);
    place.expected(
        "one of go, direction_deg, place_m, path_m, steps, stop, stop_ahead_m, once, face_deg, face_m, reach, drag, "
        "pin, look_m, layer, push_mps");
  }
  place.read("until_s", command.until_s, 0.0, kLongest_s);
  if (command.until_s && *command.until_s <= command.at_s) {
    place.at("until_s").wrong(
        fmt::format("{}, expected a time after at_s, which is {}", *command.until_s, command.at_s));
  }
  return command;
}

}  // namespace

Result<segment::Terrain> parse_ground(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  return reader.finish(read_ground(reader.root()));
}

Result<RunScript> parse_run_script(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"graph", "clips", "layers", "start", "place_m", "heading_deg", "duration_s", "fps", "ground", "commands"});
  RunScript script{.file = file};
  if (root.has("graph") == root.has("clips")) root.expected("either graph or clips");
  root.read("graph", script.graph);
  const auto read_clips = [](const Place& clips, std::string_view what, auto& list) {
    if (!clips.is_object()) clips.expected(what);
    clips.each([&](const Place& place) {
      auto& [name, clip] = list.emplace_back();
      name = place.key();
      if (place.is_object())
        place.only({}, kClipKeys), read_clip(place, clip);
      else
        clip.clip = place.text("a file");
    });
  };
  if (const Place clips = root.at("clips"); clips.exists()) {
    read_clips(clips, "names of states and their clips", script.clips);
    if (script.clips.size() < 2) clips.expected("at least 2 clips");
  }
  if (const Place layers = root.at("layers"); layers.exists()) {
    if (root.has("graph")) layers.wrong("layers beside a graph, expected beside clips");
    read_clips(layers, "names of motions and their clips", script.layers);
  }
  root.read("start", script.start);
  if (root.has("place_m")) {
    const character::Point at = read_point(root.at("place_m"));
    script.x_m = at.x_m, script.z_m = at.z_m;
  }
  script.heading_rad = read_heading_rad(root);
  root.read("duration_s", script.duration_s, kAboveZero, kLongest_s);
  root.read("fps", script.fps, 10.0, 1000.0);
  if (root.has("ground")) script.ground = read_ground(root.at("ground"));
  for (const Place& place : root.at("commands").list()) script.commands.push_back(read_run_command(place));
  return reader.finish(std::move(script));
}

}  // namespace shosa::documents
