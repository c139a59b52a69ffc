#pragma once

#include <cairo/cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "shosa/draw/canvas.h"

namespace shosa::draw {

/// The pixels of a PNG, read back with libpng through Cairo.
class Pixels {
 public:
  explicit Pixels(const std::string& png) {
    Reader reader{png, 0};
    cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read, &reader);
    good_ = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
    if (good_) {
      width_ = cairo_image_surface_get_width(surface);
      height_ = cairo_image_surface_get_height(surface);
      const unsigned char* data = cairo_image_surface_get_data(surface);
      const int stride = cairo_image_surface_get_stride(surface);
      words_.resize(static_cast<std::size_t>(width_ * height_));
      for (int y = 0; y < height_; ++y) {
        std::memcpy(&words_[y * width_], data + y * stride, static_cast<std::size_t>(width_) * 4);
      }
    }
    cairo_surface_destroy(surface);
  }
  explicit Pixels(const Canvas& canvas) : Pixels(encode(canvas).value()) {}

  bool good() const { return good_; }
  int width() const { return width_; }
  int height() const { return height_; }

  Colour at(int x, int y) const {
    const std::uint32_t word = words_.at(static_cast<std::size_t>(y * width_ + x));
    return {((word >> 16) & 0xff) / 255.0, ((word >> 8) & 0xff) / 255.0, (word & 0xff) / 255.0, 1.0};
  }
  Colour at(const Point& point) const {
    return at(static_cast<int>(std::floor(point.x())), static_cast<int>(std::floor(point.y())));
  }

  /// Pixels of a colour within a box (both corners included), each part within 2/255.
  int count(const Colour& colour, int x0, int y0, int x1, int y1) const {
    int found = 0;
    for (int y = std::max(0, y0); y <= std::min(height_ - 1, y1); ++y) {
      for (int x = std::max(0, x0); x <= std::min(width_ - 1, x1); ++x) {
        found += near(at(x, y), colour) ? 1 : 0;
      }
    }
    return found;
  }
  int count(const Colour& colour) const { return count(colour, 0, 0, width_ - 1, height_ - 1); }

  static bool near(const Colour& a, const Colour& b, double tolerance = 2.5 / 255.0) {
    return std::abs(a.red - b.red) < tolerance && std::abs(a.green - b.green) < tolerance &&
           std::abs(a.blue - b.blue) < tolerance;
  }

 private:
  struct Reader {
    const std::string& bytes;
    std::size_t next;
  };
  static cairo_status_t read(void* closure, unsigned char* out, unsigned length) {
    auto& reader = *static_cast<Reader*>(closure);
    if (reader.next + length > reader.bytes.size()) {
      return CAIRO_STATUS_READ_ERROR;
    }
    std::memcpy(out, reader.bytes.data() + reader.next, length);
    reader.next += length;
    return CAIRO_STATUS_SUCCESS;
  }

  bool good_ = false;
  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace shosa::draw
