#pragma once

#include <array>

#include "shosa/draw/canvas.h"

namespace shosa::draw {

// Hues after Okabe & Ito, "Color Universal Design" (2008): told apart with every common form of colour blindness.

constexpr Colour rgb(unsigned hex) {
  return {((hex >> 16) & 0xff) / 255.0, ((hex >> 8) & 0xff) / 255.0, (hex & 0xff) / 255.0, 1.0};
}

inline constexpr Colour kPaper = rgb(0xffffff);
inline constexpr Colour kInk = rgb(0x22272e);
inline constexpr Colour kSoftInk = rgb(0x68717d);
inline constexpr Colour kFrame = rgb(0xc3c9d1);
inline constexpr Colour kGrid = rgb(0xe8ebef);

inline constexpr Colour kLeft = rgb(0x3f8fc8);
inline constexpr Colour kRight = rgb(0xe8973a);
inline constexpr Colour kMiddle = rgb(0xc9cdd4);
inline constexpr Colour kContact = rgb(0x00996b);
inline constexpr Colour kGhost = rgb(0x9aa2ad);
inline constexpr Colour kGround = rgb(0x8d959f);

/// Line colours of plots, in the order they are handed out.
inline constexpr std::array<Colour, 7> kSeries = {rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7),
                                                  rgb(0xb08a00), rgb(0x56b4e9), rgb(0x444b55)};

/// The colour of series i; repeats after the last.
constexpr Colour series_colour(std::size_t i) {
  return kSeries[i % kSeries.size()];
}

}  // namespace shosa::draw
