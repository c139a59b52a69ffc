#include "shosa/draw/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "draw/pixels.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/timeline.h"

namespace shosa::draw {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Series ramp(double from, double to, int count = 101) {
  Series series{.name = "ramp"};
  for (int i = 0; i < count; ++i) {
    series.times_s.push_back(2.0 * i / (count - 1));
    series.values.push_back(from + (to - from) * i / (count - 1));
  }
  return series;
}

Point place(const Plot& plot, std::size_t panel, double time_s, double part_of_height) {
  const PlotFrame& frame = plot.frames[panel];
  const double across = (time_s - plot.range.begin_s) / (plot.range.end_s - plot.range.begin_s);
  return {frame.box.low.x() + across * frame.box.width_px(),
          frame.box.high.y() - part_of_height * frame.box.height_px()};
}

/// Red, also where a thin line covers a pixel only in part.
bool is_red(const Colour& colour) {
  return colour.red > 0.9 && colour.green < 0.6 && colour.blue < 0.6;
}

bool red_near(const Pixels& pixels, const Point& at, int reach) {
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      if (is_red(pixels.at(at + Point(x, y)))) {
        return true;
      }
    }
  }
  return false;
}

TEST(Plot, LineRunsThroughItsValues) {
  Panel panel{.title = "value", .series = {ramp(0.0, 4.0)}, .low = 0.0, .high = 4.0};
  panel.series[0].colour = rgb(0xff0000);
  const Plot plot = draw_plot({.panels = {panel}}).value();
  const Pixels pixels(plot.canvas);
  for (const double part : {0.1, 0.5, 0.9}) {
    EXPECT_TRUE(red_near(pixels, place(plot, 0, 2.0 * part, part), 2)) << part;
    EXPECT_FALSE(red_near(pixels, place(plot, 0, 2.0 * part, 1.0 - part + 0.2), 2)) << part;
  }
}

TEST(Plot, LogScaleMakesAnExponentialAStraightLine) {
  Panel panel{.series = {ramp(-2.0, 2.0)}, .log_scale = true, .low = 0.01, .high = 100.0};
  panel.series[0].colour = rgb(0xff0000);
  for (double& value : panel.series[0].values) {
    value = std::pow(10.0, value);
  }
  const Plot plot = draw_plot({.panels = {panel}}).value();
  const Pixels pixels(plot.canvas);
  for (const double part : {0.1, 0.5, 0.9}) {
    EXPECT_TRUE(red_near(pixels, place(plot, 0, 2.0 * part, part), 2)) << part;
  }
}

TEST(Plot, BoundsHoldAllValues) {
  for (const bool log_scale : {false, true}) {
    const Plot plot =
        draw_plot({.panels = {{.series = {ramp(0.3, 5.0), ramp(2.0, 0.02)}, .log_scale = log_scale}}}).value();
    EXPECT_LE(plot.frames[0].low, 0.02);
    EXPECT_GE(plot.frames[0].high, 5.0);
    EXPECT_EQ(plot.range, (TimeInterval{0.0, 2.0}));
  }
}

TEST(Plot, ValuesThatAreNotFiniteLeaveAGap) {
  Panel panel{.series = {ramp(1.0, 1.0)}, .low = 0.0, .high = 2.0};
  panel.series[0].name = "";
  panel.series[0].colour = rgb(0xff0000);
  for (std::size_t i = 40; i < 60; ++i) {
    panel.series[0].values[i] = i % 2 ? kNan : std::numeric_limits<double>::infinity();
  }
  const Plot plot = draw_plot({.panels = {panel}}).value();
  const Pixels pixels(plot.canvas);
  EXPECT_TRUE(red_near(pixels, place(plot, 0, 0.5, 0.5), 2));
  EXPECT_FALSE(red_near(pixels, place(plot, 0, 1.0, 0.5), 5));
  EXPECT_TRUE(red_near(pixels, place(plot, 0, 1.5, 0.5), 2));
}

