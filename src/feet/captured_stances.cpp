#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "feet/foot_motion.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/rotations.h"
#include "shosa/feet/stance_plan.h"

namespace shosa::feet {

namespace {

using analysis::FootContactTrack;

// A foot this far below the ground, for a leg of 0.85 m, is a broken frame, which lifting would only spread.
constexpr double kBroken_m = 0.25;

struct Frames {
  int first = 0, last = 0;
};

std::vector<char> frames_of(const std::vector<TimeInterval>& intervals, int frames, double frame_time_s) {
  std::vector<char> on(static_cast<std::size_t>(frames), 0);
  for (const TimeInterval& interval : intervals) {
    const int first = std::max(0, static_cast<int>(std::ceil(interval.begin_s / frame_time_s - 1e-6)));
    const int last = std::min(frames - 1, static_cast<int>(std::floor(interval.end_s / frame_time_s + 1e-6)));
    for (int f = first; f <= last; ++f) on[f] = 1;
  }
  return on;
}

std::vector<Frames> runs_of(std::span<const char> on) {
  std::vector<Frames> runs;
  for (std::size_t f = 0; f < on.size(); ++f) {
    if (!on[f]) continue;
    const int frame = static_cast<int>(f);
    if (f == 0 || !on[f - 1]) runs.push_back({frame, frame});
    runs.back().last = frame;
  }
  return runs;
}

/// Along `ahead` (horizontal), across it and upward: a motion that is turned has its stances turned.
Vec3d median_place(std::span<const Vec3d> path, const Frames& run, const Vec3d& ahead) {
  const Vec3d along = ahead.norm() > 1e-6 ? Vec3d(ahead.normalized()) : Vec3d::UnitZ();
  Vec3d median = Vec3d::Zero();
  std::vector<double> values(static_cast<std::size_t>(run.last - run.first + 1));
  for (const Vec3d& axis : {along, Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitY().cross(along))}) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = path[static_cast<std::size_t>(run.first) + i].dot(axis);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    median += *middle * axis;
  }
  return median;
}

/// The frames of a run from the first to the last for which `holds`; `last` < `first` where none does.
template <class Predicate>
Frames shortened(Frames run, Predicate holds) {
  while (run.first <= run.last && !holds(static_cast<std::size_t>(run.first))) ++run.first;
  while (run.last >= run.first && !holds(static_cast<std::size_t>(run.last))) --run.last;
  return run;
}

class FootReader {
 public:
  FootReader(const FootContactTrack& track, FootMotion foot, double ground_m, double scale, double frame_time_s,
             const CapturedStanceParams& params)
      : track_(track),
        foot_(std::move(foot)),
        ground_m_(ground_m),
        scale_(scale),
        frame_time_s_(frame_time_s),
        params_(params),
        frames_(static_cast<int>(foot_.ball_m.size())) {}

  FootPlan read() {
    plan_.points = track_.points;
    plan_.heel_rest_m = track_.heel_rest_m;
    find_ground();
    std::vector<char> heel_on = frames_of(track_.heel, frames_, frame_time_s_);
    std::vector<char> ball_on = frames_of(track_.toe, frames_, frame_time_s_);
    // A foot without a ball is its ankle.
    if (!foot_.has_ball) std::swap(heel_on, ball_on);
    std::vector<char> flat_on(heel_on.size(), 0);
    for (const Frames& run : runs_of(ball_on)) add_ball_stance(run, heel_on, flat_on);
    if (foot_.has_heel) add_heel_stances(heel_on, flat_on);
    return std::move(plan_);
  }

 private:
  double ground_at(int frame) const { return analysis::local_ground_m(track_, frame * frame_time_s_, ground_m_); }

  Vec3d ahead(const Frames& run) const {
    const auto f = static_cast<std::size_t>((run.first + run.last) / 2);
    return (foot_.ball_m[f] - foot_.ankle_m[f]).cwiseProduct(Vec3d(1.0, 0.0, 1.0));
  }

  void find_ground() {
    for (int f = 0; f < frames_; ++f) {
      const auto i = static_cast<std::size_t>(f);
      const double lowest = std::min(foot_.ball_m[i].y(), foot_.ankle_m[i].y());
      const bool broken = ground_at(f) - lowest > kBroken_m * scale_;
      plan_.ground_m.push_back(broken ? -std::numeric_limits<double>::infinity() : ground_at(f));
    }
  }

  void add_ball_stance(const Frames& run, const std::vector<char>& heel_on, std::vector<char>& flat_on) {
    Vec3d place = median_place(foot_.ball_m, run, ahead(run));
    const auto off = [&](std::size_t f) { return Vec3d(foot_.ball_m[f] - place); };
    const Frames still =
        shortened(run, [&](std::size_t f) { return std::hypot(off(f).x(), off(f).z()) <= params_.still_m * scale_; });
    if (still.last < still.first) return;
    Frames down = shortened(still, [&](std::size_t f) { return std::abs(off(f).y()) <= params_.down_m * scale_; });
    if (down.last < down.first) down = still;
    const double ground = ground_at((still.first + still.last) / 2);
    place.y() = std::max(place.y(), ground);
    if (params_.level) place.y() = ground + (foot_.has_ball ? track_.toe_rest_m : track_.heel_rest_m);
    const auto add = [&](int first, int last, bool rises) {
      if (first <= last) plan_.stances.push_back({.first = first, .last = last, .ball_m = place, .rises = rises});
    };
    add(down.first, down.last, false);
    add(still.first, down.first - 1, true);
    add(down.last + 1, still.last, true);
    if (foot_.has_heel) add_flat_stances(still, place, heel_on, flat_on);
  }

