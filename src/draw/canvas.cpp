#include "shosa/draw/canvas.h"

#include <algorithm>
#include <numbers>

#include "draw/printable.h"

namespace shosa::draw {
Colour mixed(const Colour& a, const Colour& b, double weight) {
  const auto mix = [weight](double x, double y) { return x + (y - x) * weight; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), mix(a.alpha, b.alpha)};
}

Colour with_alpha(const Colour& colour, double alpha) {
  return {colour.red, colour.green, colour.blue, alpha};
}

Path Path::polyline(std::span<const Point> points) {
  Path path;
  for (const Point& point : points) {
    path.empty() ? path.move_to(point) : path.line_to(point);
  }
  return path;
}

Path Path::polygon(std::span<const Point> points) {
  Path path = polyline(points);
  if (!path.empty()) {
    path.close();
  }
  return path;
}

Path Path::circle(const Point& centre, double radius_px) {
  Path path;
  path.move_to(centre + Point(radius_px, 0.0));
  path.arc(centre, radius_px, 0.0, 2.0 * std::numbers::pi);
  path.close();
  return path;
}

Path Path::rectangle(const Point& corner, double width_px, double height_px) {
  const Point points[] = {corner, corner + Point(width_px, 0.0), corner + Point(width_px, height_px),
                          corner + Point(0.0, height_px)};
  return polygon(points);
}

void Path::move_by(const Point& offset) {
  for (Step& step : steps_) {
    if (auto* move = std::get_if<Move>(&step)) {
      move->to += offset;
    } else if (auto* line = std::get_if<Line>(&step)) {
      line->to += offset;
    } else if (auto* arc = std::get_if<Arc>(&step)) {
      arc->centre += offset;
    }
  }
}

Canvas::Canvas(double width_px, double height_px) : width_px_(width_px), height_px_(height_px) {}

void Canvas::shape(Path path, std::optional<Fill> fill, std::optional<Stroke> stroke) {
  items_.emplace_back(std::in_place_type<Shape>, std::move(path), std::move(fill), std::move(stroke));
}

void Canvas::fill(Path path, const Colour& colour) {
  shape(std::move(path), Fill{.colour = colour, .stops = {}});
}

void Canvas::stroke(Path path, const Stroke& stroke) {
  shape(std::move(path), std::nullopt, stroke);
}

void Canvas::line(const Point& from, const Point& to, const Stroke& stroke) {
  const Point points[] = {from, to};
  this->stroke(Path::polyline(points), stroke);
}

void Canvas::text(const Point& at, std::string_view text, const TextStyle& style) {
  items_.emplace_back(std::in_place_type<Text>, at, printable(text), style);
}

void Canvas::draw(const Canvas& other, const Point& at) {
  items_.reserve(items_.size() + other.items_.size());
  for (Item item : other.items_) {
    if (auto* shape = std::get_if<Shape>(&item)) {
      shape->path.move_by(at);
      if (shape->fill) {
        shape->fill->from += at;
        shape->fill->to += at;
      }
    } else if (auto* text = std::get_if<Text>(&item)) {
      text->at += at;
    }
    items_.push_back(std::move(item));
  }
}

Canvas stacked(std::span<const Canvas> canvases, double gap_px) {
  double width_px = 0.0;
  double height_px = 0.0;
  for (const Canvas& canvas : canvases) {
    width_px = std::max(width_px, canvas.width_px());
    height_px += canvas.height_px() + (height_px > 0.0 ? gap_px : 0.0);
  }
  Canvas sheet(width_px, height_px);
  double top_px = 0.0;
  for (const Canvas& canvas : canvases) {
    sheet.draw(canvas, Point(0.0, top_px));
    top_px += canvas.height_px() + gap_px;
  }
  return sheet;
}

}  // namespace shosa::draw
