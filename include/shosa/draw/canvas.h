#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::draw {

/// Pixels from the top left corner, y down.
using Point = Eigen::Vector2d;

/// A rectangle of the page.
struct PageBox {
  Point low = Point::Constant(1e300);
  Point high = Point::Constant(-1e300);
  bool empty() const { return low.x() > high.x(); }
  double width_px() const { return empty() ? 0.0 : high.x() - low.x(); }
  double height_px() const { return empty() ? 0.0 : high.y() - low.y(); }
  void include(const Point& point, double radius_px = 0.0);
  void include(const PageBox& other);
};

/// sRGB, every part in [0, 1].
struct Colour {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
  double alpha = 1.0;
  bool operator==(const Colour&) const = default;
};

/// `a` at weight 0, `b` at weight 1, alpha too.
Colour mixed(const Colour& a, const Colour& b, double weight);
Colour with_alpha(const Colour& colour, double alpha);

/// Straight lines and circle arcs; may hold several closed outlines (filled by the non-zero rule).
class Path {
 public:
  struct Arc {
    Point centre;
    double radius_px;
    double begin_rad,
        end_rad;  ///< Swept in the direction of growing angle, from +x towards +y (clockwise on the page).
  };
  struct Move {
    Point to;
  };
  struct Line {
    Point to;
  };
  struct Close {};
  using Step = std::variant<Move, Line, Arc, Close>;

  static Path polyline(std::span<const Point> points);
  static Path polygon(std::span<const Point> points);
  static Path circle(const Point& centre, double radius_px);
  static Path rectangle(const Point& corner, double width_px, double height_px);

  void move_to(const Point& to) { steps_.push_back(Move{to}); }
  void line_to(const Point& to) { steps_.push_back(Line{to}); }
  /// A line to the arc's begin is drawn where the path already has a point.
  void arc(const Point& centre, double radius_px, double begin_rad, double end_rad) {
    steps_.push_back(Arc{centre, radius_px, begin_rad, end_rad});
  }
  void close() { steps_.push_back(Close{}); }
  void append(const Path& other) { steps_.insert(steps_.end(), other.steps_.begin(), other.steps_.end()); }

  const std::vector<Step>& steps() const { return steps_; }
  bool empty() const { return steps_.empty(); }
  void move_by(const Point& offset);

 private:
  std::vector<Step> steps_;
};

struct GradientStop {
  double at = 0.0;  ///< 0 at `from`, 1 at `to`.
  Colour colour;
};

/// One colour, or a linear gradient where `stops` is not empty.
struct Fill {
  Colour colour;
  Point from = Point::Zero();
  Point to = Point::Zero();
  std::vector<GradientStop> stops;
};

struct Stroke {
  Colour colour;
  double width_px = 1.0;
  std::vector<double> dash_px;  ///< Empty: a solid line.
};

struct Shape {
  Path path;
  std::optional<Fill> fill;
  std::optional<Stroke> stroke;
};

enum class Align {
  start,
  middle,
  end
};

struct TextStyle {
  double size_px = 12.0;
  Colour colour;
  Align align = Align::start;  ///< Where `at` lies along the text.
  bool bold = false;
  double turn_rad = 0.0;  ///< Clockwise on the page.
};

struct Text {
  Point at;  ///< On the base line.
  std::string text;
  TextStyle style;
};

using Item = std::variant<Shape, Text>;

/// A picture as a list of what to draw, in painter's order. `encode` turns it into a file's bytes.
class Canvas {
 public:
  /// `encode` checks the size.
  Canvas(double width_px, double height_px);

  double width_px() const { return width_px_; }
  double height_px() const { return height_px_; }
  const std::vector<Item>& items() const { return items_; }

  void shape(Path path, std::optional<Fill> fill, std::optional<Stroke> stroke = std::nullopt);
  void fill(Path path, const Colour& colour);
  void stroke(Path path, const Stroke& stroke);
  void line(const Point& from, const Point& to, const Stroke& stroke);
  /// Bytes that are no UTF-8 are shown as U+FFFD.
  void text(const Point& at, std::string_view text, const TextStyle& style);

  /// Copies everything of `other`, moved so that its top left corner lies at `at`.
  void draw(const Canvas& other, const Point& at);

 private:
  double width_px_;
  double height_px_;
  std::vector<Item> items_;
};

/// One below the other on a sheet as wide as the widest.
Canvas stacked(std::span<const Canvas> canvases, double gap_px = 0.0);

/// Advance width as `encode` will set it.
double text_width_px(std::string_view text, double size_px, bool bold = false);

enum class Format {
  svg,
  png
};

/// By extension, any case. Fails on anything but .svg and .png.
Result<Format> format_of(const std::filesystem::path& path);

struct EncodeParams {
  Format format = Format::png;
  double scale = 1.0;  ///< Pixels of a PNG per canvas pixel; SVG ignores it. In [0.1, 8].
};

/// The bytes of a whole SVG or PNG file, the same for the same canvas each time on one machine. Text is set in the
/// system's sans-serif face, so another system may give other letters; in SVG it becomes outlines, so that a file, once
/// made, looks alike everywhere. Fails when a side is not in [1,
/// kMaxSidePx] after scaling, when `scale` is out of range, or when a coordinate is not finite.
Result<std::string> encode(const Canvas& canvas, const EncodeParams& params = {});

inline constexpr double kMaxSidePx = 20000.0;

}  // namespace shosa::draw