  void add_flat_stances(const Frames& still, const Vec3d& place, const std::vector<char>& heel_on,
                        std::vector<char>& flat_on) {
    const auto inside = std::span(heel_on).subspan(static_cast<std::size_t>(still.first),
                                                   static_cast<std::size_t>(still.last - still.first + 1));
    for (Frames flat : runs_of(inside)) {
      flat = {flat.first + still.first, flat.last + still.first};
      Quatd rotation = mean_rotation(foot_.rotation, flat.first, flat.last);
      if (params_.level) rotation = levelled(rotation, flat);
      plan_.stances.push_back({.first = flat.first, .last = flat.last, .rotation = rotation});
      std::fill(flat_on.begin() + flat.first, flat_on.begin() + flat.last + 1, 1);
      flats_.push_back({flat, place, rotation});
    }
  }

  // Pitched so that ankle and ball have their rest heights above the ground of the stance.
  Quatd levelled(const Quatd& rotation, const Frames& flat) const {
    const auto f = static_cast<std::size_t>((flat.first + flat.last) / 2);
    const Vec3d arm = rotation * foot_.rotation[f].conjugate() * (foot_.ball_m[f] - foot_.ankle_m[f]);
    const Vec3d ahead(arm.x(), 0.0, arm.z());
    const double length = arm.norm();
    if (length < 1e-6 || ahead.norm() < 1e-6) return rotation;
    const double drop = std::clamp(track_.toe_rest_m - track_.heel_rest_m, -length, length);
    const Vec3d target = ahead.normalized() * std::sqrt(length * length - drop * drop) + Vec3d(0.0, drop, 0.0);
    return shortest_turn(arm, target) * rotation;
  }

  void add_heel_stances(const std::vector<char>& heel_on, const std::vector<char>& flat_on) {
    const Vec3d heel = heel_in_foot_m(foot_, flat_on, track_.heel_rest_m, scale_);
    std::vector<Vec3d> path = foot_.ankle_m;
    for (std::size_t f = 0; f < path.size(); ++f) path[f] += foot_.rotation[f] * heel;
    std::vector<char> alone(heel_on);
    for (const Stance& stance : plan_.stances) {
      if (stance.ball_m) std::fill(alone.begin() + stance.first, alone.begin() + stance.last + 1, 0);
    }
    for (const Frames& run : runs_of(alone)) {
      Vec3d place = median_place(path, run, ahead(run));
      for (const Flat& flat : flats_) {
        if (flat.frames.first != run.last + 1 && flat.frames.last != run.first - 1) continue;
        const auto f = static_cast<std::size_t>(flat.frames.first);
        const Vec3d ball = foot_.rotation[f].conjugate() * (foot_.ball_m[f] - foot_.ankle_m[f]);
        place = flat.ball_m + flat.rotation * (heel - ball);
      }
      const Frames still =
          shortened(run, [&](std::size_t f) { return (path[f] - place).norm() <= params_.still_m * scale_; });
      if (still.last >= still.first) {
        plan_.stances.push_back({.first = still.first, .last = still.last, .heel_m = place});
      }
    }
  }

  struct Flat {
    Frames frames;
    Vec3d ball_m;
    Quatd rotation;
  };
  const FootContactTrack& track_;
  FootMotion foot_;
  double ground_m_, scale_, frame_time_s_;
  const CapturedStanceParams& params_;
  int frames_;
  std::vector<Flat> flats_;
  FootPlan plan_;
};

}  // namespace

Result<StancePlan> captured_stances(const Clip& clip, const ClipPositions& positions,
                                    const analysis::FootContacts& contacts, const CapturedStanceParams& params) {
  if (!(params.still_m > 0.0) || !(params.down_m > 0.0)) {
    return fail(ErrorCode::invalid_argument, "captured_stances: still_m {} and down_m {}, expected > 0", params.still_m,
                params.down_m);
  }
  if (contacts.feet.empty()) return fail(ErrorCode::not_possible, "captured_stances: the contacts have no feet");
  StancePlan plan{.scale = contacts.scale};
  for (const FootContactTrack& track : contacts.feet) {
    auto foot = observe_foot(clip, positions, track.points);
    if (!foot) return std::unexpected(foot.error());
    plan.feet.push_back(
        FootReader(track, std::move(*foot), contacts.ground_m, contacts.scale, clip.frame_time_s(), params).read());
  }
  return plan;
}

}  // namespace shosa::feet
