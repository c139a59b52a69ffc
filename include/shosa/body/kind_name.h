#pragma once

#include <array>
#include <string_view>

#include "shosa/body/body_map.h"

namespace shosa::body {

/// By `BodyKind`, as files and reports name them.
inline constexpr std::array<std::string_view, 3> kKindNames = {"unknown", "humanoid", "quadruped"};
static_assert(static_cast<int>(BodyKind::humanoid) == 1 && static_cast<int>(BodyKind::quadruped) == 2);

constexpr std::string_view kind_name(BodyKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace shosa::body
