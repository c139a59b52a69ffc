#include <algorithm>
#include <cmath>

#include "shosa/character/character.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/documents/run_script.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/retarget/posture_prior.h"

namespace shosa::documents {
namespace {

/// How long is played after the last command, where no end was told.
constexpr double kAfterLastCommand_s = 3.0;
constexpr double kLongestRun_frames = 1e6;

/// A graph and its clips, as characters share them.
struct Stage {
  std::shared_ptr<const character::CharacterData> data;
  io::MotionFile first;
  Notes notes;
};

/// Whether anything is reached for.
bool bends(const RunScript& script) {
  return std::ranges::any_of(script.commands, [](const RunCommand& told) {
    return std::holds_alternative<character::Reach>(told.command) ||
           std::holds_alternative<character::Drag>(told.command);
  });
}

Result<Stage> open_stage(const RunScript& script, const ClipSource& source,
                         std::span<const analysis::StudiedClip> usual_prior) {
  Stage stage;
  std::shared_ptr<const graph::MotionGraph> graph;
  std::shared_ptr<graph::MotionSet> set;
  if (!script.graph.empty()) {
    const auto text = source.text(script.graph);
    if (!text) return fail(text.error().code, "{}: /graph: {}", script.file, text.error().message);
    auto file = parse_graph(*text, source.path(script.graph));
    if (!file) return std::unexpected(file.error());
    auto clips = open_graph_clips(*file, source);
    if (!clips) return std::unexpected(clips.error());
    stage.notes = file->warnings;
    stage.first = std::move(clips->first);
    set = std::make_shared<graph::MotionSet>(std::move(clips->set));
    graph = std::make_shared<const graph::MotionGraph>(std::move(file->graph));
  } else {
    std::vector<ClipReference> references;
    for (const auto& [name, clip] : script.clips) references.push_back(clip);
    for (const auto& [name, clip] : script.layers) references.push_back(clip);
    auto clips = open_graph_clips(references, source);
    if (!clips) return fail(clips.error().code, "{}: /clips: {}", script.file, clips.error().message);
    stage.first = std::move(clips->first);
    set = std::make_shared<graph::MotionSet>(std::move(clips->set));
    // States are called as the script calls them.
    for (std::size_t i = 0; i < references.size(); ++i) {
      const bool gait = i < script.clips.size();
      set->clips[i].name = gait ? script.clips[i].first : script.layers[i - script.clips.size()].first;
      if (!gait && set->find(set->clips[i].name) != static_cast<int>(i))
        return fail(ErrorCode::bad_file, "{}: /layers: a motion and a state are both called '{}'", script.file,
                    set->clips[i].name);
    }
    graph::MotionSet linked = *set;
    linked.clips.erase(linked.clips.begin() + static_cast<std::ptrdiff_t>(script.clips.size()), linked.clips.end());
    auto gaits = graph::link_gaits(linked);
    if (!gaits) return fail(gaits.error().code, "{}: /clips: {}", script.file, gaits.error().message);
    graph = std::make_shared<const graph::MotionGraph>(std::move(gaits->graph));
  }
  stage.notes.insert(stage.notes.end(), set->warnings.begin(), set->warnings.end());
  character::CharacterDataParams params{.frame_time_s = 1.0 / script.fps};
  if (!usual_prior.empty() && set->body_map.kind == body::BodyKind::humanoid && bends(script)) {
    auto prior = retarget::posture_prior(usual_prior, set->clips.front().studied);
    if (prior)
      params.prior = std::move(*prior);
    else
      stage.notes.push_back(fmt::format("bends without knowing how people do: {}", prior.error().message));
  }
  auto data = character::CharacterData::create(graph, set, params);
  if (!data) return fail(data.error().code, "{}: {}", script.file, data.error().message);
  stage.data = std::move(*data);
  return stage;
}

/// Names of all in a list.
std::string names_of(const auto& list) {
  std::string names;
  for (const auto& known : list) names += (names.empty() ? "" : ", ") + known.name;
  return names;
}

Result<int> find_state(const RunScript& script, const character::CharacterData& data, const std::string& name,
                       const std::string& place) {
  const int state = data.find_state(name);
  if (state >= 0) return state;
  return fail(ErrorCode::bad_file, "{}: {}: no state is called '{}', expected one of {}", script.file, place, name,
              names_of(data.states()));
}

/// Puts numbers for the words of a command.
Result<character::Command> resolved(const RunScript& script, const character::CharacterData& data, std::size_t index) {
  const RunCommand& told = script.commands[index];
  const std::string place = fmt::format("/commands/{}/{}", index, told.what);
  character::Command command = told.command;
  Result<void> found;
  const auto find_joint = [&](const std::string& word, JointIndex& to) {
    const auto joint = body::resolve_joint(data.skeleton(), data.set().body_map, word);
    if (joint)
      to = *joint;
    else
      found = fail(ErrorCode::bad_file, "{}: {}: {}", script.file, place, joint.error().message);
  };
  std::visit(
      [&](auto& order) {
        if constexpr (requires { order.clip; }) {
          order.clip = data.set().find(told.word);
          if (order.clip < 0)
            found = fail(ErrorCode::bad_file, "{}: {}: no motion is called '{}', expected one of {}", script.file,
                         place, told.word, names_of(data.set().clips));
          else if (order.part == character::Layer::Part::joint)
            find_joint(told.other, order.top);
        } else if constexpr (requires { order.steps; }) {
          for (int i = 0; i < order.count; ++i) {
            const auto foot = std::ranges::find(data.set().feet, told.feet[i], &body::FootPoints::name);
            order.steps[i].foot = static_cast<int>(foot - data.set().feet.begin());
            if (foot == data.set().feet.end())
              found = fail(ErrorCode::bad_file, "{}: {}/{}/foot: no foot is called '{}', expected one of {}",
                           script.file, place, i, told.feet[i], names_of(data.set().feet));
          }
        } else if constexpr (requires { order.state; }) {
          const auto state = find_state(script, data, told.word, place);
          if (state)
            order.state = *state;
          else
            found = std::unexpected(state.error());
        } else if constexpr (requires { order.joint; }) {
          find_joint(told.word, order.joint);
          if constexpr (requires { order.other; }) {
            if (found && !told.other.empty()) find_joint(told.other, order.other);
          }
        }
      },
      command);
  if (!found) return std::unexpected(found.error());
  return command;
}

Vec3d target_at(const std::vector<TargetKey>& keys, double time_s) {
  if (time_s <= keys.front().time_s) return keys.front().position_m;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    if (time_s > keys[k].time_s) continue;
    const double share = (time_s - keys[k - 1].time_s) / (keys[k].time_s - keys[k - 1].time_s);
    return keys[k - 1].position_m + share * (keys[k].position_m - keys[k - 1].position_m);
  }
  return keys.back().position_m;
}

}  // namespace