TEST(Plot, ManyPointsKeepTheirPeaks) {
  // One sample in 200,000 stands out; thinning must not lose it.
  Panel panel{.series = {ramp(0.0, 0.0, 200'000)}, .low = 0.0, .high = 1.0};
  panel.series[0].colour = rgb(0xff0000);
  panel.series[0].values[123'456] = 0.9;
  const Plot plot = draw_plot({.panels = {panel}}).value();
  const double time_s = panel.series[0].times_s[123'456];
  EXPECT_TRUE(red_near(Pixels(encode(plot.canvas, {.scale = 2.0}).value()), 2.0 * place(plot, 0, time_s, 0.6), 6));
  EXPECT_LT(encode(plot.canvas, {.format = Format::svg}).value().size(), 400'000u);
}

TEST(Plot, BandsAreShadedWhereTheyAre) {
  const Panel panel{.bands = {{{0.5, 1.0}, "", rgb(0xff0000)}}, .low = 0.0, .high = 1.0};
  const Plot plot = draw_plot({.panels = {panel}, .range = TimeInterval{0.0, 2.0}}).value();
  const Pixels pixels(plot.canvas);
  const auto reddish = [&](double time_s) {
    const Colour colour = pixels.at(place(plot, 0, time_s, 0.45));
    return colour.red - colour.green > 0.05;
  };
  EXPECT_FALSE(reddish(0.43));
  EXPECT_TRUE(reddish(0.57));
  EXPECT_TRUE(reddish(0.93));
  EXPECT_FALSE(reddish(1.07));
}

TEST(Plot, EmptyPanelsAndConstantSeriesAreDrawn) {
  EXPECT_TRUE(encode(draw_plot({.panels = {{}}}).value().canvas).has_value());
  EXPECT_TRUE(encode(draw_plot({.panels = {{.series = {ramp(3.0, 3.0)}}}}).value().canvas).has_value());
  EXPECT_TRUE(
      encode(draw_plot({.panels = {{.series = {ramp(0.0, 0.0)}, .log_scale = true}}}).value().canvas).has_value());
  const Series one{.name = "one", .times_s = {0.7}, .values = {5.0}};
  EXPECT_TRUE(encode(draw_plot({.panels = {{.series = {one}}}}).value().canvas).has_value());
  // A bound beyond all values.
  const Plot plot = draw_plot({.panels = {{.series = {ramp(0.0, 1.0)}, .low = 10.0}}}).value();
  EXPECT_GT(plot.frames[0].high, 10.0);
}

TEST(Plot, SamePlotGivesTheSameBytes) {
  const PlotParams params{.title = "speed",
                          .panels = {{.title = "a", .unit = "m/s", .series = {ramp(0, 1), ramp(1, 0)}}}};
  for (const Format format : {Format::svg, Format::png}) {
    const auto bytes = [&] { return encode(draw_plot(params).value().canvas, {.format = format}).value(); };
    EXPECT_TRUE(bytes() == bytes());
  }
}

TEST(Plot, BadParametersAreNamed) {
  const auto message = [](const PlotParams& params) {
    const Result<Plot> plot = draw_plot(params);
    return plot.has_value() ? std::string() : plot.error().message;
  };
  Series uneven = ramp(0.0, 1.0);
  uneven.values.pop_back();
  Series timeless = ramp(0.0, 1.0);
  timeless.times_s[3] = kNan;
  EXPECT_NE(message({}).find("no panels"), std::string::npos);
  EXPECT_NE(
      message({.panels = {{.title = "speed", .series = {uneven}}}}).find("panel 'speed', series 'ramp': 101 times"),
      std::string::npos);
  EXPECT_NE(message({.panels = {{}, {.series = {timeless}}}}).find("panel 2"), std::string::npos);
  EXPECT_NE(message({.panels = {{.bands = {{{1.0, 0.5}, "core", {}}}}}}).find("band 'core'"), std::string::npos);
  EXPECT_NE(message({.panels = {{.markers = {{kNan, "now"}}}}}).find("marker 'now'"), std::string::npos);
  EXPECT_NE(message({.panels = {{.low = 2.0, .high = 1.0}}}).find("low < high"), std::string::npos);
  EXPECT_NE(message({.panels = {{.log_scale = true, .low = -1.0}}}).find("low > 0"), std::string::npos);
  EXPECT_NE(message({.panels = {{}}, .range = TimeInterval{1.0, 1.0}}).find("time axis"), std::string::npos);
  EXPECT_NE(message({.panels = {{}}, .width_px = 5.0}).find("width 5"), std::string::npos);
  EXPECT_NE(message({.panels = {{}}, .panel_height_px = 5.0}).find("panel height 5"), std::string::npos);
}

TEST(Timeline, BarsCoverTheirTimesInTheirLane) {
  const TimelineParams params{.lanes = {{"left", {{{0.0, 0.5}, "", {}}, {{1.5, 2.0}, "", {}}}, rgb(0xff0000)},
                                        {"right", {{{0.5, 1.0}, "", {}}}, rgb(0x0000ff)}}};
  const Timeline timeline = draw_timeline(params).value();
  EXPECT_EQ(timeline.range, (TimeInterval{0.0, 2.0}));
  const Pixels pixels(timeline.canvas);
  const auto at = [&](std::size_t lane, double time_s) {
    const PageBox& box = timeline.lanes[lane];
    return pixels.at(Point(box.low.x() + time_s / 2.0 * box.width_px(), 0.5 * (box.low.y() + box.high.y())));
  };
  EXPECT_TRUE(Pixels::near(at(0, 0.25), rgb(0xff0000)));
  EXPECT_FALSE(Pixels::near(at(0, 0.75), rgb(0xff0000)));
  EXPECT_TRUE(Pixels::near(at(0, 1.75), rgb(0xff0000)));
  EXPECT_TRUE(Pixels::near(at(1, 0.75), rgb(0x0000ff)));
  EXPECT_FALSE(Pixels::near(at(1, 0.25), rgb(0x0000ff)));
}

TEST(Timeline, BarsAreCutAtTheAxisAndBarsOfNoLengthShow) {
  const Timeline timeline =
      draw_timeline(
          {.lanes = {{"a", {{{-5.0, 0.1}, "", {}}, {{0.6, 0.6}, "", {}}, {{3.0, 4.0}, "", {}}}, rgb(0xff0000)}},
           .range = TimeInterval{0.0, 1.0}})
          .value();
  const Pixels pixels(timeline.canvas);
  const PageBox& box = timeline.lanes[0];
  const auto y = static_cast<int>(0.5 * (box.low.y() + box.high.y()));
  EXPECT_EQ(pixels.count(rgb(0xff0000), 0, y, static_cast<int>(box.low.x()) - 2, y), 0);
  EXPECT_EQ(pixels.count(rgb(0xff0000), static_cast<int>(box.high.x()) - 2, y, pixels.width() - 1, y), 0);
  const auto moment = static_cast<int>(box.low.x() + 0.6 * box.width_px());
  const Colour there = pixels.at(moment, y);
  const Colour next = pixels.at(moment + 1, y);
  EXPECT_GT(std::max(there.red - there.green, next.red - next.green), 0.3);
}

TEST(Timeline, LinesUpWithAPlotOfTheSameLeftEdge) {
  const Plot plot = draw_plot({.panels = {{.series = {ramp(0, 1)}}}, .left_px = 150.0}).value();
  const Timeline timeline =
      draw_timeline({.lanes = {{"left foot", {}, {}}}, .range = plot.range, .left_px = 150.0}).value();
  EXPECT_EQ(plot.frames[0].box.low.x(), timeline.lanes[0].low.x());
  EXPECT_EQ(plot.frames[0].box.high.x(), timeline.lanes[0].high.x());
}

TEST(Timeline, BadParametersAreNamed) {
  const auto message = [](const TimelineParams& params) {
    const Result<Timeline> timeline = draw_timeline(params);
    return timeline.has_value() ? std::string() : timeline.error().message;
  };
  EXPECT_NE(message({}).find("no lanes"), std::string::npos);
  EXPECT_NE(message({.lanes = {{"left", {{{2.0, 1.0}, "stance", {}}}, {}}}}).find("lane 'left', bar 'stance'"),
            std::string::npos);
  EXPECT_NE(message({.lanes = {{"a", {}, {}}}, .markers = {{kNan, "now"}}}).find("marker 'now'"), std::string::npos);
  EXPECT_NE(message({.lanes = {{"a", {}, {}}}, .lane_height_px = 1.0}).find("lane height 1"), std::string::npos);
  EXPECT_NE(message({.lanes = {{"a", {}, {}}}, .range = TimeInterval{0.0, kNan}}).find("time axis"), std::string::npos);
}

}  // namespace
}  // namespace shosa::draw
