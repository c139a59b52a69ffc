#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "draw/printable.h"
#include "shosa/core/ascii.h"
#include "shosa/draw/canvas.h"
#include "shosa/draw/palette.h"

namespace shosa::draw {
namespace {

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
struct PatternDeleter {
  void operator()(cairo_pattern_t* pattern) const { cairo_pattern_destroy(pattern); }
};
struct FontOptionsDeleter {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using SurfacePtr = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using ContextPtr = std::unique_ptr<cairo_t, ContextDeleter>;
using PatternPtr = std::unique_ptr<cairo_pattern_t, PatternDeleter>;
using FontOptionsPtr = std::unique_ptr<cairo_font_options_t, FontOptionsDeleter>;

cairo_status_t append_bytes(void* out, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// Hinting follows the user's desktop settings; without it the same text in the same font gives the same bytes. Which
/// font "sans-serif" is, the system decides.
void select_font(cairo_t* context, double size_px, bool bold) {
  const FontOptionsPtr options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context, options.get());
  cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size_px);
}

double advance_px(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

void set_source(cairo_t* context, const Colour& colour) {
  cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha);
}

void set_source(cairo_t* context, const Fill& fill) {
  if (fill.stops.empty()) {
    set_source(context, fill.colour);
    return;
  }
  const PatternPtr pattern(cairo_pattern_create_linear(fill.from.x(), fill.from.y(), fill.to.x(), fill.to.y()));
  for (const GradientStop& stop : fill.stops) {
    cairo_pattern_add_color_stop_rgba(pattern.get(), stop.at, stop.colour.red, stop.colour.green, stop.colour.blue,
                                      stop.colour.alpha);
  }
  cairo_set_source(context, pattern.get());
}

void trace(cairo_t* context, const Path& path) {
  cairo_new_path(context);
  for (const Path::Step& step : path.steps()) {
    if (const auto* move = std::get_if<Path::Move>(&step)) {
      cairo_move_to(context, move->to.x(), move->to.y());
    } else if (const auto* line = std::get_if<Path::Line>(&step)) {
      cairo_line_to(context, line->to.x(), line->to.y());
    } else if (const auto* arc = std::get_if<Path::Arc>(&step)) {
      cairo_arc(context, arc->centre.x(), arc->centre.y(), arc->radius_px, arc->begin_rad, arc->end_rad);
    } else {
      cairo_close_path(context);
    }
  }
}

void paint(cairo_t* context, const Shape& shape) {
  trace(context, shape.path);
  if (shape.fill) {
    set_source(context, *shape.fill);
    cairo_fill_preserve(context);
  }
  if (shape.stroke) {
    set_source(context, shape.stroke->colour);
    cairo_set_line_width(context, shape.stroke->width_px);
    cairo_set_dash(context, shape.stroke->dash_px.data(), static_cast<int>(shape.stroke->dash_px.size()), 0.0);
    cairo_stroke_preserve(context);
  }
  cairo_new_path(context);
}

void paint(cairo_t* context, const Text& text) {
  select_font(context, text.style.size_px, text.style.bold);
  const double width_px = advance_px(context, text.text);
  const double shift = text.style.align == Align::start ? 0.0 : text.style.align == Align::middle ? 0.5 : 1.0;
  cairo_save(context);
  cairo_translate(context, text.at.x(), text.at.y());
  cairo_rotate(context, text.style.turn_rad);
  cairo_move_to(context, -shift * width_px, 0.0);
  set_source(context, text.style.colour);
  cairo_show_text(context, text.text.c_str());
  cairo_restore(context);
}

void paint(cairo_t* context, const Canvas& canvas) {
  cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
  set_source(context, kPaper);
  cairo_rectangle(context, 0.0, 0.0, canvas.width_px(), canvas.height_px());
  cairo_fill(context);
  for (const Item& item : canvas.items()) {
    std::visit([context](const auto& visible) { paint(context, visible); }, item);
  }
}

/// Cairo numbers the surfaces of a process and writes the number into SVG (`id="surface31"`). Numbered anew from 1 in
/// order of appearance, so that the same canvas gives the same bytes.
std::string with_own_numbers(const std::string& svg) {
  constexpr std::string_view kWord = "surface";
  std::vector<std::string> seen;
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = svg.find(kWord); at != std::string::npos; at = svg.find(kWord, at + 1)) {
    const std::size_t begin = at + kWord.size();
    std::size_t end = begin;
    while (end < svg.size() && svg[end] >= '0' && svg[end] <= '9') {
      ++end;
    }
    if (at == 0 || (svg[at - 1] != '"' && svg[at - 1] != '#') || end == begin) {
      continue;
    }
    const std::string number = svg.substr(begin, end - begin);
    auto known = std::ranges::find(seen, number);
    if (known == seen.end()) {
      known = seen.insert(seen.end(), number);
    }
    out.append(svg, done, begin - done);
    out += std::to_string(known - seen.begin() + 1);
    done = end;
  }
  return out.append(svg, done);
}

bool is_finite(const Path& path) {
  return std::ranges::all_of(path.steps(), [](const Path::Step& step) {
    if (const auto* move = std::get_if<Path::Move>(&step)) {
      return move->to.allFinite();
    }
    if (const auto* line = std::get_if<Path::Line>(&step)) {
      return line->to.allFinite();
    }
    if (const auto* arc = std::get_if<Path::Arc>(&step)) {
      return arc->centre.allFinite() && std::isfinite(arc->radius_px) && arc->radius_px >= 0.0 &&
             std::isfinite(arc->begin_rad) && std::isfinite(arc->end_rad);
    }
    return true;
  });
}

bool is_finite(const Item& item) {
  if (const auto* shape = std::get_if<Shape>(&item)) {
    return is_finite(shape->path) && (!shape->fill || (shape->fill->from.allFinite() && shape->fill->to.allFinite()));
  }
  const auto& text = std::get<Text>(item);
  return text.at.allFinite() && std::isfinite(text.style.turn_rad) && std::isfinite(text.style.size_px);
}

}  // namespace

