#include "shosa/documents/score.h"

#include "documents/clip_reference.h"
#include "documents/json_reader.h"

namespace shosa::documents {

namespace {

ScoreLayer read_layer(const Place& place) {
  place.only({"kind", "mask", "at", "speed", "weight", "fade_in", "fade_out"}, kClipKeys);
  ScoreLayer line;
  read_clip(place, line);
  if (place.has("kind") && place.at("kind").word({"override", "additive"}) == "additive")
    line.layer.kind = blend::LayerKind::additive;
  if (const Place mask = place.at("mask"); mask.is_list()) {
    for (const Place& part : mask.list(1)) {
      const auto role = body::find_role(part.text("a role"));
      if (!role) part.expected("a role such as right_upper_arm");
      line.mask_roles.push_back(role.value_or(body::Role::hips));
    }
  } else if (mask.exists()) {
    line.mask = mask.word({"upper_body", "lower_body"});
  }
  place.read("at", line.layer.at_s, -kLatestMotion_s, kLatestMotion_s);
  place.read("speed", line.layer.speed, 0.01, 100.0);
  place.read("weight", line.layer.weight, 0.0, 1.0);
  place.read("fade_in", line.layer.fade_in_s, 0.0, kLatestMotion_s);
  place.read("fade_out", line.layer.fade_out_s, 0.0, kLatestMotion_s);
  return line;
}

ScoreLine read_line(const Place& place) {
  place.only({"core", "at", "keep_place", "blend"}, kClipKeys);
  ScoreLine line;
  read_clip(place, line);
  if (place.has("core")) line.core = place.at("core").interval();
  if (const Place at = place.at("at"); at.is_text()) {
    at.word({"auto"});
  } else {
    place.read("at", line.at_s, -kLatestMotion_s, kLatestMotion_s);
  }
  place.read("keep_place", line.keep_place);
  if (const Place blend = place.at("blend"); blend.exists()) {
    blend.only({"lower", "upper"});
    if (blend.has("lower")) line.blend.lower = blend.at("lower").interval();
    if (blend.has("upper")) line.blend.upper = blend.at("upper").interval();
  }
  return line;
}

}  // namespace

Result<Score> parse_score(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"smoothness", "fps", "bridge", "method", "trim", "duration_s", "motions", "layers"});
  Score score;
  score.file = file;
  root.read("smoothness", score.smoothness, 0.0, 1.0);
  root.read("fps", score.fps, 1.0, 1000.0);
  root.read("bridge", score.bridge);
  if (const Place method = root.at("method"); method.exists()) {
    const auto found = blend::find_technique(method.word({"optimal", "constraint", "pose", "inertial", "dead"}));
    score.technique = found.value_or(blend::Technique::optimal);
  }
  if (const Place trim = root.at("trim"); trim.exists()) {
    score.trim = trim.interval();
    if (root.has("duration_s")) trim.expected("either this or duration_s");
  }
  root.read("duration_s", score.duration_s, 0.01, kLatestMotion_s);
  for (const Place& place : root.at("motions").list(1)) score.motions.push_back(read_line(place));
  for (const Place& place : root.list_or_none("layers")) score.layers.push_back(read_layer(place));
  return reader.finish(std::move(score));
}

}  // namespace shosa::documents
