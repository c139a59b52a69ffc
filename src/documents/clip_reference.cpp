#include "documents/clip_reference.h"

#include "documents/contact_list.h"

namespace shosa::documents {

void read_clip(const Place& place, ClipReference& clip) {
  clip.clip = place.at("clip").text("a file");
  if (const Place take = place.at("take"); take.exists())
    clip.take = take.is_whole() ? std::to_string(take.whole(0, INT32_MAX)) : take.text("a clip's name or number");
  place.read("as_captured", clip.as_captured);
  place.read("drop_tpose", clip.drop_tpose);
  place.read("fps_is", clip.fps_is, 0.001, 1e6);
  if (place.has("unit")) clip.unit = place.at("unit").word({"m", "cm", "mm", "dm", "in", "ft", "auto"});
  if (place.has("up")) clip.up = place.at("up").word({"y", "z", "auto"});
  place.read("body_map", clip.body_map);
  place.read("asf", clip.asf);
  if (const Place contacts = place.at("contacts"); contacts.is_object()) {
    for (const Place& foot : contacts.inside()) clip.given[std::string(foot.key())] = read_contacts(foot);
  } else if (contacts.exists()) {
    clip.contacts = contacts.text("a file, or {\"left\": [[begin, end], …], …}");
  }
  place.read("from", clip.from_s, 0.0);
  place.read("to", clip.to_s, 0.0);
  if (clip.from_s && clip.to_s && *clip.to_s <= *clip.from_s) place.at("to").expected("a time after 'from'");
}

std::string format_clip(const ClipReference& clip) {
  std::string text = "\"clip\": " + json_quoted(clip.clip);
  const auto add = [&](std::string_view key, const std::optional<std::string>& value) {
    if (value) text += fmt::format(", \"{}\": {}", key, json_quoted(*value));
  };
  add("take", clip.take);
  if (clip.as_captured) text += fmt::format(", \"as_captured\": {}", *clip.as_captured);
  if (clip.drop_tpose) text += fmt::format(", \"drop_tpose\": {}", *clip.drop_tpose);
  add("unit", clip.unit);
  add("up", clip.up);
  if (clip.fps_is) text += fmt::format(", \"fps_is\": {}", *clip.fps_is);
  add("body_map", clip.body_map);
  add("asf", clip.asf);
  add("contacts", clip.contacts);
  if (!clip.given.empty()) text += ", \"contacts\": " + format_contacts(clip.given);
  if (clip.from_s) text += fmt::format(", \"from\": {}", *clip.from_s);
  if (clip.to_s) text += fmt::format(", \"to\": {}", *clip.to_s);
  return text;
}

}  // namespace shosa::documents
