#include "shosa/documents/score.h"

#include <algorithm>
#include <cmath>

#include "documents/script_place.h"
#include "shosa/core/json_depth.h"

namespace shosa::documents {

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

Result<std::string> read_word(const Place& place, std::initializer_list<std::string_view> words) {
  const bool known =
      place.value().is_string() &&
      (words.size() == 0 || std::find(words.begin(), words.end(), place.value().get<std::string>()) != words.end());
  if (!known) return place.expected(words.size() == 0 ? "a file" : fmt::format("one of {}", fmt::join(words, ", ")));
  return place.value().get<std::string>();
}

Result<bool> read_bool(const Place& place) {
  if (!place.value().is_boolean()) return place.expected("true or false");
  return place.value().get<bool>();
}

Result<void> read_clip(const Place& place, ScoreClip& clip) {
  if (!place.has("clip") || !place.at("clip").value().is_string()) return place.expected("\"clip\", a file");
  clip.clip = place.at("clip").value().get<std::string>();
  if (place.has("take")) {
    const auto& take = place.at("take").value();
    if (!take.is_string() && !take.is_number_unsigned()) return place.at("take").expected("a clip's name or number");
    clip.take = take.is_string() ? take.get<std::string>() : std::to_string(take.get<unsigned>());
  }
  if (place.has("drop_tpose")) {
    const auto drop = read_bool(place.at("drop_tpose"));
    if (!drop) return std::unexpected(drop.error());
    clip.drop_tpose = *drop;
  }
  if (place.has("fps_is")) {
    const auto fps = place.at("fps_is").number();
    if (!fps || !(*fps > 0.0)) return place.at("fps_is").expected("a number above 0");
    clip.fps_is = *fps;
  }
  const auto word = [&](const char* key, std::optional<std::string>& to,
                        std::initializer_list<std::string_view> words) -> Result<void> {
    if (!place.has(key)) return {};
    auto read = read_word(place.at(key), words);
    if (!read) return std::unexpected(read.error());
    to = std::move(*read);
    return {};
  };
  if (const auto ok = word("unit", clip.unit, {"m", "cm", "mm", "dm", "in", "ft", "auto"}); !ok) return ok;
  if (const auto ok = word("up", clip.up, {"y", "z", "auto"}); !ok) return ok;
  if (const auto ok = word("body_map", clip.body_map, {}); !ok) return ok;
  return word("asf", clip.asf, {});
}

Result<double> read_number(const Place& place, const char* key, double otherwise, double least, double most) {
  const auto number = place.number_or(key, otherwise);
  if (!number) return std::unexpected(number.error());
  if (*number < least || *number > most)
    return place.at(key).expected(fmt::format("a number from {} to {}", least, most));
  return *number;
}

Result<ScoreLayer> read_layer(const Place& place) {
  if (!place.value().is_object()) return place.expected("an object with \"clip\"");
  if (const auto ok = place.only({"clip", "take", "drop_tpose", "unit", "up", "fps_is", "body_map", "asf", "kind",
                                  "mask", "at", "speed", "weight", "fade_in", "fade_out"});
      !ok)
    return std::unexpected(ok.error());
  ScoreLayer line;
  if (const auto ok = read_clip(place, line); !ok) return std::unexpected(ok.error());
  if (place.has("kind")) {
    const auto kind = read_word(place.at("kind"), {"override", "additive"});
    if (!kind) return std::unexpected(kind.error());
    line.layer.kind = *kind == "additive" ? blend::LayerKind::additive : blend::LayerKind::override;
  }
  if (place.has("mask")) {
    const Place mask = place.at("mask");
    if (mask.value().is_array()) {
      for (std::size_t i = 0; i < mask.value().size(); ++i) {
        const auto role =
            mask.at(i).value().is_string() ? body::find_role(mask.at(i).value().get<std::string>()) : std::nullopt;
        if (!role) return mask.at(i).expected("a role such as right_upper_arm");
        line.mask_roles.push_back(*role);
      }
      if (line.mask_roles.empty()) return mask.expected("at least one role");
    } else {
      const auto word = read_word(mask, {"upper_body", "lower_body"});
      if (!word) return std::unexpected(word.error());
      line.mask = *word;
    }
  }
  struct Number {
    const char* key;
    double* to;
    double least, most;
  };
  for (const Number& one : {Number{"at", &line.layer.at_s, -kLatest_s, kLatest_s},
                            {"speed", &line.layer.speed, 0.01, 100.0},
                            {"weight", &line.layer.weight, 0.0, 1.0},
                            {"fade_in", &line.layer.fade_in_s, 0.0, kLatest_s},
                            {"fade_out", &line.layer.fade_out_s, 0.0, kLatest_s}}) {
    const auto number = read_number(place, one.key, *one.to, one.least, one.most);
    if (!number) return std::unexpected(number.error());
    *one.to = *number;
  }
  return line;
}

Result<ScoreLine> read_line(const Place& place) {
  if (!place.value().is_object()) return place.expected("an object with \"clip\"");
  if (const auto ok = place.only({"clip", "take", "drop_tpose", "unit", "up", "fps_is", "body_map", "asf", "core", "at",
                                  "keep_place", "contacts"});
      !ok)
    return std::unexpected(ok.error());
  ScoreLine line;
  if (const auto ok = read_clip(place, line); !ok) return std::unexpected(ok.error());
  if (place.has("core")) {
    const auto core = read_interval(place.at("core"));
    if (!core) return std::unexpected(core.error());
    line.core = *core;
  }
  if (place.has("at") && place.at("at").value() != "auto") {
    const auto at = place.at("at").number();
    if (!at || std::abs(*at) > kLatest_s)
      return place.at("at").expected(fmt::format("a time of at most {} s, or \"auto\"", kLatest_s));
    line.at_s = *at;
  }
  if (place.has("keep_place")) {
    const auto keep = read_bool(place.at("keep_place"));
    if (!keep) return std::unexpected(keep.error());
    line.keep_place = *keep;
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
  } catch (const nlohmann::json::exception&) {
    // What is left to go wrong is a number that no double holds.
    return fail(ErrorCode::bad_file, "{}: a number is too large, expected magnitudes up to 1.8e308", file);
  }
  const Place root(json, file, "");
  if (const auto ok = root.only({"smoothness", "fps", "bridge", "motions", "layers"}); !ok)
    return std::unexpected(ok.error());
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
  if (root.has("bridge")) {
    const auto bridge = read_bool(root.at("bridge"));
    if (!bridge) return std::unexpected(bridge.error());
    score.bridge = *bridge;
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
  if (root.has("layers")) {
    const Place layers = root.at("layers");
    if (!layers.value().is_array()) return layers.expected("a list of layers");
    for (std::size_t i = 0; i < layers.value().size(); ++i) {
      auto layer = read_layer(layers.at(i));
      if (!layer) return std::unexpected(layer.error());
      score.layers.push_back(std::move(*layer));
    }
  }
  return score;
}

}  // namespace shosa::documents
