#include "input.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <utility>

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

void add_clip_file(CLI::App& verb, std::string& file, std::string meaning) {
  verb.add_option("clip_file", file, std::move(meaning))->required();
}

void add_output(CLI::App& verb, std::string& out, std::string meaning) {
  verb.add_option("-o,--output", out, std::move(meaning))->required();
}

void add_in_and_out(CLI::App& verb, std::string& file, std::string meaning, std::string& out) {
  add_clip_file(verb, file, std::move(meaning));
  add_output(verb, out);
}

void add_input_options(CLI::App& verb, InputOptions& options, bool one_clip) {
  const auto grouped = [](CLI::Option* option) { return option->group("Input"); };
  grouped(verb.add_option("--unit", options.unit, "Length unit of the file (default: auto)"))
      ->check(CLI::IsMember({"m", "cm", "mm", "dm", "in", "ft", "auto"}));
  grouped(verb.add_option("--up", options.up, "Up axis of the file (default: auto)"))
      ->check(CLI::IsMember({"y", "z", "auto"}));
  grouped(verb.add_option("--fps-is", options.fps_is, "True frame rate, where the header is wrong"))
      ->check(positive_number());
  // Functions: a flag that is bound to a variable sets it to 0 where nothing was typed.
  grouped(verb.add_flag_function(
      "--drop-tpose,!--keep-tpose", [&options](std::int64_t count) { options.drop_tpose = count > 0; },
      fmt::format("Leave out an added T-pose in front of the motion, or keep it (default: {} it)",
                  options.as_captured.value_or(false) ? "keep" : "drop")));
  grouped(verb.add_flag_callback(
      "--as-captured", [&options] { options.as_captured = true; },
      "Take motion as it is: keep T-poses, broken samples and sliding feet"));
  grouped(verb.add_option("--asf", options.asf, "Skeleton of an .amc (default: found beside it)"));
  grouped(verb.add_option("--body-map", options.body_map, "JSON file that says which joint plays which role"));
  if (!one_clip) return;
  grouped(
      verb.add_option("--contacts", options.contacts,
                      "JSON file that says when feet stand (default: CLIP.contacts.json beside the clip, or found)"));
  grouped(verb.add_option("--clip", options.take, "Clip of a file that holds several: its name, or its number from 0"));
}

}  // namespace shosa::cli
