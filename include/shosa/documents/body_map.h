#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shosa/body/body_map.h"

namespace shosa::documents {

/// Which joint plays which role: `{"left_foot": "LFoot", "jaw": null, "kind": "quadruped"}`.
///
/// Keys are roles as `find_role` knows them, values joint names; null takes a role away. `kind` is one of humanoid,
/// quadruped, unknown.
struct BodyMapFile {
  std::string file;  ///< For messages.
  std::optional<body::BodyKind> kind;
  std::vector<std::pair<body::Role, std::optional<std::string>>> joints;  ///< Empty: nobody plays it.
};
Result<BodyMapFile> parse_body_map(std::string_view text, const std::string& file);

/// What the file says on top of `guessed`. Fails when the skeleton has not got a joint, and lists those it has.
Result<body::BodyMap> evaluate(const BodyMapFile& document, const Skeleton& skeleton, const body::BodyMap& guessed);

/// All roles that are set and the kind, as `parse_body_map` reads them.
std::string format_body_map(const Skeleton& skeleton, const body::BodyMap& map);

}  // namespace shosa::documents
