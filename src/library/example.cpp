#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"
#include "shosa/io/motion_file.h"
#include "shosa/library/find.h"

namespace shosa::library {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<Example> from_file(const fs::path& path) {
  const auto motion = io::read_motion(path, {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  if (motion->clips.empty()) return fail(ErrorCode::not_possible, "{}: holds a skeleton but no motion", path.string());
  const ClipFacts facts = facts_of(analysis::study(motion->clips.front(), motion->body_map));
  Example example;
  example.kind = facts.kind;
  example.features = facts.features;
  example.core = facts.core;
  example.path = path;
  return example;
}

const std::array<body::Role, kFeaturePoints> kPointRoles = {body::Role::hips,      body::Role::head,
                                                            body::Role::left_foot, body::Role::right_foot,
                                                            body::Role::left_hand, body::Role::right_hand};

}  // namespace

ExampleName split_example(const std::string& text) {
  const auto at = text.rfind('@');
  if (at == std::string::npos) return {text, std::nullopt};
  double time_s = 0.0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + at + 1, end, time_s);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(time_s)) return {text, std::nullopt};
  return {text.substr(0, at), time_s};
}

Result<Example> read_example(const Library& library, const std::string& text) {
  const auto [name, time_s] = split_example(text);
  // In the index under its name, or as a path that leads below the folder.
  std::error_code error;
  std::string inside = name;
  const fs::path typed = fs::weakly_canonical(name, error), folder = fs::weakly_canonical(library.folder(), error);
  if (const fs::path relative = typed.lexically_relative(folder);
      !relative.empty() && *relative.begin() != ".." && fs::exists(typed, error))
    inside = relative.generic_string();
  const auto known = library.clips({.file = inside});
  if (!known) return std::unexpected(known.error());
  Result<Example> example = Example();
  if (!known->empty()) {
    auto features = library.features(known->front().id);
    if (!features) return std::unexpected(features.error());
    const ClipFacts& facts = known->front().facts;
    example = Example{.path = library.folder() / inside,
                      .take = known->front().take,
                      .id = known->front().id,
                      .kind = facts.kind,
                      .features = std::move(*features),
                      .core = facts.core};
  } else {
    const fs::path beside = library.folder() / name;
    example = from_file(fs::exists(name, error) || !fs::exists(beside, error) ? fs::path(name) : beside);
  }
  if (!example) return example;
  example->file = name;
  const double last_s = (static_cast<double>(example->features.size()) - 1.0) / kFeatureRate_hz;
  example->time_s = time_s.value_or(0.5 * (example->core.begin_s + example->core.end_s));
  if (example->time_s < 0.0 || example->time_s > last_s + 1.0 / kFeatureRate_hz)
    return fail(ErrorCode::invalid_argument, "{}: {} s, but the clip lasts from 0 to {:.3f} s", name, example->time_s,
                last_s);
  return example;
}

Result<PoseQuery> parse_pose_query(std::string_view text, const std::string& file) {
  const auto wrong = [&](const std::string& place, std::string_view expected) {
    return fail(ErrorCode::bad_file, "{}: {}: expected {}", file, place, expected);
  };
  if (text.size() > 1 << 20 || too_deep_at(text)) return wrong("/", "a short description of a pose");
  const json root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return fail(ErrorCode::bad_file, "{}: is no JSON", file);
  if (!root.is_object() || !root.contains("joints") || !root["joints"].is_array() || root["joints"].empty())
    return wrong("/joints", "a list of at least 1");
  PoseQuery query;
  for (const auto& [key, value] : root.items()) {
    if (key == "place" && value == "anywhere") query.anywhere = true;
    if (key == "version" && (!value.is_number_integer() || value != 1))
      return fail(ErrorCode::bad_file, "{}: /version: version {}, this program reads up to 1", file, value.dump());
    if (key != "joints" && key != "version" && !(key == "place" && (value == "body" || value == "anywhere")))
      return wrong("/" + key, "\"joints\", or \"place\" that is \"body\" or \"anywhere\"");
  }
  for (std::size_t i = 0; i < root["joints"].size(); ++i) {
    const json& entry = root["joints"][i];
    const std::string place = fmt::format("/joints/{}", i);
    if (!entry.is_object() || !entry.contains("joint") || !entry["joint"].is_string())
      return wrong(place + "/joint", "a role");
    const auto role = body::find_role(entry["joint"].get<std::string>());
    const auto* const found = role ? std::ranges::find(kPointRoles, *role) : kPointRoles.end();
    if (found == kPointRoles.end())
      return wrong(place + "/joint", "hips, head, left_foot, right_foot, left_hand or right_hand");
    const json position = entry.value("position", json());
    if (!position.is_array() || position.size() != 3 || !position[0].is_number() || !position[1].is_number() ||
        !position[2].is_number())
      return wrong(place + "/position", "[x, y, z]");
    const Vec3d at(position[0].get<double>(), position[1].get<double>(), position[2].get<double>());
    if (!at.allFinite() || at.cwiseAbs().maxCoeff() > 1e6) return wrong(place + "/position", "metres within 1000 km");
    query.points.push_back({static_cast<int>(found - kPointRoles.begin()), at});
  }
  return query;
}

}  // namespace shosa::library
