#pragma once

#include <cmath>
#include <deque>

#include "blend/junction.h"
#include "shosa/blend/player.h"

namespace shosa::blend {

/// Motions that can be under way at once; a deeper one stands still in its first frame.
inline constexpr int kMaxDepth = 8;

struct MotionPlayer::State {
  /// A motion that plays, and how it was joined to the one before.
  struct Instance {
    std::shared_ptr<const Motion> motion;
    int at = 0;
    GroundMove place;
    MotionTimes times;  ///< As it plays: feet as the junction hands them over.
    std::optional<Junction> junction;
    int held = 0;  ///< Nothing changes up to here.

    /// The junction and what momentum changes lie between these frames.
    double begin() const {
      if (!junction) return -INFINITY;
      return junction->momentum.active() ? std::min<double>(junction->begin, held) : junction->begin;
    }
    double end() const {
      if (!junction) return -INFINITY;
      return junction->momentum.active() ? std::max(junction->end, junction->momentum.end()) : junction->end;
    }
  };
  /// A plan carried out, not yet played.
  struct Joined {
    TransitionPlan plan;
    Instance instance;
    double strain = 0.0;  ///< How hard the body is thrown, as a share of what is allowed; 0: nobody looked.
  };

  explicit State(const Motion& motion);

  /// What plays at a frame when `index` is the last motion.
  void evaluate(std::size_t index, double frame, int depth, Pose& out);
  PreviousMotion last_motion() const;
  analysis::FootContacts contacts() const;

  /// How many frames later than planned a motion that keeps its place has to begin, so that the body gets there no
  /// faster than it walks, or than it moves on either side.
  int late_for_way(const PreviousMotion& previous, const Motion& next, TransitionPlan plan);

  /// Carries out a plan. Where that throws the body it is given time: other ways of joining are carried out and
  /// measured too, each later than the one before where `may_wait`, up to the first that the body can do.
  Joined join(const PreviousMotion& previous, const std::shared_ptr<const Motion>& motion, const TransitionPlan& plan,
              bool keep_place, bool may_wait);

  PlanParams params;
  double frame_time_s = 1.0;
  Rig rig;
  std::deque<Instance> instances;
  std::vector<JunctionScratch> scratch;
  WorldPose body_world;
  int forgotten = 0;

 private:
  void pose_of(const Instance& instance, double frame, Pose& pose) const;
  Joined carry_out(const PreviousMotion& previous, const std::shared_ptr<const Motion>& motion,
                   const TransitionPlan& plan, bool keep_place);
  /// The last motion has been joined; now its body keeps its momentum. Returns its strain.
  double keep_momentum(const Motion& previous);
};

}  // namespace shosa::blend
