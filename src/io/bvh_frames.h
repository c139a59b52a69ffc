#pragma once

#include <string_view>
#include <vector>

#include "io/bvh_header.h"

namespace shosa::io {

/// The frame lines of a BVH text: where each that is not blank begins.
struct BvhFrameLines {
  std::string_view text;
  std::vector<std::size_t> begins;  ///< Bytes in `text`.
  std::string_view line(std::size_t index) const;
};

BvhFrameLines find_frame_lines(std::string_view text, std::size_t begin);

/// What is wrong with a frame line.
struct FrameLineProblem {
  std::size_t byte = 0;   ///< In the whole text.
  int values = 0;         ///< Numbers before the problem, or in the whole line when there are too few or too many.
  std::string_view word;  ///< What is no number; empty when the number of values is wrong.
  bool decimal_comma = false;
  bool too_far = false;  ///< A position beyond `kFarthest_m`.
};

/// Reads exactly `count` numbers into `values`; false and `problem` when the line holds something else.
bool parse_frame_line(const BvhFrameLines& lines, std::size_t index, int count, double* values,
                      FrameLineProblem& problem);

/// Applies the channels in the order of the file, as own-axis turns.
Quatd rotation_of(const BvhHeader::Joint& joint, const double* frame_values);
Vec3d translation_of(const BvhHeader::Joint& joint, const double* frame_values, PositionConvention convention);

}  // namespace shosa::io
