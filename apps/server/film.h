#pragma once

#include <string>

#include "project_files.h"

namespace shosa::server {

/// Whether the program ffmpeg is there, which turns films into MP4.
bool has_ffmpeg();

/// A WebM film as MP4 (H.264), by ffmpeg, in files that nobody else can read and that are gone afterwards. One at a
/// time: 429 while another is made; 422 for what is no film, 501 without ffmpeg, 504 when it takes too long.
Answer<std::string> to_mp4(const std::string& webm);

}  // namespace shosa::server
