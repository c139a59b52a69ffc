#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shosa/analysis/given_contacts.h"
#include "shosa/io/motion_file.h"

namespace shosa::documents {

/// How the file of a clip is read, on a command line and in a document, where that is not as usual.
struct ClipOptions {
  std::optional<std::string> take;  ///< Of a file that holds several: its name, or its number from 0. Usual: the first.
  std::optional<std::string> unit;  ///< m, cm, mm, dm, in, ft or auto. Usual: auto.
  std::optional<std::string> up;    ///< y, z or auto. Usual: auto.
  std::optional<double> fps_is;     ///< True frame rate, where the header is wrong.
  /// Nothing is left out and nothing is cleaned. Usual: what was captured wrongly does not get in (`ChosenClip`).
  std::optional<bool> as_captured;
  std::optional<bool> drop_tpose;  ///< Leaves out an added T-pose. Usual: unless `as_captured`.
  std::optional<std::string> asf;  ///< Skeleton of an .amc. Usual: found beside it.
  /// File that says which joint plays which role. Usual: one beside the clip (`body_map_beside`), or guessed.
  std::optional<std::string> body_map;
  std::optional<std::string> contacts;  ///< File that says when feet stand. Usual: one beside the clip, or found.
  std::optional<double> from_s, to_s;   ///< The part of it that is used; times then count from its start. Usual: all.
  bool operator==(const ClipOptions&) const = default;

  /// These, and where they say nothing those of `usual`.
  ClipOptions over(const ClipOptions& usual) const;
};

/// Reads a file; `fps`, where given, is the rate at which keys of curves are sampled.
Result<io::MotionFile> read_input(const std::string& path, const ClipOptions& options,
                                  std::optional<double> fps = std::nullopt);

/// The name of the file beside a clip that is read as its body map where none is named: "walk.body_map.json" for
/// "takes/walk.bvh".
std::string body_map_beside(const std::string& clip_path);

/// Roles that the text of a body map gives replace those that were guessed.
Result<void> apply_body_map(io::MotionFile& motion, std::string_view text, const std::string& file);

/// The clip that the options name, or the first. Says which there are when it is not there.
Result<std::size_t> choose_clip(const io::MotionFile& motion, const std::string& path, const ClipOptions& options);

/// A file and the clip of it that the options choose.
struct ChosenClip {
  io::MotionFile motion;
  std::size_t index = 0;
  bool as_captured = false;          ///< As the options say.
  analysis::GivenContacts contacts;  ///< Somebody's word on when feet stand; checked. Feet that are not named: found.
  std::optional<TimeInterval> core = std::nullopt;  ///< Somebody's word on what must survive; within the clip.

  const Clip& clip() const { return motion.clips[index]; }
  analysis::StudiedClip study() const { return analysis::study_with_contacts(clip(), motion.body_map, contacts); }
  /// As methods want it that need standing feet: the one way in for captured clips. Cleaned (`feet::clean_captured`)
  /// unless `as_captured`; what was done is added to `motion.warnings`.
  analysis::StudiedClip study_standing();
};
Result<ChosenClip> open_clip(const std::string& path, const ClipOptions& options);

/// Contacts and core of a text in the form of `ContactsFile` take the place of those that the clip came with; not where
/// the text is of another clip of the file, unless `asked` for: then that is an error. Fails when they do not fit the
/// clip.
Result<void> apply_contacts(ChosenClip& chosen, std::string_view text, const std::string& file, bool asked);

/// The part of the chosen clip that the options name takes its place. Fails when it is not inside the clip.
Result<void> cut_clip(ChosenClip& chosen, const std::string& path, const ClipOptions& options);

}  // namespace shosa::documents
