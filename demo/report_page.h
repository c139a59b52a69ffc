#pragma once

#include <string>
#include <vector>

#include "demo/figure.h"
#include "shosa/core/result.h"

namespace shosa::demo {

/// The page that shows figures: one HTML file that needs no network and no other file.
///
/// For each figure its text, pictures, table of checks and a 3-D player of its clips; first the figure `first`,
/// playing, beside an index with a mark for each. All texts are escaped. Clips are packed with rotations of 16 bits,
/// which moves a joint by less than 0.5 mm; contacts for the feet's colours and lanes are found by
/// analysis::find_foot_contacts, and a body without feet shows none. The page holds three.js with its licence. Same
/// figures, same bytes.
///
/// Rules: at least one figure; ids not empty, of letters, digits, `-` and `_`, no two alike; pictures end in .png or
/// .svg; clips have finite samples.
struct ReportParams {
  std::string title = "Shosa demo";
  std::string subtitle = "Figures remade from the motions that ship, and checked";
  std::string first = "piece";  ///< The figure to open with; where there is none, the first that has clips.
};

/// Fails exactly when a rule above is broken; the error names it and the figure.
Result<std::string> report_html(const std::vector<Figure>& figures, const ReportParams& params = {});

}  // namespace shosa::demo
