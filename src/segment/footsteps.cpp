#include "shosa/segment/footsteps.h"

#include <algorithm>
#include <cmath>

#include "segment/footstep_motion.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {
namespace {

Result<void> check(const StepPlan& plan) {
  if (plan.source == nullptr) return fail(ErrorCode::invalid_argument, "a plan without a walk");
  if (plan.steps.empty()) return fail(ErrorCode::invalid_argument, "a plan without steps; expected at least one");
  if (!(plan.clearance_m >= 0.0)) {
    return fail(ErrorCode::invalid_argument, "clearance_m is {}, expected >= 0", plan.clearance_m);
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Footstep& step = plan.steps[i];
    if (!step.position_m.allFinite() || (step.heading_rad && !std::isfinite(*step.heading_rad))) {
      return fail(ErrorCode::invalid_argument, "step {}: a position or heading that is not finite", i);
    }
  }
  return {};
}

/// The source's steps that the plan's steps are, in order; empty when there are too few.
Result<std::vector<int>> match_steps(const FootstepSource& source, const std::vector<Footstep>& plan) {
  std::vector<int> found;
  const auto name = [&](int s) { return source.feet().feet[source.steps()[s].foot].name; };
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto known = [&](const StandingFoot& foot) { return foot.name == plan[i].foot; };
    if (std::ranges::none_of(source.feet().feet, known)) {
      std::string names;
      for (const StandingFoot& foot : source.feet().feet) names += (names.empty() ? "" : ", ") + foot.name;
      return fail(ErrorCode::invalid_argument, "step {}: foot '{}'; the body has {}", i, plan[i].foot, names);
    }
  }
  std::size_t next = 0;
  for (int s = 0; s < static_cast<int>(source.steps().size()) && next < plan.size(); ++s) {
    if (!source.steps()[s].lands) continue;
    if (name(s) == plan[next].foot) {
      found.push_back(s);
      ++next;
    } else if (next > 0) {
      return fail(ErrorCode::not_possible, "step {}: the {} foot, but after step {} the clip's {} foot lands", next,
                  plan[next].foot, next - 1, name(s));
    }
  }
  if (next < plan.size()) found.clear();
  return found;
}

/// Level around each place: the ground of the nearest one.
struct AroundPlaces {
  std::vector<Vec3d> places_m;

  feet::GroundPoint operator()(double x_m, double z_m) const {
    double best = INFINITY;
    feet::GroundPoint out;
    for (const Vec3d& p : places_m) {
      const double apart = (p.x() - x_m) * (p.x() - x_m) + (p.z() - z_m) * (p.z() - z_m);
      if (apart >= best) continue;
      best = apart;
      out.height_m = p.y();
    }
    return out;
  }
};

// Beyond these a plan asks for more than legs can do.
constexpr double kTooShort_m = 1e-3, kTooDeep_m = 0.01, kMissed_m = 0.01, kMostKnee_rad = 140.0 * kRadPerDeg;
/// Of the leg's length: a body that sinks more beyond its own clip lunges, as over feet that a turning clip sets apart.
constexpr double kMostSink = 0.18;

/// The least height of the hips over the lower foot, and when.
std::pair<double, double> lowest_hips(const ClipPositions& p, const analysis::StudiedClip& source) {
  std::pair<double, double> lowest(INFINITY, 0.0);
  for (int f = 0; f < p.frame_count(); ++f) {
    double foot_m = INFINITY;
    for (const analysis::FootContactTrack& foot : source.contacts().feet)
      foot_m = std::min(foot_m, p.joint(f, foot.points.joint).y());
    const double height_m = p.joint(f, root_joint(source.map())).y() - foot_m;
    if (height_m < lowest.first) lowest = {height_m, f * source.clip().frame_time_s()};
  }
  return lowest;
}