double text_width_px(std::string_view text, double size_px, bool bold) {
  const SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  const ContextPtr context(cairo_create(surface.get()));
  select_font(context.get(), size_px, bold);
  return advance_px(context.get(), printable(text));
}

Result<Format> format_of(const std::filesystem::path& path) {
  const std::string extension = lower_ascii(path.extension().string());
  if (extension == ".svg") {
    return Format::svg;
  }
  if (extension == ".png") {
    return Format::png;
  }
  return fail(ErrorCode::invalid_argument, "picture file '{}': expected a name that ends in .svg or .png",
              path.string());
}

Result<std::string> encode(const Canvas& canvas, const EncodeParams& params) {
  if (!(params.scale >= 0.1 && params.scale <= 8.0)) {
    return fail(ErrorCode::invalid_argument, "scale {}: expected 0.1 to 8", params.scale);
  }
  const double scale = params.format == Format::png ? params.scale : 1.0;
  const double width_px = std::ceil(canvas.width_px() * scale);
  const double height_px = std::ceil(canvas.height_px() * scale);
  const auto fits = [](double side_px) { return side_px >= 1.0 && side_px <= kMaxSidePx; };
  if (!fits(width_px) || !fits(height_px)) {
    return fail(ErrorCode::invalid_argument, "picture of {} x {} px: each side must be 1 to {} px", width_px, height_px,
                kMaxSidePx);
  }
  if (!std::ranges::all_of(canvas.items(), [](const Item& item) { return is_finite(item); })) {
    return fail(ErrorCode::invalid_argument, "picture holds a coordinate that is not a finite number");
  }

  std::string bytes;
  SurfacePtr surface;
  if (params.format == Format::svg) {
    surface.reset(cairo_svg_surface_create_for_stream(append_bytes, &bytes, width_px, height_px));
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
  } else {
    surface.reset(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width_px), static_cast<int>(height_px)));
  }

  cairo_status_t status = cairo_surface_status(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) {
    const ContextPtr context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    paint(context.get(), canvas);
    status = cairo_status(context.get());
  }
  if (status == CAIRO_STATUS_SUCCESS && params.format == Format::png) {
    status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
  }
  cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) {
    status = cairo_surface_status(surface.get());
  }
  if (status != CAIRO_STATUS_SUCCESS) {
    return fail(ErrorCode::not_possible, "picture of {} x {} px could not be drawn: {}", width_px, height_px,
                cairo_status_to_string(status));
  }
  return params.format == Format::svg ? with_own_numbers(bytes) : bytes;
}

}  // namespace shosa::draw
