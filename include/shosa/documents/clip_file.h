#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shosa/analysis/studied_clip.h"
#include "shosa/io/motion_file.h"

namespace shosa::documents {

/// How the file of a clip is read where it does not speak for itself, in the words of documents and of the command
/// line.
struct ClipOptions {
  std::string unit = "auto";  ///< m, cm, mm, dm, in, ft or auto.
  std::string up = "auto";    ///< y, z or auto.
  std::optional<double> fps_is;
  bool drop_tpose = false;
  std::string asf;       ///< Skeleton of an .amc; empty: found beside it.
  std::string body_map;  ///< File that says which joint plays which role; empty: guessed.
  std::string clip;      ///< Of a file that holds several: its name, or its number from 0; empty: the first.
};

/// Reads a file; `fps`, where given, is the rate at which keys of curves are sampled.
Result<io::MotionFile> read_input(const std::string& path, const ClipOptions& options,
                                  std::optional<double> fps = std::nullopt);

/// Roles that the text of a body map gives replace those that were guessed.
Result<void> apply_body_map(io::MotionFile& motion, std::string_view text, const std::string& file);

/// The clip that the options name, or the first. Says which there are when it is not there.
Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const ClipOptions& options);

/// A file and the clip of it that the options choose.
struct ChosenClip {
  io::MotionFile motion;
  std::size_t index = 0;
  const Clip& clip() const { return motion.clips[index]; }
  analysis::StudiedClip study() const { return analysis::study(clip(), motion.body_map); }
};
Result<ChosenClip> open_clip(const std::string& path, const ClipOptions& options);

}  // namespace shosa::documents
