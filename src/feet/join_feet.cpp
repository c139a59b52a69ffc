#include "shosa/feet/join_feet.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "feet/feet_problem.h"
#include "shosa/analysis/body_motion.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/feet/apply_change.h"

namespace shosa::feet {

namespace {

constexpr double kAfter_s = 0.4;  // the centre of mass counts so far into the next core
constexpr int kRounds = 5;        // of looking at what the changed legs do to the centre of mass
constexpr int kPasses = 2;        // of looking where feet are then seen to stand
// A push counts by its square relative to the others', within these bounds: the largest is felt.
constexpr double kLeastWeight = 0.25, kMostWeight = 6.0;
constexpr double kStill_m = 0.15;  // a ball that goes farther while it stands means to: half a foot, leg of 0.85 m
constexpr double kShortestStep_s = 0.1;  // of a foot that leaves its place
constexpr double kSwing_s = 0.35;        // of a foot that lifts in the window and does not come down in it

/// What a ball does in a frame: where it is free, where it stays, or the number of the shift that it has.
constexpr int kFree = -1, kStays = -2;

class Join {
 public:
  Join(const analysis::StudiedClip& window, const JoinFeetParams& params)
      : window_(window),
        contacts_(window.contacts()),
        params_(params),
        dt_(window.clip().frame_time_s()),
        frames_(window.clip().frame_count()) {
    held_ = static_cast<int>(std::lround(params.held_s / dt_));
    core_ = static_cast<int>(std::ceil(params.core_s / dt_ - 1e-6));
    settled_ = std::clamp(static_cast<int>(std::ceil(params.settled_s / dt_ - 1e-6)), core_, frames_);
  }

  Result<JoinedFeet> solve() {
    auto out = pass();
    // A foot that the change slows down near the ground is seen to stand there, and to slide: it is held as well.
    for (int k = 1; k < kPasses && out && add_seen(*out); ++k) out = pass();
    return out;
  }

 private:
  Result<JoinedFeet> pass() {
    StancePlan plan{.scale = contacts_.scale};
    std::vector<FootMotion> feet;
    ways_.clear();
    lifts_ = true;
    for (const analysis::FootContactTrack& track : contacts_.feet) {
      auto foot = observe(track, plan);
      if (!foot) return std::unexpected(foot.error());
      feet.push_back(std::move(*foot));
    }
    FeetProblem problem(std::move(feet), plan, dt_, join_scales());
    bones_.clear();
    for (const FootMotion& foot : problem.feet()) bones_.push_back(foot.bones);
    const int everything = problem.add_shift();
    for (std::size_t k = 0; k < contacts_.feet.size(); ++k)
      ways_.push_back(way(contacts_.feet[k], problem.feet()[k], problem));
    tie(problem, everything);
    Momentum momentum{.acceleration_mps2 = analysis::observe_body(window_).com_acceleration_mps2,
                      .first = held_,
                      .last = core_ + static_cast<int>(std::lround(kAfter_s / dt_)),
                      .weight = {}};

    JoinedFeet out;
    Eigen::VectorXd x = problem.start();
    double least_mps2 = std::numeric_limits<double>::infinity();
    // Knees that bend carry mass along too: each round takes what the changed legs really do to the centre of mass. The
    // round that pushes it least stays.
    for (int round = 0; round < kRounds; ++round) {
      problem.weigh(momentum);
      const solve::SolveReport report = solve_feet(problem, {.max_steps = params_.max_steps, .converged = 1e-3}, x);
      const FeetChange change = problem.change(x);
      const std::vector<Vec3d> made = analysis::observe_body(changed(change)).com_acceleration_mps2;
      if (const double most = weigh(made, momentum); most < least_mps2) {
        least_mps2 = most;
        out = {change, problem.shift_m(x, everything), report};
      }
      for (int f = 1; f + 1 < frames_; ++f) {
        momentum.acceleration_mps2[f] += made[f] - problem.acceleration_mps2(x, f);
      }
    }
    return out;
  }

