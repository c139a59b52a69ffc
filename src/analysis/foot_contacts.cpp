#include "shosa/analysis/foot_contacts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "analysis/foot_track.h"
#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"

namespace shosa::analysis {
namespace {

/// The leg of a standing foot is at least this share of its length under the hip.
constexpr double kStandingLegShare = 0.65;
/// How long a high rest must carry the body.
constexpr double kCarry_s = 0.10;
/// Slopes of up to 15 degrees under a flat foot; a heel raised further is on tiptoe.
constexpr double kSlope_m = 0.045;
/// A ball or tip that hardly moves may be this many times higher than the bounds: toes are captured poorly.
constexpr double kStillToeHeight = 2.0;
/// Shortest part of a rest that can have a level of its own.
constexpr double kSplit_s = 0.15;
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

/// Everything found about one foot on the way.
struct FootWork {
  FootPoints points;
  FootTrack track;
  std::vector<Rest> rests;
  std::vector<double>
      leg_m;  ///< Height of hip or shoulder over the foot, as a share of the limb's length; empty: unknown.
};

std::vector<double> leg_share(const Skeleton& skeleton, const ClipPositions& positions, const FootPoints& points) {
  if (points.limb == kNoJoint) return {};
  double length = 0.0;
  for (JointIndex j = points.joint; j != points.limb && j != kNoJoint; j = skeleton.parent(j)) {
    length += skeleton.joint(j).rest_translation_m.cast<double>().norm();
  }
  if (length < 1e-6) return {};
  std::vector<double> share(static_cast<std::size_t>(positions.frame_count()));
  for (int f = 0; f < positions.frame_count(); ++f) {
    share[static_cast<std::size_t>(f)] =
        (positions.joint(f, points.limb).y() - positions.joint(f, points.joint).y()) / length;
  }
  return share;
}

/// The low level of the frames that rest, over all feet: what most of the clip's floor is at least.
double ground_level(const std::vector<FootWork>& feet) {
  std::vector<double> levels;
  for (const FootWork& foot : feet) {
    if (foot.points.kind == FootKind::hand) continue;
    for (const Rest& rest : foot.rests)
      levels.insert(levels.end(), static_cast<std::size_t>(rest.frames.count()), rest.level_m);
  }
  if (levels.empty()) {
    for (const FootWork& foot : feet)
      levels.insert(levels.end(), foot.track.lowest_m.begin(), foot.track.lowest_m.end());
  }
  return percentile(std::move(levels), 0.1);
}

/// True when the rest is where the body stands: slow, under a stretched leg, with no other foot standing lower
/// meanwhile.
bool carries(const FootWork& foot, const Rest& rest, const std::vector<FootWork>& feet, double frame_time_s,
             double scale, const FootContactParams& params) {
  if (foot.points.kind == FootKind::hand || rest.median_speed_mps > params.carry_speed_mps * std::sqrt(scale))
    return false;
  int carried = 0;
  for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
    if (!foot.leg_m.empty() && foot.leg_m[static_cast<std::size_t>(f)] < kStandingLegShare) continue;
    bool lower_foot = false;
    for (const FootWork& other : feet) {
      if (&other == &foot) continue;
      for (const Rest& r : other.rests) {
        lower_foot |= r.counts && f >= r.frames.first && f <= r.frames.last &&
                      r.level_m < rest.level_m - params.level_tolerance_m * scale;
      }
    }
    carried += lower_foot ? 0 : 1;
  }
  return carried * frame_time_s >= kCarry_s;
}

/// Decides which rests count, from the lowest upwards, so that lower ones are known when a higher one is judged.
int judge_rests(std::vector<FootWork>& feet, double ground, double frame_time_s, double scale,
                const FootContactParams& params) {
  struct Entry {
    std::size_t foot, rest;
  };
  std::vector<Entry> order;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    for (std::size_t k = 0; k < feet[i].rests.size(); ++k) order.push_back({i, k});
  }
  std::stable_sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    return feet[a.foot].rests[a.rest].level_m < feet[b.foot].rests[b.rest].level_m;
  });
  int unsupported = 0;
  for (const Entry& e : order) {
    Rest& rest = feet[e.foot].rests[e.rest];
    const bool still = rest.median_speed_mps < params.support_speed_mps * std::sqrt(scale);
    const double tolerance = scale * (still ? params.still_tolerance_m : params.level_tolerance_m);
    rest.counts = rest.level_m <= ground + tolerance || carries(feet[e.foot], rest, feet, frame_time_s, scale, params);
    unsupported += rest.counts ? 0 : 1;
  }
  return unsupported;
}

