#include "shosa/draw/timeline.h"

#include <algorithm>
#include <cmath>

#include "draw/time_axis.h"

namespace shosa::draw {
namespace {

Result<void> check(const TimelineParams& params) {
  if (const Result<void> checked = check_range(params.range, params.width_px); !checked) {
    return checked;
  }
  if (params.lanes.empty()) {
    return fail(ErrorCode::invalid_argument, "no lanes: expected at least one");
  }
  if (!(params.lane_height_px >= 8.0 && params.lane_height_px <= 400.0)) {
    return fail(ErrorCode::invalid_argument, "lane height {} px: expected 8 to 400", params.lane_height_px);
  }
  for (const Lane& lane : params.lanes) {
    for (const Bar& bar : lane.bars) {
      if (!is_interval(bar.interval)) {
        return fail(ErrorCode::invalid_argument, "lane '{}', bar '{}': from {} s to {} s, expected begin before end",
                    lane.label, bar.label, bar.interval.begin_s, bar.interval.end_s);
      }
    }
  }
  for (const Marker& marker : params.markers) {
    if (!std::isfinite(marker.time_s)) {
      return fail(ErrorCode::invalid_argument, "marker '{}': its time is not a finite number", marker.label);
    }
  }
  return {};
}

TimeInterval range_of(const TimelineParams& params) {
  TimeRange range;
  for (const Lane& lane : params.lanes) {
    for (const Bar& bar : lane.bars) {
      range.include(bar.interval.begin_s);
      range.include(bar.interval.end_s);
    }
  }
  for (const Marker& marker : params.markers) {
    range.include(marker.time_s);
  }
  return params.range.value_or(range.range());
}

/// White on dark colours, ink on light ones (relative luminance, ITU-R BT.709).
Colour text_on(const Colour& colour) {
  return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue < 0.55 ? kPaper : kInk;
}

void draw_bar(Canvas& canvas, const Bar& bar, const Colour& colour, const TimeAxis& axis, const PageBox& lane) {
  if (!axis.shows(bar.interval)) {
    return;
  }
  const double left = axis.clamped_x(bar.interval.begin_s);
  const double width_px = std::max(1.0, axis.clamped_x(bar.interval.end_s) - left);
  const double inset_px = 0.16 * lane.height_px();
  const double size_px = std::min(kAxisTextPx, 0.6 * lane.height_px());
  canvas.fill(Path::rectangle({left, lane.low.y() + inset_px}, width_px, lane.height_px() - 2.0 * inset_px), colour);
  if (!bar.label.empty() && text_width_px(bar.label, size_px) + 6.0 < width_px) {
    canvas.text({left + 0.5 * width_px, 0.5 * (lane.low.y() + lane.high.y()) + 0.36 * size_px}, bar.label,
                {.size_px = size_px, .colour = text_on(colour), .align = Align::middle});
  }
}

}  // namespace

Result<Timeline> draw_timeline(const TimelineParams& params) {
  if (const Result<void> checked = check(params); !checked) {
    return std::unexpected(checked.error());
  }
  double left_px = 34.0;
  for (const Lane& lane : params.lanes) {
    left_px = std::max(left_px, text_width_px(lane.label, kAxisTextPx) + 24.0);
  }
  left_px = std::min(std::max(params.left_px, left_px), params.width_px - kAxisRightPx - 50.0);

  const bool labelled = std::ranges::any_of(params.markers, [](const Marker& marker) { return !marker.label.empty(); });
  const double top_px = (params.title.empty() ? 8.0 : 36.0) + (labelled ? 16.0 : 0.0);
  const double bottom_px = top_px + params.lane_height_px * static_cast<double>(params.lanes.size());
  const TimeAxis axis{range_of(params), left_px, params.width_px - kAxisRightPx};
  Timeline timeline{Canvas(params.width_px, std::ceil(bottom_px + kTimeAxisPx)), axis.range, {}};
  Canvas& canvas = timeline.canvas;
  if (!params.title.empty()) {
    canvas.text({left_px, 22.0}, params.title, {.size_px = 15.0, .colour = kInk, .bold = true});
  }
  for (std::size_t i = 0; i < params.lanes.size(); ++i) {
    PageBox& lane = timeline.lanes.emplace_back();
    const double lane_top_px = top_px + params.lane_height_px * static_cast<double>(i);
    lane.include(Point(axis.left_px, lane_top_px));
    lane.include(Point(axis.right_px, lane_top_px + params.lane_height_px));
    if (i % 2 == 0) {
      canvas.fill(Path::rectangle(lane.low, lane.width_px(), lane.height_px()), rgb(0xf5f6f8));
    }
  }
  draw_time_grid(canvas, axis, top_px, bottom_px);
  for (std::size_t i = 0; i < params.lanes.size(); ++i) {
    const Lane& lane = params.lanes[i];
    const Colour colour = lane.colour.value_or(series_colour(i));
    for (const Bar& bar : lane.bars) {
      draw_bar(canvas, bar, bar.colour.value_or(colour), axis, timeline.lanes[i]);
    }
    const double middle_px = 0.5 * (timeline.lanes[i].low.y() + timeline.lanes[i].high.y());
    canvas.text({axis.left_px - 8.0, middle_px + 4.0}, lane.label,
                {.size_px = kAxisTextPx, .colour = kInk, .align = Align::end});
  }
  canvas.stroke(Path::rectangle({axis.left_px, top_px}, axis.right_px - axis.left_px, bottom_px - top_px),
                {kFrame, 1.0, {}});
  draw_markers(canvas, axis, params.markers, top_px, bottom_px);
  draw_time_axis(canvas, axis, bottom_px);
  return timeline;
}

}  // namespace shosa::draw
