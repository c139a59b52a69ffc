#include "shosa/documents/clip_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "shosa/core/clip_edit.h"
#include "shosa/documents/body_map.h"
#include "shosa/documents/contacts_file.h"
#include "shosa/feet/clean_captured.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

Result<io::MotionFile> read_input(const std::string& path, const ClipOptions& options, std::optional<double> fps) {
  static const std::map<std::string, double> kUnits = {{"m", 1.0},  {"cm", 0.01},   {"mm", 0.001},
                                                       {"dm", 0.1}, {"in", 0.0254}, {"ft", 0.3048}};
  io::ReadOptions read;
  if (const auto unit = kUnits.find(options.unit.value_or("auto")); unit != kUnits.end()) read.unit_m = unit->second;
  if (options.up == "y") read.up = io::UpAxis::y;
  if (options.up == "z") read.up = io::UpAxis::z;
  read.fps_is = options.fps_is;
  read.sample_fps = fps;
  read.drop_tpose = options.drop_tpose.value_or(!options.as_captured.value_or(false));
  read.asf = options.asf.value_or("");
  auto motion = io::read_motion(path, read);
  const std::string map = options.body_map.value_or(body_map_beside(path));
  if (!motion || (!options.body_map && !io::is_plain_file(map))) return motion;
  const auto text = io::read_text(map);
  if (!text) return std::unexpected(text.error());
  if (const auto applied = apply_body_map(*motion, *text, map); !applied) return std::unexpected(applied.error());
  if (!options.body_map)
    motion->warnings.push_back(Note::done(fmt::format("{}: joints have the roles of {}", path, map)));
  return motion;
}

std::string body_map_beside(const std::string& clip_path) {
  return std::filesystem::path(clip_path).replace_extension(".body_map.json").string();
}

Result<void> apply_body_map(io::MotionFile& motion, std::string_view text, const std::string& file) {
  const auto document = parse_body_map(text, file);
  if (!document) return std::unexpected(document.error());
  auto map = evaluate(*document, *motion.skeleton, motion.body_map);
  if (!map) return std::unexpected(map.error());
  motion.body_map = std::move(*map);
  return {};
}

ClipOptions ClipOptions::over(const ClipOptions& usual) const {
  ClipOptions both = *this;
  const auto fill = [](auto& own, const auto& other) {
    if (!own) own = other;
  };
  fill(both.take, usual.take);
  fill(both.unit, usual.unit);
  fill(both.up, usual.up);
  fill(both.fps_is, usual.fps_is);
  fill(both.as_captured, usual.as_captured);
  fill(both.drop_tpose, usual.drop_tpose);
  fill(both.asf, usual.asf);
  fill(both.body_map, usual.body_map);
  fill(both.contacts, usual.contacts);
  fill(both.from_s, usual.from_s);
  fill(both.to_s, usual.to_s);
  return both;
}

Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const ClipOptions& options) {
  if (motion.clips.empty()) {
    return fail(ErrorCode::not_possible, "{}: holds a skeleton but no motion", path);
  }
  if (!options.take) return 0;
  const std::string& take = *options.take;
  for (std::size_t i = 0; i < motion.clips.size(); ++i) {
    if (motion.clips[i].name() == take) return i;
  }
  std::size_t number = 0;
  const char* end = take.data() + take.size();
  const auto parsed = std::from_chars(take.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number < motion.clips.size()) return number;

  std::string names;
  for (const Clip& clip : motion.clips) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", clip.name());
  return fail(ErrorCode::not_possible, "{}: no clip '{}'; it holds {}", path, take, names);
}

Result<void> cut_clip(ChosenClip& chosen, const std::string& path, const ClipOptions& options) {
  if (!options.from_s && !options.to_s) return {};
  Clip& clip = chosen.motion.clips[chosen.index];
  const double from_s = options.from_s.value_or(0.0), to_s = options.to_s.value_or(clip.duration_s());
  auto part = cut(clip, from_s, to_s);
  if (!part) return fail(ErrorCode::not_possible, "{}: {}", path, part.error().message);
  const double first_s = clip.nearest_frame(from_s) * clip.frame_time_s();
  chosen.contacts = analysis::cut_contacts(chosen.contacts, first_s, first_s + part->duration_s());
  if (chosen.core) {
    const TimeInterval left{std::max(0.0, chosen.core->begin_s - first_s),
                            std::min(part->last_time_s(), chosen.core->end_s - first_s)};
    chosen.core = left.begin_s < left.end_s ? std::optional(left) : std::nullopt;
  }
  clip = std::move(*part);
  return {};
}

Result<void> apply_contacts(ChosenClip& chosen, std::string_view text, const std::string& file, bool asked) {
  auto document = parse_contacts(text, file);
  if (!document) return std::unexpected(document.error());
  const std::size_t clips = chosen.motion.clips.size();
  std::size_t meant = 0;
  if (document->take) {
    const auto take = choose_clip(chosen.motion, file, {.take = document->take});
    if (!take) return std::unexpected(take.error());
    meant = *take;
  }
  if (meant != chosen.index && asked && clips > 1) {
    return fail(ErrorCode::not_possible, "{}: contacts of clip '{}', expected those of '{}' (\"take\")", file,
                chosen.motion.clips[meant].name(), chosen.clip().name());
  }
  if (meant != chosen.index) return {};
  if (const auto fits = analysis::check_contacts(document->contacts, chosen.clip(), chosen.motion.body_map); !fits)
    return fail(fits.error().code, "{}: /{}", file, fits.error().message);
  if (const double slack_s = 0.5 * chosen.clip().frame_time_s();
      document->core &&
      (document->core->begin_s < -slack_s || document->core->end_s > chosen.clip().duration_s() + slack_s))
    return fail(ErrorCode::bad_file, "{}: /core: {} s to {} s, expected an interval within 0 s to {:.4f} s", file,
                document->core->begin_s, document->core->end_s, chosen.clip().last_time_s());
  chosen.contacts = std::move(document->contacts);
  chosen.core = document->core;
  return {};
}

Result<ChosenClip> open_clip(const std::string& path, const ClipOptions& options) {
  auto motion = read_input(path, options);
  if (!motion) return std::unexpected(motion.error());
  const auto chosen = choose_clip(*motion, path, options);
  if (!chosen) return std::unexpected(chosen.error());
  ChosenClip opened{std::move(*motion), *chosen, options.as_captured.value_or(false), {}};
  const std::string beside = contacts_beside(path), file = options.contacts.value_or(beside);
  if (options.contacts || io::is_plain_file(beside)) {
    const auto text = io::read_text(file);
    if (!text) return std::unexpected(text.error());
    if (const auto ok = apply_contacts(opened, *text, file, options.contacts.has_value()); !ok)
      return std::unexpected(ok.error());
    if (!options.contacts && !opened.contacts.empty())
      opened.motion.warnings.push_back(Note::done(fmt::format("feet stand as {} says", file)));
  }
  if (const auto ok = cut_clip(opened, path, options); !ok) return std::unexpected(ok.error());
  return opened;
}

analysis::StudiedClip ChosenClip::study_standing() {
  if (as_captured) return study();
  const feet::CleanedCapture clean = feet::clean_captured(clip(), motion.body_map, contacts);
  for (Note& note : clean.notes()) motion.warnings.push_back(std::move(note));
  return clean.studied;
}

}  // namespace shosa::documents
