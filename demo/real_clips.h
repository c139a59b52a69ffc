#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/note.h"

namespace shosa::demo {

/// What is known about a captured clip by looking at it.
struct RealClip {
  std::string file;               ///< From the folder on.
  analysis::StudiedClip studied;  ///< 60 Hz, an added T-pose left out, on the ground.
  bool cyclic = false;
  bool flies = false;        ///< Some time no foot stands.
  double speed_mps = 0.0;    ///< Of the body over the ground.
  double turn_rad = 0.0;     ///< Of its heading, from begin to end, either way.
  double drop_m = 0.0;       ///< Ground under the first stance over that under the last.
  double hand_rise_m = 0.0;  ///< Of the right hand, lowest to highest after it.
  Notes warnings;            ///< Of the reader: cut-off frames and the like.
  const Clip& clip() const { return studied.clip(); }
  const body::BodyMap& body_map() const { return studied.map(); }
};

/// The clips of a folder and its subfolders, read when they are asked for and then kept. The folder is only read.
class RealClips {
 public:
  /// Fails when the folder cannot be read.
  static Result<RealClips> open(const std::filesystem::path& folder);

  /// Files whose words (folder, name, and a row of a README.md's table that begins with the name) hold one of `any` and
  /// none of `without`, in the order of their names.
  std::vector<std::string> with_words(const std::vector<std::string>& any,
                                      const std::vector<std::string>& without) const;
  /// Null for files that cannot be used; `unusable` says why.
  const RealClip* get(const std::string& file);
  /// Reads the files that nobody has asked for, at most `most` of them, only to learn which are broken.
  void check_others(int most);
  /// Files that were looked at and cannot be used, with the reason.
  const std::map<std::string, std::string>& unusable() const { return unusable_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> words_;  ///< By file, lower case.
  std::map<std::string, std::unique_ptr<RealClip>> read_;
  std::map<std::string, std::string> unusable_;
};

}  // namespace shosa::demo
