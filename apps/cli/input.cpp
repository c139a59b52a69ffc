#include "input.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

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

}  // namespace shosa::cli