  // Towards the least largest push: the sum of fourth powers, by squares weighed with the mean of what they were and
  // what the last round asks for. Returns the largest.
  static double weigh(const std::vector<Vec3d>& made, Momentum& momentum) {
    const auto push2 = [](const Vec3d& a) { return a.x() * a.x() + a.z() * a.z(); };
    double sum = 0.0, most = 0.0;
    int count = 0;
    for (int f = std::max(1, momentum.first); f <= momentum.last && f + 1 < static_cast<int>(made.size());
         ++f, ++count) {
      sum += push2(made[f]);
      most = std::max(most, push2(made[f]));
    }
    const double mean = std::max(sum / std::max(1, count), 1e-6);
    momentum.weight.resize(made.size(), 1.0);
    for (std::size_t f = 0; f < made.size(); ++f) {
      const double asked = std::clamp(push2(made[f]) / mean, kLeastWeight, kMostWeight);
      momentum.weight[f] = 0.5 * (momentum.weight[f] + asked);
    }
    return std::sqrt(most);
  }

  // True where feet are seen to stand in the result that were not known to.
  bool add_seen(const JoinedFeet& result) {
    const analysis::StudiedClip made = changed(result.change);
    const auto seen = analysis::find_foot_contacts(made.clip(), made.positions(), made.map());
    if (!seen) return false;
    bool any = false;
    for (analysis::FootContactTrack& foot : contacts_.feet) {
      const analysis::FootContactTrack* found = seen->find(foot.points.name);
      if (found == nullptr) continue;
      const auto add = [&](std::vector<TimeInterval>& list, const std::vector<TimeInterval>& more) {
        // Nobody steps within so short a time: it is one stance, at one place.
        const auto both = analysis::interval_union(list, more, kShortestStep_s);
        any = any || analysis::total_length_s(both) > analysis::total_length_s(list) + 0.5 * dt_;
        list = both;
      };
      add(foot.heel, found->heel);
      add(foot.toe, found->toe);
      add(foot.joined, found->joined);
    }
    return any;
  }

  analysis::StudiedClip changed(const FeetChange& change) const {
    Clip clip = window_.clip();
    std::vector<ChangedLeg> legs;
    for (std::size_t k = 0; k < bones_.size(); ++k) {
      const body::FootPoints& points = contacts_.feet[k].points;
      legs.push_back({bones_[k], points.toe >= 0 ? points.toe : points.joint});
    }
    std::vector<BallChange> balls(legs.size());
    WorldPose world;
    Pose pose;
    for (int f = 0; f < frames_; ++f) {
      clip.get_frame(f, pose);
      for (std::size_t k = 0; k < legs.size(); ++k) balls[k] = {change.feet[k].ball_m[f], change.feet[k].turn_rad[f]};
      apply_change(clip.skeleton(), body::root_joint(window_.map()), legs, change.root_m[f], balls, world, pose);
      clip.set_frame(f, pose);
    }
    return *analysis::study(std::move(clip), window_.map(), window_.contacts());
  }

  Result<FootMotion> observe(const analysis::FootContactTrack& track, StancePlan& plan) const {
    FootPlan foot{.points = track.points, .heel_rest_m = track.heel_rest_m};
    for (const TimeInterval& flat : analysis::interval_intersection(track.heel, track.toe)) {
      const auto [first, last] = inside(flat);
      if (first <= last) foot.stances.push_back({.first = first, .last = last, .rotation = Quatd::Identity()});
    }
    auto motion = observe_foot(window_.clip(), window_.positions(), foot, plan.scale);
    if (!motion) return motion;
    for (int f = 0; f < frames_ && track.points.tip >= 0; ++f)
      motion->tip_m.push_back(window_.positions().point(f, track.points.tip));
    // The ground is no higher than the joined motion has the foot: what is in the ground was so before.
    for (int f = 0; f < frames_; ++f) {
      const double ground_m = analysis::local_ground_m(track, f * dt_, contacts_.ground_m);
      foot.ground_m.push_back(
          std::min({ground_m, motion->ball_m[f].y(), motion->ankle_m[f].y(), motion->heel_m[f].y()}));
      if (!motion->tip_m.empty()) foot.ground_m.back() = std::min(foot.ground_m.back(), motion->tip_m[f].y());
    }
    foot.stances.clear();
    plan.feet.push_back(std::move(foot));
    return motion;
  }

