#include "answers.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/body/kind_name.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/library/filter_text.h"
#include "shosa/library/find.h"

namespace shosa::server {

namespace {

using nlohmann::ordered_json;

constexpr double kShown_hz = 30.0, kLongest_s = 300.0;

std::unexpected<Refusal> refused(const Error& error) {
  const bool asked_wrongly = error.code == ErrorCode::invalid_argument;
  const bool not_there = error.code == ErrorCode::cannot_read;
  return std::unexpected(Refusal{asked_wrongly ? 400 : not_there ? 404 : 422, error.message, {}});
}

std::string one(const Questions& questions, const std::string& key) {
  const auto found = questions.find(key);
  return found == questions.end() ? std::string() : found->second;
}

ordered_json clip_json(const library::LibraryClip& clip) {
  return {{"file", clip.file},
          {"kind", body::kind_name(clip.facts.kind)},
          {"frames", clip.facts.frames},
          {"fps", clip.facts.fps},
          {"duration_s", clip.facts.duration_s},
          {"words", clip.words},
          {"root_speed_mps", clip.facts.root_speed_mps},
          {"turn_deg", clip.facts.turn_deg},
          {"strip", clip.facts.strip}};
}

}  // namespace

Answer<ordered_json> clip_positions_json(const ProjectFiles& files, const std::string& path) {
  const auto file = files.resolve(path);
  if (!file) return std::unexpected(file.error());
  std::error_code error;
  if (!std::filesystem::is_regular_file(*file, error))
    return std::unexpected(Refusal{404, path + ": is not there", {}});
  const auto motion = io::read_motion(*file, {.drop_tpose = true});
  if (!motion) return std::unexpected(Refusal{422, motion.error().message, {}});
  if (motion->clips.empty()) return std::unexpected(Refusal{422, path + ": holds a skeleton but no motion", {}});
  const Clip& clip = motion->clips.front();
  const double last_s = std::min(clip.last_time_s(), kLongest_s);
  const ClipPositions positions = clip_positions(clip);
  ordered_json json = {{"path", path}, {"fps", kShown_hz}, {"duration_s", clip.duration_s()}};
  for (const Joint& joint : clip.skeleton().joints()) {
    json["names"].push_back(joint.name);
    json["parents"].push_back(joint.parent);
  }
  std::vector<int> millimetres;
  for (int i = 0; i / kShown_hz <= last_s; ++i) {
    const int frame = clip.nearest_frame(i / kShown_hz);
    for (JointIndex joint = 0; joint < clip.joint_count(); ++joint)
      for (int axis = 0; axis < 3; ++axis)
        millimetres.push_back(
            static_cast<int>(std::lround(std::clamp(positions.joint(frame, joint)[axis], -1e6, 1e6) * 1000.0)));
  }
  json["frames"] = static_cast<int>(millimetres.size()) / (3 * clip.joint_count());
  json["positions_mm"] = std::move(millimetres);
  return json;
}

Answer<ordered_json> library_json(const ProjectFiles& files, const Questions& questions) {
  const auto opened = library::Library::open(files.folder());
  if (!opened) return refused(opened.error());
  const auto filter = library::parse_filter({.words = one(questions, "words"),
                                             .kind = one(questions, "kind"),
                                             .speed = one(questions, "speed"),
                                             .length = one(questions, "length"),
                                             .turn = one(questions, "turn"),
                                             .flight = questions.contains("flight"),
                                             .cycle = questions.contains("cycle")});
  if (!filter) return refused(filter.error());
  library::FindParams params{.filter = *filter, .mirrored = questions.contains("mirrored")};
  if (const std::string limit = one(questions, "limit"); !limit.empty()) {
    const auto read = std::from_chars(limit.data(), limit.data() + limit.size(), params.limit);
    if (read.ec != std::errc() || read.ptr != limit.data() + limit.size() || params.limit < 1)
      return std::unexpected(Refusal{400, "limit: expected a whole number above 0", {}});
  }
  const std::string like = one(questions, "like"), follows = one(questions, "follows");
  if (like.empty() && follows.empty()) {
    const auto clips = opened->clips(*filter);
    if (!clips) return refused(clips.error());
    ordered_json json = {{"clips", ordered_json::array()}};
    for (const library::LibraryClip& clip : *clips)
      if (files.resolve(clip.file)) json["clips"].push_back(clip_json(clip));
    return json;
  }
  // Only files of the project may be examples.
  const std::string& asked = like.empty() ? follows : like;
  if (const auto inside = files.resolve(library::split_example(asked).file); !inside)
    return std::unexpected(inside.error());
  const auto example = library::read_example(*opened, (files.folder() / asked).string());
  if (!example) return refused(example.error());
  ordered_json json = {{"matches", ordered_json::array()}};
  const auto add = [&](const library::Match& match, const ordered_json& more) {
    if (!files.resolve(match.file)) return;  // a link that leads outside, or a name that the door does not know
    json["matches"].push_back({{"file", match.file},
                               {"take", match.take},
                               {"time_s", match.time_s},
                               {"distance", match.distance_m},
                               {"mirrored", match.mirrored},
                               {"twin", match.twin != library::Twin::none},
                               {"twin_of", match.twin_of}});
    json["matches"].back().update(more);
  };
  if (like.empty()) {
    const auto following = library::find_following(*opened, *example, params);
    if (!following) return refused(following.error());
    for (const library::Match& match : following->matches) add(match, {{"from_s", match.from_s}, {"cost", match.cost}});
    for (const Note& note : following->warnings) json["warnings"].push_back(note.text);
    return json;
  }
  const auto matches = library::find_like(*opened, *example, params);
  if (!matches) return refused(matches.error());
  for (const library::Match& match : *matches) add(match, ordered_json::object());
  return json;
}

Answer<ordered_json> index_library(const ProjectFiles& files) {
  if (files.read_only()) return std::unexpected(Refusal{403, "the project is open for reading only", {}});
  const auto made = library::index_folder(files.folder());
  if (!made) return refused(made.error());
  ordered_json broken = ordered_json::array();
  for (const library::BrokenFile& file : made->broken)
    broken.push_back({{"file", file.file}, {"problem", file.problem}});
  return ordered_json{{"clips", made->clips}, {"read", made->read}, {"removed", made->removed}, {"broken", broken}};
}

}  // namespace shosa::server
