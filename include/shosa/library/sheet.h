#pragma once

#include <span>

#include "shosa/core/note.h"
#include "shosa/draw/canvas.h"
#include "shosa/library/find.h"

namespace shosa::library {

struct SheetParams {
  double width_px = 1200.0;             ///< In [200, 10000].
  std::optional<double> around_s = {};  ///< Postures from so long before a match to so long after it; empty: the clip.
};
struct Sheet {
  draw::Canvas canvas;
  Notes warnings;  ///< Clips that could not be drawn.
};

/// One strip of postures for each match, with its file, time and distance, one below the other. Reads the clips again.
/// Fails when there is none to draw.
Result<Sheet> draw_sheet(const Library& library, std::span<const Match> matches, const SheetParams& params = {});

}  // namespace shosa::library
