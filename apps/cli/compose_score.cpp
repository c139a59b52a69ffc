#include "compose_score.h"

#include "script_place.h"
#include "shosa/core/json_depth.h"

namespace shosa::cli {

namespace {

Result<TimeInterval> read_interval(const Place& place) {
  if (!place.value().is_array() || place.value().size() != 2) return place.expected("[begin, end] in seconds");
  const auto begin = place.at(std::size_t{0}).number(), end = place.at(std::size_t{1}).number();
  if (!begin) return std::unexpected(begin.error());
  if (!end) return std::unexpected(end.error());
  if (*begin > *end) return place.expected("a begin before the end");
  return TimeInterval{*begin, *end};
}

Result<std::vector<TimeInterval>> read_contacts(const Place& place) {
  if (!place.value().is_array()) return place.expected("a list of [begin, end]");
  std::vector<TimeInterval> contacts;
  for (std::size_t i = 0; i < place.value().size(); ++i) {
    const auto contact = read_interval(place.at(i));
    if (!contact) return std::unexpected(contact.error());
    if (!contacts.empty() && contact->begin_s <= contacts.back().end_s) {
      return place.at(i).expected("a contact after the one before");
    }
    contacts.push_back(*contact);
  }
  return contacts;
}

Result<ScoreLine> read_line(const Place& place) {
  if (!place.value().is_object()) return place.expected("an object with \"clip\"");
  for (const auto& [key, value] : place.value().items()) {
    if (key != "clip" && key != "take" && key != "core" && key != "at" && key != "keep_place" && key != "contacts") {
      return place.at(key).expected("one of the keys clip, take, core, at, keep_place, contacts");
    }
  }
  ScoreLine line;
  if (!place.has("clip") || !place.at("clip").value().is_string()) return place.expected("\"clip\", a file");
  line.clip = place.at("clip").value().get<std::string>();
  if (place.has("take")) {
    const auto& take = place.at("take").value();
    if (!take.is_string() && !take.is_number_unsigned()) return place.at("take").expected("a clip's name or number");
    line.take = take.is_string() ? take.get<std::string>() : std::to_string(take.get<unsigned>());
  }
  if (place.has("core")) {
    const auto core = read_interval(place.at("core"));
    if (!core) return std::unexpected(core.error());
    line.core = *core;
  }
  if (place.has("at") && place.at("at").value() != "auto") {
    const auto at = place.at("at").number();
    if (!at || *at < 0.0) return place.at("at").expected("a time from 0 on in seconds, or \"auto\"");
    line.at_s = *at;
  }
  if (place.has("keep_place")) {
    if (!place.at("keep_place").value().is_boolean()) return place.at("keep_place").expected("true or false");
    line.keep_place = place.at("keep_place").value().get<bool>();
  }
  if (place.has("contacts")) {
    const Place feet = place.at("contacts");
    if (!feet.value().is_object()) return feet.expected("{\"left\": [[begin, end], …], …}");
    for (const auto& [foot, list] : feet.value().items()) {
      auto contacts = read_contacts(feet.at(foot));
      if (!contacts) return std::unexpected(contacts.error());
      line.contacts[foot] = std::move(*contacts);
    }
  }
  return line;
}

}  // namespace

Result<Score> parse_score(std::string_view text, const std::string& file) {
  if (const auto byte = too_deep_at(text)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: nested deeper than {} levels, expected a score", file, *byte,
                kMaxJsonDepth);
  }
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    return fail(ErrorCode::bad_file, "{}: byte {}: expected JSON", file, error.byte);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::bad_file, "{}: expected JSON: {}", file, error.what());
  }
  const Place root(json, file, "");
  Score score;
  const auto smoothness = root.number_or("smoothness", score.smoothness);
  if (!smoothness) return std::unexpected(smoothness.error());
  if (*smoothness < 0.0 || *smoothness > 1.0) {
    return root.at("smoothness").expected("a number from 0 (fast) to 1 (smooth)");
  }
  score.smoothness = *smoothness;
  if (root.has("fps")) {
    const auto fps = root.at("fps").number();
    if (!fps || *fps < 1.0 || *fps > 1000.0) return root.at("fps").expected("a number from 1 to 1000");
    score.fps = *fps;
  }
  if (!root.has("motions") || !root.at("motions").value().is_array() || root.at("motions").value().empty()) {
    return root.expected("\"motions\": a list with at least one motion");
  }
  const Place motions = root.at("motions");
  for (std::size_t i = 0; i < motions.value().size(); ++i) {
    auto line = read_line(motions.at(i));
    if (!line) return std::unexpected(line.error());
    score.motions.push_back(std::move(*line));
  }
  return score;
}

}  // namespace shosa::cli
