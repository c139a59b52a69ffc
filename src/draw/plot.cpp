#include "shosa/draw/plot.h"

#include <algorithm>
#include <cmath>

#include "draw/time_axis.h"

namespace shosa::draw {
namespace {

constexpr double kTitlePx = 34.0;
constexpr double kPanelHeadPx = 24.0;
constexpr double kMarkerLabelPx = 15.0;
constexpr double kPanelGapPx = 14.0;

bool shows(const Panel& panel, double value) {
  return std::isfinite(value) && (!panel.log_scale || value > 0.0);
}

std::string name_of(const Panel& panel, std::size_t index) {
  return panel.title.empty() ? fmt::format("panel {}", index + 1) : fmt::format("panel '{}'", panel.title);
}

Result<void> check(const Panel& panel, const std::string& name) {
  for (const Series& series : panel.series) {
    if (series.times_s.size() != series.values.size()) {
      return fail(ErrorCode::invalid_argument, "{}, series '{}': {} times and {} values, expected as many", name,
                  series.name, series.times_s.size(), series.values.size());
    }
    if (!std::ranges::all_of(series.times_s, [](double time_s) { return std::isfinite(time_s); })) {
      return fail(ErrorCode::invalid_argument, "{}, series '{}': a time is not a finite number", name, series.name);
    }
  }
  for (const Band& band : panel.bands) {
    if (!is_interval(band.interval)) {
      return fail(ErrorCode::invalid_argument, "{}, band '{}': from {} s to {} s, expected begin before end", name,
                  band.label, band.interval.begin_s, band.interval.end_s);
    }
  }
  for (const Marker& marker : panel.markers) {
    if (!std::isfinite(marker.time_s)) {
      return fail(ErrorCode::invalid_argument, "{}, marker '{}': its time is not a finite number", name, marker.label);
    }
  }
  const auto bad = [&](const std::optional<double>& bound) { return bound && !shows(panel, *bound); };
  if (bad(panel.low) || bad(panel.high) || (panel.low && panel.high && !(*panel.low < *panel.high))) {
    return fail(ErrorCode::invalid_argument, "{}: axis from {} to {}, expected finite low < high{}", name,
                panel.low.value_or(0.0), panel.high.value_or(0.0), panel.log_scale ? " and low > 0" : "");
  }
  return {};
}

/// Bounds of the value axis: the values with some air, or what the caller asked for.
std::pair<double, double> bounds(const Panel& panel) {
  double low = 1e300;
  double high = -1e300;
  for (const Series& series : panel.series) {
    for (const double value : series.values) {
      if (shows(panel, value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (low > high) {
    low = panel.low.value_or(panel.log_scale ? 0.1 : 0.0);
    high = panel.high.value_or(panel.log_scale ? 10.0 * low : low + 1.0);
  }
  // Labels of bands stand at the top, above the lines.
  const bool labelled = std::ranges::any_of(panel.bands, [](const Band& band) { return !band.label.empty(); });
  const double above = labelled ? 0.22 : 0.06;
  if (panel.log_scale) {
    low /= high > low ? std::pow(high / low, 0.06) : 2.0;
    high *= high > low ? std::pow(high / low, above) : 2.0;
  } else {
    const double air = high > low ? 0.06 * (high - low) : std::max(0.5, 0.1 * std::abs(high));
    // A magnitude starts at zero rather than at a negative number.
    low = low >= 0.0 && low <= 2.0 * air ? 0.0 : low - air;
    high += air * above / 0.06;
  }
  low = panel.low.value_or(low);
  high = panel.high.value_or(high);
  // One bound asked for beyond all values: the other one moves past it.
  if (!(low < high)) {
    const double reach = std::max(1.0, std::abs(low));
    if (panel.low) {
      high = panel.log_scale ? 10.0 * low : low + reach;
    } else {
      low = panel.log_scale ? 0.1 * high : high - reach;
    }
  }
  return {low, high};
}

/// Of the points in one pixel column only the first, lowest, highest and last show.
void thin_out(std::vector<Point>& run) {
  if (run.size() < 8) {
    return;
  }
  std::vector<Point> kept;
  for (std::size_t begin = 0; begin < run.size();) {
    std::size_t end = begin + 1;
    while (end < run.size() && std::floor(run[end].x()) == std::floor(run[begin].x())) {
      ++end;
    }
    std::size_t low = begin;
    std::size_t high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      low = run[i].y() < run[low].y() ? i : low;
      high = run[i].y() > run[high].y() ? i : high;
    }
    std::size_t picks[] = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == 0 || picks[k] != picks[k - 1]) {
        kept.push_back(run[picks[k]]);
      }
    }
    begin = end;
  }
  run = std::move(kept);
}

std::vector<Tick> value_ticks(const Panel& panel, const PlotFrame& frame, double height_px) {
  const int most = std::max(2, static_cast<int>(height_px / 28.0));
  return panel.log_scale ? log_ticks(frame.low, frame.high, most) : linear_ticks(frame.low, frame.high, most);
}

/// Room above a panel's frame.
double head_px(const Panel& panel) {
  const auto labelled = [](const Marker& marker) { return !marker.label.empty(); };
  return kPanelHeadPx + (std::ranges::any_of(panel.markers, labelled) ? kMarkerLabelPx : 0.0);
}

class PanelPainter {
 public:
  PanelPainter(Canvas& canvas, const Panel& panel, const TimeAxis& axis, const PlotFrame& frame)
      : canvas_(canvas), panel_(panel), axis_(axis), frame_(frame) {}

  void draw() {
    canvas_.fill(Path::rectangle(frame_.box.low, frame_.box.width_px(), frame_.box.height_px()), kPaper);
    draw_bands();
    draw_time_grid(canvas_, axis_, frame_.box.low.y(), frame_.box.high.y());
    draw_value_axis();
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      draw_series(panel_.series[i], colour_of(i));
    }
    canvas_.stroke(Path::rectangle(frame_.box.low, frame_.box.width_px(), frame_.box.height_px()), {kFrame, 1.0, {}});
    draw_head();
    draw_markers(canvas_, axis_, panel_.markers, frame_.box.low.y(), frame_.box.high.y());
  }

 private:
  Colour colour_of(std::size_t i) const { return panel_.series[i].colour.value_or(series_colour(i)); }

  double y(double value) const {
    const auto scaled = [this](double v) { return panel_.log_scale ? std::log10(v) : v; };
    const double part = (scaled(value) - scaled(frame_.low)) / (scaled(frame_.high) - scaled(frame_.low));
    // Values far outside the asked bounds run off the frame's edge, not off the picture.
    return frame_.box.high.y() - std::clamp(part, 0.0, 1.0) * frame_.box.height_px();
  }

  void draw_bands() {
    for (const Band& band : panel_.bands) {
      if (!axis_.shows(band.interval)) {
        continue;
      }
      const double left = axis_.clamped_x(band.interval.begin_s);
      const double right = axis_.clamped_x(band.interval.end_s);
      const Colour colour = band.colour.value_or(kContact);
      canvas_.fill(Path::rectangle({left, frame_.box.low.y()}, right - left, frame_.box.height_px()),
                   with_alpha(colour, 0.13));
      if (!band.label.empty() && text_width_px(band.label, kAxisTextPx) + 6.0 < right - left) {
        canvas_.text({0.5 * (left + right), frame_.box.low.y() + kAxisTextPx + 3.0}, band.label,
                     {.size_px = kAxisTextPx, .colour = mixed(colour, kInk, 0.45), .align = Align::middle});
      }
    }
  }

  void draw_value_axis() {
    for (const Tick& tick : value_ticks(panel_, frame_, frame_.box.height_px())) {
      canvas_.line({frame_.box.low.x(), y(tick.value)}, {frame_.box.high.x(), y(tick.value)}, {kGrid, 1.0, {}});
      canvas_.text({frame_.box.low.x() - 6.0, y(tick.value) + 4.0}, tick.label,
                   {.size_px = kAxisTextPx, .colour = kSoftInk, .align = Align::end});
    }
  }

  void draw_series(const Series& series, const Colour& colour) {
    std::vector<Point> run;
    const auto flush = [&] {
      if (run.size() == 1) {
        canvas_.fill(Path::circle(run.front(), 2.0), colour);
      } else if (!run.empty()) {
        thin_out(run);
        const std::vector<double> dash_px = series.dashed ? std::vector<double>{6.0, 4.0} : std::vector<double>{};
        canvas_.stroke(Path::polyline(run), {colour, 1.6, dash_px});
      }
      run.clear();
    };
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const double time_s = series.times_s[i];
      const bool visible = shows(panel_, series.values[i]) && axis_.shows({time_s, time_s});
      if (visible) {
        run.emplace_back(axis_.x(time_s), y(series.values[i]));
      } else {
        flush();
      }
    }
    flush();
  }

