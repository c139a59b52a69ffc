#include "shosa/analysis/given_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/analysis/intervals.h"

namespace shosa::analysis {
namespace {

/// The feet and their parts that can be given.
std::vector<std::string> names_of(const std::vector<body::FootPoints>& feet) {
  std::vector<std::string> names;
  for (const body::FootPoints& foot : feet) names.push_back(foot.name);
  for (const body::FootPoints& foot : feet) {
    if (foot.heel >= 0) names.push_back(foot.name + "_heel");
    if (foot.toe >= 0) names.push_back(foot.name + "_toes");
  }
  return names;
}

double ground_of(const body::FootPoints& foot, const TimeInterval& stance, const ClipPositions& positions,
                 double frame_time_s, double otherwise_m) {
  std::vector<double> lowest;
  const int first = std::max(0, static_cast<int>(std::ceil(stance.begin_s / frame_time_s - 1e-6)));
  const int last =
      std::min(positions.frame_count() - 1, static_cast<int>(std::floor(stance.end_s / frame_time_s + 1e-6)));
  for (int f = first; f <= last; ++f) {
    double least = std::numeric_limits<double>::infinity();
    for (const int point : {foot.heel, foot.toe, foot.tip}) {
      if (point >= 0) least = std::min(least, positions.point(f, point).y());
    }
    lowest.push_back(least);
  }
  if (lowest.empty() || !std::isfinite(lowest.front())) return otherwise_m;
  const auto middle = lowest.begin() + static_cast<std::ptrdiff_t>(lowest.size() / 2);
  std::nth_element(lowest.begin(), middle, lowest.end());
  return *middle;
}

}  // namespace

Result<void> check_contacts(const GivenContacts& given, const Clip& clip, const body::BodyMap& map) {
  const std::vector<std::string> names = names_of(body::find_foot_points(clip.skeleton(), map));
  for (const auto& [name, intervals] : given) {
    if (std::ranges::find(names, name) == names.end()) {
      std::string known;
      for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
      return fail(ErrorCode::bad_file, "{}: no such foot, expected one of {}", name,
                  known.empty() ? "none: the body map names no feet" : known);
    }
    const double slack_s = 0.5 * clip.frame_time_s();
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const TimeInterval& one = intervals[i];
      if (!(one.begin_s >= -slack_s) || !(one.end_s <= clip.duration_s() + slack_s) || !(one.begin_s < one.end_s)) {
        return fail(ErrorCode::bad_file, "{}: {} s to {} s, expected an interval within 0 s to {:.4f} s", name,
                    one.begin_s, one.end_s, clip.last_time_s());
      }
      if (i > 0 && one.begin_s <= intervals[i - 1].end_s) {
        return fail(ErrorCode::bad_file, "{}: {} s to {} s, expected a contact after the one before", name, one.begin_s,
                    one.end_s);
      }
    }
  }
  return {};
}

FootContacts with_contacts(FootContacts found, const GivenContacts& given, const ClipPositions& positions,
                           double frame_time_s) {
  for (FootContactTrack& foot : found.feet) {
    const auto named = [&](const std::string& name) -> const std::vector<TimeInterval>* {
      const auto at = given.find(name);
      return at == given.end() ? nullptr : &at->second;
    };
    const auto* whole = named(foot.points.name);
    const auto *heel = named(foot.points.name + "_heel"), *toes = named(foot.points.name + "_toes");
    if (whole == nullptr && heel == nullptr && toes == nullptr) continue;
    if (heel != nullptr) foot.heel = *heel;
    if (toes != nullptr) foot.toe = *toes;
    if (whole != nullptr) {
      foot.heel = interval_intersection(foot.heel, *whole);
      foot.toe = interval_intersection(foot.toe, *whole);
      const auto parts = interval_union(foot.heel, foot.toe);
      std::vector<TimeInterval>& rest = foot.points.toe >= 0 ? foot.toe : foot.heel;
      for (const TimeInterval& stance : *whole) rest = interval_union(rest, interval_gaps(parts, stance));
    }
    foot.joined = whole != nullptr ? *whole : interval_union(foot.heel, foot.toe);
    foot.stances.clear();
    for (const TimeInterval& stance : foot.joined) {
      foot.stances.push_back({stance, ground_of(foot.points, stance, positions, frame_time_s, found.ground_m)});
    }
  }
  return found;
}

StudiedClip study_with_contacts(Clip clip, body::BodyMap map, const GivenContacts& given) {
  StudiedClip studied = study(std::move(clip), std::move(map));
  if (given.empty()) return studied;
  auto edited = study(studied.clip(), studied.map(),
                      with_contacts(studied.contacts(), given, studied.positions(), studied.clip().frame_time_s()));
  return edited ? std::move(*edited) : studied;  // the feet are those that were found
}

GivenContacts cut_contacts(const GivenContacts& given, double from_s, double to_s) {
  GivenContacts part;
  for (const auto& [name, intervals] : given) {
    std::vector<TimeInterval>& left = part[name];
    for (const TimeInterval& one : intervals) {
      const double begin_s = std::max(one.begin_s, from_s), end_s = std::min(one.end_s, to_s);
      if (begin_s < end_s) left.push_back({begin_s - from_s, end_s - from_s});
    }
  }
  return part;
}

}  // namespace shosa::analysis