Result<RanScript> evaluate(const RunScript& script, const ClipSource& source,
                           std::span<const analysis::StudiedClip> usual_prior) {
  auto stage = open_stage(script, source, usual_prior);
  if (!stage) return std::unexpected(stage.error());
  const character::CharacterData& data = *stage->data;
  character::CharacterParams params{.place = {script.x_m, script.z_m, script.heading_rad}};
  if (!script.start.empty()) {
    const auto state = find_state(script, data, script.start, "/start");
    if (!state) return std::unexpected(state.error());
    params.start_state = *state;
  }
  std::vector<character::Command> commands;
  double last_s = 0.0;
  for (std::size_t i = 0; i < script.commands.size(); ++i) {
    auto command = resolved(script, data, i);
    if (!command) return std::unexpected(command.error());
    commands.push_back(*command);
    last_s = std::max({last_s, script.commands[i].at_s, script.commands[i].until_s.value_or(0.0)});
  }
  auto character = character::Character::create(stage->data, params);
  if (!character) return std::unexpected(character.error());
  if (script.ground) character->set_ground(*script.ground);

  RanScript ran{.notes = std::move(stage->notes)};
  for (const RunCommand& command : script.commands)
    ran.commands.push_back({.at_s = command.at_s, .what = command.what, .word = command.word});
  std::vector<character::Handle> handles(commands.size(), character::kNoHandle);
  const double frame_s = 1.0 / script.fps;
  const double duration_s = script.duration_s.value_or(last_s + kAfterLastCommand_s);
  if (duration_s * script.fps > kLongestRun_frames) {
    return fail(ErrorCode::bad_file, "{}: {}: {} s at {} fps, expected at most 1 million frames", script.file,
                script.duration_s ? "/duration_s" : "/commands", duration_s, script.fps);
  }
  const int frames = static_cast<int>(std::lround(duration_s * script.fps)) + 1;
  Clip clip(data.set().skeleton, frames, frame_s, data.set().clips.front().clip().translated());
  clip.set_name("run");
  clip.set_frame(0, character->pose());
  for (int f = 1; f < frames; ++f) {
    const double now_s = (f - 1) * frame_s;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const RunCommand& told = script.commands[i];
      if (handles[i] == character::kNoHandle && told.at_s <= now_s + 1e-9 && !ran.commands[i].reached_s) {
        const auto handle = character->command(commands[i]);
        if (!handle) {
          const ErrorCode code = handle.error().code;
          return fail(code == ErrorCode::invalid_argument ? ErrorCode::bad_file : code, "{}: /commands/{}/{}: {}",
                      script.file, i, told.what, handle.error().message);
        }
        handles[i] = *handle;
      }
      if (handles[i] == character::kNoHandle) continue;
      if (!told.keys.empty()) character->move_target(handles[i], target_at(told.keys, now_s));
      if (told.until_s && *told.until_s <= now_s + 1e-9) character->release(handles[i]);
    }
    character->update(frame_s);
    clip.set_frame(f, character->pose());
    for (std::size_t i = 0; i < commands.size(); ++i) {
      RanCommand& command = ran.commands[i];
      const character::Outcome now = character->outcome(handles[i]);
      if (now.status != character::Status::unknown) command.outcome = now;
      const bool ended = now.met || now.status == character::Status::done || now.status == character::Status::given_up;
      if (ended && !command.reached_s) command.reached_s = f * frame_s;
    }
  }
  for (std::size_t i = 0; i < ran.commands.size(); ++i) {
    const character::Outcome& outcome = ran.commands[i].outcome;
    if (outcome.status == character::Status::given_up) {
      ran.notes.push_back(
          fmt::format("{}: /commands/{}: given up: {}", script.file, i, character::reason_name(outcome.reason)));
    } else if (outcome.status == character::Status::unknown) {
      ran.notes.push_back(fmt::format("{}: /commands/{}: at {} s, which is not before the end at {} s: not told",
                                      script.file, i, script.commands[i].at_s, duration_s));
    }
  }
  ran.motion = std::move(stage->first);
  ran.motion.clips = {std::move(clip)};
  return ran;
}

}  // namespace shosa::documents
