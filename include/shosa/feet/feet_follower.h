#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/pose.h"
#include "shosa/feet/apply_change.h"
#include "shosa/feet/ground.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

class FeetPlan;

/// The theory of feet for frames as they come: a motion that is known some way ahead, and a plan of stances that
/// changes while it is played.
///
/// `plan` finds what `place_feet` finds, over a window from the frame that was shown last to the stance after next: the
/// same cost (`FeetScales`) on knots `knot_samples` apart. What was shown and its speed stay. `at`
/// then gives each frame until the next plan: in a stance exactly what is asked; in between a quintic from stance to
/// stance, plus the knots' differences from it, joined by quintics whose rates are the knots' differences. Value and
/// speed are continuous from plan to plan, and where a stance asks for what is not shown yet, 0.1 s lead to it. A plan
/// is O(samples), bounded by `max_steps`. Nothing is allocated after set-up. Deterministic. Not handled: toes,
/// momentum. Equations, figures and failure cases: docs/methods/feet.md
struct FollowerParams {
  FeetScales scales;
  double step_s = 1.0 / 60.0;  ///< From sample to sample of a window; > 0.
  int knot_samples = 3;        ///< Samples from knot to knot: 0.05 s; >= 1.
  int most_samples = 96;       ///< Of a window; >= 4 * knot_samples.
  int max_steps = 5;           ///< Of Gauss-Newton, in a plan; >= 1.
  double converged = 1e-3;     ///< Done when a step lowers the cost by less than this share of it; > 0.
};

/// What followers of one body share. Made once.
struct FollowedBody {
  struct Leg {
    ChangedLeg changed;
    bool has_ball = false, has_heel = false;
    Vec3d heel_in_foot_m = Vec3d::Zero();                        ///< Heel of the sole from the ankle.
    double straightest_rad = 0.0, most_overstretched_rad = 0.0;  ///< What the clips have.

    Vec3d ball_m(const Skeleton& of, const WorldPose& world) const;
  };
  std::shared_ptr<const Skeleton> skeleton;
  JointIndex mover = 0;  ///< Its translation moves the body.
  std::vector<Leg> legs;
  double scale = 1.0;  ///< Leg length / 0.85 m.
  FollowerParams params;
};
/// Legs as these clips of one skeleton have them. Fails when there is no clip, a clip knows no feet, a foot does not
/// hang on its leg, there are more than `kMostFollowedFeet`, or a parameter is out of its bounds.
inline constexpr int kMostFollowedFeet = 4;
Result<std::shared_ptr<const FollowedBody>> followed_body(std::span<const analysis::StudiedClip> clips,
                                                          const FollowerParams& params = {});

/// The motion ahead and its stances: filled anew for each plan. Room for the solve is in it, so that a thread needs one
/// for all its characters.
class FeetWindow {
 public:
  explicit FeetWindow(std::shared_ptr<const FollowedBody> body);
  ~FeetWindow();
  FeetWindow(FeetWindow&&) noexcept;
  FeetWindow& operator=(FeetWindow&&) noexcept;

  void clear();
  bool is_full() const;
  int sample_count() const;
  /// The next sample of the motion, `step_s` after the one before; the first is the frame that was shown last, without
  /// what a follower changed.
  void add(const WorldPose& world);
  /// What is asked of a foot; frames are samples. What began before the window begins at 0, what goes on behind it ends
  /// with its last sample. A stance that goes on from the last plan keeps its place (`FeetFollower::shown_ball_m`).
  /// Beyond twelve for each foot they are ignored.
  void stand(int foot, const Stance& stance);
  /// The ball of a foot of the motion itself.
  const Vec3d& ball_m(int foot, int sample) const;
  const Quatd& rotation(int foot, int sample) const;

 private:
  friend class FeetFollower;
  struct Room;
  std::unique_ptr<Room> room_;
};

/// One character's feet. Can be copied: copies go on alike.
class FeetFollower {
 public:
  explicit FeetFollower(std::shared_ptr<const FollowedBody> body);
  FeetFollower(const FeetFollower&);
  FeetFollower(FeetFollower&&) noexcept;
  FeetFollower& operator=(const FeetFollower&);
  FeetFollower& operator=(FeetFollower&&) noexcept;
  ~FeetFollower();

  /// Nothing is changed until the next plan.
  void reset();
  /// From the frame at `time_s` on, which is the window's first sample; the window is one of the same body. A window of
  /// fewer than two samples leaves the last plan as it is.
  solve::SolveReport plan(double time_s, FeetWindow& window, const GroundView& ground = {});
  /// The frame at `time_s`, not before the last plan's first: `pose` is the motion's own and is changed. `world` is
  /// room to work in.
  void at(double time_s, Pose& pose, WorldPose& world);
  /// How the frame that `at` gave last was changed.
  const Vec3d& root_m() const { return root_m_; }
  std::span<const BallChange> balls() const { return {balls_.data(), body_->legs.size()}; }
  /// The ball and the foot's rotation in that frame.
  const Vec3d& shown_ball_m(int foot) const { return shown_ball_m_[foot]; }
  const Quatd& shown_rotation(int foot) const { return shown_rotation_[foot]; }

 private:
  std::shared_ptr<const FollowedBody> body_;
  std::unique_ptr<FeetPlan> plan_;
  Vec3d root_m_ = Vec3d::Zero();
  std::array<BallChange, kMostFollowedFeet> balls_;
  std::array<Vec3d, kMostFollowedFeet> shown_ball_m_;
  std::array<Quatd, kMostFollowedFeet> shown_rotation_;
};

}  // namespace shosa::feet
