#include "shosa/documents/body_map.h"

#include <array>
#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {
namespace {

constexpr std::array<std::pair<std::string_view, body::BodyKind>, 3> kKinds = {{
    {"unknown", body::BodyKind::unknown},
    {"humanoid", body::BodyKind::humanoid},
    {"quadruped", body::BodyKind::quadruped},
}};

std::string role_list() {
  std::string list;
  for (int i = 0; i < body::kRoleCount; ++i) {
    if (i > 0) list += ", ";
    list += role_name(static_cast<body::Role>(i));
  }
  return list;
}

std::string joint_list(const Skeleton& skeleton) {
  std::string list;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (j > 0) list += ", ";
    list += skeleton.name(j);
  }
  return list;
}

Result<body::BodyKind> find_kind(const std::string& file, const nlohmann::ordered_json& value) {
  if (value.is_string()) {
    for (const auto& [name, kind] : kKinds) {
      if (value.get_ref<const std::string&>() == name) return kind;
    }
  }
  return fail(ErrorCode::bad_file, "{}: kind {}, expected \"humanoid\", \"quadruped\" or \"unknown\"", file,
              value.is_string() ? fmt::format("\"{}\"", value.get_ref<const std::string&>().substr(0, 40))
                                : fmt::format("is a JSON {}", value.type_name()));
}

/// The guess said what it lacks; now that the file has spoken, this may be less or more.
void update_warnings(body::BodyMap& map, const body::BodyMap& guessed, bool kind_was_given) {
  for (const std::string& stale : missing_roles(guessed)) std::erase(map.warnings, stale);
  if (map.kind == body::BodyKind::unknown && (kind_was_given || guessed.kind == body::BodyKind::unknown)) return;
  for (std::string& missing : missing_roles(map)) map.warnings.push_back(std::move(missing));
}

Result<body::BodyMap> parse(std::string_view json, const std::string& name_for_errors, const Skeleton& skeleton,
                            const body::BodyMap& guessed) {
  if (const auto byte = too_deep_at(json)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: JSON nested deeper than {} levels, expected an object of roles",
                name_for_errors, *byte, kMaxJsonDepth);
  }
  nlohmann::ordered_json document;
  try {
    document = nlohmann::ordered_json::parse(json);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::bad_file, "{}: no JSON: {}", name_for_errors, error.what());
  }
  if (!document.is_object()) {
    return fail(ErrorCode::bad_file, "{}: found a JSON {}, expected an object of roles", name_for_errors,
                document.type_name());
  }
  body::BodyMap map = guessed;
  for (const auto& [key, value] : document.items()) {
    if (key == "kind") {
      const Result<body::BodyKind> kind = find_kind(name_for_errors, value);
      if (!kind) return std::unexpected(kind.error());
      map.kind = *kind;
      continue;
    }
    const std::optional<body::Role> role = body::find_role(key);
    if (!role) {
      return fail(ErrorCode::bad_file, "{}: no role '{}'; the roles are {}", name_for_errors, key, role_list());
    }
    if (value.is_null()) {
      map.set(*role, kNoJoint);
      continue;
    }
    if (!value.is_string()) {
      return fail(ErrorCode::bad_file, "{}: {} is a JSON {}, expected a joint's name or null", name_for_errors, key,
                  value.type_name());
    }
    const JointIndex joint = skeleton.find(value.get_ref<const std::string&>());
    if (joint == kNoJoint) {
      return fail(ErrorCode::bad_file, "{}: {} names no joint '{}'; the joints are {}", name_for_errors, key,
                  value.get_ref<const std::string&>(), joint_list(skeleton));
    }
    map.set(*role, joint);
  }
  update_warnings(map, guessed, document.contains("kind"));
  return map;
}

}  // namespace

Result<body::BodyMap> parse_body_map(std::string_view json, const std::string& name_for_errors,
                                     const Skeleton& skeleton, const body::BodyMap& guessed) {
  return parse(json, name_for_errors, skeleton, guessed);
}

Result<body::BodyMap> read_body_map(const std::filesystem::path& path, const Skeleton& skeleton,
                                    const body::BodyMap& guessed) {
  const auto text = io::read_text(path);
  if (!text) return std::unexpected(text.error());
  return parse(*text, path.string(), skeleton, guessed);
}

std::string format_body_map(const Skeleton& skeleton, const body::BodyMap& map) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const auto& [name, kind] : kKinds) {
    if (kind == map.kind) document["kind"] = name;
  }
  for (int i = 0; i < body::kRoleCount; ++i) {
    const body::Role role = static_cast<body::Role>(i);
    if (map.has(role)) document[std::string(role_name(role))] = skeleton.name(map.joint(role));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<void> write_body_map(const std::filesystem::path& path, const Skeleton& skeleton, const body::BodyMap& map) {
  return io::write_file_atomically(path, format_body_map(skeleton, map));
}

}  // namespace shosa::documents