  // Frames of the window in an interval, and those next to it: between frames a foot stands as well.
  std::pair<int, int> inside(const TimeInterval& interval) const {
    return {std::max(0, static_cast<int>(std::floor(interval.begin_s / dt_ + 1e-6))),
            std::min(frames_ - 1, static_cast<int>(std::ceil(interval.end_s / dt_ - 1e-6)))};
  }

  // One foot: what its ball does, by how much it is off that, and whether it keeps its turn.
  struct Way {
    std::vector<int> ball;
    std::vector<Vec3d> off_m;
    std::vector<char> keeps_turn;
  };
  Way way(const analysis::FootContactTrack& track, const FootMotion& foot, FeetProblem& problem) {
    Way way{std::vector<int>(static_cast<std::size_t>(frames_), 0), std::vector<Vec3d>(frames_, Vec3d::Zero()),
            std::vector<char>(frames_, 0)};
    int free_until = settled_;
    std::vector<std::pair<int, int>> stances;
    for (const TimeInterval& stance : track.joined) {
      if (const auto [first, last] = inside(stance); first <= last) stances.emplace_back(first, last);
    }
    std::fill(way.ball.begin(), way.ball.begin() + settled_, kFree);
    for (std::size_t i = 0; i < stances.size(); ++i) {
      const auto [first, last] = stances[i];
      int kind = 0;
      if (first <= held_) {
        kind = kStays;
      } else if (last < core_) {
        kind = problem.add_shift();
      }
      if (kind == kStays && last == frames_ - 1) lifts_ = false;
      std::fill(way.ball.begin() + first, way.ball.begin() + last + 1, kind);
      stand_still(track, foot, first, last, kind, way.off_m);
      // From a place of its own it swings to where everything is.
      if (kind == 0) continue;
      const int lands = i + 1 < stances.size() ? stances[i + 1].first
                                               : std::min(frames_, last + 1 + static_cast<int>(kSwing_s / dt_));
      free_until = std::max(free_until, lands);
      for (int f = last + 1; f < lands; ++f) way.ball[f] = kFree;
    }
    for (const TimeInterval& down : track.heel) {
      const auto [first, last] = inside(down);
      for (int f = first; f <= last; ++f) way.keeps_turn[f] = 1;
    }
    for (int f = 0; f < frames_; ++f) {
      if (f <= held_) way.ball[f] = kStays;
      if (f <= held_ || (f >= settled_ && way.ball[f] == 0)) way.keeps_turn[f] = 1;
    }
    return way;
  }

