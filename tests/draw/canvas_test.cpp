#include "shosa/draw/canvas.h"

#include <gtest/gtest.h>

#include <limits>

#include "draw/pixels.h"
#include "shosa/draw/palette.h"

namespace shosa::draw {
namespace {

constexpr Colour kRed = rgb(0xff0000);

Canvas busy_canvas() {
  Canvas canvas(120, 80);
  Fill gradient;
  gradient.to = {120, 0};
  gradient.stops = {{0.0, kLeft}, {1.0, kRight}};
  canvas.shape(Path::circle({60, 40}, 30), gradient, Stroke{kInk, 2.0, {4.0, 2.0}});
  canvas.text({10, 70}, "0.25 s \u2013 left foot", {.size_px = 11.0, .colour = kInk});
  return canvas;
}

/// Every element that opens is closed, in order.
bool balanced(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) {
      return false;
    }
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with('?') || tag.ends_with('/')) {
      continue;
    }
    if (!tag.starts_with('/')) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(Canvas, PngHasTheCanvasSizeTimesScale) {
  const Canvas canvas(40, 25);
  const Pixels once(encode(canvas).value());
  EXPECT_EQ(once.width(), 40);
  EXPECT_EQ(once.height(), 25);
  const Pixels twice(encode(canvas, {.format = Format::png, .scale = 2.0}).value());
  EXPECT_EQ(twice.width(), 80);
  EXPECT_EQ(twice.height(), 50);
}

TEST(Canvas, EmptyCanvasIsPaper) {
  const Pixels pixels(Canvas(30, 20));
  EXPECT_EQ(pixels.count(kPaper), 30 * 20);
}

TEST(Canvas, FilledRectangleCoversItsPixelsAndNoOthers) {
  Canvas canvas(30, 20);
  canvas.fill(Path::rectangle({5, 4}, 10, 6), kRed);
  const Pixels pixels(canvas);
  EXPECT_EQ(pixels.count(kRed), 60);
  EXPECT_EQ(pixels.count(kRed, 5, 4, 14, 9), 60);
  EXPECT_EQ(pixels.count(kPaper), 30 * 20 - 60);
}

TEST(Canvas, LaterItemsCoverEarlierOnes) {
  Canvas canvas(20, 20);
  canvas.fill(Path::rectangle({0, 0}, 20, 20), kLeft);
  canvas.fill(Path::rectangle({0, 0}, 20, 20), kRed);
  EXPECT_EQ(Pixels(canvas).count(kRed), 400);
}

TEST(Canvas, TextLiesOnTheSideItsAlignmentSays) {
  const auto ink_columns = [](Align align) {
    Canvas canvas(200, 40);
    canvas.text({100, 25}, "HHHH", {.size_px = 16.0, .colour = kInk, .align = align});
    const Pixels pixels(canvas);
    return std::pair{pixels.count(kInk, 0, 0, 99, 39), pixels.count(kInk, 100, 0, 199, 39)};
  };
  const auto [start_left, start_right] = ink_columns(Align::start);
  EXPECT_EQ(start_left, 0);
  EXPECT_GT(start_right, 10);
  const auto [end_left, end_right] = ink_columns(Align::end);
  EXPECT_GT(end_left, 10);
  EXPECT_EQ(end_right, 0);
}

TEST(Canvas, TextWidthGrowsWithSizeAndLength) {
  const double width_px = text_width_px("contact", 10.0);
  EXPECT_GT(width_px, 20.0);
  EXPECT_NEAR(text_width_px("contact", 20.0), 2.0 * width_px, 0.05 * width_px);
  EXPECT_NEAR(text_width_px("contactcontact", 10.0), 2.0 * width_px, 0.05 * width_px);
}

TEST(Canvas, SameCanvasGivesTheSameBytes) {
  for (const Format format : {Format::svg, Format::png}) {
    const std::string first = encode(busy_canvas(), {.format = format}).value();
    const std::string other = encode(Canvas(10, 10), {.format = format}).value();
    const std::string second = encode(busy_canvas(), {.format = format}).value();
    EXPECT_TRUE(first == second);
    EXPECT_FALSE(first == other);
  }
}

TEST(Canvas, SvgIsOneWellFormedDocumentOfTheAskedSize) {
  const std::string svg = encode(busy_canvas(), {.format = Format::svg}).value();
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("width=\"120px\""), std::string::npos) << svg.substr(0, 200);
  EXPECT_NE(svg.find("height=\"80px\""), std::string::npos);
  EXPECT_NE(svg.find("linearGradient"), std::string::npos);
  EXPECT_TRUE(balanced(svg));
  EXPECT_FALSE(balanced(svg.substr(0, svg.size() - 10)));
}

