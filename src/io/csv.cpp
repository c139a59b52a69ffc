#include "io/csv.h"

#include <algorithm>
#include <charconv>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/parallel.h"

namespace shosa::io {
namespace {

void append_field(std::string& text, const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

template <class Number>
void append_number(std::string& text, Number number) {
  char buffer[40];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  text.append(buffer, end);
}

}  // namespace

std::string format_csv(const Clip& clip) {
  std::string text = "frame,time_s";
  const auto add_columns = [&text](const std::string& name) {
    for (const char* axis : {".x", ".y", ".z"}) {
      text += ',';
      append_field(text, name + axis);
    }
  };
  for (const Joint& joint : clip.skeleton().joints()) add_columns(joint.name);
  for (const EndSite& site : clip.skeleton().end_sites()) add_columns(site.name);
  text += '\n';

  const ClipPositions positions = clip_positions(clip);
  constexpr int kFramesPerPiece = 128;
  std::vector<std::string> pieces(
      static_cast<std::size_t>((clip.frame_count() + kFramesPerPiece - 1) / kFramesPerPiece));
  parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const int first = static_cast<int>(piece) * kFramesPerPiece;
      for (int frame = first; frame < std::min(clip.frame_count(), first + kFramesPerPiece); ++frame) {
        std::string& rows = pieces[piece];
        append_number(rows, frame);
        rows += ',';
        append_number(rows, frame * clip.frame_time_s());
        for (const Vec3d& point : positions.frame(frame)) {
          for (int axis = 0; axis < 3; ++axis) {
            rows += ',';
            append_number(rows, point[axis]);
          }
        }
        rows += '\n';
      }
    }
  });
  for (const std::string& piece : pieces) text += piece;
  return text;
}

}  // namespace shosa::io
