#include <algorithm>
#include <numeric>

#include "draw/strip_drawing.h"

namespace shosa::draw {

void draw_time_labels(Drawing& drawing, const std::vector<Projection>& projections, double top_px) {
  double free_px[2] = {-1e300, -1e300};
  std::vector<std::size_t> by_place(projections.size());
  std::iota(by_place.begin(), by_place.end(), std::size_t{0});
  const auto place_px = [&](std::size_t i) {
    const auto root = static_cast<std::size_t>(drawing.postures.root);
    return projections[i].to_px(drawing.postures.worlds[i].positions[root]).x();
  };
  std::ranges::stable_sort(by_place, [&](std::size_t a, std::size_t b) { return place_px(a) < place_px(b); });
  for (const std::size_t i : by_place) {
    const std::string text = fmt::format("{:.2f} s", drawing.strip.times_s[i]);
    const double half_px = 0.5 * text_width_px(text, kStripLabelPx);
    const double x = std::clamp(place_px(i), half_px + 4.0, drawing.strip.canvas.width_px() - half_px - 4.0);
    for (int line = 0; line < 2; ++line) {
      if (x - half_px > free_px[line]) {
        free_px[line] = x + half_px + 6.0;
        drawing.strip.canvas.text({x, top_px + kStripLabelPx + line * (kStripLabelPx + 3.0)}, text,
                                  {.size_px = kStripLabelPx, .colour = kSoftInk, .align = Align::middle});
        break;
      }
    }
  }
}

void draw_scale_bar(Canvas& canvas, double px_per_m, const Point& at) {
  const double length_m = round_length_m(140.0 / px_per_m);
  const double length_px = length_m * px_per_m;
  const Stroke stroke{kInk, 1.4, {}};
  canvas.line(at, at + Point(length_px, 0.0), stroke);
  canvas.line(at + Point(0.0, -4.0), at + Point(0.0, 4.0), stroke);
  canvas.line(at + Point(length_px, -4.0), at + Point(length_px, 4.0), stroke);
  const std::string text = length_m < 0.1 ? fmt::format("{:g} cm", 100.0 * length_m) : fmt::format("{:g} m", length_m);
  canvas.text(at + Point(length_px + 8.0, 4.0), text, {.size_px = kStripLabelPx, .colour = kInk});
}

void draw_legend(Drawing& drawing, double right_px, double y_px) {
  struct Entry {
    std::string_view text;
    Colour colour;
  };
  std::vector<Entry> entries;
  const auto has_side = [&](Side side) {
    return std::ranges::any_of(drawing.postures.shape.parts,
                               [side](const BodyPart& part) { return part.side == side; });
  };
  if (has_side(Side::left) && has_side(Side::right)) {
    entries = {{"left", kLeft}, {"right", kRight}};
  }
  if (!drawing.params.contacts.empty()) {
    entries.push_back({"contact", kContact});
  }
  if (drawing.ghost) {
    entries.push_back({drawing.params.ghost.label, mixed(kPaper, kGhost, 0.6)});
  }
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    right_px -= text_width_px(entry->text, kStripLabelPx);
    drawing.strip.canvas.text({right_px, y_px + 4.0}, entry->text, {.size_px = kStripLabelPx, .colour = kSoftInk});
    right_px -= 17.0;
    drawing.strip.canvas.fill(Path::rectangle({right_px, y_px - 5.0}, 11.0, 11.0), entry->colour);
    right_px -= 14.0;
  }
}

}  // namespace shosa::draw
