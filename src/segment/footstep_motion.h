#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "segment/reconstruct.h"
#include "segment/standing_feet.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/segment/terrain.h"

namespace shosa::segment {

/// A stance of a clip as footsteps see it.
struct SourceStep {
  int foot = 0;                   ///< Place in `FootstepSource::feet().feet`.
  int stance = 0;                 ///< Place in that foot's stances.
  bool lands = false;             ///< False: the foot stands from (nearly) the clip's first frame on.
  Vec3d place_m = Vec3d::Zero();  ///< x and z of the ankle while flat; y of the ground there.
  double heading_rad = 0.0;       ///< Where the body goes then (not where the foot points).
};

/// What a clip gives to all who walk with it: feet that stand still, steps in order, shares of every swing.
class FootstepSource {
 public:
  /// Fails when no foot lands, or where the body's place does not vary.
  static Result<std::shared_ptr<const FootstepSource>> create(const analysis::StudiedClip& studied);
  /// The same on `cycles` loops of the clip's cycle (loop.h), which begin where it has the cycle.
  Result<std::shared_ptr<const FootstepSource>> looped(int cycles) const;

  const analysis::StudiedClip& studied() const { return studied_; }
  const Clip& clip() const { return studied_.clip(); }
  int cycles() const { return cycles_; }  ///< Of `looped`; 0: the clip as it is.
  const std::shared_ptr<const PointBody>& body() const { return body_; }
  const StandingFeet& feet() const { return feet_; }
  /// How low the points of a foot's sole get over their ground in any flat stance: what counts as on the ground.
  struct Sole {
    double heel = 0.0, ball = 0.0, tip = 0.0;
  };
  const Sole& sole_m(int foot) const { return sole_m_[foot]; }
  std::span<const SourceStep> steps() const { return steps_; }  ///< By time of landing.

 private:
  friend class FootstepMotion;
  struct Swing {
    int from = -1, to = -1;     // steps; -1: the clip's begin or end
    int first = 0, last = 0;    // frames between the stances, both of a stance where there is one
    std::vector<double> share;  // delta, per frame
    double heel_up_from_rad = 0.0, heel_up_to_rad = 0.0;  // of the sole at toe-off and at the landing
    /// 0 where it begins, 1 where it lands; one that the clip's end cuts is taken for the first half of a swing.
    double passed(int frame) const {
      return (to < 0 ? 0.5 : 1.0) * static_cast<double>(frame - first) / std::max(1, last - first);
    }
  };
  struct Knot {
    double frame = 0.0;      // middle of the stance
    std::vector<int> steps;  // one, or those that stand at the same time
    Vec3d hips_m = Vec3d::Zero();
  };
  static Result<std::shared_ptr<const FootstepSource>> make(const analysis::StudiedClip& studied, int cycles);
  FootstepSource(const analysis::StudiedClip& studied, int cycles, std::shared_ptr<const PointBody> body,
                 StandingFeet feet)
      : studied_(studied), cycles_(cycles), body_(std::move(body)), feet_(std::move(feet)) {}
  void find_swings();
  void find_knots();

