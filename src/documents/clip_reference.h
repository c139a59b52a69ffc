#pragma once

#include "documents/json_reader.h"
#include "shosa/documents/clip_source.h"

namespace shosa::documents {

/// Keys of a clip wherever a document names one.
inline constexpr std::array<std::string_view, 12> kClipKeys = {
    "clip", "take", "as_captured", "drop_tpose", "unit", "up", "fps_is", "body_map", "asf", "from", "to", "contacts"};

void read_clip(const Place& place, ClipReference& clip);
/// What `read_clip` reads, without the braces around it.
std::string format_clip(const ClipReference& clip);

}  // namespace shosa::documents