  /// Title and unit on the left above the frame, legend on the right.
  void draw_head() {
    const double base_px = frame_.box.low.y() - head_px(panel_) + kPanelHeadPx - 7.0;
    const std::string unit = panel_.unit.empty() ? "" : fmt::format(" ({})", panel_.unit);
    canvas_.text({frame_.box.low.x(), base_px}, panel_.title + unit, {.size_px = 12.0, .colour = kInk, .bold = true});
    double right = frame_.box.high.x();
    for (std::size_t i = panel_.series.size(); i-- > 0;) {
      const Series& series = panel_.series[i];
      if (series.name.empty()) {
        continue;
      }
      right -= text_width_px(series.name, kAxisTextPx);
      canvas_.text({right, base_px}, series.name, {.size_px = kAxisTextPx, .colour = kSoftInk});
      const std::vector<double> dash_px = series.dashed ? std::vector<double>{6.0, 4.0} : std::vector<double>{};
      canvas_.line({right - 22.0, base_px - 4.0}, {right - 6.0, base_px - 4.0}, {colour_of(i), 2.0, dash_px});
      right -= 36.0;
    }
  }

  Canvas& canvas_;
  const Panel& panel_;
  const TimeAxis& axis_;
  const PlotFrame& frame_;
};

TimeInterval range_of(const PlotParams& params) {
  TimeRange range;
  for (const Panel& panel : params.panels) {
    for (const Series& series : panel.series) {
      std::ranges::for_each(series.times_s, [&](double time_s) { range.include(time_s); });
    }
    for (const Band& band : panel.bands) {
      range.include(band.interval.begin_s);
      range.include(band.interval.end_s);
    }
    for (const Marker& marker : panel.markers) {
      range.include(marker.time_s);
    }
  }
  return params.range.value_or(range.range());
}

}  // namespace

