#include "shosa/analysis/foot_contacts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/contact_frames.h"
#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"

namespace shosa::analysis {
namespace {

/// Rounds of splitting rests by their level.
constexpr int kMaxSplits = 4;

std::optional<Error> broken_rule(const FootContactParams& p) {
  const auto wrong = [](const char* rule, double found) {
    return Error{ErrorCode::invalid_argument, fmt::format("find_foot_contacts: {}, found {}", rule, found)};
  };
  if (!(p.enter_height_m > 0.0)) return wrong("enter_height_m must be > 0", p.enter_height_m);
  if (!(p.leave_height_m >= p.enter_height_m))
    return wrong("leave_height_m must be >= enter_height_m", p.leave_height_m);
  if (!(p.enter_speed_mps > 0.0)) return wrong("enter_speed_mps must be > 0", p.enter_speed_mps);
  if (!(p.leave_speed_mps >= p.enter_speed_mps)) {
    return wrong("leave_speed_mps must be >= enter_speed_mps", p.leave_speed_mps);
  }
  if (!(p.level_tolerance_m >= 0.0)) return wrong("level_tolerance_m must be >= 0", p.level_tolerance_m);
  if (!(p.still_tolerance_m >= p.level_tolerance_m)) {
    return wrong("still_tolerance_m must be >= level_tolerance_m", p.still_tolerance_m);
  }
  if (!(p.carry_speed_mps >= 0.0)) return wrong("carry_speed_mps must be >= 0", p.carry_speed_mps);
  if (!(p.support_speed_mps >= 0.0)) return wrong("support_speed_mps must be >= 0", p.support_speed_mps);
  if (!(p.edge_speed_mps >= 0.0)) return wrong("edge_speed_mps must be >= 0", p.edge_speed_mps);
  if (!(p.smoothing_s >= 0.0)) return wrong("smoothing_s must be >= 0", p.smoothing_s);
  if (!(p.difference_s > 0.0)) return wrong("difference_s must be > 0", p.difference_s);
  if (!(p.close_gap_s >= 0.0)) return wrong("close_gap_s must be >= 0", p.close_gap_s);
  if (!(p.min_duration_s >= 0.0)) return wrong("min_duration_s must be >= 0", p.min_duration_s);
  return std::nullopt;
}

/// Closes short gaps, then drops short contacts.
std::vector<TimeInterval> clean_intervals(std::vector<char> contact, double frame_time_s,
                                          const FootContactParams& params, FootContacts& report) {
  const int frames = static_cast<int>(contact.size());
  std::vector<char> gap(contact.size());
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = !contact[i];
  for (const FrameRange& run : true_runs(gap)) {
    if (run.first == 0 || run.last == frames - 1 || run.count() * frame_time_s >= params.close_gap_s) continue;
    std::fill(contact.begin() + run.first, contact.begin() + run.last + 1, 1);
    ++report.closed;
  }
  std::vector<TimeInterval> out;
  for (const FrameRange& run : true_runs(contact)) {
    const bool cut = run.first == 0 || run.last == frames - 1;
    if (!cut && (run.count() - 1) * frame_time_s < params.min_duration_s) {
      ++report.dropped;
      continue;
    }
    out.push_back({run.first * frame_time_s, run.last * frame_time_s});
  }
  return out;
}

/// Nobody floats: a short stretch in which no foot stands belongs to the foot that stood before or stands after it, if
/// that foot stays slow and near its level all the while. In a real flight feet move fast.
void fill_floating(const std::vector<FootWork>& feet, double frame_time_s, double scale,
                   const FootContactParams& params, std::vector<ContactFrames>& contacts) {
  constexpr double kLongest_s = 0.35;
  std::vector<char> floating(contacts.front().heel.size(), 1);
  for (const ContactFrames& foot : contacts) {
    for (std::size_t i = 0; i < floating.size(); ++i) floating[i] = floating[i] && !foot.heel[i] && !foot.toe[i];
  }
  const int last = static_cast<int>(floating.size()) - 1;
  for (const FrameRange& run : true_runs(floating)) {
    if (run.first == 0 || run.last == last || run.count() * frame_time_s > kLongest_s) continue;
    for (std::size_t k = 0; k < feet.size(); ++k) {
      const std::vector<char> stands = contacts[k].joined();
      const auto before = static_cast<std::size_t>(run.first - 1), after = static_cast<std::size_t>(run.last + 1);
      if (!stands[before] && !stands[after]) continue;
      const FootTrack& track = feet[k].track;
      const double level = track.lowest_m[stands[before] ? before : after];
      bool carries = true;
      for (int f = run.first; f <= run.last && carries; ++f) {
        const auto i = static_cast<std::size_t>(f);
        carries = track.slowest_mps[i] < params.leave_speed_mps * std::sqrt(scale) &&
                  track.lowest_m[i] < level + 2.0 * params.leave_height_m * scale;
      }
      auto& part = feet[k].track.toes.empty() ? contacts[k].heel : contacts[k].toe;
      if (carries) std::fill(part.begin() + run.first, part.begin() + run.last + 1, 1);
    }
  }
}

FootContactTrack make_contacts(const FootWork& foot, const ContactFrames& frames, double frame_time_s, double scale,
                               const FootContactParams& params, FootContacts& report) {
  FootContactTrack out;
  out.points = foot.points;
  out.heel_rest_m = foot.track.heel_rest_m;
  out.toe_rest_m = foot.track.toe_rest_m;
  const double edge_mps = params.edge_speed_mps * std::sqrt(scale);
  if (!foot.track.toes.empty() && !foot.track.heel.level_m.empty()) {
    ContactFrames inner = frames;
    trim_inner_edges(inner.heel, frames.toe, foot.track.heel.speed_mps, edge_mps);
    trim_inner_edges(inner.toe, frames.heel, foot.track.toe_mps, edge_mps);
    out.heel = clean_intervals(std::move(inner.heel), frame_time_s, params, report);
    out.toe = clean_intervals(std::move(inner.toe), frame_time_s, params, report);
  } else {
    out.heel = clean_intervals(frames.heel, frame_time_s, params, report);
    out.toe = clean_intervals(frames.toe, frame_time_s, params, report);
  }
  out.joined = clean_intervals(frames.joined(), frame_time_s, params, report);

  const auto at = [&](double time_s) {
    return std::clamp(whole_frames(std::round(time_s / frame_time_s)), 0, static_cast<int>(frames.heel.size()) - 1);
  };
  for (const TimeInterval& time : out.joined) {
    std::vector<double> levels;
    for (int f = at(time.begin_s); f <= at(time.end_s); ++f) {
      levels.push_back(foot.track.lowest_m[f]);
    }
    out.stances.push_back({time, percentile(std::move(levels), 0.1) + foot.track.offset_m});
  }
  return out;
}

}  // namespace

const FootContactTrack* FootContacts::find(std::string_view name) const {
  for (const FootContactTrack& foot : feet) {
    if (foot.points.name == name) return &foot;
  }
  return nullptr;
}

Result<FootContacts> find_foot_contacts(const Clip& clip, const ClipPositions& positions, const body::BodyMap& map,
                                        const FootContactParams& params) {
  if (auto error = broken_rule(params)) return std::unexpected(*error);
  const auto foot_points = body::find_foot_points(clip.skeleton(), map, {.hands = params.hands});
  if (foot_points.empty()) {
    return fail(ErrorCode::not_possible, "find_foot_contacts: the body map names no feet (left_foot, right_foot)");
  }
  const double dt = clip.frame_time_s();
  const double leg = body::leg_length_m(clip.skeleton(), map);
  FootContacts result;
  result.scale = leg > 0.0 ? leg / body::kHumanLegLength_m : 1.0;
  // The noise of a capture does not shrink with the body.
  const double scale = result.scale < 1.0 ? std::sqrt(result.scale) : result.scale;

  // A foot that stands with its heel up, and hardly ever flat, is as the other one of its pair.
  constexpr double kHeelUp_m = 0.018;
  std::vector<double> drops;
  for (const body::FootPoints& points : foot_points) drops.push_back(flat_drop_m(positions, points, dt, scale, params));
  const std::vector<double> own = drops;
  for (std::size_t a = 0; a < drops.size(); ++a) {
    for (std::size_t b = 0; b < drops.size(); ++b) {
      const bool human = foot_points[a].kind == body::FootKind::foot && foot_points[b].kind == body::FootKind::foot;
      const bool whole =
          foot_points[a].toe >= 0 && foot_points[b].toe >= 0 && foot_points[a].heel >= 0 && foot_points[b].heel >= 0;
      if (human && whole && own[b] > 0.0 && own[a] - own[b] > kHeelUp_m * result.scale) drops[a] = own[b];
    }
  }
  std::vector<FootWork> feet;
  for (const body::FootPoints& points : foot_points) {
    FootWork foot{.points = points,
                  .track = make_foot_track(positions, points, dt, result.scale, scale, drops[feet.size()], params),
                  .rests = {},
                  .leg_share = leg_share(clip.skeleton(), positions, points)};
    const double speed_scale = std::sqrt(scale);
    foot.rests = find_rests(foot.track, params.enter_speed_mps * speed_scale, params.leave_speed_mps * speed_scale);
    feet.push_back(std::move(foot));
  }
  const double ground = ground_level(feet, dt, scale, params);
  result.unsupported = judge_rests(feet, ground, dt, scale, params);
  for (int pass = 0; pass < kMaxSplits; ++pass) {
    bool split = false;
    for (FootWork& foot : feet) split |= split_rests(foot, dt, scale, params);
    if (!split) break;
    result.unsupported = judge_rests(feet, ground, dt, scale, params);
  }

  std::vector<ContactFrames> frames;
  for (const FootWork& foot : feet) frames.push_back(contact_frames(foot, scale, params));
  fill_floating(feet, dt, scale, params, frames);
  double lowest_offset = 0.0;
  for (std::size_t k = 0; k < feet.size(); ++k) {
    lowest_offset = std::min(lowest_offset, feet[k].track.offset_m);
    result.feet.push_back(make_contacts(feet[k], frames[k], dt, scale, params, result));
  }
  result.ground_m = ground + lowest_offset;
  return result;
}

std::vector<TimeInterval> flight_intervals(const FootContacts& contacts, const TimeInterval& whole,
                                           double longer_than_s) {
  std::vector<TimeInterval> any;
  for (const auto& foot : contacts.feet) any = interval_union(any, foot.joined);
  std::vector<TimeInterval> gaps = interval_gaps(any, whole);
  std::erase_if(gaps, [&](const TimeInterval& gap) { return !(gap.length_s() > longer_than_s); });
  return gaps;
}

std::vector<TimeInterval> double_support(const FootContacts& contacts) {
  std::vector<TimeInterval> out;
  for (std::size_t i = 0; i < contacts.feet.size(); ++i) {
    for (std::size_t k = i + 1; k < contacts.feet.size(); ++k) {
      out = interval_union(out, interval_intersection(contacts.feet[i].joined, contacts.feet[k].joined));
    }
  }
  return out;
}

}  // namespace shosa::analysis
