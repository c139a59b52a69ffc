#include "io/bvh_frames.h"

#include <cstring>

#include "io/euler.h"

namespace shosa::io {

std::string_view BvhFrameLines::line(std::size_t index) const {
  const char* const begin = text.data() + begins[index];
  const std::size_t rest = text.size() - begins[index];
  const void* const end = std::memchr(begin, '\n', rest);
  return {begin, end == nullptr ? rest : static_cast<std::size_t>(static_cast<const char*>(end) - begin)};
}

BvhFrameLines find_frame_lines(std::string_view text, std::size_t begin) {
  BvhFrameLines lines{.text = text, .begins = {}};
  const char* const base = text.data();
  const char* const end = base + text.size();
  const char* p = base + begin;
  while (p < end) {
    while (p < end && is_blank(*p)) ++p;
    if (p == end) break;
    if (*p == '\n') {
      ++p;
      continue;
    }
    lines.begins.push_back(static_cast<std::size_t>(p - base));
    const void* const line_end = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    if (line_end == nullptr) break;
    p = static_cast<const char*>(line_end) + 1;
  }
  return lines;
}

bool parse_frame_line(const BvhFrameLines& lines, std::size_t index, int count, double* values,
                      FrameLineProblem& problem) {
  const char* const base = lines.text.data();
  const char* const end = base + lines.text.size();
  const char* p = base + lines.begins[index];
  int found = 0;
  for (;;) {
    while (p != end && is_blank(*p)) ++p;
    if (p == end || *p == '\n') break;
    double value = 0.0;
    const char* const stop = parse_decimal(p, end, value);
    if (stop == nullptr || (stop != end && !is_blank(*stop) && *stop != '\n')) {
      const char* word_end = p;
      while (word_end != end && !is_blank(*word_end) && *word_end != '\n') ++word_end;
      problem = FrameLineProblem{};
      problem.byte = static_cast<std::size_t>(p - base);
      problem.values = found;
      problem.word = {p, static_cast<std::size_t>(word_end - p)};
      problem.decimal_comma = stop != nullptr && *stop == ',';
      return false;
    }
    if (found < count) values[found] = value;
    ++found;
    p = stop;
  }
  if (found == count) return true;
  problem = FrameLineProblem{};
  problem.byte = lines.begins[index];
  problem.values = found;
  return false;
}

Quatd rotation_of(const BvhHeader::Joint& joint, const double* frame_values) {
  Quatd rotation = Quatd::Identity();
  const double* value = frame_values + joint.first_channel;
  for (const BvhChannel channel : joint.channels) {
    if (!is_position(channel)) turn_about_axis_deg(rotation, axis_of(channel), *value);
    ++value;
  }
  return rotation;
}

Vec3d translation_of(const BvhHeader::Joint& joint, const double* frame_values, PositionConvention convention) {
  Vec3d translation = joint.offset;
  const double* value = frame_values + joint.first_channel;
  for (const BvhChannel channel : joint.channels) {
    if (is_position(channel)) {
      double& component = translation[axis_of(channel)];
      component = convention == PositionConvention::added_to_offset ? component + *value : *value;
    }
    ++value;
  }
  return translation;
}

}  // namespace shosa::io
