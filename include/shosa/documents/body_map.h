#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "shosa/body/body_map.h"

namespace shosa::documents {

/// Roles from a JSON object `{"left_foot": "LFoot", "jaw": null, "kind": "quadruped"}` on top of `guessed`.
///
/// Keys are roles as `find_role` knows them, values joint names of `skeleton`; null takes a role away. `kind` is one of
/// humanoid, quadruped, unknown. Errors name the unknown role or joint and list what there is.
Result<body::BodyMap> parse_body_map(std::string_view json, const std::string& name_for_errors,
                                     const Skeleton& skeleton, const body::BodyMap& guessed);
Result<body::BodyMap> read_body_map(const std::filesystem::path& path, const Skeleton& skeleton,
                                    const body::BodyMap& guessed);

/// All roles that are set and the kind, as `parse_body_map` reads them.
std::string format_body_map(const Skeleton& skeleton, const body::BodyMap& map);
Result<void> write_body_map(const std::filesystem::path& path, const Skeleton& skeleton, const body::BodyMap& map);

}  // namespace shosa::documents
