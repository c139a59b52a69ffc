#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "project_files.h"

namespace shosa::server {

/// What the questions of a page are answered with. No HTTP here.

/// Names and parents of the joints, and their places in millimetres at 30 Hz: enough to draw a clip.
Answer<nlohmann::ordered_json> clip_positions_json(const ProjectFiles& files, const std::string& path);

/// Keys as the options of `shosa library find`: words, kind, speed, length, turn, flight, cycle, like, follows, limit,
/// mirrored.
using Questions = std::multimap<std::string, std::string>;
Answer<nlohmann::ordered_json> library_json(const ProjectFiles& files, const Questions& questions);
/// Brings the library up to date.
Answer<nlohmann::ordered_json> index_library(const ProjectFiles& files);

}  // namespace shosa::server
