#include "documents/clip_reference.h"

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
}

}  // namespace shosa::documents
