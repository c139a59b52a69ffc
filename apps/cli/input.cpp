#include "input.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <map>

#include "shosa/io/body_map_json.h"

namespace shosa::cli {

CLI::Validator positive_number() {
  const auto check = [](std::string& text) -> std::string {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(value) && value > 0.0) return {};
    return fmt::format("'{}', expected a number above 0", text);
  };
  return {check, "POSITIVE"};
}

CLI::Validator whole_number(int low, int high) {
  const auto read = [low, high](std::string& text) -> std::string {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < low || value > high) {
      return fmt::format("'{}', expected a whole number from {} to {}", text, low, high);
    }
    text = std::to_string(value);
    return {};
  };
  return {read, fmt::format("{} to {}", low, high)};
}

void add_input_options(CLI::App& verb, InputOptions& options, bool one_clip) {
  verb.add_option("--unit", options.unit, "Length unit of the file")
      ->check(CLI::IsMember({"m", "cm", "mm", "dm", "in", "ft", "auto"}))
      ->capture_default_str()
      ->group("Input");
  verb.add_option("--up", options.up, "Up axis of the file")
      ->check(CLI::IsMember({"y", "z", "auto"}))
      ->capture_default_str()
      ->group("Input");
  verb.add_option("--fps-is", options.fps_is, "True frame rate, where the header is wrong")
      ->check(positive_number())
      ->group("Input");
  if (one_clip)
    verb.add_flag("--drop-tpose", options.drop_tpose, "Leave out an added T-pose in frame 0")->group("Input");
  verb.add_option("--asf", options.asf, "Skeleton of an .amc (default: found beside it)")->group("Input");
  verb.add_option("--body-map", options.body_map, "JSON file that says which joint plays which role")->group("Input");
  if (!one_clip) return;
  verb.add_option("--clip", options.clip, "Clip of a file that holds several: its name, or its number from 0")
      ->group("Input");
}

Result<io::MotionFile> read_input(const std::string& path, const InputOptions& options, std::optional<double> fps) {
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

  auto map = io::read_body_map(options.body_map, *motion->skeleton, motion->body_map);
  if (!map) return std::unexpected(map.error());
  motion->body_map = std::move(*map);
  return motion;
}

Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const InputOptions& options) {
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

Result<ChosenClip> open_clip(const std::string& path, const InputOptions& options) {
  auto motion = read_input(path, options);
  if (!motion) return std::unexpected(motion.error());
  const auto chosen = choose_clip(*motion, path, options);
  if (!chosen) return std::unexpected(chosen.error());
  return ChosenClip{std::move(*motion), *chosen};
}

}  // namespace shosa::cli
