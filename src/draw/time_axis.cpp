#include "draw/time_axis.h"

#include <algorithm>
#include <cmath>

namespace shosa::draw {

double TimeAxis::clamped_x(double time_s) const {
  return x(std::clamp(time_s, range.begin_s, range.end_s));
}

void TimeRange::include(double time_s) {
  low_s_ = std::min(low_s_, time_s);
  high_s_ = std::max(high_s_, time_s);
}

TimeInterval TimeRange::range() const {
  if (low_s_ > high_s_) {
    return {0.0, 1.0};
  }
  return low_s_ < high_s_ ? TimeInterval{low_s_, high_s_} : TimeInterval{low_s_ - 0.5, low_s_ + 0.5};
}

std::vector<Tick> time_ticks(const TimeAxis& axis) {
  const int most = std::max(2, static_cast<int>((axis.right_px - axis.left_px) / 70.0));
  return linear_ticks(axis.range.begin_s, axis.range.end_s, most);
}

void draw_time_grid(Canvas& canvas, const TimeAxis& axis, double top_px, double bottom_px) {
  for (const Tick& tick : time_ticks(axis)) {
    canvas.line({axis.x(tick.value), top_px}, {axis.x(tick.value), bottom_px}, {kGrid, 1.0, {}});
  }
}

void draw_time_axis(Canvas& canvas, const TimeAxis& axis, double bottom_px) {
  for (const Tick& tick : time_ticks(axis)) {
    const double x = axis.x(tick.value);
    canvas.line({x, bottom_px}, {x, bottom_px + 4.0}, {kFrame, 1.0, {}});
    canvas.text({x, bottom_px + 6.0 + kAxisTextPx}, tick.label,
                {.size_px = kAxisTextPx, .colour = kSoftInk, .align = Align::middle});
  }
  canvas.text({0.5 * (axis.left_px + axis.right_px), bottom_px + 9.0 + 2.3 * kAxisTextPx}, "time (s)",
              {.size_px = kAxisTextPx, .colour = kSoftInk, .align = Align::middle});
}

void draw_markers(Canvas& canvas, const TimeAxis& axis, std::span<const Marker> markers, double top_px,
                  double bottom_px) {
  double free_px = -1e300;
  for (const Marker& marker : markers) {
    if (!axis.shows({marker.time_s, marker.time_s})) {
      continue;
    }
    const double x = axis.x(marker.time_s);
    canvas.line({x, top_px}, {x, bottom_px}, {kInk, 1.0, {4.0, 3.0}});
    const double half_px = 0.5 * text_width_px(marker.label, kAxisTextPx);
    const double middle_px =
        std::clamp(x, axis.left_px + half_px, std::max(axis.left_px + half_px, axis.right_px - half_px));
    if (!marker.label.empty() && middle_px - half_px > free_px) {
      canvas.text({middle_px, top_px - 4.0}, marker.label,
                  {.size_px = kAxisTextPx, .colour = kInk, .align = Align::middle});
      free_px = middle_px + half_px + 6.0;
    }
  }
}

bool is_interval(const TimeInterval& interval) {
  return std::isfinite(interval.begin_s) && std::isfinite(interval.end_s) && interval.begin_s <= interval.end_s;
}

Result<void> check_range(const std::optional<TimeInterval>& range, double width_px) {
  if (!(width_px >= 200.0 && width_px <= 10000.0)) {
    return fail(ErrorCode::invalid_argument, "width {} px: expected 200 to 10000", width_px);
  }
  if (range && (!is_interval(*range) || range->begin_s == range->end_s)) {
    return fail(ErrorCode::invalid_argument, "time axis from {} s to {} s: expected begin before end", range->begin_s,
                range->end_s);
  }
  return {};
}

}  // namespace shosa::draw
