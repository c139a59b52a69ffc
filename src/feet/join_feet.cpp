#include "shosa/feet/join_feet.h"

#include <algorithm>
#include <cmath>

#include "feet/feet_problem.h"
#include "shosa/analysis/body_motion.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/feet/apply_change.h"

namespace shosa::feet {

namespace {

constexpr double kAfter_s = 0.4;   // the centre of mass counts so far into the next core
constexpr int kRounds = 3;         // of looking at what the changed legs do to the centre of mass
constexpr double kSwing_s = 0.35;  // of a foot that lifts in the window and does not come down in it

/// What a ball does in a frame: where it is free, where it stays, or the number of the shift that it has.
constexpr int kFree = -1, kStays = -2;

class Join {
 public:
  Join(const analysis::StudiedClip& window, const JoinFeetParams& params)
      : window_(window), params_(params), dt_(window.clip().frame_time_s()), frames_(window.clip().frame_count()) {
    held_ = static_cast<int>(std::lround(params.held_s / dt_));
    core_ = static_cast<int>(std::ceil(params.core_s / dt_ - 1e-6));
    settled_ = std::clamp(static_cast<int>(std::ceil(params.settled_s / dt_ - 1e-6)), core_, frames_);
  }

  Result<JoinedFeet> solve() {
    StancePlan plan{.scale = window_.contacts().scale};
    std::vector<FootMotion> feet;
    for (const analysis::FootContactTrack& track : window_.contacts().feet) {
      auto foot = observe(track, plan);
      if (!foot) return std::unexpected(foot.error());
      feet.push_back(std::move(*foot));
    }
    FeetProblem problem(std::move(feet), plan, dt_, join_scales());
    const int everything = problem.add_shift();
    for (const analysis::FootContactTrack& track : window_.contacts().feet) ways_.push_back(way(track, problem));
    tie(problem, everything);
    Momentum momentum{.acceleration_mps2 = analysis::observe_body(window_).com_acceleration_mps2,
                      .first = held_,
                      .last = core_ + static_cast<int>(std::lround(kAfter_s / dt_))};

    JoinedFeet out;
    Eigen::VectorXd x = problem.start();
    // Knees that bend carry mass along too: each round takes what the changed legs really do to the centre of mass.
    for (int round = 0; round < kRounds; ++round) {
      if (round > 0) {
        const std::vector<Vec3d> made = analysis::observe_body(changed(problem, x)).com_acceleration_mps2;
        for (int f = 1; f + 1 < frames_; ++f) {
          momentum.acceleration_mps2[f] += made[f] - problem.acceleration_mps2(x, f);
        }
      }
      problem.weigh(momentum);
      out.report = solve_feet(problem, {.max_steps = params_.max_steps, .converged = 1e-3}, x);
    }
    out.change = problem.change(x);
    out.shift_m = problem.shift_m(x, everything);
    return out;
  }

 private:
  analysis::StudiedClip changed(const FeetProblem& problem, const Eigen::VectorXd& x) const {
    Clip clip = window_.clip();
    const FeetChange change = problem.change(x);
    std::vector<ChangedLeg> legs;
    for (std::size_t k = 0; k < problem.feet().size(); ++k) {
      const body::FootPoints& points = window_.contacts().feet[k].points;
      legs.push_back({problem.feet()[k].bones, points.toe >= 0 ? points.toe : points.joint});
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
    // The ground is no higher than the joined motion has the foot: what is in the ground was so before.
    for (int f = 0; f < frames_; ++f) {
      const double ground_m = analysis::local_ground_m(track, f * dt_, window_.contacts().ground_m);
      foot.ground_m.push_back(
          std::min({ground_m, motion->ball_m[f].y(), motion->ankle_m[f].y(), motion->heel_m[f].y()}));
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

  // One foot: what its ball does, and whether it keeps its turn.
  struct Way {
    std::vector<int> ball;
    std::vector<char> keeps_turn;
  };
  Way way(const analysis::FootContactTrack& track, FeetProblem& problem) {
    Way way{std::vector<int>(static_cast<std::size_t>(frames_), 0), std::vector<char>(frames_, 0)};
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

  void tie(FeetProblem& problem, int everything) const {
    // Over the ground the unknown takes a shift; heights stay.
    const auto set = [&](int unknown, int axis, int shift) {
      if (shift == kStays || axis == 1 || (shift == everything && !lifts_)) {
        problem.give(unknown, 0.0);
      } else {
        problem.follow(unknown, 0.0, shift, axis == 0 ? 0 : 1);
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
          if (ways_[k].ball[f] != kFree) set(own + axis, axis, ways_[k].ball[f]);
          if (ways_[k].keeps_turn[f]) problem.give(own + 3 + axis, 0.0);
        }
      }
    }
  }

  const analysis::StudiedClip& window_;
  const JoinFeetParams& params_;
  double dt_;
  int frames_, held_, core_, settled_;
  bool lifts_ = true;  ///< Every foot that keeps its place leaves it within the window.
  std::vector<Way> ways_;
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