  analysis::StudiedClip studied_;
  int cycles_;
  std::shared_ptr<const PointBody> body_;
  StandingFeet feet_;
  std::vector<SourceStep> steps_;
  std::vector<Sole> sole_m_;
  std::vector<std::vector<int>> step_at_;   // [foot][frame]: the step that stands, or -1
  std::vector<std::vector<int>> swing_at_;  // [foot][frame]: the swing, or -1
  std::vector<Swing> swings_;
  std::vector<Knot> knots_;
  /// What of a leg the walk is made from, per frame; positions in the world of the source.
  struct Leg {
    Vec3d hip_from_hips = Vec3d::Zero();
    Vec3d knee_from_hip = Vec3d::Zero(), ankle_from_hip = Vec3d::Zero();
    Vec3d bend = Vec3d::UnitZ();  // side of the knee
    Quatd foot_turn = Quatd::Identity();
    double most_m = 0.0;       // how long the leg may get while it stands
    double soft_m = 0.0;       // over which it comes to that
    double load = 0.0;         // 0 in the air, 1 in mid-stance, smooth
    double roll = 0.0;         // how far the foot follows the leg's lean: 1 in the air, 0 while flat
    double toes = 0.0;         // how far the toes then stay where they were: 1 while they stand
    double air = 0.0;          // how far the ankle is bent as in the source: 1 in the middle of a swing
    double free = 0.0;         // how far the foot gives way to a leg that would get too long: 1 in the air
    double push = 0.0;         // how far the heel rises early for a leg behind the body: 1 while flat, 0 at toe-off
    double heel_up_rad = 0.0;  // of the sole against the flat foot; negative: toes up
    double ankle_rad = 0.0;    // dorsiflexion
    double ankle_least_rad = 0.0, ankle_most_rad = 0.0;  // allowed
  };
  struct FootAxes {
    Vec3d forward = Vec3d::UnitZ(), up = Vec3d::UnitY();  // of the flat foot, in the foot
  };
  double ankle_rad(int foot, const Quatd& world_from_foot, const Vec3d& ankle_to_knee) const;
  void find_ankle_limits();
  void find_legs();
  void find_phase(std::size_t foot, int frame, Leg& leg) const;
  std::vector<std::vector<Leg>> legs_;  // [foot][frame]
  std::vector<FootAxes> axes_;
  std::vector<Vec3d> hips_m_;  // per frame
};

/// Where a step goes.
struct StepPlace {
  Vec3d place_m = Vec3d::Zero();   ///< As in `SourceStep`.
  double turn_rad = 0.0;           ///< Of the body's way, away from the source's, about +Y.
  Quatd tilt = Quatd::Identity();  ///< Of the foot alone, to lie on a slope.
};

/// One character's walk: every step of the source has a place of its own.
///
/// Foot: while it stands, the source's (still) foot carried rigidly to its place; while it swings, the two places
/// before and after share it by delta, so that nothing slides; where ground is in the way, the swing is lifted over it.
/// In the air the ankle is bent as in the source. A foot rolls off as far as its leg leans; its heel rises where the
/// leg would get longer than legs do or the ankle bend more than ankles do (human ranges; other bodies: than the clip
/// shows). Body: its path is the source's with a line drawn through the hips at mid-stance exchanged for the line
/// through where the steps take them, so its own sway stays and its speed follows the steps without jumps. Its
/// height is planned over the whole walk: the smoothest path that no leg is too short for, and no crouch over short
/// steps. docs/methods/footsteps.md
class FootstepMotion {
 public:
  explicit FootstepMotion(std::shared_ptr<const FootstepSource> source);

  const FootstepSource& source() const { return *source_; }
  const StepPlace& place(int step) const { return places_[step]; }

  /// The source's own places.
  void reset();
  void set_place(int step, const StepPlace& place);
  /// Brings the path up to date after `set_place`; swings are lifted over `terrain` where it is given, by
  /// `clearance_m`.
  /// `shown`: the last frame that has been shown, -1 for none. Hips and heels stay as they are up to the frame after
  /// it and go on from there with their speed; with the rule of `frame_to_decide` so does everything else.
  void update(const feet::GroundView* terrain = nullptr, double clearance_m = 0.03, int shown = -1);
  /// The last frame up to which a step's place may still change without a jump in what is shown.
  int frame_to_decide(int step) const;

  /// How far a swing had to be lifted, metres; by step that it ends in.
  double lift_m(int step) const;

  struct Foot {
    Vec3d place_m = Vec3d::Zero();
    Quatd turn = Quatd::Identity();
  };
  Foot foot(int which, int frame) const;
  Vec3d hips(int frame) const;

  /// One frame. Allocates nothing once the pose has its size; `reconstructor` must be of the source's body and may
  /// serve many characters of one thread.
  ReconstructReport evaluate(int frame, Reconstructor& reconstructor, Pose& pose) const;