  // A ball that stands, stands at one place, whatever the joined motion has it do there: a foot of a run whose stance
  // is slowed, or of a step between clips that sets out slowly. Before and after the ball is down it is as far off as
  // when it is. What is held, and what is settled, is as it is.
  void stand_still(const analysis::FootContactTrack& track, const FootMotion& foot, int first, int last, int kind,
                   std::vector<Vec3d>& off_m) const {
    int down = frames_, up = -1;
    const std::vector<TimeInterval>& stands = foot.has_ball ? track.toe : track.heel;
    for (const TimeInterval& interval : stands) {
      // At the frames next to it the ball is on its way.
      const int begin = static_cast<int>(std::ceil(interval.begin_s / dt_ - 1e-6)),
                end = static_cast<int>(std::floor(interval.end_s / dt_ + 1e-6));
      if (begin > last || end < first) continue;
      down = std::min(down, std::max(begin, first));
      up = std::max(up, std::min(end, last));
    }
    if (down > up) return;
    int at = (down + up) / 2;
    if (kind == kStays) at = std::clamp(held_, down, up);
    if (kind == 0 && last >= settled_) at = std::clamp(settled_, down, up);
    const auto off = [&](int f) -> Vec3d {
      const Vec3d way_m = foot.ball_m[at] - foot.ball_m[std::clamp(f, down, up)];
      return {way_m.x(), 0.0, way_m.z()};
    };
    // A foot that keeps its place does so until it lifts; one that does not lift in the window stays as it is, since
    // nothing is changed behind it.
    if (kind == kStays && last == frames_ - 1) return;
    const int from = std::max(first, held_ + 1), to = kind == kStays ? last : std::min(last, settled_ - 1);
    for (int f = from; f <= to; ++f) {
      if (off(f).norm() > kStill_m * contacts_.scale) return;
    }
    for (int f = from; f <= to; ++f) off_m[f] = off(f);
  }

  void tie(FeetProblem& problem, int everything) const {
    // Over the ground the unknown takes a shift; heights stay.
    const auto set = [&](int unknown, int axis, int shift, double off = 0.0) {
      if (shift == kStays || axis == 1 || (shift == everything && !lifts_)) {
        problem.give(unknown, off);
      } else {
        problem.follow(unknown, off, shift, axis == 0 ? 0 : 1);
      }
    };
    for (int f = 0; f < frames_; ++f) {
      const int root = f * problem.per_frame();
      const bool all_settled = std::ranges::all_of(ways_, [&](const Way& way) { return way.ball[f] == everything; });
      for (int axis = 0; axis < 3; ++axis) {
        if (f <= held_) {
          problem.give(root + axis, 0.0);
        } else if (f >= settled_ && (axis != 1 || all_settled)) {
          set(root + axis, axis, everything);
        }
        for (std::size_t k = 0; k < ways_.size(); ++k) {
          const int own = root + 3 + 6 * static_cast<int>(k);
          if (ways_[k].ball[f] != kFree) set(own + axis, axis, ways_[k].ball[f], ways_[k].off_m[f][axis]);
          if (ways_[k].keeps_turn[f]) problem.give(own + 3 + axis, 0.0);
        }
      }
    }
  }

  const analysis::StudiedClip& window_;
  analysis::FootContacts contacts_;
  const JoinFeetParams& params_;
  double dt_;
  int frames_, held_, core_, settled_;
  bool lifts_ = true;  ///< Every foot that keeps its place leaves it within the window.
  std::vector<Way> ways_;
  std::vector<body::TwoBones> bones_;
};

}  // namespace

FeetScales join_scales() {
  FeetScales scales;
  scales.rise_m = 0.03;
  scales.root_jerk_mps3 = 100.0;
  scales.swing_m = 0.15;
  scales.knee_rad = 0.105;
  return scales;
}

Result<JoinedFeet> join_feet(const analysis::StudiedClip& window, const JoinFeetParams& params) {
  if (const auto feet = window.needs_feet(); !feet) return std::unexpected(feet.error());
  const double dt = window.clip().frame_time_s();
  if (!(params.held_s >= 2.0 * dt - 1e-9) || !(params.core_s > params.held_s) || !(params.settled_s >= params.core_s) ||
      params.core_s > window.clip().last_time_s() || params.max_steps < 1) {
    return fail(
        ErrorCode::invalid_argument,
        "join_feet: held until {} s, core from {} s, settled from {} s, {} steps in a window of {} s with frames "
        "of {} s, expected three frames and more before, then times in order, and >= 1 step",
        params.held_s, params.core_s, params.settled_s, params.max_steps, window.clip().last_time_s(), dt);
  }
  return Join(window, params).solve();
}

}  // namespace shosa::feet