/// The level of the ground under the heel: on a slope it differs from that under the ball, by no more than kSlope_m.
double heel_level(const SolePoint& heel, const Rest& rest, double scale, const FootContactParams& params) {
  std::vector<double> still;
  for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (heel.speed_mps[i] < params.support_speed_mps * std::sqrt(scale)) still.push_back(heel.level_m[i]);
  }
  if (still.empty()) return rest.level_m;
  return std::clamp(percentile(std::move(still), 0.1), rest.level_m - kSlope_m * scale,
                    rest.level_m + kSlope_m * scale);
}

/// Frames of one rest in which any of the points is in contact: below the leave bounds around a frame below the enter
/// bounds. Points that hardly move may be `still_height` times higher.
void mark_contacts(const std::vector<const SolePoint*>& points, const Rest& rest, double level_m, double still_height,
                   double scale, const FootContactParams& params, std::vector<char>& contact) {
  const double speed_scale = std::sqrt(scale);
  std::vector<char> near(contact.size(), 0), sure(contact.size(), 0);
  for (const SolePoint* point : points) {
    for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
      const auto i = static_cast<std::size_t>(f);
      const double speed = point->speed_mps[i];
      const bool still = speed < params.support_speed_mps * speed_scale;
      const double height = (point->level_m[i] - level_m) / (still ? still_height : 1.0);
      near[i] |= height < params.leave_height_m * scale && speed < params.leave_speed_mps * speed_scale;
      sure[i] |= height < params.enter_height_m * scale && speed < params.enter_speed_mps * speed_scale;
    }
  }
  for (const FrameRange& run : true_runs(near)) {
    if (std::find(sure.begin() + run.first, sure.begin() + run.last + 1, 1) == sure.begin() + run.last + 1) continue;
    std::fill(contact.begin() + run.first, contact.begin() + run.last + 1, 1);
  }
}

/// A foot that rolls over uneven ground rises a little without ever moving fast: no lift-off.
void close_slow_gaps(const FootTrack& track, const Rest& rest, double scale, const FootContactParams& params,
                     std::vector<char>& contact) {
  std::vector<char> gap(contact.size(), 0);
  for (int f = rest.frames.first; f <= rest.frames.last; ++f)
    gap[static_cast<std::size_t>(f)] = !contact[static_cast<std::size_t>(f)];
  for (const FrameRange& run : true_runs(gap)) {
    bool slow = run.first > rest.frames.first && run.last < rest.frames.last;
    for (int f = run.first; f <= run.last && slow; ++f) {
      const auto i = static_cast<std::size_t>(f);
      slow = track.slowest_mps[i] < params.enter_speed_mps * std::sqrt(scale) &&
             track.lowest_m[i] < rest.level_m + 2.0 * params.leave_height_m * scale;
    }
    if (slow) std::fill(contact.begin() + run.first, contact.begin() + run.last + 1, 1);
  }
}

struct ContactFrames {
  std::vector<char> heel, toe;
  std::vector<char> joined() const {
    std::vector<char> either(heel.size());
    for (std::size_t i = 0; i < either.size(); ++i) either[i] = heel[i] || toe[i];
    return either;
  }
};

ContactFrames contact_frames(const FootWork& foot, double scale, const FootContactParams& params) {
  const std::size_t frames = foot.track.slowest_mps.size();
  ContactFrames out{std::vector<char>(frames, 0), std::vector<char>(frames, 0)};
  std::vector<const SolePoint*> toes;
  for (const SolePoint& toe : foot.track.toes) toes.push_back(&toe);
  for (const Rest& rest : foot.rests) {
    if (!rest.counts) continue;
    if (!foot.track.heel.level_m.empty()) {
      const double level = heel_level(foot.track.heel, rest, scale, params);
      mark_contacts({&foot.track.heel}, rest, level, 1.0, scale, params, out.heel);
    }
    mark_contacts(toes, rest, rest.level_m, kStillToeHeight, scale, params, out.toe);
    close_slow_gaps(foot.track, rest, scale, params, out.toe);
  }
  return out;
}

/// Stretches of a counted rest in which the foot stays slow but stands higher than the rest's level become rests of
/// their own, to be judged like the others: a foot set down anew without ever moving fast, or a leg lifted slowly.
bool split_rests(FootWork& foot, double frame_time_s, double scale, const FootContactParams& params) {
  const std::vector<char> contact = contact_frames(foot, scale, params).joined();
  const double speed_scale = std::sqrt(scale);
  std::vector<Rest> found;
  for (const Rest& rest : foot.rests) {
    if (!rest.counts) continue;
    std::vector<char> left(contact.size(), 0);
    for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
      const auto i = static_cast<std::size_t>(f);
      left[i] = !contact[i] && foot.track.slowest_mps[i] < params.enter_speed_mps * speed_scale;
    }
    for (const FrameRange& run : true_runs(left)) {
      if (run.count() * frame_time_s < kSplit_s) continue;
      const Rest part = make_rest(foot.track, run);
      if (part.median_speed_mps < params.carry_speed_mps * speed_scale) found.push_back(part);
    }
  }
  foot.rests.insert(foot.rests.end(), found.begin(), found.end());
  return !found.empty();
}