void warn(const FootstepSource& source, Footsteps& out) {
  const ClipPositions before = source.studied().positions(), after = clip_positions(out.clip);
  double own_rad = 0.0;
  for (const analysis::FootContactTrack& foot : source.studied().contacts().feet) {
    const auto bend_rad = [&](const ClipPositions& p, int f) {
      const Vec3d a = p.joint(f, foot.points.knee) - p.joint(f, foot.points.limb),
                  b = p.joint(f, foot.points.joint) - p.joint(f, foot.points.knee);
      return angle_between(a, b);
    };
    if (foot.points.limb == kNoJoint || foot.points.knee == kNoJoint) continue;
    for (int f = 0; f < after.frame_count(); ++f) {
      own_rad = std::max(own_rad, bend_rad(before, f));
      out.max_knee_rad = std::max(out.max_knee_rad, bend_rad(after, f));
    }
  }
  if (out.max_unreached_m > kTooShort_m) {
    out.warnings.push_back(fmt::format("a leg is too short for its step by {:.1f} cm", 100.0 * out.max_unreached_m));
  }
  const auto worst = std::ranges::max_element(out.steps, {}, &FootstepOutcome::error_m);
  if (worst != out.steps.end() && worst->error_m > kMissed_m) {
    out.warnings.push_back(fmt::format("the {} foot stands {:.1f} cm from its place at {:.2f} s", worst->foot,
                                       100.0 * worst->error_m, worst->time_s));
  }
  if (out.max_knee_rad > std::max(kMostKnee_rad, own_rad)) {
    out.warnings.push_back(
        fmt::format("a knee bends by {:.0f} degrees: the plan asks more than legs do", out.max_knee_rad * kDegPerRad));
  }
  const auto [own_m, own_s] = lowest_hips(before, source.studied());
  const auto [lowest_m, at_s] = lowest_hips(after, source.studied());
  if (own_m - lowest_m > kMostSink * body::leg_length_m(source.studied().skeleton(), source.studied().map())) {
    out.warnings.push_back(
        fmt::format("the hips sink {:.0f} cm lower than in the clip at {:.2f} s: the steps lie farther apart than they "
                    "suit its legs",
                    100.0 * (own_m - lowest_m), at_s));
  }
  if (out.max_penetration_m > kTooDeep_m) {
    out.warnings.push_back(fmt::format("a sole is {:.1f} cm in the ground", 100.0 * out.max_penetration_m));
  }
}

// A foot within this of its flat turn lies flat.
constexpr double kFlat_rad = 5e-4;
// A ball higher than this over where it stood leaves the toes to stand; toes higher than that have left the ground.
constexpr double kBallUp_m = 1e-4;
constexpr double kOffGround_m = 1e-3;

/// The lowest sole points of a foot in a posture.
struct Sole {
  Vec3d heel, ball;
  std::vector<Vec3d> tips;
};
Sole sole_of(const StandingFoot& foot, const WorldPose& world) {
  const auto end = static_cast<std::size_t>(foot.limb->end);
  Sole out{world.positions[end] + world.rotations[end] * foot.heel_in_foot,
           world.positions[end] + world.rotations[end] * foot.ball_in_foot,
           {}};
  const auto toe = foot.limb->toe == kNoJoint ? end : static_cast<std::size_t>(foot.limb->toe);
  for (const Vec3d& tip : foot.tips_in_toes) out.tips.push_back(world.positions[toe] + world.rotations[toe] * tip);
  return out;
}

