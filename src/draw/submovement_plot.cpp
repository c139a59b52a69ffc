#include "shosa/draw/submovement_plot.h"

#include <algorithm>

#include "shosa/draw/palette.h"
#include "shosa/draw/plot.h"
#include "shosa/draw/timeline.h"

namespace shosa::draw {

Result<Canvas> draw_submovements(const SubmovementPlot& plot) {
  std::vector<double> times;
  for (std::size_t i = 0; i < plot.original.size(); ++i) times.push_back(static_cast<double>(i) * plot.frame_time_s);
  const TimeInterval range{0.0, std::max(times.back(), plot.frame_time_s)};
  PlotParams params;
  params.title = plot.title;
  params.range = range;
  params.panel_height_px = 95.0;
  // An axis that hardly moves is shown against the others, not as its last digits.
  Vec3d low = Vec3d::Constant(1e300), high = Vec3d::Constant(-1e300);
  for (const auto* samples : {&plot.original, &plot.model, &plot.edited}) {
    for (const Vec3d& x : *samples) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  }
  const double widest = (high - low).maxCoeff();
  for (int c = 0; c < 3; ++c) {
    Panel panel;
    if (widest > 0.0 && high(c) - low(c) < 0.1 * widest) {
      const double middle = 0.5 * (low(c) + high(c));
      panel.low = middle - 0.1 * widest;
      panel.high = middle + 0.1 * widest;
    }
    panel.title = std::string(1, "xyz"[c]);
    panel.unit = plot.unit;
    Series original{.name = c == 0 ? "original" : "", .times_s = times, .colour = kLeft};
    Series model{.name = c == 0 ? "model" : "", .times_s = times, .colour = kRight, .dashed = true};
    for (const Vec3d& x : plot.original) original.values.push_back(x(c));
    for (const Vec3d& x : plot.model) model.values.push_back(x(c));
    panel.series = {std::move(original), std::move(model)};
    if (!plot.edited.empty()) {
      Series edited{.name = c == 0 ? "edited" : "", .times_s = times, .colour = kContact};
      for (const Vec3d& x : plot.edited) edited.values.push_back(x(c));
      panel.series.push_back(std::move(edited));
    }
    params.panels.push_back(std::move(panel));
  }

  // As few lanes as keep overlapping submovements apart.
  TimelineParams lanes;
  lanes.range = range;
  std::vector<double> free_from;
  for (std::size_t k = 0; k < plot.submovements.size(); ++k) {
    TimeInterval bar = plot.submovements[k];
    bar.begin_s = std::clamp(bar.begin_s, range.begin_s, range.end_s);
    bar.end_s = std::clamp(bar.end_s, range.begin_s, range.end_s);
    const auto at = std::find_if(free_from.begin(), free_from.end(), [&](double t) { return t <= bar.begin_s; });
    const auto lane = static_cast<std::size_t>(at - free_from.begin());
    if (at == free_from.end()) {
      free_from.push_back(0.0);
      lanes.lanes.push_back({.label = lane == 0 ? "submovements" : "", .colour = kMiddle});
    }
    free_from[lane] = bar.end_s;
    lanes.lanes[lane].bars.push_back({.interval = bar, .label = plot.labels[k]});
  }
  if (lanes.lanes.empty()) lanes.lanes.push_back({.label = "submovements"});

  auto timeline = draw_timeline(lanes);
  if (!timeline) return std::unexpected(timeline.error());
  params.left_px = timeline->lanes[0].low.x();
  auto curves = draw_plot(params);
  if (!curves) return std::unexpected(curves.error());
  lanes.left_px = std::max(params.left_px, curves->frames[0].box.low.x());
  timeline = draw_timeline(lanes);
  if (!timeline) return std::unexpected(timeline.error());
  const Canvas parts[] = {std::move(curves->canvas), std::move(timeline->canvas)};
  return stacked(parts, 4.0);
}

}  // namespace shosa::draw
