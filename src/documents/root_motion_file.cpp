#include "shosa/documents/root_motion_file.h"

#include <array>
#include <charconv>
#include <cmath>

#include "shosa/core/angles.h"

namespace shosa::documents {
namespace {

constexpr std::string_view kHeader = "frame,time_s,x_m,z_m,heading_deg";
// Times written with few digits are still evenly spaced.
constexpr double kUneven = 0.01;

/// Five finite numbers with commas between them.
bool read_row(std::string_view line, std::array<double, 5>& row) {
  const char *at = line.data(), *const end = at + line.size();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return false;
    const auto [next, error] = std::from_chars(at, end, row[i]);
    if (error != std::errc{} || !std::isfinite(row[i])) return false;
    at = next;
  }
  return at == end;
}

}  // namespace

std::string format_root_motion(const analysis::RootMotion& motion) {
  std::string text = fmt::format("{}\n", kHeader);
  for (std::size_t i = 0; i < motion.places.size(); ++i) {
    const analysis::GroundPlace& place = motion.places[i];
    text += fmt::format("{},{},{},{},{}\n", i, static_cast<double>(i) * motion.frame_time_s, place.x_m, place.z_m,
                        place.heading_rad * kDegPerRad);
  }
  return text;
}

Result<analysis::RootMotion> parse_root_motion(std::string_view text, const std::string& file) {
  analysis::RootMotion motion;
  std::vector<double> times_s;
  int number = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number;
    if (number == 1 && line != kHeader)
      return fail(ErrorCode::bad_file, "{}:1: '{}', expected '{}'", file, line.substr(0, 80), kHeader);
    if (number == 1 || line.empty()) continue;
    std::array<double, 5> row{};
    if (!read_row(line, row)) {
      return fail(ErrorCode::bad_file, "{}:{}: '{}', expected five numbers: {}", file, number, line.substr(0, 80),
                  kHeader);
    }
    times_s.push_back(row[1]);
    motion.places.push_back({row[2], row[3], row[4] / kDegPerRad});
  }
  if (motion.places.empty()) return fail(ErrorCode::bad_file, "{}: no rows, expected one per frame", file);
  const std::size_t count = times_s.size();
  motion.frame_time_s = count > 1 ? (times_s.back() - times_s.front()) / static_cast<double>(count - 1) : 0.0;
  for (std::size_t i = 1; i < count; ++i) {
    const double step_s = times_s[i] - times_s[i - 1];
    if (!(motion.frame_time_s > 0.0) || std::abs(step_s / motion.frame_time_s - 1.0) > kUneven) {
      return fail(ErrorCode::bad_file, "{}: row {}: {} s after the one before, expected even steps of {:.6g} s", file,
                  i, step_s, motion.frame_time_s);
    }
  }
  return motion;
}

}  // namespace shosa::documents
