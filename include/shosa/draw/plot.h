#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"
#include "shosa/draw/canvas.h"

namespace shosa::draw {

/// A line over time. A value that is not finite (or, on a log scale, not positive) leaves a gap.
struct Series {
  std::string name;  ///< In the legend; none when empty.
  std::vector<double> times_s;
  std::vector<double> values;  ///< As many as times.
  std::optional<Colour> colour;
  bool dashed = false;
};

/// A shaded stretch of time.
struct Band {
  TimeInterval interval;
  std::string label;  ///< Written where it fits.
  std::optional<Colour> colour;
};

/// A vertical line.
struct Marker {
  double time_s = 0.0;
  std::string label;
};

struct Panel {
  std::string title;
  std::string unit;
  std::vector<Series> series;
  std::vector<Band> bands;
  std::vector<Marker> markers;
  bool log_scale = false;
  std::optional<double> low;  ///< Bounds of the axis; taken from the values when empty. low < high; log: low > 0.
  std::optional<double> high;
};

struct PlotParams {
  std::string title;
  std::vector<Panel> panels;          ///< Below each other, one time axis. At least one.
  std::optional<TimeInterval> range;  ///< Of the time axis; all that is shown when empty. begin < end.
  double width_px = 900.0;            ///< In [200, 10000].
  double panel_height_px = 130.0;     ///< Of the frame without labels. In [30, 4000].
  double left_px = 0.0;               ///< Where frames begin, to line up several pictures; at least what labels need.
};

struct PlotFrame {
  PageBox box;
  double low = 0.0;
  double high = 1.0;
};

struct Plot {
  Canvas canvas;
  TimeInterval range;
  std::vector<PlotFrame> frames;  ///< One per panel.
};

/// Draws values over time. Fails when a rule above is broken; the error names panel and series.
Result<Plot> draw_plot(const PlotParams& params);

}  // namespace shosa::draw
