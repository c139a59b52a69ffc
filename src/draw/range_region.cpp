#include "shosa/draw/range_region.h"

#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/draw/palette.h"

namespace shosa::draw {

namespace {

void draw_region(Canvas& canvas, const RangeRegion& region, const Point& middle, double radius_px) {
  const auto to_px = [&](const Point& a) {
    return Point(middle.x() + a.x() * radius_px, middle.y() - a.y() * radius_px);
  };
  canvas.shape(Path::circle(middle, radius_px), Fill{.colour = rgb(0xf7f8fa)},
               Stroke{.colour = kFrame, .width_px = 1.0});
  const Colour colour = region.violated ? kOutOfRange : kInRange;
  Path fills;
  for (const auto& triangle : region.triangles) {
    std::array<Point, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) corners[c] = to_px(region.corners[triangle[c]]);
    const Path outline = Path::polygon(corners);
    canvas.shape(outline, Fill{.colour = with_alpha(colour, 0.25)},
                 Stroke{.colour = with_alpha(colour, 0.55), .width_px = 0.6});
  }
  for (const double swing_deg : {45.0, 90.0, 135.0}) {
    const double radius = radius_px * std::sin(0.5 * swing_deg * kRadPerDeg);
    canvas.stroke(Path::circle(middle, radius),
                  {.colour = with_alpha(kSoftInk, 0.35), .width_px = 0.7, .dash_px = {2, 3}});
  }
  canvas.line(middle - Point(radius_px, 0), middle + Point(radius_px, 0), {.colour = kGrid, .width_px = 0.8});
  canvas.line(middle - Point(0, radius_px), middle + Point(0, radius_px), {.colour = kGrid, .width_px = 0.8});
  if (region.now) {
    canvas.shape(Path::circle(to_px(*region.now), 4.0), Fill{.colour = region.violated ? kOutOfRange : kInk},
                 Stroke{.colour = kPaper, .width_px = 1.2});
  }
}

}  // namespace

Result<Canvas> draw_range_regions(std::span<const RangeRegion> regions, const RangeRegionParams& params) {
  if (regions.empty()) return fail(ErrorCode::invalid_argument, "range regions: none, expected at least one");
  if (params.columns < 1 || !(params.cell_px >= 60.0) || !(params.cell_px <= 2000.0)) {
    return fail(ErrorCode::invalid_argument, "range regions: {} columns of {} px, expected at least 1 of 60 to 2000",
                params.columns, params.cell_px);
  }
  for (const RangeRegion& region : regions) {
    for (const auto& triangle : region.triangles) {
      for (const int corner : triangle) {
        if (corner >= 0 && corner < static_cast<int>(region.corners.size())) continue;
        return fail(ErrorCode::invalid_argument, "range region '{}': corner {}, expected 0 to {}", region.name, corner,
                    static_cast<int>(region.corners.size()) - 1);
      }
    }
  }
  const int count = static_cast<int>(regions.size());
  const int columns = std::min(params.columns, count), rows = (count + columns - 1) / columns;
  const double label_px = 20.0, gap_px = 12.0, top_px = params.title.empty() ? gap_px : 40.0;
  Canvas canvas(gap_px + columns * (params.cell_px + gap_px), top_px + rows * (params.cell_px + label_px + gap_px));
  canvas.fill(Path::rectangle(Point::Zero(), canvas.width_px(), canvas.height_px()), kPaper);
  if (!params.title.empty()) {
    canvas.text({gap_px, 26.0}, params.title, {.size_px = 16.0, .colour = kInk, .bold = true});
  }
  for (int i = 0; i < count; ++i) {
    const RangeRegion& region = regions[i];
    const Point corner(gap_px + (i % columns) * (params.cell_px + gap_px),
                       top_px + (i / columns) * (params.cell_px + label_px + gap_px));
    draw_region(canvas, region, corner + Point(0.5 * params.cell_px, 0.5 * params.cell_px), 0.48 * params.cell_px);
    canvas.text(corner + Point(0.5 * params.cell_px, params.cell_px + 14.0), region.name,
                {.size_px = 11.0, .colour = region.violated ? kOutOfRange : kInk, .align = Align::middle});
  }
  return canvas;
}

void draw_range_cone(Canvas& canvas, const RangeCone& cone, const Projection& projection) {
  if (cone.rim.size() < 3) return;
  const Colour colour = cone.violated ? kOutOfRange : kInRange;
  const Point apex = projection.to_px(cone.apex_m);
  std::vector<Point> rim;
  for (const Vec3d& direction : cone.rim) {
    const double length = direction.norm();
    if (!(length > 0.0)) continue;
    rim.push_back(projection.to_px(cone.apex_m + direction * (cone.length_m / length)));
  }
  if (rim.size() < 3) return;
  // Side and lid in one flat tint, so that overlaps do not darken.
  Path side;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    std::array<Point, 3> piece = {apex, rim[i], rim[(i + 1) % rim.size()]};
    // One way round for all, so that the non-zero rule unites them.
    const Point a = piece[1] - piece[0], b = piece[2] - piece[0];
    if (a.x() * b.y() - a.y() * b.x() < 0.0) std::swap(piece[1], piece[2]);
    side.append(Path::polygon(piece));
  }
  canvas.fill(std::move(side), with_alpha(colour, 0.16));
  canvas.shape(Path::polygon(rim), Fill{.colour = with_alpha(colour, 0.16)},
               Stroke{.colour = with_alpha(colour, 0.9), .width_px = 1.3});
  // Few side lines: enough to read as a cone.
  for (std::size_t i = 0; i < 8; ++i) {
    canvas.line(apex, rim[i * rim.size() / 8], {.colour = with_alpha(colour, 0.45), .width_px = 0.8});
  }
}

}  // namespace shosa::draw