/// While the rest of the foot stands, the heel rises and the toes come down slowly: there the bounds of height and
/// speed are wide, and the edge belongs where the point really comes to rest. A contact that is restless throughout
/// keeps its edges at twice its median speed. Edges at which the whole foot comes or goes are sharp and stay.
void trim_inner_edges(std::vector<char>& contact, const std::vector<char>& other, const std::vector<double>& speed_mps,
                      double edge_mps) {
  const int frames = static_cast<int>(contact.size());
  const auto at = [](const auto& list, int f) { return list[static_cast<std::size_t>(f)]; };
  for (FrameRange run : true_runs(contact)) {
    const std::vector<double> speeds(speed_mps.begin() + run.first, speed_mps.begin() + run.last + 1);
    const double bound = std::max(edge_mps, 2.0 * percentile(speeds, 0.5));
    while (run.first > 0 && run.first < run.last && at(other, run.first - 1) && at(speed_mps, run.first) > bound) {
      contact[static_cast<std::size_t>(run.first++)] = 0;
    }
    while (run.last < frames - 1 && run.last > run.first && at(other, run.last + 1) &&
           at(speed_mps, run.last) > bound) {
      contact[static_cast<std::size_t>(run.last--)] = 0;
    }
  }
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

FootContactTrack make_contacts(const FootWork& foot, double frame_time_s, double scale, const FootContactParams& params,
                               FootContacts& report) {
  FootContactTrack out;
  out.points = foot.points;
  out.heel_rest_m = foot.track.heel_rest_m;
  out.toe_rest_m = foot.track.toe_rest_m;
  const ContactFrames frames = contact_frames(foot, scale, params);
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

  for (const TimeInterval& time : out.joined) {
    std::vector<double> levels;
    for (int f = static_cast<int>(std::lround(time.begin_s / frame_time_s));
         f <= std::lround(time.end_s / frame_time_s); ++f) {
      levels.push_back(foot.track.lowest_m[static_cast<std::size_t>(f)]);
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

Result<FootContacts> find_foot_contacts(const Clip& clip, const BodyMap& map, const FootContactParams& params) {
  return find_foot_contacts(clip, clip_positions(clip), map, params);
}

Result<FootContacts> find_foot_contacts(const Clip& clip, const ClipPositions& positions, const BodyMap& map,
                                        const FootContactParams& params) {
  if (auto error = broken_rule(params)) return std::unexpected(*error);
  const auto foot_points = find_foot_points(clip.skeleton(), map, {.hands = params.hands});
  if (foot_points.empty()) {
    return fail(ErrorCode::not_possible, "find_foot_contacts: the body map names no feet (left_foot, right_foot)");
  }
  const double dt = clip.frame_time_s();
  const double leg = leg_length_m(clip.skeleton(), map);
  FootContacts result;
  result.scale = leg > 0.0 ? leg / kHumanLegLength_m : 1.0;
  // The noise of a capture does not shrink with the body.
  const double scale = result.scale < 1.0 ? std::sqrt(result.scale) : result.scale;

  std::vector<FootWork> feet;
  for (const FootPoints& points : foot_points) {
    FootWork foot{.points = points,
                  .track = make_foot_track(positions, points, dt, result.scale, scale, params),
                  .rests = {},
                  .leg_m = leg_share(clip.skeleton(), positions, points)};
    const double speed_scale = std::sqrt(scale);
    foot.rests = find_rests(foot.track, params.enter_speed_mps * speed_scale, params.leave_speed_mps * speed_scale);
    feet.push_back(std::move(foot));
  }
  const double ground = ground_level(feet);
  result.unsupported = judge_rests(feet, ground, dt, scale, params);
  for (int pass = 0; pass < kMaxSplits; ++pass) {
    bool split = false;
    for (FootWork& foot : feet) split |= split_rests(foot, dt, scale, params);
    if (!split) break;
    result.unsupported = judge_rests(feet, ground, dt, scale, params);
  }

  double lowest_offset = 0.0;
  for (const FootWork& foot : feet) {
    lowest_offset = std::min(lowest_offset, foot.track.offset_m);
    result.feet.push_back(make_contacts(foot, dt, scale, params, result));
  }
  result.ground_m = ground + lowest_offset;
  return result;
}

std::vector<TimeInterval> flight_intervals(const FootContacts& contacts, const TimeInterval& whole) {
  std::vector<TimeInterval> any;
  for (const auto& foot : contacts.feet) any = interval_union(any, foot.joined);
  return interval_gaps(any, whole);
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
