#include "shosa/library/sheet.h"

#include <algorithm>

#include "shosa/draw/studied_strip.h"
#include "shosa/io/motion_file.h"

namespace shosa::library {

namespace {

/// A sheet larger than this would not fit a picture.
constexpr std::size_t kMostStrips = 60;
constexpr int kPostures = 9;
constexpr double kBody_px = 120.0, kGap_px = 6.0;

Result<draw::Canvas> draw_match(const Library& library, const Match& match, const SheetParams& params) {
  const auto path = library.folder() / match.file;
  const auto motion = io::read_motion(path, {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  if (match.take >= static_cast<int>(motion->clips.size()))
    return fail(ErrorCode::not_possible, "{}: has changed since it was indexed", match.file);
  const Clip& clip = motion->clips[match.take];
  draw::StripParams strip;
  strip.count = kPostures;
  strip.layout = draw::StripLayout::cells;
  strip.width_px = params.width_px;
  strip.max_body_px = kBody_px;
  strip.legend = strip.scale_bar = false;
  strip.title = match.take > 0 ? fmt::format("{} take {}", match.file, match.take) : match.file;
  if (params.around_s) {
    const double last_s = clip.last_time_s();
    strip.from_s = std::clamp(match.time_s - *params.around_s, 0.0, last_s);
    strip.to_s = std::clamp(match.time_s + *params.around_s, 0.0, last_s);
    strip.title +=
        fmt::format("  at {:.2f} s, {:.3f} m{}", match.time_s, match.distance_m, match.mirrored ? ", mirrored" : "");
  }
  auto drawn = draw::draw_strip(analysis::study(clip, motion->body_map), strip);
  if (!drawn) return fail(drawn.error().code, "{}: {}", match.file, drawn.error().message);
  return std::move(drawn->canvas);
}

}  // namespace

Result<Sheet> draw_sheet(const Library& library, std::span<const Match> matches, const SheetParams& params) {
  std::vector<draw::Canvas> strips;
  Notes warnings;
  for (const Match& match : matches.first(std::min(matches.size(), kMostStrips))) {
    auto strip = draw_match(library, match, params);
    if (strip) {
      strips.push_back(std::move(*strip));
    } else {
      warnings.push_back(strip.error().message);
    }
  }
  if (matches.size() > kMostStrips)
    warnings.push_back(Note::done(fmt::format("the sheet shows the first {} of {}", kMostStrips, matches.size())));
  if (strips.empty()) return fail(ErrorCode::not_possible, "nothing was found that could be drawn");
  return Sheet{draw::stacked(strips, kGap_px), std::move(warnings)};
}

}  // namespace shosa::library