void measure(const FootstepMotion& motion, const std::vector<int>& steps, const feet::GroundView& terrain,
             Footsteps& out) {
  const FootstepSource& source = motion.source();
  const double dt = out.clip.frame_time_s();
  std::vector<WorldPose> worlds(static_cast<std::size_t>(out.clip.frame_count()));
  for (int f = 0; f < out.clip.frame_count(); ++f)
    forward_kinematics(out.clip.skeleton(), out.clip.frame(f), worlds[f]);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const SourceStep& step = source.steps()[steps[i]];
    const StandingFoot& foot = source.feet().feet[step.foot];
    const StillStance& stance = foot.stances[step.stance];
    FootstepOutcome& outcome = out.steps[i];
    outcome.time_s = stance.first * dt;
    outcome.lift_m = motion.lift_m(steps[i]);
    // Where the foot lies, and whether it lies flat in a frame: a heel may rise before the source's does.
    const StepPlace& place = motion.place(steps[i]);
    const Quatd flat_turn = place.tilt * about_y(place.turn_rad) * stance.turn;
    const auto end = static_cast<std::size_t>(foot.limb->end);
    const auto is_flat = [&](int f) { return worlds[f].rotations[end].angularDistance(flat_turn) < kFlat_rad; };
    const bool tilted = !place.tilt.isApprox(Quatd::Identity(), 1e-12);
    const Vec3d flat_ankle = outcome.position_m + Vec3d(0.0, stance.place_m.y() - stance.ground_m, 0.0);
    const auto flat_at = [&](const Vec3d& in_foot) { return Vec3d(flat_ankle + flat_turn * in_foot); };
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) {
      const WorldPose& world = worlds[f];
      const Vec3d ankle = world.positions[end];
      const Sole sole = sole_of(foot, world);
      double lowest = std::min(ankle.y(), sole.ball.y());
      for (const Vec3d& tip : sole.tips) lowest = std::min(lowest, tip.y());
      const double up = lowest - outcome.position_m.y();
      Vec3d off = is_flat(f) ? Vec3d(ankle - outcome.position_m) : Vec3d(sole.ball - flat_at(foot.ball_in_foot));
      off.y() = up;
      if (!stance.flat) {
        // Never flat, as where the clip's end cuts it: the point that stands, heel or ball.
        const Vec3d heel = sole.heel - flat_at(foot.heel_in_foot), ball = sole.ball - flat_at(foot.ball_in_foot);
        off = heel.norm() < ball.norm() ? heel : ball;
      }
      outcome.error_m = std::max(outcome.error_m, tilted ? std::hypot(off.x(), off.z()) : off.norm());
      if (!tilted && stance.flat) outcome.float_m = std::max(outcome.float_m, up);
    }
    // The ankle while flat, the ball from the flat part on, then the tips of the toes: what stands.
    double path = 0.0;
    int pairs = 0;
    const auto slide = [&](int f, auto point) {
      path += (point(worlds[static_cast<std::size_t>(f) + 1]) - point(worlds[f])).norm();
      ++pairs;
    };
    bool on_tips = false;
    double tip_level = 1e9;
    for (const Vec3d& tip : sole_of(foot, worlds[stance.flat_last]).tips) tip_level = std::min(tip_level, tip.y());
    for (int f = stance.flat_first; f < stance.ball_last; ++f) {
      const Sole next = sole_of(foot, worlds[static_cast<std::size_t>(f) + 1]);
      on_tips |= next.ball.y() > flat_at(foot.ball_in_foot).y() + kBallUp_m;
      if (!on_tips) {
        slide(f, [&](const WorldPose& w) { return sole_of(foot, w).ball; });
        if (f < stance.flat_last && is_flat(f) && is_flat(f + 1))
          slide(f, [&](const WorldPose& w) { return w.positions[end]; });
        continue;
      }
      // A long step's toes leave early.
      if (next.tips.empty() || next.tips[0].y() > tip_level + kOffGround_m) break;
      slide(f, [&](const WorldPose& w) { return sole_of(foot, w).tips[0]; });
    }
    outcome.slide_mps = pairs > 0 ? path / pairs / dt : 0.0;
  }
  // Soles under the ground, less what the flat foot itself has there.
  for (std::size_t i = 0; i < source.feet().feet.size(); ++i) {
    const StandingFoot& foot = source.feet().feet[i];
    if (foot.stances.empty()) continue;
    const auto& rest = source.sole_m(static_cast<int>(i));
    // From the first landing on: what the clip does before that is its own.
    const int begin = foot.stances[0].first;
    for (int f = begin; f < static_cast<int>(worlds.size()); ++f) {
      const WorldPose& world = worlds[f];
      const Sole sole = sole_of(foot, world);
      const auto depth = [&](const Vec3d& p, double level) { return terrain(p.x(), p.z()).height_m + level - p.y(); };
      out.max_penetration_m =
          std::max({out.max_penetration_m, depth(sole.heel, rest.heel), depth(sole.ball, rest.ball)});
      for (const Vec3d& tip : sole.tips) out.max_penetration_m = std::max(out.max_penetration_m, depth(tip, rest.tip));
    }
  }
}

}  // namespace

