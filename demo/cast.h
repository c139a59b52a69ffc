#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/note.h"

namespace shosa::demo {

/// A motion that figures are made from.
struct SourceMotion {
  analysis::StudiedClip studied;     ///< Feet stand as a plan says, where there is one.
  std::optional<TimeInterval> core;  ///< Where it is known.
  std::string from;                  ///< For people: the file, or the name of the motion that ships.
  const Clip& clip() const { return studied.clip(); }
  const body::BodyMap& body_map() const { return studied.map(); }
};

/// Which motion plays which part. Parts have the names of the motions that ship ("walk_normal", "dog_drop"); a folder
/// of captured clips may fill some of them only.
class Cast {
 public:
  void set(const std::string& part, SourceMotion motion);
  void set_missing(const std::string& part, std::string reason);

  /// Fails for a part that nobody plays; the error says what was looked for.
  Result<const SourceMotion*> find(std::string_view part) const;
  bool captured = false;                        ///< From captured clips, which have flaws of their own.
  std::map<std::string, std::string> unusable;  ///< Files that no part can be taken from, and why.
  std::map<std::string, Notes> warnings;        ///< What is odd about files that play a part.

  const std::map<std::string, SourceMotion, std::less<>>& parts() const { return parts_; }
  const std::map<std::string, std::string, std::less<>>& missing() const { return missing_; }

 private:
  std::map<std::string, SourceMotion, std::less<>> parts_;
  std::map<std::string, std::string, std::less<>> missing_;
};

/// Every motion that ships, in its own part.
Result<Cast> shipped_cast();

/// The parts looked up at once, in the order asked for.
Result<std::vector<const SourceMotion*>> find_all(const Cast& cast, std::initializer_list<const char*> parts);

}  // namespace shosa::demo