Result<Plot> draw_plot(const PlotParams& params) {
  if (const Result<void> checked = check_range(params.range, params.width_px); !checked) {
    return std::unexpected(checked.error());
  }
  if (params.panels.empty()) {
    return fail(ErrorCode::invalid_argument, "no panels: expected at least one");
  }
  if (!(params.panel_height_px >= 30.0 && params.panel_height_px <= 4000.0)) {
    return fail(ErrorCode::invalid_argument, "panel height {} px: expected 30 to 4000", params.panel_height_px);
  }
  for (std::size_t i = 0; i < params.panels.size(); ++i) {
    if (const Result<void> checked = check(params.panels[i], name_of(params.panels[i], i)); !checked) {
      return std::unexpected(checked.error());
    }
  }

  // Frames begin where the widest value label ends.
  std::vector<PlotFrame> frames;
  double left_px = 34.0;
  for (const Panel& panel : params.panels) {
    const auto [low, high] = bounds(panel);
    frames.push_back({{}, low, high});
    for (const Tick& tick : value_ticks(panel, frames.back(), params.panel_height_px)) {
      left_px = std::max(left_px, text_width_px(tick.label, kAxisTextPx) + 18.0);
    }
  }
  left_px = std::min(std::max(params.left_px, left_px), params.width_px - kAxisRightPx - 50.0);

  const double title_px = params.title.empty() ? 6.0 : kTitlePx;
  double height_px = title_px - kPanelGapPx + kTimeAxisPx;
  for (const Panel& panel : params.panels) {
    height_px += head_px(panel) + params.panel_height_px + kPanelGapPx;
  }
  const TimeAxis axis{range_of(params), left_px, params.width_px - kAxisRightPx};
  Plot plot{Canvas(params.width_px, std::ceil(height_px)), axis.range, std::move(frames)};
  if (!params.title.empty()) {
    plot.canvas.text({left_px, 22.0}, params.title, {.size_px = 15.0, .colour = kInk, .bold = true});
  }
  double top_px = title_px;
  for (std::size_t i = 0; i < params.panels.size(); ++i) {
    top_px += head_px(params.panels[i]);
    plot.frames[i].box.include(Point(axis.left_px, top_px));
    plot.frames[i].box.include(Point(axis.right_px, top_px + params.panel_height_px));
    PanelPainter(plot.canvas, params.panels[i], axis, plot.frames[i]).draw();
    top_px += params.panel_height_px + kPanelGapPx;
  }
  draw_time_axis(plot.canvas, axis, plot.frames.back().box.high.y());
  return plot;
}

}  // namespace shosa::draw
