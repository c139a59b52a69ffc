#include "shosa/documents/clip_file.h"

#include <charconv>
#include <map>

#include "shosa/documents/body_map.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

Result<io::MotionFile> read_input(const std::string& path, const ClipOptions& options, std::optional<double> fps) {
  static const std::map<std::string, double> kUnits = {{"m", 1.0},  {"cm", 0.01},   {"mm", 0.001},
                                                       {"dm", 0.1}, {"in", 0.0254}, {"ft", 0.3048}};
  io::ReadOptions read;
  if (const auto unit = kUnits.find(options.unit); unit != kUnits.end()) read.unit_m = unit->second;
  if (options.up == "y") read.up = io::UpAxis::y;
  if (options.up == "z") read.up = io::UpAxis::z;
  read.fps_is = options.fps_is;
  read.sample_fps = fps;
  read.drop_tpose = options.drop_tpose;
  read.asf = options.asf;
  auto motion = io::read_motion(path, read);
  if (!motion || options.body_map.empty()) return motion;
  const auto text = io::read_text(options.body_map);
  if (!text) return std::unexpected(text.error());
  if (const auto applied = apply_body_map(*motion, *text, options.body_map); !applied)
    return std::unexpected(applied.error());
  return motion;
}

Result<void> apply_body_map(io::MotionFile& motion, std::string_view text, const std::string& file) {
  const auto document = parse_body_map(text, file);
  if (!document) return std::unexpected(document.error());
  auto map = evaluate(*document, *motion.skeleton, motion.body_map);
  if (!map) return std::unexpected(map.error());
  motion.body_map = std::move(*map);
  return {};
}

Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const ClipOptions& options) {
  if (motion.clips.empty()) {
    return fail(ErrorCode::not_possible, "{}: holds a skeleton but no motion", path);
  }
  if (options.clip.empty()) return 0;
  for (std::size_t i = 0; i < motion.clips.size(); ++i) {
    if (motion.clips[i].name() == options.clip) return i;
  }
  std::size_t number = 0;
  const char* end = options.clip.data() + options.clip.size();
  const auto parsed = std::from_chars(options.clip.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number < motion.clips.size()) return number;

  std::string names;
  for (const Clip& clip : motion.clips) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", clip.name());
  return fail(ErrorCode::not_possible, "{}: no clip '{}'; it holds {}", path, options.clip, names);
}

Result<ChosenClip> open_clip(const std::string& path, const ClipOptions& options) {
  auto motion = read_input(path, options);
  if (!motion) return std::unexpected(motion.error());
  const auto chosen = choose_clip(*motion, path, options);
  if (!chosen) return std::unexpected(chosen.error());
  return ChosenClip{std::move(*motion), *chosen};
}

}  // namespace shosa::documents
