#include "shosa/documents/body_map.h"

#include <fmt/ranges.h>

#include <array>

#include "documents/json_reader.h"
#include "shosa/body/kind_name.h"

namespace shosa::documents {
namespace {

using body::kKindNames;

std::string role_list() {
  std::vector<std::string_view> names;
  for (int i = 0; i < body::kRoleCount; ++i) names.push_back(role_name(static_cast<body::Role>(i)));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The guess said what it lacks; now that the file has spoken, this may be less or more.
void update_warnings(body::BodyMap& map, const body::BodyMap& guessed, bool kind_was_given) {
  for (const std::string& stale : missing_roles(guessed)) std::erase(map.warnings, stale);
  if (map.kind == body::BodyKind::unknown && (kind_was_given || guessed.kind == body::BodyKind::unknown)) return;
  for (std::string& missing : missing_roles(map)) map.warnings.push_back(std::move(missing));
}

}  // namespace

Result<BodyMapFile> parse_body_map(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  if (!root.is_object()) root.expected("an object of roles");
  BodyMapFile document{.file = file, .kind = {}, .joints = {}};
  for (const Place& place : root.inside()) {
    if (place.key() == kVersionKey) continue;
    if (place.key() == "kind") {
      const std::string kind = place.word({kKindNames[0], kKindNames[1], kKindNames[2]});
      document.kind = static_cast<body::BodyKind>(std::ranges::find(kKindNames, kind) - kKindNames.begin());
      continue;
    }
    const auto role = body::find_role(place.key());
    if (!role) {
      place.wrong("unknown role; the roles are " + role_list());
      break;
    }
    auto& joint = document.joints.emplace_back(*role, std::nullopt).second;
    if (!place.is_null()) joint = place.text("a joint's name or null");
  }
  return reader.finish(std::move(document));
}

Result<body::BodyMap> evaluate(const BodyMapFile& document, const Skeleton& skeleton, const body::BodyMap& guessed) {
  body::BodyMap map = guessed;
  if (document.kind) map.kind = *document.kind;
  for (const auto& [role, name] : document.joints) {
    const JointIndex joint = name ? skeleton.find(*name) : kNoJoint;
    if (name && joint == kNoJoint) {
      std::vector<std::string> names;
      for (JointIndex j = 0; j < skeleton.joint_count(); ++j) names.push_back(skeleton.name(j));
      return fail(ErrorCode::bad_file, "{}: /{}: no joint '{}'; the joints are {}", document.file, role_name(role),
                  *name, fmt::join(names, ", "));
    }
    map.set(role, joint);
  }
  update_warnings(map, guessed, document.kind.has_value());
  return map;
}

std::string format_body_map(const Skeleton& skeleton, const body::BodyMap& map) {
  std::string text = fmt::format("{{\n  \"kind\": \"{}\"", kKindNames[static_cast<int>(map.kind)]);
  for (int i = 0; i < body::kRoleCount; ++i) {
    const auto role = static_cast<body::Role>(i);
    if (map.has(role))
      text += fmt::format(",\n  \"{}\": {}", role_name(role), json_quoted(skeleton.name(map.joint(role))));
  }
  return text + "\n}\n";
}

}  // namespace shosa::documents