Result<Footsteps> walk_footsteps(const StepPlan& plan) {
  if (const auto ok = check(plan); !ok) return std::unexpected(ok.error());
  std::shared_ptr<const FootstepSource> source = plan.source;
  auto steps = match_steps(*source, plan.steps);
  if (!steps) return std::unexpected(steps.error());
  if (steps->empty() && source->cycles() == 0) {
    // More steps than the clip has: on loops of it, placed where the clip is.
    auto looped = source->looped(static_cast<int>(plan.steps.size()) / 2 + 3);
    if (!looped) {
      return fail(looped.error().code, "the plan has {} steps, more than the clip lands, and it cannot be looped: {}",
                  plan.steps.size(), looped.error().message);
    }
    source = std::move(*looped);
    steps = match_steps(*source, plan.steps);
    if (!steps) return std::unexpected(steps.error());
  }
  if (steps->empty()) return fail(ErrorCode::not_possible, "the looped clip does not land {} times", plan.steps.size());

  FootstepMotion motion(source);
  Footsteps out{.clip = source->clip(), .steps = {}, .warnings = {}};
  if (source->cycles() > 0) {
    out.warnings.push_back(Note::done(fmt::format(
        "the plan has more steps than the clip lands: it is walked on {} loops of its cycle", source->cycles())));
  }
  const int count = static_cast<int>(source->steps().size());
  AroundPlaces around;
  double turn = plan.start.yaw_rad;
  std::size_t planned = 0;
  Vec3d last_from = Vec3d::Zero(), last_to = plan.start.shift_m;
  for (int s = 0; s < count; ++s) {
    const SourceStep& own = source->steps()[s];
    // Before the plan the walk is where it starts; after it, it goes on from the last step.
    StepPlace place{.place_m = last_to + about_y(turn) * (own.place_m - last_from)};
    const bool wanted = planned < steps->size() && (*steps)[planned] == s;
    if (wanted) {
      const Footstep& step = plan.steps[planned];
      if (step.heading_rad) turn += wrap_angle(*step.heading_rad - own.heading_rad - turn);
      place.place_m = step.position_m;
      out.steps.push_back({.foot = step.foot, .position_m = step.position_m, .heading_rad = own.heading_rad + turn});
      last_from = own.place_m;
      last_to = step.position_m;
      ++planned;
    }
    // What is not planned stands on the terrain as well.
    if (plan.terrain && !wanted) place.place_m.y() = plan.terrain->height_m(place.place_m.x(), place.place_m.z());
    place.turn_rad = turn;
    if (plan.terrain) {
      const Vec3d up = (*plan.terrain)(place.place_m.x(), place.place_m.z()).normal;
      if (up.y() < 1.0) place.tilt = shortest_turn(Vec3d::UnitY(), up);
    }
    around.places_m.push_back(place.place_m);
    motion.set_place(s, place);
  }
  const feet::GroundView terrain = plan.terrain ? feet::GroundView(*plan.terrain) : feet::GroundView(around);
  motion.update(&terrain, plan.clearance_m);

  Reconstructor reconstructor(source->body(), {.iterations = 48});
  Pose pose;
  for (int f = 0; f < out.clip.frame_count(); ++f) {
    const auto report = motion.evaluate(f, reconstructor, pose);
    out.max_unreached_m = std::max(out.max_unreached_m, report.max_fixed_error_m);
    out.clip.set_frame(f, pose);
  }
  measure(motion, *steps, terrain, out);
  warn(*source, out);
  return out;
}

}  // namespace shosa::segment
