#include "segment/laid_parts.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/intervals.h"

namespace shosa::segment {
namespace {

/// The part of an interval of the source that was laid, in the time of the whole.
std::optional<TimeInterval> laid(const TimeInterval& time, const LaidPart& part, double dt) {
  const double begin = std::max(time.begin_s, part.first * dt), end = std::min(time.end_s, part.last * dt);
  if (begin > end) return {};
  const double later = (part.at - part.first) * dt;
  return TimeInterval{begin + later, end + later};
}

void add_laid(const std::vector<TimeInterval>& list, const LaidPart& part, double dt, std::vector<TimeInterval>& out) {
  std::vector<TimeInterval> more;
  for (const TimeInterval& time : list) {
    if (const auto now = laid(time, part, dt)) more.push_back(*now);
  }
  // Times of one seam differ by rounding.
  out = analysis::interval_union(out, more, 0.01 * dt);
}

/// How far editing has raised a point of the source, on the mean over a time of the whole.
double raised_m(const LaidPart& part, int point, const TimeInterval& time, const ClipPositions& whole, double dt) {
  const int first = static_cast<int>(std::lround(time.begin_s / dt)),
            last = static_cast<int>(std::lround(time.end_s / dt));
  double sum = 0.0;
  for (int f = first; f <= last; ++f) {
    sum +=
        whole.point(f, point).y() - (part.placed * part.source.positions().point(f - part.at + part.first, point)).y();
  }
  return sum / (last - first + 1);
}

}  // namespace

analysis::FootContacts laid_contacts(std::span<const LaidPart> parts, const ClipPositions& whole, double dt) {
  analysis::FootContacts out = parts.front().source.contacts();
  out.ground_m += parts.front().placed.shift_m.y();
  for (std::size_t i = 0; i < out.feet.size(); ++i) {
    analysis::FootContactTrack& foot = out.feet[i];
    foot.heel.clear(), foot.toe.clear(), foot.joined.clear(), foot.stances.clear();
    std::vector<analysis::FootContact> pieces;
    for (const LaidPart& part : parts) {
      const analysis::FootContactTrack& own = part.source.contacts().feet[i];
      add_laid(own.heel, part, dt, foot.heel);
      add_laid(own.toe, part, dt, foot.toe);
      add_laid(own.joined, part, dt, foot.joined);
      const int ball = own.points.toe >= 0 ? own.points.toe : own.points.joint;
      for (const analysis::FootContact& stance : own.stances) {
        const auto time = laid(stance.time, part, dt);
        if (!time) continue;
        const double ground = stance.ground_m + part.placed.shift_m.y();
        pieces.push_back({*time, ground + raised_m(part, ball, *time, whole, dt)});
      }
    }
    for (const TimeInterval& time : foot.joined) {
      double sum = 0.0, weight = 0.0;
      for (const analysis::FootContact& piece : pieces) {
        if (!time.contains(0.5 * (piece.time.begin_s + piece.time.end_s))) continue;
        const double length = piece.time.end_s - piece.time.begin_s + dt;
        sum += length * piece.ground_m, weight += length;
      }
      foot.stances.push_back({time, weight > 0.0 ? sum / weight : out.ground_m});
    }
  }
  return out;
}

Result<feet::PlacedFeet> stand_laid_parts(const Clip& whole, std::span<const LaidPart> parts) {
  for (const LaidPart& part : parts) {
    if (const auto feet = part.source.needs_feet(); !feet) return std::unexpected(feet.error());
  }
  const ClipPositions positions = clip_positions(whole);
  const auto plan = feet::captured_stances(whole, positions, laid_contacts(parts, positions, whole.frame_time_s()));
  if (!plan) return std::unexpected(plan.error());
  return feet::place_feet(whole, parts.front().source.map(), *plan);
}

}  // namespace shosa::segment