TEST(Canvas, BytesThatAreNoUtf8AreDrawnAsReplacementCharacters) {
  for (const char* text : {"\xff\xfe", "left\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "a\nb\x01"}) {
    Canvas canvas(100, 30);
    canvas.text({5, 20}, text, {});
    EXPECT_TRUE(encode(canvas).has_value()) << text;
    EXPECT_GT(text_width_px(text, 12.0), 0.0);
  }
}

TEST(Canvas, CanvasDrawnIntoAnotherIsMoved) {
  Canvas inner(10, 10);
  inner.fill(Path::circle({5, 5}, 4), kRed);
  Canvas outer(40, 40);
  outer.draw(inner, {20, 25});
  EXPECT_TRUE(Pixels::near(Pixels(outer).at(25, 30), kRed));
  EXPECT_TRUE(Pixels::near(Pixels(outer).at(5, 5), kPaper));
}

TEST(Canvas, StackedCanvasesLieBelowEachOther) {
  Canvas first(30, 10);
  Canvas second(50, 20);
  second.fill(Path::rectangle({0, 0}, 50, 20), kRed);
  const Canvas canvases[] = {first, second};
  const Canvas sheet = stacked(canvases, 5.0);
  EXPECT_EQ(sheet.width_px(), 50.0);
  EXPECT_EQ(sheet.height_px(), 35.0);
  const Pixels pixels(sheet);
  EXPECT_EQ(pixels.count(kRed, 0, 15, 49, 34), 1000);
  EXPECT_EQ(pixels.count(kRed), 1000);
}

TEST(Canvas, SizesThatNoPictureHasAreRefused) {
  EXPECT_FALSE(encode(Canvas(0, 10)).has_value());
  EXPECT_FALSE(encode(Canvas(10, -1)).has_value());
  EXPECT_FALSE(encode(Canvas(kMaxSidePx + 1, 10)).has_value());
  EXPECT_FALSE(encode(Canvas(std::numeric_limits<double>::quiet_NaN(), 10)).has_value());
  EXPECT_FALSE(encode(Canvas(kMaxSidePx, 10), {.format = Format::png, .scale = 2.0}).has_value());
  EXPECT_FALSE(encode(Canvas(10, 10), {.format = Format::png, .scale = 0.0}).has_value());
}

TEST(Canvas, CoordinatesThatAreNotFiniteAreRefused) {
  Canvas canvas(10, 10);
  canvas.line({0, 0}, {std::numeric_limits<double>::infinity(), 5}, {kInk, 1.0, {}});
  const Result<std::string> bytes = encode(canvas);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code, ErrorCode::invalid_argument);
}

TEST(Canvas, FormatFollowsTheExtensionInAnyCase) {
  EXPECT_EQ(format_of("strip.png").value(), Format::png);
  EXPECT_EQ(format_of("a/b.c/Strip.SVG").value(), Format::svg);
  for (const char* name : {"strip.jpg", "strip", "png", ""}) {
    const Result<Format> format = format_of(name);
    ASSERT_FALSE(format.has_value()) << name;
    EXPECT_NE(format.error().message.find(".svg or .png"), std::string::npos);
  }
}

}  // namespace
}  // namespace shosa::draw
