#pragma once

#include <optional>
#include <string>

#include "shosa/analysis/studied_clip.h"
#include "shosa/io/motion_file.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace shosa::cli {

/// Refuses what is not a finite number above 0.
CLI::Validator positive_number();

/// For `transform`: a decimal number without a fraction in [low, high]. The parser itself would read "010" as 8.
CLI::Validator whole_number(int low, int high);

/// The options that every verb with an input file has.
struct InputOptions {
  std::string unit = "auto";
  std::string up = "auto";
  std::optional<double> fps_is;
  bool drop_tpose = false;
  std::string asf;
  std::string body_map;
  std::string clip;
};

/// `one_clip`: also those that choose a clip and say what it begins with.
void add_input_options(CLI::App& verb, InputOptions& options, bool one_clip = true);

/// Reads a file; `fps`, where given, is the rate at which keys of curves are sampled.
Result<io::MotionFile> read_input(const std::string& path, const InputOptions& options,
                                  std::optional<double> fps = std::nullopt);

/// The clip that `--clip` names (by name or number), or the first. Says which there are when it is not there.
Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const InputOptions& options);

/// A file and the clip of it that the options choose.
struct ChosenClip {
  io::MotionFile motion;
  std::size_t index = 0;
  const Clip& clip() const { return motion.clips[index]; }
  analysis::StudiedClip study() const { return analysis::study(clip(), motion.body_map); }
};
Result<ChosenClip> open_clip(const std::string& path, const InputOptions& options);

}  // namespace shosa::cli
