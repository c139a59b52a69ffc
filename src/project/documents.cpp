#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "project/json_strings.h"
#include "shosa/body/body_map.h"
#include "shosa/core/json_depth.h"
#include "shosa/project/project.h"

namespace shosa::project {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 12> kKindNames = {"none",     "score",        "pose_script", "footstep_plan",
                                                         "graph",    "commands",     "run_script",  "joint_ranges",
                                                         "body_map", "submovements", "pose_query",  "contacts"};

/// Which texts of a document are names of files, by their keys.
bool is_reference(DocumentKind kind, const std::vector<std::string>& path) {
  if (path.empty()) return false;
  const std::string& key = path.back();
  const std::string above = path.size() > 1 ? path[path.size() - 2] : "";
  const bool of_clip = key == "clip" || key == "asf" || key == "body_map" || key == "contacts";
  switch (kind) {
    case DocumentKind::score:
      return of_clip;
    case DocumentKind::pose_script:
      return of_clip || key == "ranges" || above == "prior";
    case DocumentKind::graph:
      return of_clip || (key == "file" && above == "kept");
    case DocumentKind::run_script:
      return of_clip || (key == "graph" && path.size() == 1) ||
             ((above == "clips" || above == "layers") && path.size() == 2);
    default:
      return false;
  }
}

}  // namespace

std::string_view kind_name(DocumentKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view problem_name(ProblemKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"broken", "missing", "outside"};
  return kNames[static_cast<std::size_t>(kind)];
}

DocumentKind kind_of(std::string_view text) {
  if (too_deep_at(text)) return DocumentKind::none;
  // Keys of the root alone: a graph of millions of links need not be built for that.
  std::set<std::string> keys;
  const auto note_key = [&](int depth, json::parse_event_t event, json& value) {
    if (depth == 1 && event == json::parse_event_t::key) keys.insert(value.get_ref<const std::string&>());
    return depth == 0;
  };
  if (!json::parse(text.begin(), text.end(), note_key, false).is_object()) return DocumentKind::none;
  const auto has = [&](const char* key) { return keys.contains(key); };
  if (has("motions")) return DocumentKind::score;
  if (has("nodes") && has("links")) return DocumentKind::graph;
  if (has("commands")) return has("graph") || has("clips") ? DocumentKind::run_script : DocumentKind::commands;
  if (has("joint_ranges")) return DocumentKind::joint_ranges;
  if (has("submovements")) return DocumentKind::submovements;
  if (has("clip")) return DocumentKind::pose_script;
  if (has("steps") || has("stairs") || has("stride_percent") || has("slope_percent") || has("rough") || has("terrain"))
    return DocumentKind::footstep_plan;
  if (has("joints")) return DocumentKind::pose_query;
  // What is said of a clip by hand: one of the feet that a body may have, or its core.
  for (const char* key : {"left", "right", "hind_left", "hind_right", "front_left", "front_right", "core"})
    if (has(key)) return DocumentKind::contacts;
  const bool roles = std::ranges::any_of(keys, [](const std::string& key) { return body::find_role(key).has_value(); });
  return roles ? DocumentKind::body_map : DocumentKind::none;
}

std::vector<Reference> references_in(std::string_view text, DocumentKind kind) {
  std::vector<Reference> references;
  if (kind == DocumentKind::none) return references;
  for (JsonString& string : json_strings(text)) {
    if (string.value.empty() || !is_reference(kind, string.path)) continue;
    std::string place;
    for (const std::string& part : string.path) place += "/" + part;
    references.push_back({std::move(place), std::move(string.value), string.begin, string.end});
  }
  return references;
}

}  // namespace shosa::project
