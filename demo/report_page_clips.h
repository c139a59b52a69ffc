#pragma once

#include <string>
#include <vector>

#include "demo/figure.h"
#include "shosa/core/result.h"

namespace shosa::demo {

/// The clips as the page's scripts read them (page/clip.js).
struct PageClips {
  std::string json;  ///< Skeletons, clips without samples, and which figure shows which; safe inside <script>.
  std::vector<std::string> samples;  ///< Base64, one per clip of `json`.
};

/// Fails for a sample that is not finite; the error names figure, clip, frame and joint.
Result<PageClips> pack_clips(const std::vector<Figure>& figures);

}  // namespace shosa::demo
