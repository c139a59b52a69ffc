#pragma once

#include <span>

#include "draw/ticks.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/plot.h"

namespace shosa::draw {

inline constexpr double kAxisTextPx = 11.0;
inline constexpr double kAxisRightPx = 20.0;
/// Room that `draw_time_axis` needs below the frames.
inline constexpr double kTimeAxisPx = 40.0;

/// Time to pixels.
struct TimeAxis {
  TimeInterval range;
  double left_px = 0.0;
  double right_px = 1.0;

  double x(double time_s) const {
    return left_px + (right_px - left_px) * (time_s - range.begin_s) / (range.end_s - range.begin_s);
  }
  /// x of a time moved into the range.
  double clamped_x(double time_s) const;
  bool shows(const TimeInterval& interval) const {
    return interval.end_s >= range.begin_s && interval.begin_s <= range.end_s;
  }
};

/// Collects times; a range that holds no or one time is widened to something that can be drawn.
class TimeRange {
 public:
  void include(double time_s);
  TimeInterval range() const;

 private:
  double low_s_ = 1e300;
  double high_s_ = -1e300;
};

std::vector<Tick> time_ticks(const TimeAxis& axis);
/// Faint lines at the ticks.
void draw_time_grid(Canvas& canvas, const TimeAxis& axis, double top_px, double bottom_px);
/// Ticks, labels and unit below the lowest frame.
void draw_time_axis(Canvas& canvas, const TimeAxis& axis, double bottom_px);
/// Vertical lines through the frame, labels above it where they do not meet.
void draw_markers(Canvas& canvas, const TimeAxis& axis, std::span<const Marker> markers, double top_px,
                  double bottom_px);

bool is_interval(const TimeInterval& interval);
Result<void> check_range(const std::optional<TimeInterval>& range, double width_px);

}  // namespace shosa::draw
