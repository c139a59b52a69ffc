#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/draw/plot.h"

namespace shosa::draw {

struct Bar {
  TimeInterval interval;
  std::string label;  ///< Written in the bar where it fits.
  std::optional<Colour> colour;
};

struct Lane {
  std::string label;
  std::vector<Bar> bars;
  std::optional<Colour> colour;  ///< Of its bars; the next colour of the palette when empty.
};

struct TimelineParams {
  std::string title;
  std::vector<Lane> lanes;  ///< Top down. At least one.
  std::vector<Marker> markers;
  std::optional<TimeInterval> range;  ///< Of the time axis; all bars and markers when empty. begin < end.
  double width_px = 900.0;            ///< In [200, 10000].
  double lane_height_px = 22.0;       ///< In [8, 400].
  double left_px = 0.0;               ///< Where lanes begin, to line up several pictures; at least what labels need.
};

struct Timeline {
  Canvas canvas;
  TimeInterval range;
  std::vector<PageBox> lanes;  ///< Where each lane's bars lie; the whole time axis across.
};

/// Draws intervals of time, a lane for each kind. A bar of no length is drawn one pixel wide.
/// Fails when a rule above is broken, or an interval is reversed or not finite; the error names lane and bar.
Result<Timeline> draw_timeline(const TimelineParams& params);

}  // namespace shosa::draw
