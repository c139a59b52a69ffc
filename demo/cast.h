#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::demo {

/// A motion that figures are made from.
struct SourceMotion {
  Clip clip;
  body::BodyMap body_map;
  std::optional<TimeInterval> core;                     ///< Where it is known.
  std::string from;                                     ///< For people: the file, or the name of the motion that ships.
  std::optional<analysis::FootContacts> contacts = {};  ///< When feet stand, where that is known from a plan.
};

/// Which motion plays which part. Parts have the names of the motions that ship ("walk_normal", "dog_drop"); a folder
/// of captured clips may fill some of them only.
class Cast {
 public:
  void set(const std::string& part, SourceMotion motion);
  void set_missing(const std::string& part, std::string reason);

  /// Fails for a part that nobody plays; the error says what was looked for.
  Result<const SourceMotion*> find(std::string_view part) const;
  bool captured = false;                                     ///< From captured clips, which have flaws of their own.
  std::map<std::string, std::string> unusable;               ///< Files that no part can be taken from, and why.
  std::map<std::string, std::vector<std::string>> warnings;  ///< What is odd about files that play a part.

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