 private:
  struct Carry {
    Quatd turn = Quatd::Identity();  // about +Y
    Quatd tilt = Quatd::Identity();
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    Vec3d operator*(const Vec3d& p) const { return to + tilt * (turn * (p - from)); }
    Vec3d level(const Vec3d& p) const { return to + turn * (p - from); }
  };
  struct Knot {
    Vec3d source, source_slope, target, target_slope;  // y of target: rise
    double turn = 0.0, turn_slope = 0.0;
  };
  struct Track {
    Vec3d hips = Vec3d::Zero();  // before legs have a say
    Quatd spin = Quatd::Identity();
  };
  static constexpr std::size_t kMostFeet = 4;
  struct Pitched {
    Foot foot;
    Quatd toes = Quatd::Identity();  // turn of the toes against the foot, on top of the source's
  };
  struct Stand {
    Vec3d hips = Vec3d::Zero();
    Quatd spin = Quatd::Identity();
    Pitched feet[kMostFeet];
  };
  Track track(int frame) const;
  enum class Heels {
    planned,
    as_wanted
  };
  Stand stand(int frame, Heels heels = Heels::planned) const;
  Foot carried_foot(int which, int frame) const;
  Foot swing_foot(const FootstepSource::Swing& swing, int foot, int frame) const;
  static constexpr double kFolded = 0.3;  ///< Of its length: a leg folds no further.
  /// The stances that a swing leads from and to, how much higher it comes down, and how much of a stair that is: 1 for
  /// a whole one, 0 on level ground and on slopes, which have no edge.
  struct StepUp {
    const Carry *from, *to;
    double height_m, much;
  };
  StepUp step_up(const FootstepSource::Swing& swing) const;
  /// How much a foot in the air steps down a stair: `StepUp::much`; 0 upward, and while it stands.
  double down_share(int which, int frame) const;
  double lean_rad(int which, int frame, const Track& body, const Foot& carried, const Vec3d& forward) const;
  double reach_rad(int which, int frame, const Vec3d& hip, const Foot& carried, const Vec3d& forward,
                   double pitch) const;
  Vec3d roll_axis(int which, const Track& body, const Foot& carried) const;
  double ankle_pitch_rad(int which, int frame, const Vec3d& hip, const Quatd& spin, const Foot& carried,
                         const Vec3d& axis, double pitch) const;
  Pitched pitched(int which, int frame, const Foot& carried, const Vec3d& axis, double angle) const;
  void let_go(int which, int frame, const Vec3d& hip, Foot& foot) const;
  void raise_toes(int which, int frame, const Vec3d& axis, Pitched& foot) const;
  struct HipsBounds {
    double wish_m = 0.0, load = 0.0;  // of the hips' height over the track's, and how much it counts
    double most_m = 0.0;
  };
  HipsBounds hips_bounds(int frame) const;
  void plan_hips(int kept);
  double wanted_heel_rad(int which, int frame) const;
  void plan_heels(int kept);
  /// check(position, level): the points of a sole, and how high each is over the ground when the foot is flat.
  template <class Check>
  void sole_points(int which, int frame, const Foot& foot, const Quatd& toes, const Check& check) const;
  void lift_swing(std::size_t swing, int foot, const feet::GroundView& terrain, double clearance_m);
  void path_at(double frame, Vec3d& offset, double& turn, Vec3d& line) const;

  std::shared_ptr<const FootstepSource> source_;
  std::vector<StepPlace> places_;
  std::vector<Carry> carries_;
  std::vector<Knot> knots_;
  struct Lift {
    double at = 0.5, height_m = 0.0;  // share of the swing's time
  };
  static constexpr int kLifts = 6;
  std::vector<Lift> lifts_;                          // kLifts per swing
  std::vector<double> wish_m_;                       // per frame: what the wishes come to, smoothly
  std::vector<double> rise_m_;                       // per frame: the hips over the track
  std::vector<std::vector<double>> heel_rad_;        // [foot][frame]: beyond the roll with the leg
  std::vector<std::vector<double>> heel_paths_rad_;  // two a foot: what the wishes up and down come to, negative
};

}  // namespace shosa::segment
